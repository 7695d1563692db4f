package diagnose

import (
	"fmt"
	"io"

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
	term.Verdicts(field, e.Findings)
	if untrained {
		for i, line := range term.Wrapped("nobody trained in that run: give your trainer's step, as in --stages train=150") {
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
