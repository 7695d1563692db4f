package npy

import (
	"encoding/binary"
	"fmt"
	"strings"

	"voxpack/store"
)

// types are NumPy's names of the element types. It has no bfloat16: the bits go
// out as unsigned integers.
var types = map[store.DType]string{store.Int32: "<i4", store.Float32: "<f4", store.Float16: "<f2", store.BFloat16: "<u2", store.Int16: "<i2"}

// Header is what stands before the values of an array in C order: magic, version,
// length of the text, and the text, a Python literal padded with spaces so that
// the values begin at a multiple of 64 bytes.
func Header(t store.DType, shape ...int) []byte {
	var axes strings.Builder // "()", "(5,)", "(800, 80)"
	for i, n := range shape {
		if i > 0 {
			axes.WriteByte(' ')
		}
		fmt.Fprintf(&axes, "%d,", n)
	}
	list := axes.String()
	if len(shape) > 1 {
		list = strings.TrimSuffix(list, ",")
	}
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", types[t], list)
	const fixed = 10 // bytes in front of the text
	text += strings.Repeat(" ", 63-(fixed+len(text))%64) + "\n"
	return append(binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(text))), text...)
}
