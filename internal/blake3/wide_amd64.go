package blake3

import (
	"encoding/binary"
	"math"
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:generate go run ./internal/gensum -out wide_amd64.s

// compress16 is BLAKE3's compression function over blocks × 64 bytes of each of 16 inputs, which lie
// stride bytes apart. out gets their 16 chaining values. counters has one entry for each input, flags
// one for each block; of the last block only the first last bytes count. internal/gensum writes it.
//
//go:noescape
func compress16(out *[16]chaining, in *byte, stride, blocks int, counters, flags *[16]uint32, last uint32)

// The flags of BLAKE3's specification, table 3.
const (
	chunkStart = 1
	chunkEnd   = 2
	parentFlag = 4
	rootFlag   = 8
)

type chaining [8]uint32

var (
	chunkFlags  = [16]uint32{0: chunkStart, 15: chunkEnd}
	parentFlags = [16]uint32{parentFlag}
	rootFlags   = [16]uint32{parentFlag | rootFlag}
	noCounters  [16]uint32
)

// wideFrom is the least length that sumWide takes: 16 chunks fill its lanes once. Without AVX-512 it is
// more than any length, so that Sum256 never calls it.
var wideFrom = func() int {
	if cpu.X86.HasAVX512F {
		return 16 * chunkSize
	}
	return math.MaxInt
}()

// wideTree holds the chaining values of one input until the root is known. It lies on the stack of
// sumWide, so that a sum allocates nothing and sums run side by side.
type wideTree struct {
	values [pieceChunks + 32]chaining // of a piece, folded in place; 32 more because compress16 always reads 32 and writes 16
	folded [32]chaining               // of 2^i pieces each, in the order of the input, so the longest first
	depth  int                        // of folded
	pieces int
	lanes  [16]uint32 // counters
}

// sumWide is Sum256 for at least wideFrom bytes, 16 chunks side by side. It is 2.4 times as fast as
// zeebo's 8 (docs/design/0106-blake3.md).
func sumWide(b []byte) [32]byte {
	var s wideTree
	first := 0
	for ; len(b)-first*chunkSize > pieceChunks*chunkSize; first += pieceChunks { // the last piece is never empty
		s.chunks(b, first, pieceChunks)
		s.push(s.fold(pieceChunks, 1)[0])
	}
	n := len(b)/chunkSize - first
	s.chunks(b, first, n)
	if rest := b[(first+n)*chunkSize:]; len(rest) > 0 {
		s.values[n] = s.chunk(rest, first+n)
		n++
	}
	return s.finish(n)
}

// chunks hashes n whole chunks of b, from chunk number first on. The last group of 16 overlaps the one
// before it where n is not a multiple of 16, so that no lane reads past the input.
func (s *wideTree) chunks(b []byte, first, n int) {
	for done := 0; done < n; done += 16 {
		at := first + min(done, n-16)
		for i := range s.lanes {
			s.lanes[i] = uint32(at + i)
		}
		var out [16]chaining
		in := b[at*chunkSize : (at+16)*chunkSize]
		compress16(&out, &in[0], chunkSize, 16, &s.lanes, &chunkFlags, blockSize)
		copy(s.values[done:n], out[first+done-at:])
	}
}

// chunk hashes the last bytes, fewer than a chunk. All lanes get the same input (stride 0) and one
// result is taken: the rest of the input is too short to be worth narrower code.
func (s *wideTree) chunk(b []byte, counter int) chaining {
	var padded [chunkSize]byte
	blocks := (copy(padded[:], b) + blockSize - 1) / blockSize
	flags := [16]uint32{chunkStart}
	flags[blocks-1] |= chunkEnd
	s.lanes[0] = uint32(counter)
	var out [16]chaining
	compress16(&out, &padded[0], 0, blocks, &s.lanes, &flags, uint32(len(b)-(blocks-1)*blockSize))
	return out[0]
}

// fold joins neighbours level by level until at most the given number of values is left. A value
// without a neighbour moves up unchanged.
func (s *wideTree) fold(n, most int) []chaining {
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

// parents compresses 16 pairs. out may overlap pairs: compress16 reads all inputs before it writes.
// The cast is safe because a chaining value in memory has the byte order of BLAKE3 on amd64.
func (s *wideTree) parents(out *[16]chaining, pairs []chaining, flags *[16]uint32) {
	_ = pairs[31]
	in := (*byte)(unsafe.Pointer(&pairs[0])) // 16 pairs of 64 bytes
	compress16(out, in, blockSize, 1, &noCounters, flags, blockSize)
}

// pair compresses one pair.
func (s *wideTree) pair(left, right chaining, flags *[16]uint32) chaining {
	var pairs [32]chaining
	pairs[0], pairs[1] = left, right
	var out [16]chaining
	s.parents(&out, pairs[:], flags)
	return out[0]
}

// push adds the value of a whole piece that more input follows, and joins what now has a common parent.
// As in binary counting, the number of trailing zeros of pieces says how often that happens.
func (s *wideTree) push(value chaining) {
	s.pieces++
	for n := s.pieces; n%2 == 0; n /= 2 {
		s.depth--
		value = s.pair(s.folded[s.depth], value, &parentFlags)
	}
	s.folded[s.depth] = value
	s.depth++
}

// finish joins the n values of the last piece with what was pushed. The last pair has the root flag.
func (s *wideTree) finish(n int) (sum [32]byte) {
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
		binary.LittleEndian.PutUint32(sum[4*i:], w)
	}
	return sum
}
