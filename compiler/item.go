package compiler

import (
	"fmt"

	"voxpack/compiler/action"
	"voxpack/compiler/clip"
	"voxpack/compiler/intake"
	"voxpack/compiler/kind"
	"voxpack/store"
)

// item is a row in a build. Each of its parts is written by one step of the build
// and only read by those after it. A build holds one for each row of the metadata, so it is small;
// rows of a leaf that was taken over share their fate.
type item struct {
	input
	*fate // unsurveyed until the row is surveyed or taken over
	work
}

// input is what the metadata says of a row, and the previous snapshot of its id.
type input struct {
	from       *corpusFolder
	row        *intake.Row
	place      uint64 // of the id in the trie
	file       uint64 // the place of the audio's path, of a row that was taken over; else 0
	known      *known // nil: nothing; there while the row is surveyed
	repeated   uint32 // equal rows that stand beside it
	keptBefore bool   // the previous snapshot kept the id
}

// unsurveyed is the fate of rows that nobody has looked at.
var unsurveyed = &fate{}

// notes are those on the row's metadata.
func (in *input) notes() []store.Note {
	if in.repeated == 0 {
		return nil
	}
	return []store.Note{{Stage: action.NameMetadata, Kind: kind.RepeatedRow, Detail: "equal rows", Count: in.repeated}}
}

// known is a row of the previous snapshot, kept or refused.
type known struct {
	row      *store.OriginRow
	leaf     int // -1: refused
	refusals []store.Refusal
}

// fate is what the survey finds out about a row.
type fate struct {
	path  string // of the audio: the corpus's name, "/", and the path below the corpus
	stamp clip.Stamp
	// made is the row as its origin record has it. The digest and the keys of an
	// unhashed row are not there yet: the work fills them in. Of a row that was taken over
	// whole it is nil until its leaf turns out to differ, and of all rows when their leaf is worked.
	made    *store.OriginRow
	remains *remains // of a row that made is nil of
	// Where the record of a row was put aside that made is nil of.
	asideFrom int64
	asideSize uint32 // 0: nowhere
	unhashed  bool
	claimed   bool      // the lengths are what the file says of itself; no more when the work has proven them
	guessed   bool      // claimed, and the work puts its own in their place: see adopt
	heard     uint8     // of made.Notes, those of the sound, which come first
	problems  []problem // why it is left out; none: it is kept
	sameLeaf  int       // 1 + the previous leaf that has the very same row; 0: none has
	own       *ownFate  // values of columns of the user's own; nil without such columns
	// Which of the stages of the survey ran for it, and which came to it at all.
	ran, reached [action.Mel]bool
}

// problem is one reason to leave a row out.
type problem struct {
	kind   kind.Rejection
	stage  string
	action store.Key // zero: no action decided it
	reason string
	file   string // that the reason is about, "" for none; an action does not know it
}

// kept reports whether the row is part of the dataset.
func (f *fate) kept() bool { return len(f.problems) == 0 }

// work is what is done for a row's samples.
type work struct {
	named    bool         // an unhashed row has its digest and its keys now
	unproven bool         // the samples are not what the file claimed
	computed action.Marks // the stage made a sample; else it was taken over
}

// unnamed reports whether a row's keys cannot be made yet.
func (it *item) unnamed() bool { return it.unhashed && !it.named }

// clipOf is where a row's audio is.
func clipOf(in *input, f *fate) clip.Clip { return in.from.At(f.path, f.stamp, in.row.Audio) }

// stopped is the error of a build that the machine ended at this row.
func (in *input) stopped(err error) error {
	return fmt.Errorf("%s: %s: %w", in.row.Pos, in.row.ID, intake.Machine(err))
}
