package codec

import (
	"encoding/binary"
	"math/bits"
)

// A msbReader reads bits, the highest of each byte first. After the end it gives zeros and says so in
// over, so that the loops over residuals need no check of their own.
type msbReader struct {
	b    []byte
	pos  int    // next byte to take into acc
	acc  uint64 // the next n bits, from the top; zeros or valid bits below them
	n    uint
	over bool
}

// fill makes at least 56 bits ready, of zeros after the end. Eight bytes are read at once and as many
// kept as are new and whole: 63 - n bits hold (63-n)/8 bytes, and n grows to 56 to 63.
func (r *msbReader) fill() {
	if r.pos+8 <= len(r.b) {
		r.acc |= binary.BigEndian.Uint64(r.b[r.pos:]) >> r.n
		r.pos += int((63 - r.n) >> 3)
		r.n |= 56
		return
	}
	for r.n <= 56 && r.pos < len(r.b) {
		r.acc |= uint64(r.b[r.pos]) << (56 - r.n)
		r.pos++
		r.n += 8
	}
}

// take reads n ≤ 56 bits. A read over the end takes nothing of what is left.
func (r *msbReader) take(n uint) uint64 {
	if r.n < n {
		r.fill()
	}
	if r.n < n {
		r.over, r.n, r.acc = true, 0, 0
		return 0
	}
	v := r.acc >> 1 >> (63 - n)
	r.acc <<= n
	r.n -= n
	return v
}

// signed reads a number of n ≤ 56 bits in two's complement.
func (r *msbReader) signed(n uint) int64 {
	return int64(r.take(n)<<(64-n)) >> (64 - n)
}

// unary counts the 0 bits before the next 1 bit, which it takes too.
func (r *msbReader) unary() uint {
	var q uint
	for {
		z := uint(bits.LeadingZeros64(r.acc))
		if z < r.n {
			r.acc <<= z + 1
			r.n -= z + 1
			return q + z
		}
		q += r.n
		r.acc, r.n = 0, 0
		if r.fill(); r.n == 0 {
			r.over = true
			return 0
		}
	}
}

// rice reads a number with k ≤ 30 low bits (9.2.7.2): the part above those bits as that many zeros and a
// one, then the bits; the lowest is the sign: 0, -1, 1, -2, ….
func (r *msbReader) rice(k uint) int64 {
	if r.n < 48 {
		r.fill()
	}
	z := uint(bits.LeadingZeros64(r.acc))
	if z+1+k > r.n {
		u := uint64(r.unary())<<k | r.take(k)
		return int64(u>>1) ^ -int64(u&1)
	}
	acc := r.acc << ((z + 1) & 63)
	u := uint64(z)<<(k&63) | acc>>1>>((63-k)&63)
	r.acc = acc << (k & 63)
	r.n -= z + 1 + k
	return int64(u>>1) ^ -int64(u&1)
}

// align goes on to the next whole byte and returns its offset.
func (r *msbReader) align() int {
	r.take(r.n % 8)
	return r.pos - int(r.n/8)
}

// at is how many bits of the reader's bytes are read.
func (r *msbReader) at() int { return 8*r.pos - int(r.n) }

// seek goes to a bit, as to the end of a granule, which its values need not fill.
func (r *msbReader) seek(bit int) {
	r.pos, r.acc, r.n = bit/8, 0, 0
	r.take(uint(bit % 8))
}
