package store

import (
	"encoding/binary"
	"math"
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:generate go run ./internal/gensum -out sum_amd64.s

// compress16 is BLAKE3's compression function over blocks × 64 bytes of each of 16 inputs, which lie stride bytes apart; out gets
// their chaining values. counters has one for each input, flags one for each block; of the last block so many bytes count.
// internal/gensum writes it.
//
//go:noescape
func compress16(out *[16]chaining, in *byte, stride, blocks int, counters, flags *[16]uint32, last uint32)

// A chunk is a KiB of the input, which gives a chaining value; two of these give one, and so on to the root. Flags by BLAKE3,
// table 3.
const (
	sumChunk      = 1 << 10
	sumBlock      = 64
	sumChunkStart = 1
	sumChunkEnd   = 2
	sumParent     = 4
	sumRoot       = 8
	sumPiece      = 256 // chunks that are hashed before their values are folded: 8 KiB of values stay in the first-level cache
)

type chaining [8]uint32

var (
	chunkFlags  = [16]uint32{0: sumChunkStart, 15: sumChunkEnd}
	parentFlags = [16]uint32{sumParent}
	rootFlags   = [16]uint32{sumParent | sumRoot}
	noCounters  [16]uint32
)

// wideFrom is the least length of sumWide, and more than any length where the machine lacks its instructions.
var wideFrom = func() int {
	if cpu.X86.HasAVX512F {
		return 16 * sumChunk
	}
	return math.MaxInt
}()

// wideSum is an input on its way to its digest.
type wideSum struct {
	values [sumPiece + 32]chaining // of a piece, folded in place; compress16 reads 32 of them and writes 16, whatever it needs
	folded [32]chaining            // of 2^i pieces each, from the input's beginning on, the longest first
	depth  int                     // of folded
	pieces int
	lanes  [16]uint32 // counters
}

// sumWide is Sum for at least wideFrom bytes, with 16 chunks side by side: 2.4 times as fast as 8 of them (see
// docs/design/0106-blake3.md).
func sumWide(b []byte) Digest {
	var s wideSum
	first := 0
	for ; len(b)-first*sumChunk > sumPiece*sumChunk; first += sumPiece { // the last piece is never empty
		s.chunks(b, first, sumPiece)
		s.push(s.fold(sumPiece, 1)[0])
	}
	n := len(b)/sumChunk - first
	s.chunks(b, first, n)
	if rest := b[(first+n)*sumChunk:]; len(rest) > 0 {
		s.values[n] = s.chunk(rest, first+n)
		n++
	}
	return s.finish(n)
}

// chunks hashes n whole chunks of b, from first on. The last 16 may begin among those before them.
func (s *wideSum) chunks(b []byte, first, n int) {
	for done := 0; done < n; done += 16 {
		at := first + min(done, n-16)
		for i := range s.lanes {
			s.lanes[i] = uint32(at + i)
		}
		var out [16]chaining
		in := b[at*sumChunk : (at+16)*sumChunk]
		compress16(&out, &in[0], sumChunk, 16, &s.lanes, &chunkFlags, sumBlock)
		copy(s.values[done:n], out[first+done-at:])
	}
}

// chunk hashes what is less than a chunk, in one lane: the others do the same.
func (s *wideSum) chunk(b []byte, counter int) chaining {
	var padded [sumChunk]byte
	blocks := (copy(padded[:], b) + sumBlock - 1) / sumBlock
	flags := [16]uint32{sumChunkStart}
	flags[blocks-1] |= sumChunkEnd
	s.lanes[0] = uint32(counter)
	var out [16]chaining
	compress16(&out, &padded[0], 0, blocks, &s.lanes, &flags, uint32(len(b)-(blocks-1)*sumBlock))
	return out[0]
}

// fold brings n values down to at most the given number, level by level. One without a neighbour goes up as it is.
func (s *wideSum) fold(n, most int) []chaining {
	for n > most {
		odd := s.values[n-1]
		for i := 0; i < n/2; i += 16 {
			s.parents((*[16]chaining)(s.values[i:]), s.values[2*i:2*i+32], &parentFlags)
		}
		if n%2 == 1 {
			s.values[n/2] = odd
		}
		n -= n / 2
	}
	return s.values[:n]
}

// parents is the values of 16 pairs. The function reads all before it writes any.
func (s *wideSum) parents(out *[16]chaining, pairs []chaining, flags *[16]uint32) {
	_ = pairs[31]
	in := (*byte)(unsafe.Pointer(&pairs[0])) // 16 pairs of 64 bytes, in the order of bytes that BLAKE3 has
	compress16(out, in, sumBlock, 1, &noCounters, flags, sumBlock)
}

// pair is the value of two.
func (s *wideSum) pair(left, right chaining, flags *[16]uint32) chaining {
	var pairs [32]chaining
	pairs[0], pairs[1] = left, right
	var out [16]chaining
	s.parents(&out, pairs[:], flags)
	return out[0]
}

// push takes the value of the next piece, which more of the input follows, and brings those together that have a common parent by now.
func (s *wideSum) push(value chaining) {
	s.pieces++
	for n := s.pieces; n%2 == 0; n /= 2 {
		s.depth--
		value = s.pair(s.folded[s.depth], value, &parentFlags)
	}
	s.folded[s.depth] = value
	s.depth++
}

// finish is the root over what was pushed and the n values of the last piece.
func (s *wideSum) finish(n int) (d Digest) {
	var value chaining
	if s.depth == 0 {
		last := s.fold(n, 2)
		value = s.pair(last[0], last[1], &rootFlags)
	} else {
		value = s.fold(n, 1)[0]
	}
	for s.depth > 0 {
		s.depth--
		flags := &parentFlags
		if s.depth == 0 {
			flags = &rootFlags
		}
		value = s.pair(s.folded[s.depth], value, flags)
	}
	for i, w := range value {
		binary.LittleEndian.PutUint32(d[4*i:], w)
	}
	return d
}
