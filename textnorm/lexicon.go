package textnorm

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"voxpack/internal/number"
)

// LexiconVersion is that of the rules by which a Lexicon is applied; it changes
// whenever Apply may give other text for the same file.
const LexiconVersion = "lexicon/1"

// Bounds of a lexicon: the largest pronunciation lists of the field have some
// 200,000 entries and 8 MB.
const (
	maxLexiconBytes   = 16 << 20
	maxLexiconEntries = 1_000_000
	maxLexiconForm    = 1024 // bytes of a written or spoken form
)

// Lexicon is a list of written forms and what to read in their place. It is
// never changed after ParseLexicon and safe for concurrent use; a nil *Lexicon
// replaces nothing.
type Lexicon struct {
	entries []lexEntry // sorted by (written, language)
	plain   lexIndex
	turkic  func() *lexIndex // the same under Turkish case rules
	marked  string           // what becomes of text in braces, as Config.Marked
}

type lexEntry struct {
	written, spoken string // in NFC
	language        string // code; "": every language
	exact           bool   // has an upper-case letter, so that case counts
	line            int
}

// Replacement is one place at which a lexicon changed a text.
type Replacement struct {
	At      int    // byte offset in the text, in NFC
	Written string // as it stood there
	Spoken  string
}

// ParseLexicon reads the bytes of a lexicon file: lines of
// written, tab, spoken, and optionally another tab and a language code ("*" or
// nothing is every language). Lines that begin with # and empty ones are
// skipped. name stands in front of each error; the error lists all that is wrong.
func ParseLexicon(name string, src []byte) (*Lexicon, error) {
	if len(src) > maxLexiconBytes {
		return nil, fmt.Errorf("%s: %d bytes; a lexicon has at most %d", name, len(src), maxLexiconBytes)
	}
	l, faults := &Lexicon{}, lexFaults{name: name}
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	for n := 1; len(src) > 0; n++ {
		line, rest, _ := bytes.Cut(src, []byte("\n"))
		src = rest
		line = bytes.TrimSuffix(line, []byte("\r"))
		if len(bytes.TrimSpace(line)) == 0 || line[0] == '#' {
			continue
		}
		e, err := parseLexEntry(line)
		if err != nil {
			faults.add(n, err)
			continue
		}
		e.line = n
		if l.entries = append(l.entries, e); len(l.entries) > maxLexiconEntries {
			return nil, fmt.Errorf("%s:%d: a lexicon has at most %d entries", name, n, maxLexiconEntries)
		}
	}
	l.sort(&faults)
	if err := faults.err(); err != nil {
		return nil, err
	}
	l.plain = newLexIndex(l.entries, unicode.ToLower)
	l.turkic = sync.OnceValue(func() *lexIndex {
		index := newLexIndex(l.entries, unicode.TurkishCase.ToLower)
		return &index
	})
	return l, nil
}

// lexFaults collects what is wrong with a file.
type lexFaults struct {
	name  string
	errs  []error
	total int
}

func (f *lexFaults) add(line int, err error) {
	const most = 20
	if f.total++; f.total <= most {
		f.errs = append(f.errs, fmt.Errorf("%s:%d: %w", f.name, line, err))
	}
}

func (f *lexFaults) err() error {
	if more := f.total - len(f.errs); more > 0 {
		f.errs = append(f.errs, fmt.Errorf("%s: and %d more", f.name, more))
	}
	return errors.Join(f.errs...)
}

func parseLexEntry(line []byte) (e lexEntry, err error) {
	if at := CheckUTF8(line); at >= 0 {
		return e, fmt.Errorf("invalid UTF-8 at byte %d of the line (0x%02X); save the file as UTF-8", at, line[at])
	}
	cols := strings.Split(string(line), "\t")
	if len(cols) < 2 || len(cols) > 3 {
		return e, fmt.Errorf("%s; want written, tab, spoken, and perhaps a tab and a language", number.Count(len(cols), "column"))
	}
	for i, c := range cols {
		cols[i] = strings.TrimSpace(Compose(c))
	}
	e.written, e.spoken = cols[0], cols[1]
	switch {
	case e.written == "":
		return e, errors.New("the written form is empty")
	case e.spoken == "":
		return e, fmt.Errorf("the spoken form of %q is empty; a word that is not to be read is taken out of the text", e.written)
	case len(e.written) > maxLexiconForm || len(e.spoken) > maxLexiconForm:
		return e, fmt.Errorf("a form has more than %d bytes", maxLexiconForm)
	}
	if len(cols) == 3 && cols[2] != "*" && cols[2] != "" {
		code, ok := ParseLanguage(cols[2])
		if !ok {
			return e, fmt.Errorf("language %q is not a known code; * is every language", cols[2])
		}
		e.language = code
	}
	e.exact = strings.ContainsFunc(e.written, unicode.IsUpper)
	return e, nil
}

// sort orders the entries and leaves one of those that say the same.
func (l *Lexicon) sort(faults *lexFaults) {
	slices.SortStableFunc(l.entries, func(a, b lexEntry) int {
		return cmp.Or(strings.Compare(a.written, b.written), strings.Compare(a.language, b.language))
	})
	kept := l.entries[:0]
	for _, e := range l.entries {
		if n := len(kept); n > 0 && kept[n-1].written == e.written && kept[n-1].language == e.language {
			if kept[n-1].spoken != e.spoken {
				faults.add(e.line, fmt.Errorf("%q is %q here and %q in line %d", e.written, e.spoken, kept[n-1].spoken, kept[n-1].line))
			}
			continue
		}
		kept = append(kept, e)
	}
	l.entries = kept
}

// Len is the number of entries.
func (l *Lexicon) Len() int {
	if l == nil {
		return 0
	}
	return len(l.entries)
}

// Canonical is the entries in a fixed order: files that differ in comments, order
// and repetition alone have the same. ParseLexicon reads it.
func (l *Lexicon) Canonical() string {
	if l.Len() == 0 {
		return ""
	}
	var b strings.Builder
	for _, e := range l.entries {
		fmt.Fprintf(&b, "%s\t%s\t%s\n", e.written, e.spoken, cmp.Or(e.language, "*"))
	}
	return b.String()
}

// lexIndex finds entries by their lower-case form. Those that begin with the same
// token stand side by side, and one look into the map finds them: most words of
// a text begin no entry, and are done with then (BenchmarkLexicon).
type lexIndex struct {
	lower  func(rune) rune
	sorted []lexKey // by form
	first  map[string][2]int32
}

type lexKey struct {
	form  string // in lower case
	entry *lexEntry
}

func newLexIndex(entries []lexEntry, lower func(rune) rune) lexIndex {
	x := lexIndex{lower: lower, sorted: make([]lexKey, len(entries)), first: map[string][2]int32{}}
	for i := range entries {
		x.sorted[i] = lexKey{strings.Map(lower, entries[i].written), &entries[i]}
	}
	// By tokens first: "a-b" stands before "ab" whatever the bytes say, so that one first token is one run.
	slices.SortStableFunc(x.sorted, func(a, b lexKey) int {
		return cmp.Or(strings.Compare(firstToken(a.form), firstToken(b.form)), strings.Compare(a.form, b.form))
	})
	for i := range x.sorted {
		token := firstToken(x.sorted[i].form)
		run, there := x.first[token]
		if !there {
			run[0] = int32(i)
		}
		run[1] = int32(i + 1)
		x.first[token] = run
	}
	return x
}

// inWord reports whether a character and one beside it are of one word. A
// character of a script that is written without spaces is a word by itself, so
// that an entry is found anywhere in such text.
func inWord(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9'
	case r == '\u200c' || r == '\u200d': // Persian's ZWNJ, ZWJ of Indic scripts
		return true
	case Unspaced(r):
		return false
	}
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
}

// firstToken is the word at the beginning of a text, or its first character.
func firstToken(s string) string {
	for i, r := range s {
		if !inWord(r) {
			if i == 0 {
				return s[:utf8.RuneLen(r)]
			}
			return s[:i]
		}
	}
	return s
}

// lexToken is where a token ends, in the text and in its lower case.
type lexToken struct{ text, lower int }

// Apply replaces what the lexicon has for texts of a language, before any other
// rule. A text with a word of the lexicon is brought to NFC, any other stays as
// it is, byte by byte.
//
// A match covers whole words. The longest one goes first, then that of the
// language, then that whose upper-case letters are those of the text; an entry
// without upper-case letters matches any case. What was replaced is not looked
// at again, so that applying a lexicon twice may give another text than once.
func (l *Lexicon) Apply(text, language string) (string, []Replacement) {
	if l.Len() == 0 || text == "" {
		return text, nil
	}
	if l.marked == MarkedLeave && strings.Contains(text, "{") {
		return l.around(text, language)
	}
	return l.apply(text, language)
}

func (l *Lexicon) apply(text, language string) (string, []Replacement) {
	written := text
	text = Compose(text)
	index := &l.plain
	if language == "tr" || language == "az" {
		index = l.turkic()
	}
	lower := strings.Map(index.lower, text)
	tokens := lexTokens(text, lower)
	var used []Replacement
	var out strings.Builder
	copied := 0
	from := lexToken{}
	for i := 0; i < len(tokens); i++ {
		entry, end := index.longest(text, lower, language, from, tokens[i:])
		if entry != nil {
			used = append(used, Replacement{At: from.text, Written: text[from.text:end.text], Spoken: entry.spoken})
			out.WriteString(text[copied:from.text])
			out.WriteString(entry.spoken)
			copied = end.text
			for tokens[i] != end {
				i++
			}
		}
		from = tokens[i]
	}
	if used == nil {
		return written, nil // also where it is not in NFC: a lexicon that has no word of a text leaves its key alone
	}
	out.WriteString(text[copied:])
	return out.String(), used
}

// lexTokens cuts a text and its lower case, rune by rune the same, into tokens.
// Boundaries are those of the lower case, which the index is cut by.
func lexTokens(text, lower string) []lexToken {
	tokens := make([]lexToken, 0, len(text)/4+1)
	at, before := lexToken{}, false
	for at.lower < len(lower) {
		r, n := utf8.DecodeRuneInString(lower[at.lower:])
		_, m := utf8.DecodeRuneInString(text[at.text:])
		word := inWord(r)
		if at.lower > 0 && !(word && before) {
			tokens = append(tokens, at)
		}
		at.lower, at.text, before = at.lower+n, at.text+m, word
	}
	return append(tokens, at)
}

// longest is the entry for what begins at from, and where it ends. ends are the
// ends of the tokens from there on. Each is compared once, and no more of them
// than the longest form has bytes, so that a text is read in linear time.
func (x *lexIndex) longest(text, lower, language string, from lexToken, ends []lexToken) (best *lexEntry, end lexToken) {
	run, ok := x.first[lower[from.lower:ends[0].lower]]
	if !ok {
		return nil, end
	}
	keys, done := x.sorted[run[0]:run[1]], 0 // keys that begin with the first done bytes
	for _, e := range ends {
		next := lower[from.lower+done : e.lower]
		lo := sort.Search(len(keys), func(i int) bool { return keys[i].form[done:] >= next })
		hi := lo + sort.Search(len(keys)-lo, func(i int) bool { return !strings.HasPrefix(keys[lo+i].form[done:], next) })
		if keys, done = keys[lo:hi], done+len(next); len(keys) == 0 {
			break
		}
		var found *lexEntry
		for _, k := range keys {
			if len(k.form) != done {
				break
			}
			if k.entry.matches(text[from.text:e.text], language) && k.entry.before(found) {
				found = k.entry
			}
		}
		if found != nil {
			best, end = found, e
		}
	}
	return best, end
}

func (e *lexEntry) matches(text, language string) bool {
	return (e.language == "" || e.language == language) && (!e.exact || e.written == text)
}

// before reports whether an entry goes before another of the same length.
func (e *lexEntry) before(o *lexEntry) bool {
	if o == nil || (e.language != "") != (o.language != "") {
		return o == nil || e.language != ""
	}
	return e.exact && !o.exact
}
