package gpufeed

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"

	"voxpack/store"
)

// crop is where a row's segment begins, and how many frames of it are no padding.
func (s *naiveSet) crop(c Config, epoch uint64, row naiveRow) (start, length int) {
	length = int(row.scalars["mel_len"])
	if c.Segment == 0 || length <= c.Segment {
		return 0, length
	}
	return naiveChoice(naiveDraw('c', c.Plan.Seed, epoch, row.id, 0), length-c.Segment+1), c.Segment
}

// reference is another row of the set with the row's speaker.
func (s *naiveSet) reference(c Config, epoch uint64, row naiveRow) naiveRow {
	var others []naiveRow
	for _, other := range s.data.rows {
		if _, in := s.weights[other.id]; in && other.id != row.id && other.scalars["speaker"] == row.scalars["speaker"] {
			others = append(others, other)
		}
	}
	if len(others) == 0 {
		return row
	}
	return others[naiveChoice(naiveDraw('r', c.Plan.Seed, epoch, row.id, 0), len(others))]
}

// naiveChoice is a draw as one of n numbers: its part of 2^64, rounded down.
func naiveChoice(draw uint64, n int) int {
	upper, _ := bits.Mul64(draw, uint64(n))
	return int(upper)
}

// naiveColumn is where the values of a column stand in a slot.
type naiveColumn struct {
	name   string
	offset int
	size   int                                     // of one sample
	value  func(epoch uint64, row naiveRow) []byte // may be longer
}

// slot is the shape of a slot: columns from multiples of 256 bytes on.
func (s *naiveSet) slot(c Config, frames int) (columns []naiveColumn, bytes int) {
	samples := max(1, c.Plan.Batch/max(1, c.Plan.World))
	add := func(name string, size int, value func(uint64, naiveRow) []byte) {
		columns = append(columns, naiveColumn{name, bytes, size, value})
		bytes = (bytes + samples*size + 255) / 256 * 256
	}
	step := 0 // bytes of a frame
	for _, column := range s.data.schema {
		size := column.DType.Size()
		for _, n := range column.Shape {
			size *= n
		}
		switch {
		case column.Name == "mel" || column.Name == "linear" || column.Name == "energy" || column.Name == "f0": // a value, or some, a frame
			one := size / column.Shape[0]
			if column.Name == "mel" {
				step = one
			}
			add(column.Name, cmp.Or(c.Segment, frames)*one, func(epoch uint64, row naiveRow) []byte {
				start, _ := s.crop(c, epoch, row)
				return row.values[column.Name][start*one:]
			})
		case column.Name == "mel_len":
			add("mel_len", 4, func(epoch uint64, row naiveRow) []byte {
				_, length := s.crop(c, epoch, row)
				return naiveNumber(length)
			})
		case len(column.Shape) == 0:
			add(column.Name, 4, func(_ uint64, row naiveRow) []byte { return naiveNumber(int(row.scalars[column.Name])) })
		default:
			add(column.Name, size, func(_ uint64, row naiveRow) []byte { return row.values[column.Name] })
		}
	}
	if c.Segment > 0 {
		add("mel_start", 4, func(epoch uint64, row naiveRow) []byte {
			start, _ := s.crop(c, epoch, row)
			return naiveNumber(start)
		})
	}
	if c.Reference {
		add("reference_mel", frames*step, func(epoch uint64, row naiveRow) []byte { return s.reference(c, epoch, row).values["mel"] })
		add("reference_mel_len", 4, func(epoch uint64, row naiveRow) []byte {
			return naiveNumber(min(frames, int(s.reference(c, epoch, row).scalars["mel_len"])))
		})
	}
	return columns, bytes
}

func naiveNumber(n int) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(n)) }

// fill is the content of a slot; what lies between the columns is zero.
func (s *naiveSet) fill(c Config, b naiveBatch) []byte {
	columns, bytes := s.slot(c, b.frames)
	slot := make([]byte, bytes)
	for _, column := range columns {
		for i, row := range b.rows {
			copy(slot[column.offset+i*column.size:][:column.size], column.value(b.epoch, row))
		}
	}
	return slot
}

// digests is BLAKE3 over the samples of each epoch that has a batch, as they are
// delivered: tokens, mel, text_len, mel_len, then further columns in the order of
// the slot. Rows of padding are left out.
func (s *naiveSet) digests(c Config, list []naiveBatch) map[uint64]store.Digest {
	streams := map[uint64][]byte{}
	for _, b := range list {
		columns, _ := s.slot(c, b.frames)
		place := func(name string) int {
			if at := slices.Index([]string{"tokens", "mel", "text_len", "mel_len"}, name); at >= 0 {
				return at
			}
			return 4
		}
		slices.SortStableFunc(columns, func(a, b naiveColumn) int { return cmp.Compare(place(a.name), place(b.name)) })
		streams[b.epoch] = append(streams[b.epoch], nil...)
		for _, row := range b.rows {
			for _, column := range columns {
				streams[b.epoch] = append(streams[b.epoch], column.value(b.epoch, row)[:column.size]...)
			}
		}
	}
	digests := map[uint64]store.Digest{}
	for epoch, stream := range streams {
		digests[epoch] = store.Sum(stream)
	}
	return digests
}
