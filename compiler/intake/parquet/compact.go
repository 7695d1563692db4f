package parquet

import (
	"errors"
	"fmt"
	"math"
)

// compact reads Thrift's compact protocol, in which a Parquet file describes
// itself (github.com/apache/thrift, doc/specs/thrift-compact-protocol.md). The
// first error stays; after it everything read is zero.
// Callbacks need not look at err: at stands at the end after an error, so loops end.
type compact struct {
	b     []byte
	at    int
	depth int
	err   error
}

// The types of the protocol.
const (
	// In the head of a field a truth value has no byte of its own: its type tells it.
	typeTrue   = 1
	typeFalse  = 2
	typeByte   = 3
	typeInt16  = 4
	typeInt32  = 5
	typeInt64  = 6
	typeDouble = 7
	typeBytes  = 8
	typeList   = 9
	typeSet    = 10
	typeMap    = 11
	typeStruct = 12
)

var (
	errShort = errors.New("it ends too early")
	errType  = errors.New("a field of another type than the format says")
)

// maxDepth is how deep structures nest; the format's own go 6 deep.
const maxDepth = 16

// fail keeps the first error and gives up the rest of the bytes.
func (c *compact) fail(err error) {
	if c.err == nil {
		c.err = err
	}
	c.at = len(c.b)
}

// octet is the next byte; 0 and errShort after the last.
func (c *compact) octet() byte {
	if c.at >= len(c.b) {
		c.fail(errShort)
		return 0
	}
	c.at++
	return c.b[c.at-1]
}

// uvarint reads seven bits a byte, the lowest first; a byte below 0x80 is the last.
// Ten bytes are the most, so a damaged file cannot hold it up.
func (c *compact) uvarint() uint64 {
	var v uint64
	for shift := 0; shift < 64; shift += 7 {
		b := c.octet()
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return v
		}
	}
	c.fail(errors.New("a number of more than 64 bits"))
	return 0
}

// integer reads a whole number of any width.
// Signed numbers are zigzag-coded; typeByte, a raw byte, is no such number.
func (c *compact) integer(kind byte) int64 {
	if kind < typeInt16 || kind > typeInt64 {
		c.fail(errType)
		return 0
	}
	v := c.uvarint()
	return int64(v>>1) ^ -int64(v&1)
}

// octets reads a string. It is part of what is read from.
func (c *compact) octets(kind byte) []byte {
	if kind != typeBytes {
		c.fail(errType)
		return nil
	}
	n := c.uvarint()
	if n > uint64(len(c.b)-c.at) {
		c.fail(errShort)
		return nil
	}
	c.at += int(n)
	return c.b[c.at-int(n) : c.at]
}

// structure reads a structure: each gets the number and the type of a field, and
// reports whether it read it.
// A field's head has its type in the low four bits and in the high ones how far its
// number is from the field's before; 0 there: the number follows whole. A head of 0
// ends the structure. What each does not read is skipped by its type, so fields of
// later versions of the format do no harm.
func (c *compact) structure(kind byte, each func(id int, kind byte) bool) {
	if kind != typeStruct {
		c.fail(errType)
		return
	}
	if c.depth++; c.depth > maxDepth {
		c.fail(fmt.Errorf("structures are more than %d deep", maxDepth))
	}
	id := 0
	for c.err == nil {
		head := c.octet()
		if head == 0 {
			break
		}
		if head>>4 != 0 {
			id += int(head >> 4)
		} else {
			id = int(int16(c.integer(typeInt16)))
		}
		if c.err == nil && !each(id, head&0xf) {
			c.skip(head & 0xf)
		}
	}
	c.depth--
}

// untold is a number that no field has, for those that may be missing.
const untold = math.MinInt64

// numbers reads a structure of whole numbers, each into the place with its field's
// number; nil, and fields beyond, are skipped, or read by other.
func (c *compact) numbers(kind byte, into []*int64, other func(id int, kind byte) bool) {
	c.structure(kind, func(id int, kind byte) bool {
		if id >= 0 && id < len(into) && into[id] != nil {
			*into[id] = c.integer(kind)
			return true
		}
		return other != nil && other(id, kind)
	})
}

// list reads a list: each is called once for each element.
// The head has the number of elements in its high four bits; 15: it follows. A
// number that the bytes left cannot hold is refused before the first element, so
// that nothing is asked of memory for it.
func (c *compact) list(kind byte, each func(kind byte)) {
	if kind != typeList && kind != typeSet {
		c.fail(errType)
		return
	}
	head := c.octet()
	n := uint64(head >> 4)
	if n == 15 {
		n = c.uvarint()
	}
	if n > uint64(len(c.b)-c.at) { // an element has a byte at least
		c.fail(errShort)
	}
	for ; n > 0 && c.err == nil; n-- {
		each(head & 0xf)
	}
}

// skip reads over a field.
func (c *compact) skip(kind byte) {
	switch kind {
	case typeTrue, typeFalse: // the type is the value
	case typeByte:
		c.octet()
	case typeInt16, typeInt32, typeInt64:
		c.uvarint()
	case typeDouble:
		if c.at += 8; c.at > len(c.b) {
			c.fail(errShort)
		}
	case typeBytes:
		c.octets(kind)
	case typeList, typeSet:
		c.nested(func() { c.list(kind, c.skipElement) })
	case typeMap:
		c.nested(c.skipMap)
	case typeStruct:
		c.structure(kind, func(int, byte) bool { return false })
	default:
		c.fail(errType)
	}
}

// nested counts lists and maps into the depth that skip may reach. read is not
// called beyond it.
func (c *compact) nested(read func()) {
	if c.depth++; c.depth > maxDepth {
		c.fail(fmt.Errorf("structures are more than %d deep", maxDepth))
		return
	}
	read()
	c.depth--
}

// skipElement is skip of an element, where a truth value is a byte.
func (c *compact) skipElement(kind byte) {
	if kind == typeTrue || kind == typeFalse {
		kind = typeByte
	}
	c.skip(kind)
}

// skipMap reads over a map: the number of pairs, and unless it is 0 one byte with
// the types of keys and values.
func (c *compact) skipMap() {
	n := c.uvarint()
	if n == 0 {
		return
	}
	kinds := c.octet()
	if n > uint64(len(c.b)-c.at) {
		c.fail(errShort)
	}
	for ; n > 0 && c.err == nil; n-- {
		c.skipElement(kinds >> 4)
		c.skipElement(kinds & 0xf)
	}
}
