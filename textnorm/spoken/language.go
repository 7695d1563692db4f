package spoken

import (
	"iter"
	"slices"
	"sync"
)

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
	readsSmall     bool // a rule may say words of small Latin letters
	smallRoman     bool // a rule reads numerals of small letters
	// voice is what the shared rules read by; nil where a language has rules of its own alone.
	voice *voice
	// shared is true where rules are those of voice and no others.
	shared bool
	cues   *cues            // words that tell of the classes of forms; nil: none
	money  iter.Seq[string] // signs and codes of the currencies that it has words for

	byFirst [256][]*rule // those that can begin with a byte
	quick   quick        // what none of them looks at
	scans   sync.Pool    // those done, each of 1 kB: making one for a line took a tenth of its time
}

// ready fills in what follows from the rules.
func (l *language) ready() *language {
	can := make([]*rule, 0, len(l.rules))
	for c := range l.byFirst {
		can = can[:0]
		for i := range l.rules {
			if l.rules[i].first(byte(c)) {
				can = append(can, &l.rules[i])
			}
		}
		l.byFirst[c] = slices.Clone(can)
	}
	l.quick.ready(l)
	return l
}

// entry is a language of the table, made when it is first asked for: all of them
// take 3.5 ms and 27,000 allocations, which a command that reads no text would pay.
type entry struct {
	code string
	make func() *language

	once sync.Once
	made *language
}

// language is the entry's language; safe for concurrent use.
func (e *entry) language() *language {
	e.once.Do(func() { e.made = e.make().ready() })
	return e.made
}

// table is the table of languages. A new one is a file and a line here.
var table = []*entry{
	{code: "en", make: english},
	faEntry,
	{code: "es", make: shared(spanish)},
	{code: "fr", make: shared(french)},
	{code: "de", make: shared(german)},
	{code: "it", make: shared(italian)},
	{code: "pt", make: shared(portuguese)},
	{code: "pl", make: shared(polish)},
	{code: "tr", make: shared(turkish)},
	{code: "ru", make: shared(russian)},
	{code: "nl", make: shared(dutch)},
	{code: "cs", make: shared(czech)},
	{code: "hu", make: hungarian},
	{code: "ko", make: korean},
	{code: "ar", make: arabic},
	{code: "hi", make: hindi},
	{code: "zh", make: chinese},
	{code: "ja", make: japanese},
	{code: "uk", make: shared(ukrainian)},
}

// shared makes a language that has the shared rules alone.
func shared(voice func() *voice) func() *language {
	return func() *language { return voice().language() }
}

// entryOf is the entry of a code, nil where there is none.
func entryOf(code string) *entry {
	for _, e := range table {
		if e.code == code {
			return e
		}
	}
	return nil
}
