package spoken

import "testing"

// TestUkrainianLetters: look-alikes between Cyrillic letters and numerals in Cyrillic
// letters are respelled, and nothing else is.
func TestUkrainianLetters(t *testing.T) {
	for text, want := range map[string]string{
		"мʼята":              "мʼята",
		"м'ята і пiр’я":      "мʼята і пірʼя",
		"'ні', don't":        "'ні', don't",
		"ХІХ і XXІ століття": "XIX і XXI століття",
		"ХІХ'а":              "XIX'а",
		"Х століття, Х ст.":  "X століття, X ст.",
		"Хата Івана, І він":  "Хата Івана, І він",
		"МІФ ХІМ":            "МІФ ХІМ",
		"ПІI":                "ПІI",
		"ПIП i П":            "ПІП i П",
		"ІІ":                 "II",
		"\xd1X \xd0":         "\xd1X \xd0",
	} {
		if got := ukrainianLetters(text); got != want {
			t.Errorf("ukrainianLetters(%q) = %q, want %q", text, got, want)
		}
	}
}
