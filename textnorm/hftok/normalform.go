package hftok

import (
	"slices"
	"strings"
	"unicode/utf8"

	"voxpack/textnorm/forms"
)

// form is a normal form of Unicode as the package tokenizers has it. Two things
// differ from package forms: code points of later editions are left alone, and a
// row of marks is put in order however long it is, where forms breaks it after 30
// with a joiner (UAX 15, the stream-safe text format). An assigned code point never
// changes its form (the stability policy of Unicode), so that leaving the later ones
// alone is all that an earlier edition takes.
type form struct {
	whole      func(string) string
	decomposed func(string) string // the form that does not compose
	composes   bool
}

var normalForms = map[string]form{
	"NFC": {forms.NFC, forms.NFD, true}, "NFD": {forms.NFD, forms.NFD, false},
	"NFKC": {forms.NFKC, forms.NFKD, true}, "NFKD": {forms.NFKD, forms.NFKD, false},
}

// crowd is the number of marks in a row after which their order is made here. A mark
// may decompose into two, and a letter into itself and three: 3 + 2*12 = 27 < 30.
const crowd = 12

func (f form) normalize(s string) string {
	// What no edition changes, an earlier one with fewer rules leaves alone too.
	if whole := f.whole(s); whole == s || isPlain(s) {
		return whole
	}
	var b strings.Builder
	start := 0
	// What is left alone neither composes nor changes places, so that the texts
	// on both sides of it are apart.
	for i, r := range s {
		if class(r)&classLate != 0 {
			b.WriteString(f.ordered(s[start:i]))
			b.WriteRune(r)
			start = i + utf8.RuneLen(r)
		}
	}
	b.WriteString(f.ordered(s[start:]))
	return b.String()
}

// isPlain reports whether s has neither a code point that is left alone nor a
// crowd of marks.
func isPlain(s string) bool {
	marks := 0
	for _, r := range s {
		if r < 0x300 {
			marks = 0
			continue
		}
		c := class(r)
		if c&classLate != 0 {
			return false
		}
		if c&(classMark|classExtend) == 0 {
			marks = 0
		} else if marks++; marks > crowd {
			return false
		}
	}
	return true
}

// ordered is the form by its definition (UAX 15): decompose each character, put each
// run of marks in the order of their combining classes without changing the order
// within a class, compose. It takes rows of marks of any length. It is slow, and for
// what is rare.
func (f form) ordered(s string) string {
	var all []rune
	for _, r := range s {
		all = append(all, []rune(f.decomposed(string(r)))...)
	}
	for i := 0; i < len(all); i++ {
		end := i
		for end < len(all) && forms.Class(all[end]) != 0 {
			end++
		}
		slices.SortStableFunc(all[i:end], func(a, b rune) int { return int(forms.Class(a)) - int(forms.Class(b)) })
		i = end
	}
	if f.composes {
		all = compose(all)
	}
	return string(all)
}

// compose puts each character together with the starter (class 0) before it, unless
// something between them blocks it: a starter, or a mark of the same class or a higher
// one. What two characters compose to is asked of package forms.
func compose(all []rune) []rune {
	out := all[:0]
	starter, last := -1, -1 // last is the class of what stands after the starter; -1: nothing
	for _, r := range all {
		class := int(forms.Class(r))
		if starter >= 0 && last < class {
			one := []rune(forms.NFC(string([]rune{out[starter], r})))
			if len(one) == 1 {
				out[starter] = one[0]
				continue
			}
		}
		out = append(out, r)
		if last = class; class == 0 {
			starter, last = len(out)-1, -1
		}
	}
	return out
}
