package mojibake

import "testing"

// Only what UTF-8 writes is a unit: no overlong form, no surrogate, nothing above
// U+10FFFF, nothing that no text is made of.
func TestUnits(t *testing.T) {
	for _, tt := range []struct {
		name  string
		bytes []byte
		want  rune
	}{
		{"two bytes", []byte{0xC3, 0xA9}, 'é'},
		{"three", []byte{0xE2, 0x80, 0x99}, '’'},
		{"four", []byte{0xF0, 0x9F, 0x9A, 0x80}, '🚀'},
		{"overlong two", []byte{0xC1, 0xA9}, 0},
		{"overlong three", []byte{0xE0, 0x83, 0xA9}, 0},
		{"overlong four", []byte{0xF0, 0x80, 0x83, 0xA9}, 0},
		{"a surrogate", []byte{0xED, 0xA0, 0x80}, 0},
		{"too high", []byte{0xF4, 0x90, 0x80, 0x80}, 0},
		{"unassigned", []byte{0xF1, 0x80, 0x80, 0x80}, 0},
		{"private", []byte{0xEE, 0x80, 0x80}, 0},
		{"no continuation", []byte{0xC3, 0xC3}, 0},
		{"cut", []byte{0xE2, 0x80}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for which := range pages {
				var runes []rune
				for _, b := range tt.bytes {
					runes = append(runes, pages[which].high[b-0x80])
				}
				u, ok := unitAt(runes, 0, which)
				if ok != (tt.want != 0) || ok && (u.is != tt.want || u.end != len(runes)) {
					t.Errorf("%s: unitAt(%q) = %+v, %v, want %q", pages[which].name, string(runes), u, ok, tt.want)
				}
			}
		})
	}
}
