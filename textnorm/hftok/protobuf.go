package hftok

import (
	"encoding/binary"
	"errors"
	"math"
)

// errProtobuf: the bytes are no protocol buffer.
var errProtobuf = errors.New("a field ends after the message, or is of no known kind (is the file cut?)")

// field is one field of a protocol buffer: a number, or bytes.
type field struct {
	tag    int
	number uint64 // of a varint, or the bits of a fixed one
	bytes  []byte // of one that has a length; nil: it is a number
}

func (f field) float() float32 { return math.Float32frombits(uint32(f.number)) }

// eachField calls f for each field of a message, in their order, and returns the first
// error of f or errProtobuf. It takes no memory and looks at no byte twice; messages
// inside of it are bytes.
//
// A field is a key and a value. The key is tag << 3 | wire type:
//
//	0  a number in base 128
//	1  8 bytes, little-endian
//	2  a length, and as many bytes
//	5  4 bytes, little-endian
//
// 3 and 4 are groups, which are refused. What a tag means is left to f; an unknown one
// is no error, as the format demands.
func eachField(message []byte, f func(field) error) error {
	for len(message) > 0 {
		key, n := uvarint(message)
		if n == 0 || key>>3 == 0 || key>>3 > 1<<29-1 {
			return errProtobuf
		}
		message = message[n:]
		out := field{tag: int(key >> 3)}
		size := 0
		switch key & 7 {
		case 0:
			if out.number, size = uvarint(message); size == 0 {
				return errProtobuf
			}
		case 1:
			size = 8
		case 5:
			size = 4
		case 2:
			length, n := uvarint(message)
			if n == 0 || length > uint64(len(message)-n) {
				return errProtobuf
			}
			message = message[n:]
			size = int(length)
			out.bytes = message[:size:size]
		default:
			return errProtobuf
		}
		if size > len(message) {
			return errProtobuf
		}
		for i := 0; out.bytes == nil && key&7 != 0 && i < size; i++ {
			out.number |= uint64(message[i]) << (8 * i)
		}
		if err := f(out); err != nil {
			return err
		}
		message = message[size:]
	}
	return nil
}

// uvarint reads a number in base 128, the lowest part first; n is 0 where there
// is none of 64 bits.
func uvarint(b []byte) (value uint64, n int) {
	value, n = binary.Uvarint(b)
	return value, max(n, 0)
}
