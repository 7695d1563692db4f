package numbers

import (
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

// FuzzSpeak: any string of bytes, in every language and kind, is refused or
// said: without a digit, the same twice, in bounded time.
func FuzzSpeak(f *testing.F) {
	for _, s := range []string{"0", "-1", "007", "1984", "3.14", "-0.050", "999999999999999999", "1000000000000000000",
		"12345678901234567890.5", "1.2.3", "--1", "1e9", "", ".5", "5.", "٣", strings.Repeat("9", 10_000), "0." + strings.Repeat("0", 10_000)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, digits string) {
		_, number := parseDecimal(digits)
		for _, lang := range Languages() {
			for kind := Cardinal; kind <= Decimal; kind++ {
				start := time.Now()
				words, ok := Speak(lang, kind, digits)
				if took := time.Since(start); took > time.Second+time.Duration(len(digits))*time.Millisecond {
					t.Fatalf("Speak(%s, %v, %d bytes) took %v", lang, kind, len(digits), took)
				}
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
