package diagnose

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/diagnosis"
)

// modeNames are the modes in words.
var modeNames = map[diagnosis.Mode]string{
	diagnosis.Single:      "single",
	diagnosis.SingleAhead: "single, loading ahead",
	diagnosis.DualSync:    "dual, synchronous",
	diagnosis.DualAsync:   "dual, asynchronous",
}

// estimatePage is the estimate for people, in 60 columns.
func estimatePage(w io.Writer, e *diagnosis.Estimate, untrained bool) {
	field := term.Fields(w, 9)
	for i, m := range e.Modes {
		field(term.First(i, "step"), "%-22s %9s  %8s steps/s", modeNames[m.Mode], term.Milliseconds(m.StepMS), rate(m.StepsPerSecond))
	}
	ahead := e.Modes[len(e.Modes)-1]
	field("bound by", "%s, %s: no step with it is shorter", ahead.Bound, term.Milliseconds(ahead.StepMS))
	for i, line := range choiceLines(e.Choice) {
		field(term.First(i, "GPUs"), "%s", line)
	}
	// The step of all stages beside each other, if one took half its time, and none.
	field("stages", "%-10s %9s %6s  %9s %9s", "", "time", "share", "if half", "if none")
	for i, u := range e.SpeedUps {
		field("", "%-10s %9s %4.0f %%  %9s %9s", u.Stage, term.Milliseconds(e.Stages[i].MS), 100*u.Share, term.Milliseconds(u.HalfAsync), term.Milliseconds(u.FreeAsync))
	}
	for i, s := range e.Sizes {
		if i == 0 {
			field("batches", "%10s %9s  %9s%s", "samples", "step", "samples/s", memory(s, "   memory"))
		}
		field("", "%10s %9s  %9s%s", term.Commas(s.Batch), term.Milliseconds(s.StepMS), rate(s.Samples), memory(s, ""))
	}
	findings(field, e.Findings)
	if untrained {
		for i, line := range wrapped("nobody trained in that run: give your trainer's step, as in --stages train=150") {
			field(term.First(i, "note"), "%s", line)
		}
	}
}

// memory is the last column of a batch size, where it is known: a head or the figure.
func memory(s diagnosis.SizeTime, head string) string {
	switch {
	case s.MemoryMB == nil:
		return ""
	case head != "":
		return head
	}
	return "  " + term.Size(int64(*s.MemoryMB*1e6))
}

// choiceLines say one GPU or two, and why.
func choiceLines(c diagnosis.Choice) []string {
	one, alone, two := term.Milliseconds(c.OneMS), term.Milliseconds(c.OneAndPreprocessMS), term.Milliseconds(c.TwoMS)
	switch c.Why {
	case diagnosis.Offloads:
		return []string{
			fmt.Sprintf("two: %s; one that preprocesses too: %s", two, alone),
			fmt.Sprintf("one, %s, if nothing is preprocessed on a GPU", one),
		}
	case diagnosis.Slower:
		return []string{fmt.Sprintf("one: %s; the stages of a second make it %s", alone, two)}
	}
	return []string{fmt.Sprintf("one: %s; two: %s: loading ahead pays", alone, two)}
}

// findings prints verdicts under the word that says how they are known: the
// cause, then the cure, then what it brings and the rule.
func findings(field func(string, string, ...any), found []diagnosis.Verdict) {
	for _, v := range found {
		rule := " [" + v.Rule + "]"
		lines := wrapped(v.Cause)
		if v.Gain == nil {
			lines = append(lines, wrapped(v.Cure+rule)...)
		} else {
			of := "the step"
			if v.Of == diagnosis.OfBuild {
				of = "a build"
			}
			lines = append(append(lines, wrapped(v.Cure)...), fmt.Sprintf("gains up to %.0f %% of %s%s", 100**v.Gain, of, rule))
		}
		for i, line := range lines {
			field(term.First(i, string(v.Basis)), "%s", line)
		}
	}
}

// sentenceWidth is where sentences are broken, so that a page with its names
// fits 60 columns.
const sentenceWidth = 50

// wrapped is a sentence in lines.
func wrapped(text string) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		// A unit stays with its number.
		if line != "" && strings.TrimRight(word, ",;") != "%" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > sentenceWidth {
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

// rate is a number a second, with three digits that count.
func rate(v float64) string {
	switch {
	case v >= 100:
		return term.Commas(int64(v + 0.5))
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}
