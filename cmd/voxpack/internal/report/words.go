package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"voxpack/cmd/voxpack/internal/term"
)

// tongue is a language that the page can be in.
type tongue struct {
	code, direction string
	column          int // of the table of words, from 1
	words           map[string]string
	digits          []rune
	comma, point    string
	list            string // between the members of a list
	percent         string
	minus           string // with a mark in Persian, without which it would end up after the number
}

// tongues is the table of languages; tongueOf gives them their words.
var tongues = []tongue{
	{"en", "ltr", 1, nil, []rune("0123456789"), ",", ".", ", ", "%", "−"},
	{"fa", "rtl", 2, nil, []rune("۰۱۲۳۴۵۶۷۸۹"), "٬", "٫", "، ", "٪", "\u200e−"},
}

// tongueOf finds a language by its code.
func tongueOf(code string) (tongue, error) {
	var codes []string
	for _, t := range tongues {
		if t.code == code {
			var err error
			t.words, err = wordsOf(t.column)
			return t, err
		}
		codes = append(codes, t.code)
	}
	return tongue{}, term.Usagef("--lang %s: the page can be in %s", code, strings.Join(codes, " or "))
}

// wordsOf reads a column of the table of words.
func wordsOf(column int) (map[string]string, error) {
	table, err := files.ReadFile("page/words.tsv")
	if err != nil {
		return nil, err
	}
	words := map[string]string{}
	for line := range strings.Lines(string(table)) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if len(cells) != 1+len(tongues) {
			return nil, fmt.Errorf("words.tsv: %q has %d cells, want %d", line, len(cells), 1+len(tongues))
		}
		words[cells[0]] = cells[column]
	}
	return words, nil
}

// word is a sentence or a name of the page. A name that the table does not have is
// an error of this program, which the tests find.
func (t tongue) word(name string) (string, error) {
	w, ok := t.words[name]
	if !ok {
		return "", fmt.Errorf("the page has no word %q", name)
	}
	return w, nil
}

// known is a word, or the name itself where it comes from a newer program or from a
// record.
func (t tongue) known(prefix, name string) string {
	if w, ok := t.words[prefix+name]; ok {
		return w
	}
	return plain(name)
}

// localise writes the digits of a number as the language does.
func (t tongue) localise(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r >= '0' && r <= '9':
			b.WriteRune(t.digits[r-'0'])
		case r == ',':
			b.WriteString(t.comma)
		case r == '.':
			b.WriteString(t.point)
		case r == '-':
			b.WriteString(t.minus)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// number writes a figure with the digits that count: three, and all of an integer.
func (t tongue) number(v any) string {
	switch v := v.(type) {
	case int:
		return t.localise(term.Commas(v))
	case int64:
		return t.localise(term.Commas(v))
	case uint64:
		return t.localise(term.Commas(v))
	case float64:
		switch size := math.Abs(v); {
		case math.IsNaN(v) || size >= 1e15:
			return t.localise(strconv.FormatFloat(v, 'g', 3, 64))
		case size >= 100 || v == math.Trunc(v):
			return t.localise(term.Commas(int64(math.Round(v))))
		case size >= 10:
			return t.localise(strconv.FormatFloat(v, 'f', 1, 64))
		case size >= 0.1:
			return t.localise(strconv.FormatFloat(v, 'f', 2, 64))
		}
		return t.localise(strconv.FormatFloat(v, 'g', 3, 64))
	}
	return ""
}

// part writes a part of a whole in percent.
func (t tongue) part(v float64) string {
	return t.localise(strconv.FormatFloat(100*v, 'f', 1, 64)) + "\u00a0" + t.percent
}

// plain spells out what would turn, hide or end the text around it: control
// characters and those that change its direction. What is not UTF-8 becomes U+FFFD.
func plain(s string) string {
	odd := func(r rune) bool {
		return term.Obeyed(r) || r == '\n' || r == '\t' || r == 0x200E || r == 0x200F || r == 0x061C || r == 0xFEFF || unicode.Is(unicode.Noncharacter_Code_Point, r)
	}
	if strings.IndexFunc(s, odd) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if odd(r) {
			fmt.Fprintf(&b, "⟨U+%04X⟩", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
