package codec

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

// An lsbReader reads the bits of a Vorbis packet, the lowest of each byte first. After the end it gives
// zeros and sets over.
type lsbReader struct {
	b    []byte
	acc  uint64
	n    uint
	over bool
}

// fill makes at least 56 bits ready as long as the packet has them. From eight bytes it takes as many as
// are new and whole. The bits above n that it leaves in acc are those of the next byte, so that adding the
// same byte again later changes nothing.
func (r *lsbReader) fill() {
	for r.n <= 56 && len(r.b) > 0 {
		if len(r.b) >= 8 {
			r.acc |= binary.LittleEndian.Uint64(r.b) << r.n
			took := (63 - r.n) >> 3
			r.b = r.b[took:]
			r.n += took * 8
			return
		}
		r.acc |= uint64(r.b[0]) << r.n
		r.b = r.b[1:]
		r.n += 8
	}
}

// take reads n ≤ 32 bits. A read over the end takes nothing of what is left, and all later ones fail too.
func (r *lsbReader) take(n uint) uint32 {
	if r.n < n {
		if r.fill(); r.n < n {
			r.over, r.n, r.acc, r.b = true, 0, 0, nil
			return 0
		}
	}
	v := uint32(r.acc & (1<<n - 1))
	r.acc >>= n
	r.n -= n
	return v
}

func (r *lsbReader) flag() bool { return r.take(1) == 1 }

// fastBits is the length up to which a codeword is found by one look into a table of 4 kB.
const fastBits = 10

// A vorbisBook is a codebook (Vorbis I specification, 3): a prefix code for numbers, and a vector for
// each number if it has a lookup.
type vorbisBook struct {
	dims    int
	entries int
	fast    []int32   // entry<<5 | length by the next fastBits bits; 0: a longer word, or none
	long    []longing // longer words by their value
	vectors []float32 // dims for each entry; nil without a lookup
}

// longing is a codeword of more than fastBits, its first bit the topmost.
type longing struct {
	word   uint32
	length uint8
	entry  int32
}

// maxBookValues limits the total number of values in the codebooks of a stream, which take 4 bytes
// each: 16 MB. The codebooks of the usual encoder hold 200,000 values.
const maxBookValues = 4 << 20

// read reads a codebook. left is how many values the books may still hold.
func (k *vorbisBook) read(r *lsbReader, left *int) string {
	if r.take(24) != 0x564342 { // "BCV"
		return "no codebook begins where one should"
	}
	k.dims, k.entries = int(r.take(16)), int(r.take(24))
	if *left -= k.entries * max(k.dims, 1); *left < 0 {
		return "too large"
	}
	lengths, why := k.readLengths(r)
	if why != "" {
		return why
	}
	if why := k.assign(lengths); why != "" {
		return why
	}
	return k.readVectors(r)
}

// readLengths reads how long each entry's codeword is, 0 for one that is not used (3.2.1). Ordered
// lists tell for each length, from a first one on, how many entries have it; others give each entry's
// length in 5 bits, after a bit that says whether it is used if the list is sparse.
func (k *vorbisBook) readLengths(r *lsbReader) ([]uint8, string) {
	lengths := make([]uint8, k.entries)
	if r.flag() {
		length := uint8(r.take(5)) + 1
		for at := 0; at < k.entries; length++ {
			n := int(r.take(uint(bits.Len(uint(k.entries - at)))))
			if n > k.entries-at || length > 32 || r.over {
				return nil, "its list of lengths is wrong"
			}
			for i := range n {
				lengths[at+i] = length
			}
			at += n
		}
		return lengths, ""
	}
	sparse := r.flag()
	for i := range lengths {
		if !sparse || r.flag() {
			lengths[i] = uint8(r.take(5)) + 1
		}
		if r.over {
			return nil, "it ends early"
		}
	}
	return lengths, ""
}

// assign gives each entry the lowest free codeword of its length (3.2.1). free[l] is the lowest free
// word of l bits that is no part of a shorter free one. To take a word of length l from a shorter one
// leaves its other halves free, one at each length between.
func (k *vorbisBook) assign(lengths []uint8) string {
	k.fast = make([]int32, 1<<fastBits)
	var free [33]uint32 // a free word of each length, its first bit the topmost; 0: none
	used := 0
	for entry, length := range lengths {
		if length == 0 {
			continue
		}
		var word uint32
		if used == 0 {
			for l := uint8(1); l <= length; l++ {
				free[l] = 1 << (32 - l)
			}
		} else {
			l := length
			for l > 0 && free[l] == 0 {
				l--
			}
			if l == 0 {
				return "it has more codewords than there are"
			}
			word = free[l]
			free[l] = 0
			for l++; l <= length; l++ {
				free[l] = word + 1<<(32-l)
			}
		}
		used++
		k.add(word, length, int32(entry))
	}
	// One entry of one bit is the one incomplete code there may be; either bit reads it.
	if used == 1 && k.fast[0]&31 == 1 {
		for i := range k.fast {
			k.fast[i] = k.fast[0]
		}
		return ""
	}
	if slices.Max(free[:]) != 0 {
		return "it has fewer codewords than it needs"
	}
	slices.SortFunc(k.long, func(a, b longing) int { return cmp.Compare(a.word, b.word) })
	return ""
}

// add enters a codeword: a short one at every place of the table whose lowest bits are its own (the
// stream gives the first bit lowest), a long one into the list that number searches.
func (k *vorbisBook) add(word uint32, length uint8, entry int32) {
	if length > fastBits {
		k.long = append(k.long, longing{word, length, entry})
		return
	}
	for i := int(bits.Reverse32(word)); i < 1<<fastBits; i += 1 << length {
		k.fast[i] = entry<<5 | int32(length)
	}
}

// readVectors reads the lookup, if there is one (3.2.1, 3.3). Of type 1 the values of a vector are the
// digits of its entry in a number system of n digits, each looked up; of type 2 every value is stored.
// The specification computes them in this order; float32 rounds each step, so that no machine differs.
func (k *vorbisBook) readVectors(r *lsbReader) string {
	kind := r.take(4)
	if kind == 0 {
		return ""
	}
	if kind > 2 {
		return "its lookup is a reserved one"
	}
	low, delta := unpackFloat(r.take(32)), unpackFloat(r.take(32))
	width, sums := uint(r.take(4))+1, r.flag()
	// The least that the lookup takes is known before any memory is taken for it.
	n := k.entries * k.dims
	if kind == 1 {
		n = rootOf(k.entries, k.dims)
	}
	if n == 0 || uint64(n)*uint64(width) > uint64(r.n)+8*uint64(len(r.b)) {
		return "its lookup ends early"
	}
	values := make([]float32, n)
	for i := range values {
		values[i] = float32(float32(r.take(width)) * delta)
	}
	k.vectors = make([]float32, k.entries*k.dims)
	for e := range k.entries {
		last, rest := float32(0), e
		for d := range k.dims {
			i := e*k.dims + d
			at := i
			if kind == 1 {
				at = rest % n
				rest /= n
			}
			k.vectors[i] = values[at] + low + last
			if sums {
				last = k.vectors[i]
			}
		}
	}
	return ""
}

// unpackFloat reads a float of 21 bits of mantissa, 10 of exponent and a sign (9.2.2).
func unpackFloat(v uint32) float32 {
	m := math.Ldexp(float64(v&0x1fffff), int(v>>21&0x3ff)-788)
	if v>>31 == 1 {
		m = -m
	}
	return float32(m)
}

// rootOf is the greatest n with n^dims ≤ entries (9.2.3).
func rootOf(entries, dims int) int {
	if dims == 0 {
		return 0
	}
	// Integers only: a root in floating point may be off by one at an exact power.
	fits := func(n int) bool {
		p := 1
		for range dims {
			if p *= n; p > entries {
				return false
			}
			if n <= 1 {
				break
			}
		}
		return true
	}
	n := 0
	for step := 1 << 24; step > 0; step >>= 1 {
		if fits(n + step) {
			n += step
		}
	}
	return n
}

// number reads a codeword and returns its entry; at the end of the packet it sets over.
func (k *vorbisBook) number(r *lsbReader) int {
	if r.n < 32 {
		r.fill()
	}
	if e := k.fast[r.acc&(1<<fastBits-1)]; e != 0 && uint(e&31) <= r.n {
		r.acc >>= e & 31
		r.n -= uint(e & 31)
		return int(e >> 5)
	}
	word := bits.Reverse32(uint32(r.acc))
	// The words are free of prefixes, so the one that fits is the greatest that is not above.
	i, found := slices.BinarySearchFunc(k.long, word, func(l longing, w uint32) int { return cmp.Compare(l.word, w) })
	if !found {
		i--
	}
	if i < 0 || uint(k.long[i].length) > r.n || (word^k.long[i].word)>>(32-k.long[i].length) != 0 {
		r.over, r.n, r.acc, r.b = true, 0, 0, nil
		return 0
	}
	r.acc >>= k.long[i].length
	r.n -= uint(k.long[i].length)
	return int(k.long[i].entry)
}
