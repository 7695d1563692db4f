package spoken

import "iter"

// language is all that is known of how a language is read.
type language struct {
	code    string
	decimal string   // mark before a fraction
	groups  []string // marks between groups of three digits
	rules   []rule   // in the order in which they are tried
	// letters brings letters, digits and signs to one spelling before any rule; twice is as once. nil: they stay.
	letters func(text string) string
	// plain reports whether neither letters nor a rule would change anything of a text.
	plain func(text string) bool
	// noAbbreviation reports whether a word of small letters before a full stop is nothing else.
	noAbbreviation func(word string) bool
	// voice is what the shared rules read by; nil where a language has rules of its own alone.
	voice *voice
	money iter.Seq[string] // signs and codes of the currencies that it has words for

	byFirst [256][]*rule // those that can begin with a byte
	quick   quick        // what none of them looks at
}

// ready fills in what follows from the rules.
func (l *language) ready() *language {
	for c := range l.byFirst {
		for i := range l.rules {
			if l.rules[i].first(byte(c)) {
				l.byFirst[c] = append(l.byFirst[c], &l.rules[i])
			}
		}
	}
	l.quick.ready(l)
	return l
}

// table is the table of languages. A new one is a file and a line here.
var table = []*language{
	english().ready(), persian().ready(),
	spanish().language().ready(), french().language().ready(), german().language().ready(), italian().language().ready(), portuguese().language().ready(),
	polish().language().ready(), turkish().language().ready(), russian().language().ready(), dutch().language().ready(), czech().language().ready(),
	hungarian().ready(), korean().ready(), arabic().ready(), hindi().ready(),
	chinese().ready(), japanese().ready(),
	ukrainian().language().ready(),
}

var languages = func() map[string]*language {
	m := map[string]*language{}
	for _, l := range table {
		m[l.code] = l
	}
	return m
}()
