package detect

import (
	"testing"
	"unicode"
)

// TestAlone: a text is alone exactly where no letter is of a script that its
// language is not written in, for every character there is.
func TestAlone(t *testing.T) {
	rare := rune(1)
	if testing.Short() {
		rare = 61
	}
	for _, code := range Codes() {
		for r := rune(0); r <= unicode.MaxRune; r++ {
			if r > 0x3200 && r%61 != 0 && r < 0xF900 || r > 0x1000 && r%rare != 0 { // ideographs and syllables are alike
				continue
			}
			s := scriptOf(r)
			want := s == noLetter || bitOf(code).writes(s)
			if got := Alone(string(r), code); got != want {
				t.Fatalf("Alone(%q U+%04X, %s) = %v, want %v", string(r), r, code, got, want)
			}
		}
	}
	if !Alone("мир", "sv") {
		t.Error("Alone of a language that is not known = false: nobody can tell")
	}
	if Alone("سلام \xd0", "en") || !Alone("سلام \xd0 \xff", "fa") {
		t.Error("Alone is misled by bytes that are no UTF-8")
	}
}
