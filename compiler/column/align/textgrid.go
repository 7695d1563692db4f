package align

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// ReadTextGrid reads a TextGrid of Praat, as text in its long or its short form, in
// UTF-8 or, with a byte order mark, in UTF-16. As Praat does, it looks only for
// numbers, texts in quotes and flags in angle brackets that stand by themselves;
// everything else is there for people (Praat's manual, "TextGrid file formats").
func ReadTextGrid(b []byte) (*Alignment, error) {
	s, err := decode(b)
	if err != nil {
		return nil, err
	}
	g := &grid{rest: s, line: 1}
	a := g.alignment()
	if g.err != nil {
		return nil, fmt.Errorf("line %d: %w", g.line, g.err)
	}
	return a, nil
}

// decode is the text of a file.
func decode(b []byte) (string, error) {
	if len(b) >= 2 && (b[0] == 0xfe && b[1] == 0xff || b[0] == 0xff && b[1] == 0xfe) {
		if len(b)%2 != 0 {
			return "", errors.New("it is UTF-16 with half a character at its end")
		}
		units := make([]uint16, 0, len(b)/2-1)
		for i := 2; i < len(b); i += 2 {
			high, low := b[i], b[i+1]
			if b[0] == 0xff {
				high, low = low, high
			}
			units = append(units, uint16(high)<<8|uint16(low))
		}
		return string(utf16.Decode(units)), nil
	}
	s := strings.TrimPrefix(string(b), "\ufeff")
	if !utf8.ValidString(s) {
		return "", errors.New("it is neither UTF-8 nor UTF-16 with a byte order mark; let Praat save it with text writing preferences UTF-8")
	}
	return s, nil
}

// grid reads a TextGrid from left to right; after an error it gives zero values.
type grid struct {
	rest string
	line int
	err  error
}

func (g *grid) alignment() *Alignment {
	first := g.rest
	if end := strings.IndexAny(first, "\r\n"); end >= 0 {
		first = first[:end]
	}
	switch {
	case strings.HasPrefix(g.rest, "ooBinaryFile"):
		g.fail("it is binary; let Praat save it as a text file")
	case strings.Contains(first, "Praat chronological TextGrid"):
		g.fail("it is chronological; let Praat save it as a text file")
	case !strings.Contains(first, "ooTextFile"):
		g.fail("it is no text file of Praat: its first line has no ooTextFile")
	}
	g.skip(len(first))
	if class, _, _ := strings.Cut(g.text(), " "); class != "TextGrid" {
		g.fail("it is no TextGrid: its class is %.40q", class)
	}
	a := &Alignment{}
	start := g.number()
	a.End = g.number()
	if g.flag() != "exists" {
		return a
	}
	if err := checkSpan(start, a.End); err != nil {
		g.err = err
	}
	for range g.count() {
		if g.err != nil {
			break
		}
		a.Tiers = append(a.Tiers, g.tier())
	}
	return a
}

// tier reads one; nothing is believed of how many intervals it is said to have.
func (g *grid) tier() Tier {
	class, _, _ := strings.Cut(g.text(), " ")
	t := Tier{Points: class == "TextTier"}
	if class != "IntervalTier" && !t.Points {
		g.fail("a tier is of class %.40q", class)
	}
	t.Name = g.text()
	g.numberWord() // from when to when the tier is: as the whole
	g.numberWord()
	for range g.count() {
		if g.err != nil {
			break
		}
		i := Interval{Start: g.number()}
		if i.End = i.Start; !t.Points {
			i.End = g.number()
		}
		i.Text = g.text()
		if err := checkSpan(i.Start, i.End); err != nil {
			g.fail("an interval of tier %.40q: %w", t.Name, err)
		}
		t.Intervals = append(t.Intervals, i)
	}
	return t
}

// fail keeps the first error.
func (g *grid) fail(format string, args ...any) {
	if g.err == nil {
		g.err = fmt.Errorf(format, args...)
	}
}

// skip goes past n bytes.
func (g *grid) skip(n int) {
	g.line += strings.Count(g.rest[:n], "\n")
	g.rest = g.rest[n:]
}

// The kinds of what stands by itself.
const (
	aNumber = "a number"
	aText   = "a text in quotes"
	aFlag   = "a flag such as <exists>"
)

// seek goes to what comes next of the three kinds, which has to be of the wanted one.
// A word that begins with anything else is skipped, and so is all after a !.
func (g *grid) seek(want string) bool {
	for g.err == nil {
		g.skip(len(g.rest) - len(strings.TrimLeftFunc(g.rest, unicode.IsSpace)))
		if g.rest == "" {
			g.fail("it ends where %s should stand", want)
			break
		}
		got := ""
		switch c := g.rest[0]; {
		case c == '"':
			got = aText
		case c == '<':
			got = aFlag
		case c >= '0' && c <= '9' || c == '-' || c == '+':
			got = aNumber
		case c == '!':
			end := strings.IndexAny(g.rest, "\r\n")
			if end < 0 {
				end = len(g.rest)
			}
			g.skip(end)
			continue
		}
		switch {
		case got == want:
			return true
		case got != "":
			g.fail("%.20q stands where %s should", g.word(), want)
		default:
			g.skip(len(g.word()))
		}
	}
	return false
}

// word is what stands before the next space.
func (g *grid) word() string {
	if end := strings.IndexFunc(g.rest, unicode.IsSpace); end >= 0 {
		return g.rest[:end]
	}
	return g.rest
}

// decimal is how a number begins; Praat allows what follows it, as a unit: 1.5s.
var decimal = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[-+]?[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?`)
})

func (g *grid) number() float64 {
	word := g.numberWord()
	above, below, fraction := strings.Cut(word, "/")
	v, ok := numberOf(above)
	if fraction && ok {
		var by float64
		by, ok = numberOf(below)
		v, ok = v/by, ok && by != 0
	}
	if !ok {
		g.fail("%.20q is no number", word)
	}
	return v
}

// numberWord is the word of a number. A plus alone is of complex numbers, and Praat
// skips it.
func (g *grid) numberWord() string {
	for g.seek(aNumber) {
		word := g.word()
		if g.skip(len(word)); word != "+" {
			return word
		}
	}
	return ""
}

// numberOf is the number that a word begins with, perhaps a percentage.
func numberOf(word string) (float64, bool) {
	digits := decimal().FindString(word)
	v, err := strconv.ParseFloat(digits, 64)
	rest := word[len(digits):]
	if strings.HasPrefix(rest, "%") {
		v /= 100
	}
	return v, err == nil && !strings.HasPrefix(strings.ToLower(rest), "e") // of an exponent that is cut
}

// count is how many follow. What stands after the digits does not count.
func (g *grid) count() int {
	word := g.numberWord()
	digits := strings.TrimPrefix(word, "+")
	digits = digits[:len(digits)-len(strings.TrimLeft(digits, "0123456789"))]
	n, err := strconv.ParseUint(digits, 10, 31)
	if err != nil {
		g.fail("%.20q is no number of tiers or intervals", word)
	}
	return int(n)
}

// text is what stands in quotes; a quote within it is doubled.
func (g *grid) text() string {
	if !g.seek(aText) {
		return ""
	}
	end, doubled := 1, false
	for {
		quote := strings.IndexByte(g.rest[end:], '"')
		if quote < 0 {
			g.fail("a text in quotes has no end: %.40q", g.rest)
			return ""
		}
		if end += quote + 1; !strings.HasPrefix(g.rest[end:], `"`) {
			break
		}
		doubled, end = true, end+1
	}
	s := g.rest[1 : end-1]
	if next, _ := utf8.DecodeRuneInString(g.rest[end:]); end < len(g.rest) && !unicode.IsSpace(next) {
		g.fail("%q stands after the quote at the end of %.40q: is a quote within the text not doubled?", next, s)
	}
	if g.skip(end); doubled {
		s = strings.ReplaceAll(s, `""`, `"`)
	}
	return s
}

func (g *grid) flag() string {
	if !g.seek(aFlag) {
		return ""
	}
	word := g.word()
	g.skip(len(word))
	name, _, closed := strings.Cut(word[1:], ">")
	if !closed {
		g.fail("%.20q has no end", word)
	}
	return name
}
