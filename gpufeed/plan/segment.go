package plan

import (
	"slices"

	"voxpack/store"
)

// framed lists the columns that run along an utterance's frames, one step of
// the first axis a frame. They are cut to a bucket and cropped to a segment
// together, at the same frames. What else runs along them belongs here.
var framed = []string{"mel", "linear", "energy", "f0"}

// SamplesColumn has the samples of an utterance, which a segment crops at its frames;
// SamplesLength says how many of them are no padding.
const (
	SamplesColumn = "pcm"
	SamplesLength = "pcm_len"
)

// FramesColumn says how many frames of the framed columns are no padding.
const FramesColumn = "mel_len"

// IsFramed reports whether a column runs along the frames.
func IsFramed(c store.Column) bool {
	return !c.Inline() && (slices.Contains(framed, c.Name) || c.Along == FramesColumn)
}

// LengthOf names the column that says how many steps of a column's first axis are no
// padding, "" where none does.
func LengthOf(schema store.Schema, c store.Column) string {
	name := c.Name + "_len"
	switch {
	case c.Inline():
		return ""
	case c.Along != "":
		name = c.Along
	case schema.Inline().Index(name) >= 0:
	case IsFramed(c):
		name = FramesColumn
	case c.Name == "tokens":
		name = "text_len"
	}
	if schema.Inline().Index(name) < 0 {
		return ""
	}
	return name
}

// Frames is the length of a schema's columns along the frames, the shortest
// one's; 0 where it has none.
func Frames(schema store.Schema) int {
	n := 0
	for _, c := range schema {
		if IsFramed(c) && (n == 0 || c.Shape[0] < n) {
			n = c.Shape[0]
		}
	}
	return n
}

// Hop is how many samples of a schema's column of samples a frame begins after the one
// before: that column is as long as all frames. 0 where it has none.
func Hop(schema store.Schema) int {
	at, frames := schema.Index(SamplesColumn), Frames(schema)
	if at < 0 || schema[at].Inline() || frames == 0 || schema[at].Shape[0]%frames != 0 {
		return 0
	}
	return schema[at].Shape[0] / frames
}

// Span is a part of an utterance, in frames.
type Span struct{ Start, Length int }

// Crop is the part of a row with this many frames that a segment takes: any start
// that leaves no padding in it where the row is long enough, each as likely, and
// all of the row where it is not, or where segment is 0. It depends on the id, the
// seed and the epoch alone.
func (r *Rows) Crop(seed, epoch uint64, row uint32, frames, segment int) Span {
	return crop(seed, epoch, r.places[row], frames, segment)
}

func crop(seed, epoch, place uint64, frames, segment int) Span {
	if segment == 0 || frames <= segment {
		return Span{0, frames}
	}
	return Span{pick(draw(forSegment, seed, epoch, place, 0), frames-segment+1), segment}
}
