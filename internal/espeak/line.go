package espeak

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLine is the most bytes of a line: espeak-ng cuts lines after 999 bytes,
// wherever that is, and sentences of some hundred letters by itself.
const maxLine = 400

// lines cuts a clause into lines at its spaces, and within what has none between
// characters. Brackets and control characters, with which a line could say more
// than text, are spaces.
func lines(clause string) iter.Seq[string] {
	return func(yield func(string) bool) {
		clause = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(clause, " "), func(r rune) bool {
			return unicode.IsSpace(r) || unicode.IsControl(r) || r == '[' || r == ']'
		}), " ")
		for clause != "" {
			at := len(clause)
			if at > maxLine {
				if at = strings.LastIndexByte(clause[:maxLine+1], ' '); at <= 0 {
					at = maxLine
					for at > 1 && !utf8.RuneStart(clause[at]) {
						at--
					}
				}
			}
			if !yield(clause[:at]) {
				return
			}
			clause = strings.TrimPrefix(clause[at:], " ")
		}
	}
}

// tidy joins what was said of the lines of a clause, without the marks of
// voices: "(en)nˈɛt(ru)" is of Russian text. No other parentheses come.
func tidy(said []string) string {
	var b strings.Builder
	for _, s := range said {
		for s != "" {
			before, rest, _ := strings.Cut(s, "(")
			b.WriteString(before)
			_, s, _ = strings.Cut(rest, ")")
		}
		b.WriteByte(' ')
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
