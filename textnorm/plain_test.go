package textnorm

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// TestPrintableASCIIByDefinition: the rules leave the letters alone, so that of
// printable ASCII white space alone changes: one space between words, none at
// the ends, and nothing to note.
func TestPrintableASCIIByDefinition(t *testing.T) {
	n := newNormalizer(t)
	check := func(text string) {
		t.Helper()
		want := strings.Join(strings.FieldsFunc(text, unicode.IsSpace), " ")
		if got, notes := n.Normalize(text, "en"); got != want || notes != nil {
			t.Errorf("Normalize(%q) = %q, %v, want %q without notes", text, got, notes, want)
		}
	}
	for c := byte(' '); c <= '~'; c++ {
		for _, format := range []string{"%s", " %s", "%s ", "a%s", "%sa", "a %s", "%s a", "a%s ", "  %s  ", "a%sb c"} {
			check(fmt.Sprintf(format, string(c)))
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		var b strings.Builder
		for range r.IntN(12) {
			b.WriteString([]string{" ", "\t", "\n", "a", "Zz", "7", ".", "~", "'", "\v", "\r\n"}[r.IntN(11)])
		}
		check(b.String())
	}
}

// TestNormalizeIsTheSameForParts: a text of two parts with a space between them is
// what its parts are, as no rule of all languages looks over a space.
func TestNormalizeIsTheSameForParts(t *testing.T) {
	n := newNormalizer(t)
	lines := corpus(t)
	for i, a := range lines {
		b := lines[(i*7+3)%len(lines)]
		if first, _ := utf8.DecodeRuneInString(b); unicode.IsMark(first) {
			continue // it would meet what is before the space once something between goes
		}
		x, _ := n.Normalize(a, Undetermined)
		y, _ := n.Normalize(b, Undetermined)
		want := strings.TrimSpace(x + " " + y)
		if got, _ := n.Normalize(a+" "+b, Undetermined); got != want {
			t.Errorf("Normalize(%q) = %q, want %q", a+" "+b, got, want)
		}
	}
}
