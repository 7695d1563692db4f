package intake

import (
	"fmt"
	"strings"
	"time"

	"voxpack/compiler/kind"
)

// Position is a place in a metadata file; Line counts from 1, empty lines
// included. Where a file has no lines (Parquet), it is the row.
type Position struct {
	File string // relative to the corpus, "/"-separated, after the corpus's name
	Line int
}

// String is "metadata.csv:1042".
func (p Position) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// Split is the side that a row's metadata puts it on.
type Split string

// The sides. Unsplit rows are on the side that the hash of their id gives them.
const (
	Unsplit Split = ""
	Train   Split = "train"
	Val     Split = "val"
	Test    Split = "test"
)

// Row is one utterance as the metadata has it.
type Row struct {
	Pos      Position
	ID       string // utterance id: the corpus's name, "/", and the clip's name without "wavs/" and extension
	Text     string
	Given    string // normalised text, where the format has it
	HasGiven bool
	Speaker  string // "" where the format has none
	Language string // code; "" where the format has none
	Split    Split
	Audio    *Audio // where the clip is; nil: the audio file of the id's name
}

// Audio is where a row's clip is, where that is not the file of the id's name.
type Audio struct {
	Path   string        // below the corpus, with extension; "": the file of the id's name
	Member int           // 1 + the row of Path, a container, that holds the file's bytes; 0: Path is the file
	Inner  string        // the file's name in the container, "" where it has none
	From   time.Duration // the clip is a part of the file that begins here
	Length time.Duration // and is so long; 0: to the file's end
}

// Part reports whether the clip is a part of a file.
func (a *Audio) Part() bool { return a != nil && (a.From != 0 || a.Length != 0) }

// SameContent reports whether two rows say the same, wherever they stand. Rows of one
// id that do are taken for one, with a note; those that do not are all refused.
func (r *Row) SameContent(o *Row) bool {
	where := func(a *Audio) Audio {
		if a == nil {
			return Audio{}
		}
		return *a
	}
	return r.ID == o.ID && r.Text == o.Text && r.Given == o.Given && r.HasGiven == o.HasGiven &&
		r.Speaker == o.Speaker && r.Language == o.Language && r.Split == o.Split && where(r.Audio) == where(o.Audio)
}

// StageMetadata is the stage that RowErrors of this package name.
const StageMetadata = "metadata"

// RowError is why a row was left out: "metadata.csv:12: LJ001-0001: mel: ...".
type RowError struct {
	Pos   Position
	ID    string // "" where the line has no readable id
	Kind  kind.Rejection
	Stage string
	Err   error
}

// Error is position, id, stage and reason.
func (e *RowError) Error() string {
	parts := []string{e.Pos.String()}
	if e.ID != "" {
		parts = append(parts, e.ID)
	}
	return strings.Join(append(parts, e.Stage, e.Err.Error()), ": ")
}

// Unwrap gives the reason.
func (e *RowError) Unwrap() error { return e.Err }

// rowStrings gives rows strings of their own. A string that was cut out of a file keeps all of the file in memory, and
// most rows of a million say something twice: the text that is also the normalised text, the speaker of the row before.
type rowStrings struct {
	block *strings.Builder // blocks are never grown, so that strings of them stay where they are
	last  Row              // its speaker, language and path serve the next one too
}

// stringsBlock is how many bytes of strings lie together.
const stringsBlock = 64 << 10

// own moves the strings of a row.
func (s *rowStrings) own(r *Row) {
	r.ID = s.copy(r.ID, "")
	r.Text = s.copy(r.Text, "")
	r.Given = s.copy(r.Given, r.Text)
	r.Speaker = s.copy(r.Speaker, s.last.Speaker)
	r.Language = s.copy(r.Language, s.last.Language)
	r.Pos.File = s.copy(r.Pos.File, s.last.Pos.File)
	if a := r.Audio; a != nil {
		path := ""
		if last := s.last.Audio; last != nil {
			path = last.Path
		}
		a.Path, a.Inner = s.copy(a.Path, path), s.copy(a.Inner, "")
	}
	s.last = *r
}

// copy is a string in a block, or an equal one that is there.
func (s *rowStrings) copy(v, same string) string {
	if v == same || v == "" {
		return same[:len(v)]
	}
	if s.block == nil || s.block.Cap()-s.block.Len() < len(v) {
		s.block = &strings.Builder{}
		s.block.Grow(max(stringsBlock, len(v)))
	}
	from := s.block.Len()
	s.block.WriteString(v)
	return s.block.String()[from:]
}
