package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// delta reads DELTA_BINARY_PACKED: a first number, then blocks of differences.
// A block has its least difference and miniblocks, each packed with a width of
// its own. Nothing is kept but where it is, whatever the counts claim.
type delta struct {
	b     []byte // what follows
	left  uint64 // numbers to come
	value uint64 // the last one; differences wrap around
	begun bool

	// The page's head gives these two; they hold for all its blocks.
	mini   uint64 // differences of a miniblock
	minis  int    // miniblocks of a block
	least  uint64
	widths []byte // of the block's miniblocks to come

	packed []byte // the present miniblock
	width  uint
	bit    uint
	inMini uint64 // differences of it to come
}

// maxBlock bounds what a block claims; writers make them of 128 to 2,048. By the
// format a block has a multiple of 128 differences, and a miniblock one of 32, so
// that each miniblock ends at a whole byte.
const maxBlock = 1 << 20

var errDelta = errors.New("its delta-encoded values end too early")

// The head has four numbers: values a block, miniblocks a block, values in total,
// and the first value. The first is no difference and stands in no miniblock.
func newDelta(page []byte) (*delta, error) {
	d := &delta{b: page}
	block, ok1 := d.uvarint()
	minis, ok2 := d.uvarint()
	left, ok3 := d.uvarint()
	first, ok4 := d.uvarint()
	if !ok1 || !ok2 || !ok3 || !ok4 {
		return nil, errDelta
	}
	if block == 0 || block > maxBlock || block%128 != 0 || minis == 0 || block%minis != 0 || block/minis%32 != 0 {
		return nil, fmt.Errorf("delta blocks of %d values in %d miniblocks", block, minis)
	}
	d.left, d.mini, d.minis, d.value = left, block/minis, int(minis), unzigzag(first)
	return d, nil
}

// unzigzag gives the number of a code in which small ones of either sign are
// short: 0, -1, 1, -2. Sums wrap around, so no sign is needed after it.
func unzigzag(v uint64) uint64 { return v>>1 ^ -(v & 1) }

// uvarint takes a number off the front, false where the bytes do not hold one.
func (d *delta) uvarint() (uint64, bool) {
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		return 0, false
	}
	d.b = d.b[n:]
	return v, true
}

// next is the next number, false where there is none.
// A number of 64 bits that begins inside a byte reaches into a ninth: 16 bytes are
// copied, zeros after the end, so that no read goes out of bounds.
func (d *delta) next() (uint64, bool) {
	if d.left == 0 || d.begun && d.inMini == 0 && !d.nextMini() {
		return 0, false
	}
	d.left--
	if !d.begun {
		d.begun = true
		return d.value, true
	}
	var window [16]byte
	copy(window[:], d.packed[min(int(d.bit/8), len(d.packed)):])
	shift := d.bit % 8
	v := binary.LittleEndian.Uint64(window[:])>>shift | uint64(window[8])<<(64-shift)
	if d.width < 64 {
		v &= 1<<d.width - 1
	}
	d.bit += d.width
	d.inMini--
	d.value += v + d.least
	return d.value, true
}

// nextMini goes on to the next miniblock.
// A new block begins with its least difference and the width in bits of each
// miniblock, a byte each. The last block may leave out the miniblocks that it does
// not need, but never their widths (Encodings.md).
func (d *delta) nextMini() bool {
	if len(d.widths) == 0 {
		least, ok := d.uvarint()
		if !ok || d.minis > len(d.b) {
			return false
		}
		d.least, d.widths, d.b = unzigzag(least), d.b[:d.minis], d.b[d.minis:]
	}
	d.width, d.widths = uint(d.widths[0]), d.widths[1:]
	size := d.mini / 8 * uint64(d.width)
	if d.width > 64 || size > uint64(len(d.b)) {
		return false
	}
	d.packed, d.b, d.bit, d.inMini = d.b[:size], d.b[size:], 0, d.mini
	return true
}

// rest is what follows the last number. A miniblock takes a byte at least, so
// this ends.
// d is a copy: the caller's reader stays at its first number.
func (d delta) rest() ([]byte, bool) {
	left := d.left
	if left > 0 && !d.begun {
		left--
	}
	for left -= min(left, d.inMini); left > 0; left -= min(left, d.mini) {
		if !d.nextMini() {
			return nil, false
		}
	}
	return d.b, true
}

// deltaNumbers are numbers of 4 or 8 bytes.
// Numbers of 4 bytes are computed in 64 bits and cut: sums modulo 2^64 give the
// same low 32 bits.
func deltaNumbers(page []byte, width int) (decoder, error) {
	d, err := newDelta(page)
	if err != nil {
		return nil, err
	}
	var v [8]byte
	return func() ([]byte, error) {
		n, ok := d.next()
		if !ok {
			return nil, errDelta
		}
		binary.LittleEndian.PutUint64(v[:], n)
		return v[:width], nil
	}, nil
}

// deltaLengths are all lengths, and after them all bytes.
// Values are parts of page, without a copy. A negative length is a very large one
// here, and is refused like any that is longer than the rest.
func deltaLengths(page []byte) (decoder, error) {
	lengths, err := newDelta(page)
	if err != nil {
		return nil, err
	}
	b, ok := lengths.rest()
	if !ok {
		return nil, errDelta
	}
	return func() (v []byte, err error) {
		n, ok := lengths.next()
		if !ok || n > uint64(len(b)) {
			return nil, errDelta
		}
		v, b = b[:n:n], b[n:]
		return v, nil
	}, nil
}

// deltaBytes are values that share their beginnings with the values before them:
// how long each shares, then the rests.
// last is reused: each value overwrites the one before it, as decoder allows.
func deltaBytes(page []byte, width int) (decoder, error) {
	shared, err := newDelta(page)
	if err != nil {
		return nil, err
	}
	b, ok := shared.rest()
	if !ok {
		return nil, errDelta
	}
	rests, err := deltaLengths(b)
	if err != nil {
		return nil, err
	}
	last := []byte{}
	return func() ([]byte, error) {
		n, ok := shared.next()
		if !ok || n > uint64(len(last)) {
			return nil, errDelta
		}
		rest, err := rests()
		if err != nil {
			return nil, err
		}
		if last = append(last[:n], rest...); width > 0 && len(last) != width {
			return nil, fmt.Errorf("a value of %d bytes among those of %d", len(last), width)
		}
		return last, nil
	}, nil
}
