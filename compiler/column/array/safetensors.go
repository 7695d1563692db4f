package array

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// maxTensorHeader bounds the JSON in front of the values; that of 100,000 tensors has 10 MB.
const maxTensorHeader = 32 << 20

// tensorTypes are the format's names of the types that are read.
var tensorTypes = map[string]DType{
	"BOOL": Bool, "I8": Int8, "I16": Int16, "I32": Int32, "I64": Int64, "U8": Uint8, "U16": Uint16, "U32": Uint32, "U64": Uint64,
	"F16": Float16, "BF16": BFloat16, "F32": Float32, "F64": Float64,
}

// tensor is an entry of the header.
type tensor struct {
	name    string
	DType   string  `json:"dtype"`
	Shape   []int   `json:"shape"`
	Offsets []int64 `json:"data_offsets"` // begin and end, from the end of the header
}

// openSafetensors reads the header of a file of safetensors (its README, "Format"): eight
// bytes of length, JSON, and the values little-endian in the order of C, which the
// tensors fill without gaps and without sharing any.
func openSafetensors(in *input) (*index, error) {
	var front [8]byte
	if _, err := in.r.ReadAt(front[:], 0); err != nil {
		return nil, short(err)
	}
	n := binary.LittleEndian.Uint64(front[:])
	if n > maxTensorHeader || int64(n) > in.size-8 {
		return nil, fmt.Errorf("its header is said to have %d bytes; the file has %d, and %d are the most", n, in.size, maxTensorHeader)
	}
	text := make([]byte, n)
	if _, err := in.r.ReadAt(text, 8); err != nil && !(err == io.EOF && int64(n) == in.size-8) {
		return nil, short(err)
	}
	tensors, err := parseTensors(text)
	if err != nil {
		return nil, fmt.Errorf("its header: %w", err)
	}
	begin := 8 + int64(n)
	if err := checkTensors(tensors, in.size-begin); err != nil {
		return nil, err
	}
	found := &index{read: func(i int) (*Array, error) { return in.tensor(tensors[i], begin) }}
	for _, t := range tensors {
		found.names = append(found.names, t.name)
	}
	return found, nil
}

// parseTensors reads the header's object, in its order.
func parseTensors(text []byte) ([]tensor, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("it is no object of JSON")
	}
	var tensors []tensor
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		var entry tensor
		var into any = &entry
		if entry.name = name.(string); entry.name == "__metadata__" { // texts for people
			into = new(json.RawMessage)
		}
		if err := d.Decode(into); err != nil {
			return nil, fmt.Errorf("%q: %w", name, err)
		}
		if into == any(&entry) {
			tensors = append(tensors, entry)
		}
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("something follows the object")
	}
	return tensors, nil
}

// checkTensors holds the places of the values against the bytes that there are.
func checkTensors(tensors []tensor, size int64) error {
	for _, t := range tensors {
		if len(t.Offsets) != 2 || t.Offsets[0] < 0 || t.Offsets[0] > t.Offsets[1] || t.Offsets[1] > size {
			return fmt.Errorf("%q lies at %v of %d bytes", t.name, t.Offsets, size)
		}
	}
	sorted := slices.Clone(tensors)
	slices.SortFunc(sorted, func(a, b tensor) int { return slices.Compare(a.Offsets, b.Offsets) })
	var end int64
	for _, t := range sorted {
		if t.Offsets[0] != end {
			return fmt.Errorf("%q begins at %d, and what is before it ends at %d", t.name, t.Offsets[0], end)
		}
		end = t.Offsets[1]
	}
	if end != size {
		return fmt.Errorf("its values end at %d of %d bytes", end, size)
	}
	return nil
}

// tensor reads one.
func (in *input) tensor(t tensor, begin int64) (*Array, error) {
	dtype, there := tensorTypes[t.DType]
	if !there {
		return nil, fmt.Errorf("%q has type %q, which is not read; BOOL, I8 to I64, U8 to U64, F16, BF16, F32 and F64 are", t.name, t.DType)
	}
	n, err := bytesOf(dtype, t.Shape, in.most)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", t.name, err)
	}
	if has := t.Offsets[1] - t.Offsets[0]; has != n {
		return nil, fmt.Errorf("%q of type %s and shape %v needs %d bytes and has %d", t.name, t.DType, t.Shape, n, has)
	}
	a := &Array{DType: dtype, Shape: t.Shape, Data: make([]byte, n)}
	if err := in.readAt(a.Data, begin+t.Offsets[0]); err != nil {
		return nil, err
	}
	return a, a.checkBools()
}
