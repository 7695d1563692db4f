package gpufeed

import (
	"slices"

	"voxpack/store"
)

// framed lists the columns that run along an utterance's frames, one step of
// the first axis a frame. They are cut to a bucket and cropped to a segment
// together, at the same frames. What else runs along them belongs here.
var framed = []string{"mel", "linear", "energy", "f0"}

const (
	framesColumn = "mel_len"   // how many frames of them are no padding
	startColumn  = "mel_start" // the field that says where a segment begins
)

func isFramed(c store.Column) bool { return !c.Inline() && slices.Contains(framed, c.Name) }

// frames is the length of a schema's columns along the frames, the shortest
// one's; 0 where it has none.
func frames(schema store.Schema) int {
	n := 0
	for _, c := range schema {
		if isFramed(c) && (n == 0 || c.Shape[0] < n) {
			n = c.Shape[0]
		}
	}
	return n
}

// span is the part of an utterance that a slot holds.
type span struct{ start, length int }

// span is the crop of a row with so many frames: any start that leaves no
// padding in it where the row is long enough, each as likely, and all of the
// row where it is not. It depends on the id, the seed and the epoch alone.
func (f Form) span(seed, epoch, place uint64, length int) span {
	if f.Segment == 0 || length <= f.Segment {
		return span{0, length}
	}
	return span{pick(draw(forSegment, seed, epoch, place, 0), length-f.Segment+1), f.Segment}
}
