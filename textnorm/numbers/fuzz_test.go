package numbers

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"voxpack/internal/steptest"
)

// FuzzSpeak: any string of bytes, in every language and kind, is refused or
// said: without a digit and the same twice.
func FuzzSpeak(f *testing.F) {
	for _, s := range []string{"0", "-1", "007", "1984", "3.14", "-0.050", "999999999999999999", "1000000000000000000",
		"12345678901234567890.5", "1.2.3", "--1", "1e9", "", ".5", "5.", "٣", strings.Repeat("9", 10_000), "0." + strings.Repeat("0", 10_000)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, digits string) {
		_, number := parseDecimal(digits)
		for _, lang := range Languages() {
			for kind := Cardinal; kind <= Decimal; kind++ {
				words, ok := Speak(lang, kind, digits)
				if want := number && (kind == Cardinal || kind == Decimal || !strings.Contains(digits, ".")); ok != want {
					t.Fatalf("Speak(%s, %v, %q) = %q, %v; want %v", lang, kind, digits, words, ok, want)
				}
				if again, _ := Speak(lang, kind, digits); again != words {
					t.Fatalf("Speak(%s, %v, %q) = %q, then %q", lang, kind, digits, words, again)
				}
				if ok {
					checkWords(t, lang+" "+kind.String()+" "+digits, words)
				}
			}
		}
	})
}

// TestSpeakIsLinear: each digit is looked at a bounded number of times.
func TestSpeakIsLinear(t *testing.T) {
	forms := []string{"9", "0.0", "-01", "1."}
	steptest.Linear(t, "voxpack/textnorm/numbers", 4<<10, forms, func(_ *testing.T, form string, size int) {
		digits := form[:len(form)-1] + strings.Repeat(form[len(form)-1:], size)
		if form == "1." {
			digits = strings.Repeat(form, size/2)
		}
		for _, lang := range Languages() {
			for kind := Cardinal; kind <= Decimal; kind++ {
				Speak(lang, kind, digits)
			}
		}
	})
}

// checkWords finds what no spoken number holds.
func checkWords(t *testing.T, what, words string) {
	t.Helper()
	if words == "" || !utf8.ValidString(words) || strings.ContainsFunc(words, unicode.IsDigit) || strings.ContainsAny(words, "\u00ad<>%=#$[]{}|;") {
		t.Fatalf("%.60s: %q holds what nobody says", what, words)
	}
	if strings.Contains(words, "  ") || strings.TrimSpace(words) != words {
		t.Fatalf("%.60s: %q has a space too many", what, words)
	}
}
