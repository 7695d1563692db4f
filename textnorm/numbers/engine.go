package numbers

import (
	"cmp"
	"slices"
	"sort"
)

// maxDepth bounds how deep rules may call each other. The longest chains of the
// languages are under 20 deep; a cycle in a rule text ends here.
const maxDepth = 64

// speech is one number being said: the words so far. A rule that cannot say it
// makes the whole fail, and the words are worth nothing then.
type speech struct {
	words  []byte
	code   string // language, for the plural classes
	joined bool   // digits stand without spaces
	depth  int
	failed bool
}

// whole says n by a set.
func (s *speech) whole(set *ruleSet, n uint64) {
	at := set.find(n)
	if at < 0 {
		s.failed = true
		return
	}
	s.apply(set, at, n)
}

// apply says n by one rule. After a failure the depth is not counted back: Append
// sets it to 0 before it tries again.
func (s *speech) apply(set *ruleSet, at int, n uint64) {
	if s.depth++; s.depth > maxDepth {
		s.failed = true
	}
	r := &set.rules[at]
	for i := range r.body {
		if s.failed {
			return
		}
		q := &r.body[i]
		value := n
		switch q.op {
		case opText:
			s.words = append(s.words, q.text...)
			continue
		case opPlural:
			s.agree(q, n/r.divisor)
			continue
		case opDigits:
			s.failed = true
			return
		case opQuotient:
			value = n / r.divisor
		case opRemainder:
			value = n % r.divisor
		}
		switch {
		case q.previous && r.previous >= 0:
			s.apply(set, r.previous, value)
		case q.set != nil: // cmp.Or here takes 10 % of a number's time
			s.whole(q.set, value)
		default:
			s.whole(set, value)
		}
	}
	s.depth--
}

// minus says the sign by the set, or else by the set for cardinals.
func (s *speech) minus(set, cardinal *ruleSet) {
	signed := func(set *ruleSet) bool { return set.negative != nil }
	if set = set.having(signed); set == nil {
		set = cardinal.having(signed)
	}
	if set == nil {
		s.failed = true
		return
	}
	for _, q := range set.negative.body {
		if q.op == opText {
			s.words = append(s.words, q.text...)
		}
	}
}

// mixed says a number with a fraction.
func (s *speech) mixed(set *ruleSet, d decimal, comma bool) {
	set = set.having(func(set *ruleSet) bool { return set.mark != nil && !set.mark.cannot() })
	if set == nil {
		s.failed = true
		return
	}
	r := set.mark
	switch {
	case comma && set.comma != nil:
		r = set.comma
	case d.whole == "0" && set.proper != nil:
		r = set.proper
	}
	for i := range r.body {
		if s.failed {
			return
		}
		q := &r.body[i]
		target := cmp.Or(q.set, set)
		switch q.op {
		case opText:
			s.words = append(s.words, q.text...)
		case opPlural:
			s.agree(q, d.tail())
		case opSame:
			if s.depth++; s.depth > maxDepth {
				s.failed = true
				return
			}
			s.mixed(target, d, comma)
			s.depth--
		case opQuotient:
			s.long(target, d.whole)
		case opRemainder:
			if target.parts {
				s.nthParts(target, d.fraction)
			} else {
				s.digits(target, d.fraction, !q.previous)
			}
		}
	}
}

// long says a whole number of any length.
func (s *speech) long(set *ruleSet, whole string) {
	if len(whole) <= maxDigits {
		s.whole(set, parseWhole(whole))
		return
	}
	s.digits(set, whole, !s.joined)
}

// digits says a string of digits one by one.
func (s *speech) digits(set *ruleSet, digits string, spaces bool) {
	for i := range len(digits) {
		if i > 0 && spaces {
			s.words = append(s.words, ' ')
		}
		s.whole(set, uint64(digits[i]-'0'))
	}
}

// nthParts says a fraction by the rule of its denominator. One that is too
// fine for the set's rules fails.
func (s *speech) nthParts(set *ruleSet, fraction string) {
	if len(fraction) > maxDigits {
		s.failed = true
		return
	}
	numerator, denominator := parseWhole(fraction), uint64(1)
	for range len(fraction) {
		denominator *= 10
	}
	at := set.find(denominator)
	if at < 0 || set.rules[at].base != denominator {
		s.failed = true
		return
	}
	r := &set.rules[at]
	for i := range r.body {
		q := &r.body[i]
		target := cmp.Or(q.set, set)
		switch q.op {
		case opText:
			s.words = append(s.words, q.text...)
		case opPlural:
			s.agree(q, numerator)
		case opDigits:
			s.failed = true
		default:
			if q.zeros {
				s.leadingZeros(target, fraction)
			}
			s.whole(target, numerator)
		}
	}
}

// leadingZeros says the zeros before the first other digit, the last digit
// never: 05 is "zero" and then five, 00 "zero" and then zero.
func (s *speech) leadingZeros(set *ruleSet, digits string) {
	for i := 0; i < len(digits)-1 && digits[i] == '0'; i++ {
		s.whole(set, 0)
		s.words = append(s.words, ' ')
	}
}

// agree says the word that goes with n.
func (s *speech) agree(q *piece, n uint64) {
	// Ordinals have the class "other" only: there is no table of theirs here.
	class := "other"
	if !q.ordinal {
		class = pluralsOf(s.code).whole(n)
	}
	at := func(class string) int {
		return slices.IndexFunc(q.words, func(w agreement) bool { return w.class == class })
	}
	i := at(class)
	if i < 0 {
		i = at("other")
	}
	if i >= 0 {
		s.words = append(s.words, q.words[i].word...)
	}
}

// find is the place of the rule that says n, or -1.
func (set *ruleSet) find(n uint64) int {
	// Bases are sorted; the rule is the last whose base is not above n.
	at := sort.Search(len(set.rules), func(i int) bool { return set.rules[i].base > n }) - 1
	if at <= 0 {
		return at
	}
	// A rule that says a remainder is no good where there is none: the one
	// before it is, unless its own base has none either.
	if r := &set.rules[at]; r.remains && n%r.divisor == 0 && r.base%r.divisor != 0 {
		at--
	}
	return at
}

// having follows sets that only hand on to another one, until one fits.
func (set *ruleSet) having(fits func(*ruleSet) bool) *ruleSet {
	for range maxDepth {
		if set == nil || fits(set) {
			return set
		}
		set = set.handsOnTo()
	}
	return nil
}

// handsOnTo is the set that says zero for this one, if all it does is ask it.
func (set *ruleSet) handsOnTo() *ruleSet {
	if len(set.rules) == 0 || len(set.rules[0].body) != 1 || set.rules[0].body[0].op != opSame {
		return nil
	}
	return set.rules[0].body[0].set
}

// cannot tells a rule that would write digits.
func (r *rule) cannot() bool {
	return slices.ContainsFunc(r.body, func(q piece) bool { return q.op == opDigits })
}
