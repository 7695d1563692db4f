package diagnose

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/diagnosis"
)

// signs are how a check ended, each two columns wide on a terminal. ⚠ is one column
// wide in most fonts.
var signs = map[state]string{stateOK: "✅", stateWarning: "⚠ ", stateError: "❌", stateUnknown: "? "}

// plainWords reports whether signs would be noise: in a file, and on a terminal that
// says that it can do little.
func plainWords(stdout io.Writer) bool {
	f, ok := term.Raw(stdout).(*os.File)
	return !ok || os.Getenv("TERM") == "dumb" || !term.IsTerminal(f.Fd())
}

// page is the audit for people, in 76 columns.
func (a *audited) page(w io.Writer, words bool) {
	mark := func(s state) string {
		if words {
			return fmt.Sprintf("%-7s", s)
		}
		return signs[s]
	}
	blank := strings.Repeat(" ", 2)
	if words {
		blank = strings.Repeat(" ", 7)
	}
	say := func(sign, subject, text string) {
		fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("%s %-13s %s", sign, subject, strings.ReplaceAll(text, "\n", `\n`)), " "))
	}
	for _, c := range a.Checks {
		if len(c.Findings) == 0 {
			for i, line := range term.Wrapped(c.Text) {
				say(term.First(i, mark(c.State))+strings.Repeat(blank, min(i, 1)), term.First(i, c.Subject), line)
			}
		}
		for _, f := range c.Findings {
			rule := " [" + c.Rule + "]"
			lines := term.Wrapped(f.Cause)
			if f.Line > 0 {
				lines = append(append(lines, term.Wrapped(f.Cure)...), fmt.Sprintf("%s:%d:%d%s", a.Config, f.Line, f.Col, rule))
			} else {
				lines = append(lines, term.Wrapped(f.Cure+rule)...)
			}
			for i, line := range lines {
				say(term.First(i, mark(f.State))+strings.Repeat(blank, min(i, 1)), term.First(i, c.Subject), line)
			}
		}
	}
	fmt.Fprintln(w)
	field := term.Fields(w, 11)
	for i, line := range term.Wrapped(a.against()) {
		field(term.First(i, "against"), "%s", line)
	}
	field("result", "%s", a.summary())
	for i, line := range a.expectation() {
		field(term.First(i, "utilisation"), "%s", line)
	}
	n := 0
	for _, u := range a.Unseen {
		for _, line := range term.Wrapped(u) {
			field(term.First(n, "unseen"), "%s", line)
			n++
		}
	}
	if a.Fixed != nil {
		a.Fixed.page(w, a.Config)
	}
}

// against says what the config was held against.
func (a *audited) against() string {
	list := []string{term.Count(a.Cores, "core")}
	if len(a.GPUs) > 0 {
		list = append(list, term.Count(len(a.GPUs), "GPU"))
	}
	if a.Dataset != "" {
		list = slices.Insert(list, 0, fmt.Sprintf("%s (%s)", a.Dataset, term.Count(a.Rows, "row")))
	}
	return strings.Join(list, ", ")
}

// expectation says how busy GPUs will be, and why, or what would have to be measured.
func (a *audited) expectation() []string {
	e := a.Expected
	if e.Busy == nil {
		return term.Wrapped(fmt.Sprintf("not known: it is the part of a step that train takes. Measure %s, and give the times, as in --stages load=20,train=150",
			stagesText(e.Missing)))
	}
	text := fmt.Sprintf("at most %.0f %% of the GPU that trains: %s is the longest stage, and a step takes %s (%s), by the times %s",
		100**e.Busy, e.Bound, term.Milliseconds(*e.StepMS), modeNames[e.Mode], a.times)
	if e.Mode == diagnosis.Single || e.Mode == diagnosis.DualSync {
		text = fmt.Sprintf("at most %.0f %% of the GPU that trains: stages come in turn (%s), and a step takes %s, by the times %s",
			100**e.Busy, modeNames[e.Mode], term.Milliseconds(*e.StepMS), a.times)
	}
	lines := term.Wrapped(text)
	if e.Data != nil {
		lines = append(lines, fmt.Sprintf("%.0f %% of the data GPU", 100**e.Data))
	}
	if len(e.Missing) > 0 {
		lines = append(lines, term.Wrapped("without "+stagesText(e.Missing)+", of which no time is known")...)
	}
	if a.Errors > 0 {
		lines = append(lines, term.Wrapped("errors above may make it less")...)
	}
	return lines
}

// stagesText lists stages.
func stagesText(list []diagnosis.Stage) string {
	var names []string
	for _, s := range list {
		names = append(names, string(s))
	}
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
