package spoken

import (
	"errors"
	"fmt"
	"strings"

	"voxpack/textnorm/numbers"
)

// grammatical is a case of a number and its noun.
type grammatical int

const (
	nominative grammatical = iota
	genitive
	dative
	prepositional // locative
	instrumental
)

var grammaticals = map[string]grammatical{"genitive": genitive, "dative": dative, "prepositional": prepositional, "instrumental": instrumental}

// caseRule is a case that a word before a number asks for, where the noun after it ends so:
// "" is any noun or none, "*" any noun.
type caseRule struct {
	of   grammatical
	ends string
}

// takeCases takes the genitive, dative, prepositional and instrumental of a cardinal, or
// of all that end so.
func (v *voice) takeCases(beside, form, said string) error {
	forms := strings.Split(said, "|")
	if form != "" || len(forms) != 4 {
		return errors.New("want a cardinal and its genitive, dative, prepositional and instrumental")
	}
	return items(beside, func(word string) error { return put(v.declined, word, [4]string(forms)) })
}

// takeNounCases takes the dative, prepositional and instrumental of nouns whose second form ends so.
func (v *voice) takeNounCases(beside, form, said string) error {
	ends := strings.Split(said, "|")
	if form != "" || len(ends) != 3 {
		return errors.New("want endings of nouns after two, and those of the dative, prepositional and instrumental plural")
	}
	return items(beside, func(end string) error {
		v.nounEnds = append(v.nounEnds, [4]string{end, ends[0], ends[1], ends[2]})
		return nil
	})
}

// takeCaseAfter takes words after which a number is in a case.
func (v *voice) takeCaseAfter(beside, form, said string) error {
	of, ok := grammaticals[form]
	if !ok {
		return fmt.Errorf("case %q, want genitive, dative, prepositional or instrumental", form)
	}
	return items(beside, func(word string) error {
		v.caseAfter[word] = append(v.caseAfter[word], caseRule{of, said})
		return nil
	})
}

// caseAt is the case of a number at s.at by the word before it and the noun after it.
func (v *voice) caseAt(s *scan, a amount, unit bool, noun string) grammatical {
	if len(v.declined) == 0 || len(a.whole) > 9 || a.whole[0] == '0' && len(a.whole) > 1 {
		return nominative
	}
	back := *s
	for _, sign := range []string{"-", "−", "–", "+"} {
		back.at = len(strings.TrimSuffix(s.text[:back.at], sign))
	}
	before := strings.ToLower(v.before(&back))
	for _, r := range v.caseAfter[before] {
		switch {
		case r.ends == "", r.ends == "*" && (unit || noun != "" && strings.ToLower(noun) == noun):
			return r.of
		case !unit && endsIn(noun, r.ends):
			return r.of
		}
	}
	if v.genitive(&back, a) {
		return genitive
	}
	if unit || a.fraction != "" || len(noun) < 4 {
		return nominative
	}
	last, teens := a.whole[len(a.whole)-1], len(a.whole) > 1 && a.whole[len(a.whole)-2] == '1'
	for _, r := range v.caseAfter[map[bool]string{true: "#1", false: "#2"}[last == '1']] { // of persons: двух друзей
		if last >= '1' && last <= '4' && !teens && endsIn(noun, r.ends) {
			return r.of
		}
	}
	return nominative
}

// genitive reports whether the word before s.at asks for the genitive of a number.
func (v *voice) genitive(s *scan, a amount) bool {
	if v.genitiveAfter == "" || a.whole[0] == '0' && a.fraction == "" {
		return false
	}
	before := strings.ToLower(v.before(s))
	if before == "с" || before == "со" { // с 5 до 7, but с 5 детьми
		at := a.end + gap(s.text, a.end)
		return at > a.end && letters(s.text, at) == "до"
	}
	return holds(v.genitiveAfter, before)
}

// decline puts a cardinal into a case, word by word.
func (v *voice) decline(words string, of grammatical) string {
	if of == nominative {
		return words
	}
	list := strings.Fields(words)
	for i, word := range list {
		list[i] = v.declineWord(word, of, i > 0)
	}
	return strings.Join(list, " ")
}

func (v *voice) declineWord(word string, of grammatical, after bool) string {
	if forms, ok := v.declined["+"+word]; after && ok { // dwudziestu jeden, padesáti tisícům
		return forms[of-1]
	}
	if forms, ok := v.declined[word]; ok {
		return forms[of-1]
	}
	for cut := range word {
		if forms, ok := v.declined["-"+word[cut:]]; ok && cut > 0 {
			return word[:cut] + strings.TrimPrefix(forms[of-1], "-")
		}
	}
	return word
}

// declineFrom puts what was said from a place on into a case.
func (v *voice) declineFrom(s *scan, from int, of grammatical) {
	words := string(s.out[from:])
	s.out = s.out[:from]
	if strings.HasPrefix(words, " ") {
		s.out = append(s.out, ' ')
	}
	s.out = append(s.out, v.decline(words, of)...)
}

// countCase says an amount in a case.
func (v *voice) countCase(s *scan, a amount, gender byte, of grammatical) bool {
	if of == nominative {
		return v.count(s, a, gender)
	}
	form := genderForms[gender]
	if a.fraction != "" {
		form = v.fractionForm
	} else if v.gendersUpTo > 0 && (len(a.whole) > 3 || atoi(a.whole) > v.gendersUpTo) {
		form = ""
	}
	words, ok := numbers.SpeakForm(v.code, numbers.Cardinal, form, a.String())
	if !ok {
		words, ok = numbers.Speak(v.code, numbers.Cardinal, a.String())
	}
	v.say(s, v.decline(words, of))
	return ok
}

// countGenitive says a number in the genitive.
func (v *voice) countGenitive(s *scan, a amount, gender byte) bool {
	return v.countCase(s, a, gender, genitive)
}

// genitiveOf is the genitive of a noun beside a number.
func (v *voice) genitiveOf(n noun, digits string) string {
	switch {
	case len(n.forms) < 4:
		return n.forms[len(n.forms)-1]
	case strings.Contains(digits, "."), numbers.PluralClass(v.code, digits) == "one":
		return n.forms[3]
	}
	return n.forms[2]
}

// nounInCase is a noun beside a number in a case, "" where the tables do not tell it.
func (v *voice) nounInCase(n noun, digits string, of grammatical) string {
	switch {
	case of == genitive, strings.Contains(digits, "."):
		return v.genitiveOf(n, digits)
	case len(n.forms) < 4 || numbers.PluralClass(v.code, digits) == "one":
		return ""
	}
	first, rest, _ := strings.Cut(n.forms[1], " ")
	if _, other, _ := strings.Cut(n.forms[0], " "); other != rest { // квадратный метр
		return ""
	}
	for _, ends := range v.nounEnds {
		if stem, ok := strings.CutSuffix(first, strings.TrimPrefix(ends[0], "-")); ok {
			return strings.TrimSuffix(stem+strings.TrimPrefix(ends[of-1], "-")+" "+rest, " ")
		}
	}
	return ""
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

// sayCase says a cardinal in the case that a form of the tables names.
func (v *voice) sayCase(s *scan, form, digits string) bool {
	for name, of := range grammaticals {
		if strings.HasSuffix(form, name) && len(v.declined) > 0 {
			return v.countCase(s, amount{whole: digits}, 0, of)
		}
	}
	return v.speak(s, numbers.Cardinal, form, digits)
}
