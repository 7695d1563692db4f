package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// decoder gives the next value of a page that is not null; it is never nil and
// lasts until the next call.
type decoder func() ([]byte, error)

// The encodings of values.
const (
	// The numbers are those of Encoding in parquet.thrift. OldWords is
	// PLAIN_DICTIONARY: in a data page the same as RLE_DICTIONARY.
	encodingPlain       = 0
	encodingOldWords    = 2
	encodingRuns        = 3
	encodingDelta       = 5
	encodingDeltaLength = 6
	encodingDeltaBytes  = 7
	encodingDictionary  = 8
	encodingSplit       = 9
)

var encodings = map[int64]string{0: "PLAIN", 2: "PLAIN_DICTIONARY", 3: "RLE", 4: "BIT_PACKED", 5: "DELTA_BINARY_PACKED", 6: "DELTA_LENGTH_BYTE_ARRAY",
	7: "DELTA_BYTE_ARRAY", 8: "RLE_DICTIONARY", 9: "BYTE_STREAM_SPLIT"}

// decoderOf is the decoder of a page of values that are not words of a dictionary.
// Which encodings a kind may have is from Encodings.md. A width of 0 there stands
// for ByteArray, or for a FixedByteArray whose width was refused, which is not read.
// n is how many values the page's head and levels say: a page of another length is
// damaged, and one whose bytes stand apart would give false values.
func (c *Column) decoderOf(encoding int64, page []byte, n int64) (decoder, error) {
	switch number := c.Kind == Int32 || c.Kind == Int64; {
	case encoding == encodingPlain && n > c.most(len(page)), encoding == encodingSplit && c.width > 0 && n != c.most(len(page)):
		return nil, fmt.Errorf("%d bytes are not %d values of %v", len(page), n, c.Kind)
	case encoding == encodingPlain && c.Kind == Boolean:
		return packedBools(page), nil
	case encoding == encodingPlain && (c.Kind == ByteArray || c.width > 0):
		return plainValues(page, c.width), nil
	case encoding == encodingRuns && c.Kind == Boolean:
		return runBools(page)
	case encoding == encodingDelta && number:
		return deltaNumbers(page, c.width)
	case encoding == encodingDeltaLength && c.Kind == ByteArray:
		return deltaLengths(page)
	case encoding == encodingDeltaBytes && (c.Kind == ByteArray || c.Kind == FixedByteArray && c.width > 0):
		return deltaBytes(page, c.width)
	case encoding == encodingSplit && c.width > 0:
		return splitBytes(page, c.width)
	}
	return nil, fmt.Errorf("it is written as %s (%d), which is not read here for values of its kind (%v); write the file anew, with the defaults of pyarrow",
		encodings[encoding], encoding, c.Kind)
}

// most is how many plain values so many bytes hold: a text takes the four bytes of
// its length, a boolean a bit.
func (c *Column) most(size int) int64 {
	switch {
	case c.Kind == Boolean:
		return 8 * int64(size)
	case c.width == 0:
		return int64(size / 4)
	}
	return int64(size / c.width)
}

// plainValues are one after the other; a width of 0: each with its length.
// Values are parts of page, without a copy.
func plainValues(page []byte, width int) decoder {
	return func() (v []byte, err error) {
		v, page, err = cutPlain(page, width)
		return v, err
	}
}

// cutPlain takes a value off the front; it is never nil.
// Lengths are 4 bytes, lowest first. The capacity ends with the value, so that an
// append by a caller cannot write into the next one.
func cutPlain(b []byte, width int) (v, rest []byte, err error) {
	n, skip := width, 0
	if width == 0 {
		if len(b) < 4 {
			return nil, nil, errShort
		}
		n, skip = int(binary.LittleEndian.Uint32(b)), 4
	}
	if n > len(b)-skip {
		return nil, nil, errShort
	}
	return b[skip : skip+n : skip+n], b[skip+n:], nil
}

// The bytes of truth values.
var truths = [2][]byte{{0}, {1}}

// packedBools are a bit each, the lowest of a byte first.
func packedBools(page []byte) decoder {
	at := 0
	return func() ([]byte, error) {
		if at >= 8*len(page) {
			return nil, errShort
		}
		at++
		return truths[page[(at-1)/8]>>((at-1)%8)&1], nil
	}
}

// runBools are runs after their length in bytes.
func runBools(page []byte) (decoder, error) {
	b, _, err := cutPlain(page, 0)
	if err != nil {
		return nil, errors.New("its booleans run past the end of their page")
	}
	r := runs{b: b, width: 1}
	return func() ([]byte, error) {
		v, ok := r.next()
		switch {
		case !ok:
			return nil, errShort
		case int(v) >= len(truths): // a repeated run has a whole byte for its value
			return nil, fmt.Errorf("a boolean has the value %d", v)
		}
		return truths[v], nil
	}, nil
}

// splitBytes are all first bytes, then all second ones, and so on: floats
// compress better so. How many values a page has follows from its length.
func splitBytes(page []byte, width int) (decoder, error) {
	if len(page)%width != 0 {
		return nil, fmt.Errorf("%d bytes are not values of %d", len(page), width)
	}
	v, at, n := make([]byte, width), 0, len(page)/width
	return func() ([]byte, error) {
		if at == n {
			return nil, errShort
		}
		for i := range v {
			v[i] = page[i*n+at]
		}
		at++
		return v, nil
	}, nil
}

// dictionary is the words of a chunk.
// Its words stay in the page, which Cursor.readWords keeps for the chunk's time.
type dictionary struct {
	page  []byte
	width int      // of a word; 0: of different lengths
	at    []uint32 // then: where each begins
	n     int
}

// n is the header's claim. Words of one width are held against the page at once;
// others are cut one by one, and each takes four bytes at least, so a false n ends
// with the page and not with memory.
func newDictionary(page []byte, width int, n int64) (*dictionary, error) {
	d := &dictionary{page: page, width: width}
	if width > 0 {
		if n > int64(len(page)/width) {
			return nil, errShort
		}
		d.n = int(n)
		return d, nil
	}
	for rest, err := page, error(nil); n > 0; n-- {
		at := uint32(len(page) - len(rest))
		if _, rest, err = cutPlain(rest, 0); err != nil {
			return nil, err
		}
		d.at = append(d.at, at)
	}
	d.n = len(d.at)
	return d, nil
}

// words decodes a page of places in the dictionary: the width of a place in bits
// in one byte, then runs.
func (d *dictionary) words(page []byte) (decoder, error) {
	if len(page) == 0 {
		page = []byte{0} // all are null
	}
	if page[0] > 32 {
		return nil, fmt.Errorf("dictionary indices of %d bits", page[0])
	}
	places := runs{b: page[1:], width: uint(page[0])}
	return func() ([]byte, error) {
		place, ok := places.next()
		if !ok || int64(place) >= int64(d.n) {
			return nil, fmt.Errorf("an index outside its dictionary of %d values", d.n)
		}
		from := int(place) * d.width
		if d.width == 0 {
			from = int(d.at[place])
		}
		v, _, err := cutPlain(d.page[from:], d.width)
		return v, err
	}, nil
}
