package spoken

import (
	"strings"
	"unicode/utf8"

	"voxpack/textnorm/numbers"
)

// isAccusative reports whether the word before s.at asks for the accusative, which one of
// a feminine noun and of a part of ten shows: за одну минуту, на одну целую две десятых.
func (v *voice) isAccusative(s *scan) bool {
	if v.accSaid == "" {
		return false
	}
	back := *s
	for _, sign := range []string{"-", "−", "–", "+"} {
		back.at = len(strings.TrimSuffix(s.text[:back.at], sign))
	}
	return holds(v.accAfter, strings.ToLower(v.before(&back)))
}

// accuse puts what was said from a place on into the accusative.
func (v *voice) accuse(s *scan, from int) {
	pairs := strings.Fields(v.accSaid)
	words := strings.Fields(string(s.out[from:]))
	space := from < len(s.out) && s.out[from] == ' '
	changed := false
	for i, word := range words {
		for k := 0; k+1 < len(pairs); k += 2 {
			if word == pairs[k] {
				words[i], changed = pairs[k+1], true
			}
		}
	}
	if !changed {
		return
	}
	s.out = s.out[:from]
	if space {
		s.out = append(s.out, ' ')
	}
	s.out = append(s.out, strings.Join(words, " ")...)
}

// accusedNoun is a noun beside a number in the accusative.
func (v *voice) accusedNoun(n noun, a amount) string {
	if n.gender == 'f' && v.isOne(a) {
		return v.accusative(n)
	}
	return v.nounOf(n, a.String())
}

// isOne reports whether a number asks for the singular of its noun: 1, and 21 in some languages.
func (v *voice) isOne(a amount) bool {
	return a.fraction == "" && numbers.PluralClass(v.code, a.whole) == "one"
}

// accusedWord reports whether a number counts one feminine noun that its ending or a word
// before it shows in the accusative: 1 минуту, za 1 godzinę.
func (v *voice) accusedWord(s *scan, a amount, noun string) bool {
	if v.accSaid == "" || noun == "" || strings.ToLower(noun) != noun || !v.isOne(a) {
		return false
	}
	if holds(v.accNouns, noun) {
		return true
	}
	ends := strings.Fields(v.accusatives)
	for i := 1; i < len(ends); i += 2 {
		if strings.HasSuffix(noun, ends[i]) && ends[i] != ends[i-1] {
			return v.isAccusative(s)
		}
	}
	return false
}

// countAccused says an amount and its noun, "" for none, in the accusative.
func (v *voice) countAccused(s *scan, a amount, n noun) bool {
	from := len(s.out)
	if !v.count(s, a, n.gender) {
		return false
	}
	v.accuse(s, from)
	if n.forms != nil {
		v.say(s, v.accusedNoun(n, a))
	}
	return true
}

// oneAndHalf is the word for 1,5 before a noun that stands after it, "" where none is known.
func (v *voice) oneAndHalf(a amount, noun string) string {
	if !v.slavic || v.halfOne == "" || a.whole != "1" || a.fraction != "5" || utf8.RuneCountInString(noun) < 3 {
		return ""
	}
	forms := strings.Split(v.halfOne, "|")
	switch {
	case endsIn(noun, "а я a"):
		return forms[0]
	case endsIn(noun, "ы и ни y ny ki zy"):
		return forms[1]
	}
	return ""
}
