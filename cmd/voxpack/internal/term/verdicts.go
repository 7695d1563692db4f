package term

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"voxpack/diagnosis"
)

// Verdicts prints findings under the word that says how they are known: the
// cause, then the cure, then what it brings and the rule.
func Verdicts(field func(string, string, ...any), found []diagnosis.Verdict) {
	for _, v := range found {
		rule := " [" + v.Rule + "]"
		lines := Wrapped(v.Cause)
		if v.Gain == nil {
			lines = append(lines, Wrapped(v.Cure+rule)...)
		} else {
			lines = append(append(lines, Wrapped(v.Cure)...), Gain(v)+rule)
		}
		for i, line := range lines {
			field(First(i, string(v.Basis)), "%s", line)
		}
	}
}

// Gain says what the cure of a verdict brings, whose gain is known.
func Gain(v diagnosis.Verdict) string {
	of := "the step"
	if v.Of == diagnosis.OfBuild {
		of = "a build"
	}
	return fmt.Sprintf("gains up to %.0f %% of %s", 100**v.Gain, of)
}

// sentenceWidth is where sentences are broken, so that a page with its names
// fits 60 columns.
const sentenceWidth = 50

// Wrapped is a sentence in lines.
func Wrapped(text string) []string { return WrappedTo(text, sentenceWidth) }

// WrappedTo breaks a sentence between words into lines of so many characters.
func WrappedTo(text string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		// A unit stays with its number.
		if line != "" && strings.TrimRight(word, ",;") != "%" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	if line == "" {
		return lines
	}
	return append(lines, line)
}
