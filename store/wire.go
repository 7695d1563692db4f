package store

import (
	"encoding/binary"
	"fmt"
)

// Records are little-endian and begin with four letters that say what they
// are, which also keeps the digests of different kinds of record apart.

// encoder appends fields to a record.
type encoder struct{ buf []byte }

func newEncoder(magic string) *encoder { return &encoder{buf: []byte(magic)} }

func (e *encoder) u8(v uint8)      { e.buf = append(e.buf, v) }
func (e *encoder) u32(v uint32)    { e.buf = binary.LittleEndian.AppendUint32(e.buf, v) }
func (e *encoder) u64(v uint64)    { e.buf = binary.LittleEndian.AppendUint64(e.buf, v) }
func (e *encoder) name(v [32]byte) { e.buf = append(e.buf, v[:]...) }

// str appends a length of four bytes and the bytes.
func (e *encoder) str(s string) {
	e.u32(uint32(len(s)))
	e.buf = append(e.buf, s...)
}

func (e *encoder) strs(list []string) {
	e.u32(uint32(len(list)))
	for _, s := range list {
		e.str(s)
	}
}

// decoder takes fields from a record. The first thing wrong is kept in err and
// every later field reads as zero, so callers check once, at the end. Records
// are often mapped bytes that are gone after Close: the decoder copies them
// once, and every string that it gives is a part of that copy.
type decoder struct {
	what string
	text string // the record; strings taken from it share its memory
	buf  []byte
	off  int
	err  error
}

func newDecoder(what, magic string, b []byte) *decoder {
	d := &decoder{what: what, text: string(b), buf: b}
	if got := d.take(len(magic)); string(got) != magic {
		d.fail("begins with %q, want %q; it was written by another version or is damaged: rebuild with voxpack build", got, magic)
	}
	return d
}

// fail keeps the first error, with the offset that it was met at. Every error of a decoder is ErrDamaged.
func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf("%s: byte %d: %s: %w", d.what, d.off, fmt.Sprintf(format, args...), ErrDamaged)
	}
}

// take returns the next n bytes, which stay those of the record; nil and an error where it ends before.
func (d *decoder) take(n int) []byte {
	if d.err != nil {
		return nil
	}
	if n < 0 || n > len(d.buf)-d.off {
		d.fail("ends early: %d bytes wanted, %d left", n, len(d.buf)-d.off)
		return nil
	}
	b := d.buf[d.off : d.off+n]
	d.off += n
	return b
}

func (d *decoder) u8() uint8 {
	if b := d.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (d *decoder) u32() uint32 {
	if b := d.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (d *decoder) u64() uint64 {
	if b := d.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (d *decoder) name() (v [32]byte) {
	copy(v[:], d.take(32))
	return v
}

// str reads what encoder.str wrote.
func (d *decoder) str() string {
	from := d.take(int(d.u32()))
	return d.text[d.off-len(from) : d.off]
}

// count reads a length and checks it against the bytes that are left, size
// being the least that one element takes, before anything is allocated.
func (d *decoder) count(size int) int {
	n := d.u32()
	if uint64(n)*uint64(size) > uint64(len(d.buf)-d.off) {
		d.fail("counts %d elements, more than its %d bytes can hold", n, len(d.buf)-d.off)
		return 0
	}
	return int(n)
}

func (d *decoder) strs() []string {
	n := d.count(4)
	list := make([]string, 0, n)
	for range n {
		list = append(list, d.str())
	}
	return list
}

// end checks that nothing is left over and returns the first error.
func (d *decoder) end() error {
	if d.err == nil && d.off != len(d.buf) {
		d.fail("has %d bytes too many", len(d.buf)-d.off)
	}
	return d.err
}
