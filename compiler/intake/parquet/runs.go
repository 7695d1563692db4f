package parquet

import "encoding/binary"

// runs reads the format's hybrid of repeated and packed small numbers, which
// levels and places in a dictionary are written in.
type runs struct {
	b     []byte
	width uint // bits of a number, at most 32

	left   int // of the present run
	value  uint32
	packed []byte // nil: value is repeated
	bit    uint   // of packed, next
}

// next is the next number, false where there is none.
// 32 bits that begin inside a byte take 39, so a window of 8 bytes holds any number;
// bytes after the end are zeros.
func (r *runs) next() (uint32, bool) {
	for r.left == 0 {
		if !r.begin() {
			return 0, false
		}
	}
	r.left--
	if r.packed == nil {
		return r.value, true
	}
	var window [8]byte
	copy(window[:], r.packed[min(int(r.bit/8), len(r.packed)):])
	v := uint32(binary.LittleEndian.Uint64(window[:]) >> (r.bit % 8) & (1<<r.width - 1))
	r.bit += r.width
	return v, true
}

// count is how many of the next n numbers are which, and false where there are
// fewer or one is over top. r is a copy. A repeated run is one step, however long it
// claims to be, so that the steps are bounded by the bytes.
func (r runs) count(n int64, which, top uint32) (same int64, ok bool) {
	for n > 0 {
		if r.left == 0 && !r.begin() {
			return 0, false
		}
		v, step := r.value, min(n, int64(r.left))
		if r.packed != nil && step > 0 {
			v, _ = r.next()
			step = 1
		} else {
			r.left -= int(step)
		}
		if v > top && step > 0 {
			return 0, false
		}
		if v == which {
			same += step
		}
		n -= step
	}
	return same, true
}

// begin reads the head of a run, whose lowest bit tells its kind: 1 for packed
// groups of eight numbers, 0 for one number that is repeated. A run of nothing
// takes a byte too, so this ends.
func (r *runs) begin() bool {
	head, n := binary.Uvarint(r.b)
	if n <= 0 || head>>1 > 1<<31 {
		return false
	}
	r.b = r.b[n:]
	if head&1 == 1 { // groups of eight
		size := int(head>>1) * int(r.width)
		if size > len(r.b) {
			return false
		}
		r.packed, r.b, r.bit, r.left = r.b[:size:size], r.b[size:], 0, int(head>>1)*8
		return true
	}
	size := int(r.width+7) / 8
	if size > len(r.b) {
		return false
	}
	var window [4]byte
	copy(window[:], r.b[:size])
	r.value, r.packed, r.left = binary.LittleEndian.Uint32(window[:]), nil, int(head>>1)
	r.b = r.b[size:]
	return true
}
