package top

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// width is how many columns a text takes on a terminal, where a letter may take
// two or none.
func width(text string) int { return ansi.StringWidth(text) }

// cut makes a text at most so many columns wide. What is left out shows as …
func cut(text string, columns int) string {
	if columns <= 0 {
		return ""
	}
	return ansi.Truncate(text, columns, "…")
}

// left is a cell of so many columns with its text at the left.
func left(text string, columns int) string {
	text = cut(text, columns)
	return text + strings.Repeat(" ", max(0, columns-width(text)))
}

// right is the same with its text at the right.
func right(text string, columns int) string {
	text = cut(text, columns)
	return strings.Repeat(" ", max(0, columns-width(text))) + text
}

// bars are eighths of a cell.
const bars = "▁▂▃▄▅▆▇█"

// spark draws the last values as bars of so many columns, newest at the right,
// from 0 to a full bar. A value below 0 is not known and leaves a gap.
func spark(values []float64, columns int, full float64) string {
	values = values[max(0, len(values)-max(0, columns)):]
	var b strings.Builder
	b.WriteString(strings.Repeat(" ", max(0, columns-len(values))))
	steps := []rune(bars)
	for _, v := range values {
		switch {
		case !(v >= 0): // NaN neither is
			b.WriteByte(' ')
		case full <= 0:
			b.WriteRune(steps[0])
		default:
			b.WriteRune(steps[int(min(v/full*float64(len(steps)), float64(len(steps)-1)))])
		}
	}
	return b.String()
}

// Styles that a screen has; without colour it has none, and says the same.
const (
	plainStyle = ""
	strong     = "\x1b[1m"
	faint      = "\x1b[2m"
	chosen     = "\x1b[7m"
	warning    = "\x1b[33m"
)

// styled puts a style around a text.
func styled(style, text string, colour bool) string {
	if !colour || style == plainStyle {
		return text
	}
	return style + text + "\x1b[m"
}
