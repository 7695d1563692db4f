package drivertest

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// fill writes bytes that follow from seed and never repeat within a buffer, by
// SplitMix64 (Steele, Lea, Flood 2014): a copy to the wrong place shows.
func fill(b []byte, seed uint64) {
	x := seed * 0x9e3779b97f4a7c15
	next := func() uint64 {
		x += 0x9e3779b97f4a7c15
		z := (x ^ x>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return z ^ z>>31
	}
	for ; len(b) >= 8; b = b[8:] {
		binary.LittleEndian.PutUint64(b, next())
	}
	var last [8]byte
	binary.LittleEndian.PutUint64(last[:], next())
	copy(b, last[:])
}

// filled is a fresh buffer with what follows from seed.
func filled(bytes int, seed uint64) []byte {
	b := make([]byte, bytes)
	fill(b, seed)
	return b
}

// same compares buffers and names the first byte that differs.
func same(t *testing.T, what string, got, want []byte) {
	t.Helper()
	if bytes.Equal(got, want) {
		return
	}
	if len(got) != len(want) {
		t.Errorf("%s: %d bytes, want %d", what, len(got), len(want))
		return
	}
	// Read once: under a copy that should have been done they still change.
	wrong, first, is := 0, 0, byte(0)
	for i, b := range got {
		if b == want[i] {
			continue
		}
		if wrong == 0 {
			first, is = i, b
		}
		wrong++
	}
	t.Errorf("%s: %d of %d bytes wrong, the first at %d: got %#02x, want %#02x", what, wrong, len(got), first, is, want[first])
}
