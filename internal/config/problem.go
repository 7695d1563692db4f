package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Problem is one thing that is wrong with a config file.
type Problem struct {
	File      string // as it was given to Load
	Line, Col int    // from 1; 0 when the whole file is meant
	Key       string // with its section: "data.fmax"; "" when no key is meant
	Part      string // of the key's value: "[1].weight"; "" for all of it
	Message   string // what is wrong
	Hint      string // what to do, or ""
	Warning   bool   // the config can be used all the same
}

// String is the problem on one line, as in
// "config.yaml:12:3: data.fmax: 12000 is over half of sample_rate 22050 (11025); …".
func (p Problem) String() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", p.Line, p.Col)
	}
	b.WriteString(": ")
	if p.Warning {
		b.WriteString("warning: ")
	}
	if p.Key != "" {
		b.WriteString(p.Key + p.Part + ": ")
	}
	b.WriteString(p.Message)
	if p.Hint != "" {
		b.WriteString("; " + p.Hint)
	}
	return b.String()
}

// Errors reports whether problems has anything but warnings.
func Errors(problems []Problem) bool {
	return slices.ContainsFunc(problems, func(p Problem) bool { return !p.Warning })
}

// sortProblems puts problems into the order of the file.
func sortProblems(problems []Problem) {
	slices.SortStableFunc(problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col),
			strings.Compare(a.Key, b.Key), strings.Compare(a.Part, b.Part), strings.Compare(a.Message, b.Message))
	})
}
