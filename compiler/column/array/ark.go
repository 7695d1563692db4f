package array

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// An archive of Kaldi is objects one after the other, each with a key, a space and, in
// binary, a zero byte and B in front of it (kaldi-asr.org/doc/io.html). What stands then
// is read as Kaldi reads it in src/matrix/kaldi-matrix.cc, kaldi-vector.cc and
// compressed-matrix.cc, and BasicVectorHolder in src/util/kaldi-holder-inl.h.

// maxKey bounds a key, so that a file of anything else is not taken for one.
const maxKey = 4 << 10

// object is what stands in front of a binary object's values.
type object struct {
	dtype DType
	shape []int
	at    int64 // of its values
	size  int64 // of them in the file
	unzip func(data []byte, rows, cols int) *Array
	ints  bool // each value has a byte of length in front
}

// openArk reads an archive from end to end, but not its values: an archive has no list
// of its keys; a scp file is one.
func openArk(in *input) (*index, error) {
	found := &index{}
	var places []int64
	for at := int64(0); ; {
		key, begin, err := in.arkKey(at)
		if err == io.EOF {
			break
		}
		if err == nil {
			at, err = in.arkEnd(begin)
		}
		if err != nil {
			return nil, fmt.Errorf("array %d, key %.40q: %w", len(places)+1, key, err)
		}
		found.names, places = append(found.names, key), append(places, begin)
	}
	found.read = func(i int) (*Array, error) { return in.object(places[i]) }
	return found, nil
}

// arkKey reads a key and gives the place of its object. io.EOF: there is none.
func (in *input) arkKey(at int64) (key string, begin int64, err error) {
	var b [maxKey]byte
	n := 0
	for _, step := range []int{64, maxKey} { // most keys are short
		if n, err = in.r.ReadAt(b[:step], at); err != nil && err != io.EOF {
			return "", 0, err
		}
		word := bytes.TrimLeft(b[:n], " \t\r\n")
		at := at + int64(n-len(word))
		end := bytes.IndexAny(word, " \t\n\x00")
		switch {
		case len(word) == 0 && n < step:
			return "", 0, io.EOF
		case end < 0 || word[end] == 0:
			continue
		case word[end] == '\n': // a line without values
			return string(word[:end]), at + int64(end), nil
		}
		return string(word[:end]), at + int64(end) + 1, nil
	}
	return "", 0, fmt.Errorf("%.20q stands where a key should", b[:n])
}

// arkEnd is the place after an object.
func (in *input) arkEnd(begin int64) (int64, error) {
	binary, err := in.isBinary(begin)
	if err != nil {
		return 0, err
	}
	if !binary {
		return in.textEnd(begin)
	}
	o, err := in.head(begin)
	return o.at + o.size, err
}

// object reads the object at a place: in an archive after its key, in a file of its own
// at the beginning.
func (in *input) object(begin int64) (*Array, error) {
	isBinary, err := in.isBinary(begin)
	if err != nil {
		return nil, err
	}
	if !isBinary {
		return in.text(begin)
	}
	o, err := in.head(begin)
	if err != nil {
		return nil, err
	}
	data := make([]byte, o.size)
	if err := in.readAt(data, o.at); err != nil {
		return nil, err
	}
	switch {
	case o.unzip != nil:
		return o.unzip(data, o.shape[0], o.shape[1]), nil
	case o.ints:
		values := make([]byte, 0, 4*o.shape[0])
		for one := range o.shape[0] {
			if data[5*one] != 4 {
				return nil, fmt.Errorf("value %d has %d bytes; integers of 4 are read", one, data[5*one])
			}
			values = append(values, data[5*one+1:5*one+5]...)
		}
		data = values
	}
	return &Array{DType: o.dtype, Shape: o.shape, Data: data}, nil
}

func (in *input) isBinary(at int64) (bool, error) {
	var mark [2]byte
	n, err := in.r.ReadAt(mark[:], at)
	if err != nil && err != io.EOF {
		return false, err
	}
	return string(mark[:n]) == "\x00B", nil
}

// head reads what stands before the values of a binary object.
func (in *input) head(begin int64) (object, error) {
	var b [32]byte
	n, err := in.r.ReadAt(b[:], begin)
	if err != nil && err != io.EOF || n < 2 {
		return object{}, short(err)
	}
	p := headReader{b: b[2:n]} // after the mark of a binary object
	var o object
	if p.next() == 4 {
		o = object{dtype: Int32, shape: []int{p.count()}, ints: true}
	} else {
		switch token := p.token(); token {
		case "FM", "DM":
			o = object{dtype: kaldiReal(token), shape: []int{p.count(), p.count()}}
		case "FV", "DV":
			o = object{dtype: kaldiReal(token), shape: []int{p.count()}}
		case "CM", "CM2", "CM3":
			o = p.compressed(token)
		default:
			return o, fmt.Errorf("it holds %q; matrices and vectors (FM, DM, FV, DV), compressed matrices (CM, CM2, CM3) and vectors of integers are read", token)
		}
	}
	if p.short {
		return o, errShort
	}
	o.at = begin + int64(2+p.at)
	o.size, err = bytesOf(o.dtype, o.shape, in.most)
	switch {
	case err != nil:
		return o, err
	case o.ints:
		o.size = 5 * int64(o.shape[0])
	case o.unzip != nil && (o.shape[0] == 0) != (o.shape[1] == 0):
		return o, fmt.Errorf("its shape is %v, which Kaldi gives no compressed matrix", o.shape)
	case o.unzip != nil:
		o.size = compressedSize(string(p.name), o.shape[0], o.shape[1])
	}
	if o.size > in.size-o.at {
		return o, fmt.Errorf("an array %v of type %v needs %d bytes, and %d follow", o.shape, o.dtype, o.size, in.size-o.at)
	}
	return o, nil
}

// kaldiReal is the type of a token's first letter.
func kaldiReal(token string) DType {
	if token[0] == 'D' {
		return Float64
	}
	return Float32
}

// headReader takes the front of an object apart.
type headReader struct {
	b     []byte
	at    int
	name  []byte
	short bool
}

// next is the byte that comes, which stays.
func (p *headReader) next() byte {
	if p.at >= len(p.b) {
		return 0
	}
	return p.b[p.at]
}

// token is the letters up to a space.
func (p *headReader) token() string {
	end := bytes.IndexByte(p.b[p.at:min(len(p.b), p.at+8)], ' ')
	if end < 0 {
		return string(p.b[p.at:min(len(p.b), p.at+8)])
	}
	p.name = p.b[p.at : p.at+end]
	p.at += end + 1
	return string(p.name)
}

// count is an integer of 4 bytes, after a byte with the 4.
func (p *headReader) count() int {
	if p.next() != 4 {
		p.short = true
	}
	p.at++
	return int(int32(p.word()))
}

// word is four bytes.
func (p *headReader) word() uint32 {
	if len(p.b)-p.at < 4 {
		p.short = true
		return 0
	}
	p.at += 4
	return binary.LittleEndian.Uint32(p.b[p.at-4:])
}

// compressed reads the front of a compressed matrix: its least value, its range, rows
// and columns.
func (p *headReader) compressed(token string) object {
	least, span := math.Float32frombits(p.word()), math.Float32frombits(p.word())
	rows, cols := int(int32(p.word())), int(int32(p.word()))
	unzip := func(data []byte, rows, cols int) *Array { return decompress(token, least, span, data, rows, cols) }
	return object{dtype: Float32, shape: []int{rows, cols}, unzip: unzip}
}

// readAt reads all of b, or says that the file ends.
func (in *input) readAt(b []byte, at int64) error {
	if n, err := in.r.ReadAt(b, at); n < len(b) {
		return short(err)
	}
	return nil
}
