package codec

import (
	"encoding/binary"
	"math/bits"
	"sync"
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

// rice reads numbers with k ≤ 30 low bits each (9.2.7.2): the part above those bits as that many zeros
// and a one, then the bits; the lowest is the sign: 0, -1, 1, -2, …. Most of a stream is these, so the
// reader's state stands in registers here.
func (r *msbReader) rice(dst []int64, k uint) {
	acc, n := r.acc, r.n
	for i := range dst {
		if n < 48 {
			r.acc, r.n = acc, n
			r.fill()
			acc, n = r.acc, r.n
		}
		z := uint(bits.LeadingZeros64(acc))
		if z+1+k > n {
			r.acc, r.n = acc, n
			u := uint64(r.unary())<<k | r.take(k)
			dst[i] = int64(u>>1) ^ -int64(u&1)
			acc, n = r.acc, r.n
			continue
		}
		acc <<= (z + 1) & 63
		u := uint64(z)<<(k&63) | acc>>1>>((63-k)&63)
		acc <<= k & 63
		n -= z + 1 + k
		dst[i] = int64(u>>1) ^ -int64(u&1)
	}
	r.acc, r.n = acc, n
}

// align goes on to the next whole byte and returns its offset.
func (r *msbReader) align() int {
	r.take(r.n % 8)
	return r.pos - int(r.n/8)
}

// flacCRC16 is the checksum of a frame, over the polynomial x¹⁶ + x¹⁵ + x² + 1 (RFC 9639, 9.3), eight
// bytes at a time: table k is for a byte that k others follow.
func flacCRC16(b []byte) uint16 {
	t := flacCRC16Tables()
	var crc uint16
	for ; len(b) >= 8; b = b[8:] {
		crc = t[7][b[0]^byte(crc>>8)] ^ t[6][b[1]^byte(crc)] ^ t[5][b[2]] ^ t[4][b[3]] ^ t[3][b[4]] ^ t[2][b[5]] ^ t[1][b[6]] ^ t[0][b[7]]
	}
	for _, v := range b {
		crc = crc<<8 ^ t[0][v^byte(crc>>8)]
	}
	return crc
}

// flacCRC16Tables are made at the first frame: 4 KiB, from the polynomial alone.
var flacCRC16Tables = sync.OnceValue(func() *[8][256]uint16 {
	var t [8][256]uint16
	for i := range 256 {
		crc := uint16(i) << 8
		for range 8 {
			crc = crc<<1 ^ 0x8005*(crc>>15)
		}
		t[0][i] = crc
	}
	for k := 1; k < 8; k++ {
		for i := range 256 {
			v := t[k-1][i]
			t[k][i] = v<<8 ^ t[0][v>>8]
		}
	}
	return &t
})

// flacCRC8 is the checksum of a frame's header, over x⁸ + x² + x + 1 (RFC 9639, 9.1.8).
func flacCRC8(b []byte) uint8 {
	var crc uint8
	for _, v := range b {
		crc ^= v
		for range 8 {
			crc = crc<<1 ^ 0x07*(crc>>7)
		}
	}
	return crc
}
