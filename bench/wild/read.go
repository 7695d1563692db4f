package main

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"voxpack/textnorm"
	"voxpack/textnorm/forms"
	"voxpack/textnorm/spoken"
)

// tally is what was seen in a language.
type tally struct {
	code           string
	lines, changed int
	faults         []string
	notes, rules   map[string]int
	unread, bare   map[string]int // by their shapes
	examples       map[string]string
}

// reader reads lines of a language and counts.
type reader struct {
	*tally
	norm, plain *textnorm.Normalizer
	own         *spoken.Reader
}

func newReader(code string) (*reader, error) {
	r := &reader{tally: &tally{code: code, notes: map[string]int{}, rules: map[string]int{}, unread: map[string]int{}, bare: map[string]int{}, examples: map[string]string{}}}
	var ok bool
	if r.own, ok = spoken.New(code); !ok {
		return nil, fmt.Errorf("%q is no language with rules: these are %s", code, strings.Join(spoken.Languages(), " "))
	}
	var err error
	if r.norm, err = textnorm.NewNormalizer(textnorm.Config{Mojibake: textnorm.MojibakeReport, Verbalise: true}); err != nil {
		return nil, err
	}
	r.plain, err = textnorm.NewNormalizer(textnorm.Config{Mojibake: textnorm.MojibakeReport})
	return r, err
}

// read reads a line and looks for faults.
func (r *reader) read(line string) {
	r.lines++
	defer func() {
		if p := recover(); p != nil {
			r.fault(line, "crash: %v", p)
		}
	}()
	said, notes := r.norm.Normalize(line, r.code)
	if said != line {
		r.changed++
	}
	for _, n := range notes {
		r.notes[n.Kind]++
		if n.Kind == textnorm.NoteUnread {
			r.seen(r.unread, shape(n.Detail), line)
		}
	}
	if again, _ := r.norm.Normalize(said, r.code); again != said {
		r.fault(line, "read as %q, and that as %q", said, again)
	}
	plain, before := r.plain.Normalize(line, r.code)
	composed, _ := forms.Compat(textnorm.Compose(line))
	if lost := missing(sounds(composed), sounds(plain)); lost != "" && len(before) == 0 {
		r.fault(line, "%q is gone before the rules, without a note", lost)
	}
	r.rulesOf(line, r.letters(plain), said, notes)
}

// letters is a plain text as the rules look at it.
func (r *reader) letters(plain string) string {
	if r.code == "fa" {
		plain = spoken.Persian{}.Letters(plain)
		return plain
	}
	return r.own.Letters(plain)
}

// littleEvidence are the rules that go by the form of what they read. The names are
// those of package spoken.
var littleEvidence = []string{"amount", "phone", "roman", "ordinal", "letters and digits", "duration", "fraction", "score", "range", "dotted number",
	"acronym", "numbered", "unit", "measure", "plate", "decade", "feet and inches", "time", "number with a sign", "code", "counter"}

// rulesOf counts the rules that read a text, and looks for what they lost of it.
func (r *reader) rulesOf(line, text, said string, notes []textnorm.Note) {
	at, rest := 0, strings.Builder{} // rest is what no rule has read
	for _, f := range r.norm.Explain(line, r.code) {
		r.rules[f.Name]++
		if slices.Contains(littleEvidence, f.Name) && (f.Name != "amount" || strings.ContainsFunc(f.Form, unicode.IsLetter)) {
			r.seen(r.bare, f.Name+": "+shape(f.Form), f.Form+" → "+f.Words+" in "+around(text, f.At))
		}
		if f.At < at || f.At+len(f.Form) > len(text) || text[f.At:f.At+len(f.Form)] != f.Form {
			r.fault(line, "rule %s has read %q at %d, which is not there", f.Name, f.Form, f.At)
			return
		}
		if sounds(f.Form) != "" && sounds(f.Words) == "" {
			r.fault(line, "rule %s reads %q as nothing", f.Name, f.Form)
		}
		rest.WriteString(text[at:f.At])
		at = f.At + len(f.Form)
	}
	rest.WriteString(text[at:])
	if lost := missing(sounds(rest.String()), sounds(said)); lost != "" {
		r.fault(line, "%q is gone from %q", lost, said)
	}
	noted := slices.ContainsFunc(notes, func(n textnorm.Note) bool { return n.Kind == textnorm.NoteUnread || n.Kind == textnorm.NoteMojibake })
	if !noted && strings.ContainsFunc(said, unicode.IsDigit) {
		r.fault(line, "a digit stays in %q without a note", said)
	}
}

func (r *reader) seen(in map[string]int, key, example string) {
	if in[key]++; r.examples[key] == "" {
		r.examples[key] = example
	}
}

// mostFaults of a language are listed; one fault can be in thousands of lines.
const mostFaults = 40

func (r *reader) fault(line, format string, args ...any) {
	if len(r.faults) < mostFaults {
		r.faults = append(r.faults, fmt.Sprintf("%s: %q: %s", r.code, line, fmt.Sprintf(format, args...)))
	}
}

// add takes up what another reader of the language has seen.
func (t *tally) add(o *tally) {
	t.lines += o.lines
	t.changed += o.changed
	t.faults = append(t.faults, o.faults...)
	for _, pair := range [][2]map[string]int{{t.notes, o.notes}, {t.rules, o.rules}, {t.unread, o.unread}, {t.bare, o.bare}} {
		for key, n := range pair[1] {
			pair[0][key] += n
		}
	}
	for key, example := range o.examples {
		if t.examples[key] == "" {
			t.examples[key] = example
		}
	}
}

// sounds are the letters and digits of a text.
func sounds(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// missing is the first letter of a text, with those after it, that another has not in
// the same order; "" where it has all.
func missing(of, in string) string {
	rest := []rune(in)
	for at, r := range of {
		i := slices.Index(rest, r)
		if i < 0 {
			return of[at:]
		}
		rest = rest[i+1:]
	}
	return ""
}

// shape is a form with 0 for digits, so that 5 km and 80 km are one.
func shape(form string) string {
	var b strings.Builder
	digit := false
	for _, r := range form {
		if is := unicode.IsDigit(r); is && digit {
			continue
		} else if digit = is; is {
			r = '0'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// around is what stands around a place of a text.
func around(text string, at int) string {
	from, to := max(0, at-40), min(len(text), at+60)
	return fmt.Sprintf("%q", strings.ToValidUTF8(text[from:to], ""))
}
