package numbers

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ruleSet is one list of rules.
type ruleSet struct {
	name     string
	rules    []rule // for whole numbers, by base
	negative *rule  // -x
	mark     *rule  // x.x
	comma    *rule  // x,x: as x.x, where a text writes a comma
	proper   *rule  // 0.x: below one
	parts    bool   // the rules say n-th parts: a base is a denominator
}

// rule is one line, in one of the two readings that brackets give it.
type rule struct {
	base, divisor uint64
	body          []piece
	remains       bool // says the remainder of its divisor
	previous      int  // place of the line before it, for >>>
}

// operation is what a piece of a rule's body does.
type operation byte

const (
	opText      operation = iota
	opSame                // =…= the number itself
	opQuotient            // <…< what stands before the divisor or the mark
	opRemainder           // >…> what stands after it
	opPlural              // $(cardinal,…)$ a word that agrees with the quotient
	opDigits              // =#,##0= digits: nothing that can be spoken
)

// piece is a part of a rule's body.
type piece struct {
	op       operation
	text     string
	set      *ruleSet // nil: the rule's own
	previous bool     // >>>: by the line before this one
	zeros    bool     // <…<<: zeros in front are said
	words    []agreement
	ordinal  bool // the plural is that of ordinals
}

// agreement is a word for one plural class.
type agreement struct{ class, word string }

// parser reads the rules of one language.
type parser struct {
	sets map[string]*ruleSet
	err  error
}

// line is one line of a rule text, "key: body;".
type line struct {
	key, body string
	base      int64 // -1 for what is no whole number's: -x, x.x
}

// parseRules reads rule texts, the later ones over the earlier: "%name:" begins
// a set anew, "%+name:" adds lines to it or replaces those with the same base.
func parseRules(texts ...string) (map[string]*ruleSet, error) {
	p := &parser{sets: map[string]*ruleSet{}}
	var names []string
	lines := map[string][]line{}
	for _, text := range texts {
		names = collectLines(text, names, lines)
	}
	for _, name := range names {
		p.sets[name] = &ruleSet{name: name}
	}
	for _, name := range names {
		p.fill(p.sets[name], lines[name])
	}
	return p.sets, p.err
}

// collectLines sorts the lines of a text under the names of their sets.
func collectLines(text string, names []string, lines map[string][]line) []string {
	current, amends := "", false
	for s := range strings.Lines(text) {
		s = strings.TrimSuffix(s, "\n")
		if s == "" || s[0] == '#' || s[0] == '~' {
			continue
		}
		if s[0] != '%' {
			if l := parseLine(s); amends {
				lines[current] = replaceLine(lines[current], l)
			} else {
				lines[current] = append(lines[current], l)
			}
			continue
		}
		current = strings.TrimSuffix(s, ":")
		if current, amends = strings.CutPrefix(current, "%+"); amends {
			current = "%" + current
			continue
		}
		if _, known := lines[current]; !known {
			names = append(names, current)
		}
		lines[current] = nil
	}
	return names
}

// parseLine reads a line; an apostrophe only keeps a space in front of the body.
func parseLine(s string) line {
	key, body, _ := strings.Cut(s, ": ")
	l := line{key: key, body: strings.TrimPrefix(strings.TrimSuffix(body, ";"), "'"), base: -1}
	number := key
	if end := strings.IndexAny(key, "/>"); end >= 0 {
		number = key[:end]
	}
	if isDigits(number) && len(number) <= maxDigits+1 {
		l.base = int64(parseWhole(number))
	}
	return l
}

// replaceLine puts a line in the place of one with the same base, or at the end.
func replaceLine(lines []line, l line) []line {
	same := func(o line) bool { return o.base == l.base && (l.base >= 0 || o.key == l.key) }
	if i := slices.IndexFunc(lines, same); i >= 0 {
		lines[i] = l
		return lines
	}
	return append(lines, l)
}

func (p *parser) fill(s *ruleSet, lines []line) {
	slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(a.base, b.base) })
	for _, l := range lines {
		short, full := brackets(l.body)
		switch l.key {
		case "-x":
			s.negative = p.special(s, full)
		case "x.x":
			s.mark = p.special(s, full)
			if short != full && s.proper == nil {
				s.proper = p.special(s, short)
			}
		case "x,x":
			s.comma = p.special(s, full)
		case "0.x":
			s.proper = p.special(s, full)
		case "Inf", "NaN", "x.0": // nothing that a string of digits can mean
		default:
			p.whole(s, l, short, full)
		}
	}
}

// brackets gives the two readings of a body: short for a number that the
// divisor divides, full for the others. "[a]" is said in the full one only,
// "[a|b]" is a in the full one and b in the short one.
func brackets(body string) (short, full string) {
	open, end := strings.IndexByte(body, '['), strings.LastIndexByte(body, ']')
	if open < 0 || end < open {
		return body, body
	}
	more, less, _ := strings.Cut(body[open+1:end], "|")
	return body[:open] + less + body[end+1:], body[:open] + more + body[end+1:]
}

// whole adds the rule of whole numbers that a line "base/radix>>: body" gives;
// two of them where it has brackets and can be hit evenly.
func (p *parser) whole(s *ruleSet, l line, short, full string) {
	previous := len(s.rules) - 1
	fewer := strings.Count(l.key, ">")
	base, radix := uint64(l.base), uint64(10)
	if _, r, ok := strings.Cut(strings.TrimRight(l.key, ">"), "/"); ok {
		// What is no number gives 0, and that is refused below.
		radix, _ = strconv.ParseUint(r, 10, 64)
	}
	if l.base < 0 || radix < 2 {
		p.fail("%s: a line begins with %q", s.name, l.key)
		return
	}
	// As in ICU's RuleBasedNumberFormat: the divisor is the highest power of the
	// radix that is not above the base, and one power less for each > of the key.
	divisor := uint64(1)
	for divisor <= base/radix {
		divisor *= radix
	}
	for ; fewer > 0 && divisor > 1; fewer-- {
		divisor /= radix
	}
	add := func(base uint64, body string) {
		r := rule{base: base, divisor: divisor, previous: previous, body: p.pieces(s, body)}
		r.remains = slices.ContainsFunc(r.body, func(q piece) bool { return q.op == opRemainder })
		s.rules = append(s.rules, r)
	}
	if short == full || base == 0 || base%divisor != 0 {
		add(base, full)
		return
	}
	// ICU makes the same two rules: the first is for the base itself, and find
	// goes back to it for the other multiples of the divisor.
	add(base, short)
	add(base+1, full)
}

// special makes the rule of a sign or a mark. A private set after the mark has
// rules for n-th parts; a public one says digits.
func (p *parser) special(s *ruleSet, body string) *rule {
	r := &rule{divisor: 1, body: p.pieces(s, body)}
	for _, q := range r.body {
		if q.op == opRemainder && q.set != nil && q.set != s && strings.HasPrefix(q.set.name, "%%") {
			q.set.parts = true
		}
	}
	return r
}

// pieces reads a body without brackets.
func (p *parser) pieces(s *ruleSet, body string) []piece {
	var out []piece
	for body != "" {
		at := strings.IndexAny(body, "<>=$")
		if at != 0 {
			text := body
			if at > 0 {
				text = body[:at]
			}
			out = append(out, piece{op: opText, text: strings.ReplaceAll(text, "\u00ad", "")})
			body = body[len(text):]
			continue
		}
		var q piece
		if q, body = p.substitution(s, body); p.err != nil {
			return nil
		}
		out = append(out, q)
	}
	return out
}

// substitution reads what stands between two equal marks, and returns the rest.
func (p *parser) substitution(s *ruleSet, body string) (piece, string) {
	mark := body[0]
	if mark == '$' {
		return p.plural(s, body)
	}
	name, rest, ok := strings.Cut(body[1:], string(mark))
	if !ok {
		p.fail("%s: %q has no end", s.name, body)
		return piece{}, ""
	}
	q := piece{op: map[byte]operation{'=': opSame, '<': opQuotient, '>': opRemainder}[mark]}
	switch {
	case strings.HasPrefix(name, "%"):
		if q.set = p.sets[name]; q.set == nil {
			p.fail("%s: %s is not there", s.name, name)
		}
	case name != "":
		q.op = opDigits
	case mark == '>' && strings.HasPrefix(rest, ">"):
		q.previous, rest = true, rest[1:]
	}
	if mark == '<' && name != "" && strings.HasPrefix(rest, "<") {
		q.zeros, rest = true, rest[1:]
	}
	return q, rest
}

// plural reads "$(cardinal,one{…}other{…})$".
func (p *parser) plural(s *ruleSet, body string) (piece, string) {
	inside, rest, ok := strings.Cut(strings.TrimPrefix(body, "$("), ")$")
	kind, choices, _ := strings.Cut(inside, ",")
	if !ok || kind != "cardinal" && kind != "ordinal" {
		p.fail("%s: %q is not a plural", s.name, body)
		return piece{}, ""
	}
	q := piece{op: opPlural, ordinal: kind == "ordinal"}
	for choices != "" {
		var class, word string
		class, choices, _ = strings.Cut(choices, "{")
		word, choices, _ = strings.Cut(choices, "}")
		q.words = append(q.words, agreement{class, strings.ReplaceAll(word, "\u00ad", "")})
	}
	return q, rest
}

// fail keeps the first error.
func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
}
