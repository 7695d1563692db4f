package near

import "testing"

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		name, a, b string
		most, want int
	}{
		{"the same", "mel", "mel", 3, 0},
		{"one replaced", "mel", "mal", 3, 1},
		{"one inserted", "mel", "meal", 3, 1},
		{"one deleted", "mel", "el", 3, 1},
		{"two swapped are one slip", "batch_szie", "batch_size", 3, 1},
		{"from nothing", "", "mel", 3, 3},
		{"to nothing", "mel", "", 3, 3},
		{"several", "kitten", "sitting", 5, 3},
		{"above the bound it gives up", "kitten", "sitting", 2, 3},
		{"by the length alone", "a", "abcdef", 2, 3},
		{"before the end of long ones", "aaaaaaaaaa", "bbbbbbbbbb", 3, 4},
	} {
		if got := Distance(tt.a, tt.b, tt.most); got != tt.want {
			t.Errorf("%s: Distance(%q, %q, %d) = %d, want %d", tt.name, tt.a, tt.b, tt.most, got, tt.want)
		}
	}
}
