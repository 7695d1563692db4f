package npy

import (
	"bytes"
	"testing"

	"voxpack/store"
)

// TestHeader: as numpy.save writes it, and the values begin at a multiple of 64.
func TestHeader(t *testing.T) {
	for _, tt := range []struct {
		t     store.DType
		shape []int
		want  string
	}{
		{store.Int32, nil, "{'descr': '<i4', 'fortran_order': False, 'shape': (), }"},
		{store.Float16, []int{5}, "{'descr': '<f2', 'fortran_order': False, 'shape': (5,), }"},
		{store.Float32, []int{800, 80}, "{'descr': '<f4', 'fortran_order': False, 'shape': (800, 80), }"},
		{store.BFloat16, []int{1234567890, 123456, 80}, "{'descr': '<u2', 'fortran_order': False, 'shape': (1234567890, 123456, 80), }"},
	} {
		h := Header(tt.t, tt.shape...)
		text := bytes.TrimRight(h[10:], " \n")
		if string(h[:8]) != "\x93NUMPY\x01\x00" || int(h[8])|int(h[9])<<8 != len(h)-10 || len(h)%64 != 0 || h[len(h)-1] != '\n' || string(text) != tt.want {
			t.Errorf("Header(%v, %v) = %q, want %q in it", tt.t, tt.shape, h, tt.want)
		}
	}
}
