package term

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"voxpack/compiler"
)

// NotesByRows sorts notes so that the kind that most rows have comes first.
func NotesByRows(notes []compiler.NoteCount) []compiler.NoteCount {
	sorted := slices.Clone(notes)
	slices.SortStableFunc(sorted, func(a, b compiler.NoteCount) int { return int(b.Rows) - int(a.Rows) })
	return sorted
}

// NoteText is "tokens: unknown-character U+2603 "☃" in 3 rows (a, b, …)".
func NoteText(n compiler.NoteCount) string {
	s := n.Stage + ": " + n.Kind
	if n.Detail != "" {
		s += " " + n.Detail + glyph(n.Detail)
	}
	s += " in " + Count(n.Rows, "row")
	if n.Count > n.Rows {
		s += fmt.Sprintf(", %s times", Commas(n.Count))
	}
	const most = 3
	examples := strings.Join(n.Examples[:min(len(n.Examples), most)], ", ")
	if n.Rows > most {
		examples += ", …"
	}
	return s + " (" + examples + ")"
}

// glyph shows a code point that can be seen: ` "☃"` for U+2603.
func glyph(detail string) string {
	hex, ok := strings.CutPrefix(detail, "U+")
	code, err := strconv.ParseUint(hex, 16, 21)
	if !ok || err != nil || !unicode.IsGraphic(rune(code)) || unicode.IsSpace(rune(code)) || unicode.IsMark(rune(code)) {
		return ""
	}
	return fmt.Sprintf(" %q", string(rune(code)))
}
