package textnorm

import (
	"testing"
	"unicode/utf8"
)

func TestCheckUTF8(t *testing.T) {
	tests := []struct {
		name, in string
		want     int
	}{
		{"empty is valid", "", -1},
		{"Persian is valid", "سلام", -1},
		{"U+FFFD itself is valid", "a\ufffd", -1},
		{"a stray byte is found behind U+FFFD itself", "\ufffd\xff", 3},
		{"a stray byte is found after letters of two bytes", "é\xff", 2},
		{"a cut sequence is found at its first byte", "ab\xd8", 2},
		{"a surrogate is invalid", "a\xed\xa0\x80", 1},
		{"an overlong form is invalid", "\xc0\xaf", 0},
		{"Latin-1 is invalid", "caf\xe9", 3},
	}
	for _, tt := range tests {
		if got := CheckUTF8([]byte(tt.in)); got != tt.want {
			t.Errorf("%s: CheckUTF8(%q) = %d, want %d", tt.name, tt.in, got, tt.want)
		}
	}
}

func FuzzCheckUTF8(f *testing.F) {
	f.Add([]byte("caf\xe9"))
	f.Fuzz(func(t *testing.T, b []byte) {
		at := CheckUTF8(b)
		if at < 0 != utf8.Valid(b) || at >= len(b) || at > 0 && !utf8.Valid(b[:at]) {
			t.Errorf("CheckUTF8(%q) = %d", b, at)
		}
	})
}
