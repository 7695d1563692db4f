package array

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
)

// The front of an npy file (NumPy Enhancement Proposal 1): the magic, two bytes of
// version, the length of the header in two bytes (version 1) or four (2 and 3), the
// header, the values. The header is a literal of Python, in Latin-1 or UTF-8; the
// keys that are read here are ASCII in either.
const (
	npyMagic     = "\x93NUMPY"
	maxNPYHeader = 64 << 10 // NumPy itself takes 10,000 bytes unless it is told to trust a file
)

// errShort is of a file that ends before what it announces.
var errShort = errors.New("it ends within its values or before them")

// openNPY reads a file of one array.
func openNPY(in *input) (*index, error) {
	read := func(int) (*Array, error) {
		return readNPY(io.NewSectionReader(in.r, 0, in.size), in.size, in.most)
	}
	return &index{names: []string{""}, read: read}, nil
}

// readNPY reads an array of size bytes with its front, and the end of r. Memory for
// the values is taken only if size is enough for what the header announces.
func readNPY(r io.Reader, size, most int64) (*Array, error) {
	header, front, err := npyHeader(r)
	if err != nil {
		return nil, err
	}
	n, err := bytesOf(header.dtype, header.shape, most)
	if err != nil {
		return nil, err
	}
	switch has := size - front; {
	case has < n:
		return nil, fmt.Errorf("its header announces %v of type %v, %d bytes, and %d follow", header.shape, header.dtype, n, has)
	case has > n:
		return nil, fmt.Errorf("%d bytes follow its array %v of type %v; a file holds one array", has-n, header.shape, header.dtype)
	}
	data := make([]byte, n)
	if _, err := io.ReadFull(r, data); err != nil {
		return nil, short(err)
	}
	switch n, err := r.Read(make([]byte, 1)); { // the end, where a zip file's checksum is compared
	case n > 0:
		return nil, errors.New("it is longer than it says")
	case err != io.EOF:
		return nil, err
	}
	a := &Array{DType: header.dtype, Shape: header.shape, Data: data}
	if header.big {
		swap(data, a.DType.Size())
	}
	if header.fortran {
		a.Data = fromFortran(data, a.Shape, a.DType.Size())
	}
	return a, a.checkBools()
}

// checkBools: NumPy keeps a byte as it is, and what a 2 means differs from use to use.
func (a *Array) checkBools() error {
	if a.DType != Bool {
		return nil
	}
	if i := slices.IndexFunc(a.Data, func(b byte) bool { return b > 1 }); i >= 0 {
		return fmt.Errorf("value %d of type bool is %d", i, a.Data[i])
	}
	return nil
}

// short is an error of reading; an end is one of the file.
func short(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return errShort
	}
	return err
}

// npyFront is what a header says.
type npyFront struct {
	dtype        DType
	big, fortran bool
	shape        []int
}

// npyHeader reads the front and gives its length too.
func npyHeader(r io.Reader) (npyFront, int64, error) {
	front := make([]byte, 8, 12)
	if _, err := io.ReadFull(r, front); err != nil {
		return npyFront{}, 0, short(err)
	}
	if string(front[:6]) != npyMagic {
		return npyFront{}, 0, errors.New(`it is no file of NumPy: it does not begin with \x93NUMPY`)
	}
	width := 4
	switch major, minor := front[6], front[7]; {
	case major == 1:
		width = 2
	case major == 0 || major > 3:
		return npyFront{}, 0, fmt.Errorf("it is of version %d.%d; 1 to 3 are read", major, minor)
	}
	if _, err := io.ReadFull(r, front[8:8+width]); err != nil {
		return npyFront{}, 0, short(err)
	}
	front = append(front[:8+width], 0, 0)
	n := binary.LittleEndian.Uint32(front[8:12]) // with two zero bytes after a short length
	if n > maxNPYHeader {
		return npyFront{}, 0, fmt.Errorf("its header is said to have %d bytes; %d are the most", n, maxNPYHeader)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return npyFront{}, 0, short(err)
	}
	h, err := parseNPYHeader(bytes.TrimRight(text, " \n"))
	if err != nil {
		return h, 0, fmt.Errorf("its header %.80q: %w", bytes.TrimRight(text, " \n"), err)
	}
	return h, int64(8+width) + int64(n), nil
}

// npyTypes are NumPy's letters and sizes of the types that are read.
var npyTypes = map[string]DType{
	"b1": Bool, "i1": Int8, "i2": Int16, "i4": Int32, "i8": Int64, "u1": Uint8, "u2": Uint16, "u4": Uint32, "u8": Uint64,
	"f2": Float16, "f4": Float32, "f8": Float64,
}

// npyOthers are NumPy's letters of what is not read, with what it is.
var npyOthers = map[byte]string{
	'O': "it holds Python objects, which only pickle reads, and pickle runs what a file tells it; save an array of numbers (array.astype(\"float32\"))",
	'c': "it holds complex numbers; save the real and the imaginary part",
	'S': "it holds text", 'a': "it holds text", 'U': "it holds text", 'V': "it holds raw bytes", 'M': "it holds dates", 'm': "it holds spans of time",
}

// setType takes a descr such as <f4.
func (h *npyFront) setType(descr string) error {
	order, name := byte('='), descr
	if descr != "" && bytes.IndexByte([]byte("<>|="), descr[0]) >= 0 {
		order, name = descr[0], descr[1:]
	}
	t, there := npyTypes[name]
	if !there {
		if name != "" && npyOthers[name[0]] != "" {
			return errors.New(npyOthers[name[0]])
		}
		return fmt.Errorf("type %q is not read; bool, f2, f4, f8, i1 to i8 and u1 to u8 are", descr)
	}
	h.dtype, h.big = t, order == '>' && t.Size() > 1
	return nil
}

// swap turns the bytes of each element round.
func swap(data []byte, size int) {
	for i := 0; i < len(data); i += size {
		slices.Reverse(data[i : i+size])
	}
}

// fromFortran gives values in the order of C that stand with the first axis running
// fastest.
func fromFortran(data []byte, shape []int, size int) []byte {
	if len(shape) < 2 || len(data) == 0 {
		return data
	}
	steps := make([]int, len(shape)) // bytes from one index of an axis to the next, in data
	step := size
	for i, axis := range shape {
		steps[i] = step
		step *= axis
	}
	out := make([]byte, 0, len(data))
	index := make([]int, len(shape))
	for from := 0; len(out) < len(data); {
		out = append(out, data[from:from+size]...)
		for axis := len(shape) - 1; axis >= 0; axis-- {
			index[axis]++
			from += steps[axis]
			if index[axis] < shape[axis] {
				break
			}
			from -= steps[axis] * shape[axis]
			index[axis] = 0
		}
	}
	return out
}
