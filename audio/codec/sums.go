package codec

import (
	"encoding/binary"
	"slices"
)

// Sums are MD5s of FLAC files that were decoded and whose samples are still to be held against them. A step of MD5
// waits for the one before it: several sums together take little longer than one, which is a third of what decoding a
// file takes. One goroutine, one Sums.
type Sums struct {
	owed  []owedSum
	bytes int // of the samples that are held
	n     int // files since Wrong was called
	wrong []int
	spare [][]byte
}

// owedSum is a sum with the samples that it has to be of.
type owedSum struct {
	file int
	raw  []byte
	want [16]byte
}

// mostOwed bounds the samples that are held, mostOwedFile those of one file: 47 s of 16 bits at 44,100 Hz.
const (
	mostOwed     = 8 << 20
	mostOwedFile = mostOwed / 2
)

// Owing is l for decoding into s: what decodes without an error is right only if Wrong does not name it.
// Where no vectors are, sums are made at once, and s stays empty.
func (l Limits) Owing(s *Sums) Limits {
	l.sums = s
	return l
}

// Len is how many files owe their sum, or owed it, since Wrong was called.
func (s *Sums) Len() int { return s.n }

// Wrong gives the numbers of the files whose samples are not what the file's MD5 says, from 0 on in the order in
// which they were decoded, and forgets all files.
func (s *Sums) Wrong() []int {
	s.prove()
	wrong := s.wrong
	s.wrong, s.n = nil, 0
	return wrong
}

// take gives room for the samples of a file that may owe its sum. It says that it has so many bytes of them, 0: it does
// not say, in so many bytes of frames: beyond 8 for each it is not believed.
func (s *Sums) take(samples int64, frames int) (room []byte, ok bool) {
	if s == nil || samples <= 0 || samples > mostOwedFile || lanesMD5() == 0 {
		return nil, false
	}
	if n := len(s.spare); n > 0 {
		room, s.spare = s.spare[n-1][:0], s.spare[:n-1]
	}
	return slices.Grow(room, int(min(samples, 8*int64(frames)))+mostPadding), true
}

// mostPadding is what MD5 adds at most.
const mostPadding = 72

// owe holds the samples of a file. They are padded as MD5 wants it (RFC 1321, 3.1 and 3.2): a one bit, zeros, and the
// number of bits in the last eight bytes of a block.
func (s *Sums) owe(raw []byte, want [16]byte) {
	if s.bytes+len(raw) > mostOwed {
		s.prove()
	}
	bits := uint64(len(raw)) * 8
	raw = append(raw, 0x80)
	raw = append(raw, make([]byte, (64+56-len(raw)%64)%64)...)
	raw = binary.LittleEndian.AppendUint64(raw, bits)
	s.owed = append(s.owed, owedSum{s.n, raw, want})
	s.bytes += len(raw)
	s.n++
}

// prove makes the sums that are owed. A lane that is done takes the next file, the longest one first, so that no
// lane is alone for long.
func (s *Sums) prove() {
	slices.SortStableFunc(s.owed, func(a, b owedSum) int { return len(b.raw) - len(a.raw) })
	todo, width := s.owed, lanesMD5()
	state, at := make([]uint32, 20*width), make([]*byte, width)
	lanes := make([]owedSum, width) // raw is what is left
	for {
		n, busy := 0, 0
		for i := range lanes {
			if len(lanes[i].raw) == 0 && len(todo) > 0 {
				lanes[i], todo = todo[0], todo[1:]
				for k, word := range [4]uint32{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476} { // RFC 1321, 3.3
					state[k*width+i] = word
				}
			}
			if blocks := len(lanes[i].raw) / 64; blocks > 0 && (n == 0 || blocks < n) {
				n, busy = blocks, i
			}
		}
		if n == 0 {
			break
		}
		for i := range lanes {
			at[i] = &lanes[busy].raw[0] // of an idle lane, whose sum nobody wants
			if len(lanes[i].raw) > 0 {
				at[i] = &lanes[i].raw[0]
			}
		}
		digest(state, at, n)
		for i := range lanes {
			if l := &lanes[i]; len(l.raw) > 0 {
				if l.raw = l.raw[64*n:]; len(l.raw) == 0 {
					s.compare(l, state[i:])
				}
			}
		}
	}
	for _, o := range slices.Backward(s.owed) { // the longest one is used again first
		s.spare = append(s.spare, o.raw)
	}
	s.owed, s.bytes = s.owed[:0], 0
}

// compare holds the sum of a lane against the one that is owed.
func (s *Sums) compare(o *owedSum, state []uint32) {
	var got []byte
	for k := range 4 {
		got = binary.LittleEndian.AppendUint32(got, state[k*lanesMD5()])
	}
	if [16]byte(got) != o.want {
		s.wrong = append(s.wrong, o.file)
	}
}
