package array

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
)

// tensors is a file of safetensors around a header and values.
func tensors(header string, data ...byte) []byte {
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...), data...)
}

// TestSafetensors: names, types and places; spaces may follow the header.
func TestSafetensors(t *testing.T) {
	b := tensors(`{"__metadata__":{"format":"pt"},"b":{"dtype":"F32","shape":[2,1],"data_offsets":[1,9]},"a":{"shape":[],"data_offsets":[0,1],"dtype":"I8"},`+
		`"none":{"dtype":"F64","shape":[0],"data_offsets":[9,9]},"eight":{"dtype":"F8_E4M3","shape":[1],"data_offsets":[9,10]},"h":{"dtype":"BF16","shape":[1],"data_offsets":[10,12]}}   `,
		255, 0, 0, 128, 63, 0, 0, 0, 64, 0, 0x80, 0x3f)
	for name, want := range map[string]string{"a": "i8[] [-1]", "b": "f32[2,1] [1 2]", "none": "f64[0] []", "h": "bf16[1] [1]"} {
		a, err := readBytes("x.safetensors", name, b)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := fmt.Sprint(a, values(a)); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if _, err := readBytes("x.safetensors", "eight", b); err == nil || !strings.Contains(err.Error(), `"F8_E4M3"`) {
		t.Errorf("a type of 8 bits: %v", err)
	}
	if _, err := readBytes("x.safetensors", "__metadata__", b); err == nil {
		t.Error("notes for people are a tensor")
	}
}

// TestSafetensorsRefused: each tensor has bytes of its own, and they fill the file.
func TestSafetensorsRefused(t *testing.T) {
	one := func(shape, offsets string) string {
		return fmt.Sprintf(`{"a":{"dtype":"U8","shape":%s,"data_offsets":%s}}`, shape, offsets)
	}
	for _, tt := range []struct {
		name string
		file []byte
		why  string
	}{
		{"an empty file", nil, "ends within"},
		{"a header longer than the file", []byte("\xff\xff\xff\xff\xff\xff\xff\xff{}"), "18446744073709551615 bytes"},
		{"a header without end", tensors(`{"a":`), "header"},
		{"a list", tensors(`[]`), "no object"},
		{"two objects", tensors(`{}{}`), "follows"},
		{"bytes beyond the file", tensors(one("[2]", "[0,2]"), 1), "lies at"},
		{"bytes from the end to the beginning", tensors(one("[2]", "[1,0]"), 1), "lies at"},
		{"three places", tensors(one("[2]", "[0,1,1]"), 1), "lies at"},
		{"bytes of nobody", tensors(one("[1]", "[0,1]"), 1, 2), "end at 1 of 2"},
		{"a gap", tensors(one("[1]", "[1,2]"), 1, 2), "begins at 1"},
		{"bytes of two", tensors(`{"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}`, 1, 2), "begins at 1"},
		{"a name twice", tensors(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}`, 1, 2), "two arrays"},
		{"another number of bytes", tensors(one("[3]", "[0,2]"), 1, 2), "needs 3 bytes and has 2"},
		{"a negative axis", tensors(one("[-1]", "[0,1]"), 1), "negative"},
		{"more than there is memory", tensors(one("[9223372036854775807,3]", "[0,1]"), 1), "at once"},
		{"a bool of 2", tensors(`{"a":{"dtype":"BOOL","shape":[1],"data_offsets":[0,1]}}`, 2), "bool is 2"},
	} {
		if _, err := readBytes("x.safetensors", "a", tt.file); err == nil || !strings.Contains(err.Error(), tt.why) {
			t.Errorf("%s: %v, want %q in it", tt.name, err, tt.why)
		}
	}
}
