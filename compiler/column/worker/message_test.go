package worker

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"

	"voxpack/store"
)

// seeds are frames of a worker, right and wrong.
func seeds() [][]byte {
	result := func(what uint32, rest string) []byte {
		b := binary.LittleEndian.AppendUint32([]byte{1, 0, 0, 0, 2, 0, 0, 0}, what)
		return frame(4, append(b, rest...))
	}
	array := "f32\x00\x01\x00\x00\x00\x04\x00\x00\x00" + strings.Repeat("\x00", 16)
	return [][]byte{
		frame(2, []byte(`{"protocol":1,"version":"v1"}`)), frame(2, []byte("{")), frame(5, []byte("no GPU")), frame(5, nil),
		result(0, array), result(0, array[:20]), result(0, "f32\x00\x00\x00\x00\x00"), result(0, "f32\x00\x09\x00\x00\x00"), result(0, ""),
		result(1, "ValueError"), result(1, ""), result(2, ""), frame(4, []byte{1}), frame(9, nil),
		[]byte("Loading model"), []byte("VXW1"), nil, result(0, array+array),
		[]byte("VXW1\x05\x00\x00\x00\xff\xff\xff\x3f\x00\x00\x00\x00"),
	}
}

// FuzzReadAnswer: whatever a worker writes is an answer or an error, takes no more memory than
// the column's arrays and texts may, and what is taken for a value has the column's type, shape and bytes.
func FuzzReadAnswer(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s, false)
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, said []byte, shorter bool) {
		c := &Config{DType: store.Float32, Shape: []int{4}, Shorter: shorter}
		r := bytes.NewReader(said)
		for {
			a, err := readAnswer(r, c.arrayBytes())
			if err != nil {
				if r.Len() == 0 && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, errStray) {
					t.Fatalf("error %v", err)
				}
				return
			}
			if len(a.array.Bytes) > c.arrayBytes() || len(a.text) > 400 || len(a.array.Shape) > maxDims {
				t.Fatalf("%d bytes, %d of text, shape %v", len(a.array.Bytes), len(a.text), a.array.Shape)
			}
			if a.kind == kindResult && !a.failed && a.check(c) == nil {
				if n := a.array.Shape[0]; n > 4 || !shorter && n != 4 || len(a.array.Bytes) != 4*n {
					t.Fatalf("shape %v and %d bytes are taken for right", a.array.Shape, len(a.array.Bytes))
				}
			}
		}
	})
}

// TestNotFinite: every element type, at the first value and the last one.
func TestNotFinite(t *testing.T) {
	for _, tt := range []struct {
		dtype store.DType
		bytes string
		at    int
		found bool
	}{
		{store.Float32, "\x00\x00\x80\x3f\x00\x00\xc0\x7f", 1, true}, {store.Float32, "\x00\x00\x80\xff\x00\x00\x00\x00", 0, true},
		{store.Float32, "\xff\xff\x7f\x7f", 0, false}, // the largest number
		{store.Float16, "\x00\x3c\x00\x7c", 1, true}, {store.Float16, "\xff\x7b", 0, false},
		{store.BFloat16, "\x80\x3f\xc0\xff", 1, true}, {store.BFloat16, "\x7f\x7f", 0, false},
		{store.Int32, "\x00\x00\xc0\x7f", 0, false}, {store.Int16, "\x00\x7c", 0, false}, {store.Float32, "", 0, false},
	} {
		if at, found := notFinite(tt.dtype, []byte(tt.bytes)); at != tt.at || found != tt.found {
			t.Errorf("notFinite(%v, %x) = %d, %v, want %d, %v", tt.dtype, tt.bytes, at, found, tt.at, tt.found)
		}
	}
}
