package spoken

import (
	"strings"

	"voxpack/textnorm/numbers"
)

// genitive reports whether the word before s.at asks for the genitive of a number.
func (v *voice) genitive(s *scan, a amount) bool {
	if v.genitiveAfter == "" || a.fraction != "" || len(a.whole) > 3 || a.whole[0] == '0' {
		return false
	}
	before := strings.ToLower(v.before(s))
	if before == "с" || before == "со" { // с 5 до 7, but с 5 детьми
		at := a.end + gap(s.text, a.end)
		return at > a.end && letters(s.text, at) == "до"
	}
	return holds(v.genitiveAfter, before)
}

// countGenitive says a number in the genitive.
func (v *voice) countGenitive(s *scan, a amount, gender byte) bool {
	if v.cardinals != nil {
		words, ok := numbers.Speak(v.code, numbers.Cardinal, a.whole)
		v.say(s, v.cardinals(words))
		return ok
	}
	form := "masculine-genitive"
	if gender == 'f' {
		form = "feminine-genitive"
	}
	return v.speak(s, numbers.Cardinal, form, a.whole)
}

// genitiveOf is the genitive of a noun beside a number.
func (v *voice) genitiveOf(n noun, digits string) string {
	switch {
	case len(n.forms) < 4:
		return n.forms[len(n.forms)-1]
	case numbers.PluralClass(v.code, digits) == "one":
		return n.forms[3]
	}
	return n.forms[2]
}

// polishCompound and czechCompound make of a genitive what stands in dwudziestolecie,
// dvacetiletý.
func polishCompound(genitive string) string {
	words := strings.Fields(strings.NewReplacer("dwóch", "dwu", "trzech", "trzy", "czterech", "cztero", "jednego", "jedno").Replace(genitive))
	for i, word := range words {
		if stem, ok := strings.CutSuffix(word, "u"); ok && word != "stu" && word != "dwu" && !strings.HasSuffix(word, "ustu") {
			words[i] = stem + "o"
		}
	}
	return strings.Join(words, "")
}

func czechCompound(genitive string) string {
	return strings.NewReplacer(" ", "", "jedné", "jedno").Replace(genitive)
}

// formOf is the form that an ending means after a number: -х after two to four is that
// of a cardinal, в 2-х словах, and after others of a decade, в 90-х годах.
func (v *voice) formOf(ending, form, digits string) string {
	last := digits[len(digits)-1]
	switch teens := len(digits) > 1 && digits[len(digits)-2] == '1'; {
	case (v.code == "ru" || v.code == "uk") && ending == "-х" && last >= '2' && last <= '4' && !teens:
		return "cardinal masculine-genitive"
	case v.code == "ru" && form == "neuter" && len(digits) > 1 && last == '0': // 80-е
		return "plural"
	}
	return form
}

// sayCase says a cardinal in a case.
func (v *voice) sayCase(s *scan, form, digits string) bool {
	if v.cardinals != nil {
		return v.countGenitive(s, amount{whole: digits}, 0)
	}
	return v.speak(s, numbers.Cardinal, form, digits)
}
