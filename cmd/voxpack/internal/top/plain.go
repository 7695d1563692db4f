package top

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/diagnosis"
)

// plain are the lines of the newest look: one for each consumer, and what changed
// of findings and feeders.
func (h *History) plain() []string {
	now, before := h.last(), Look{}
	if len(h.looks) > 1 {
		before = h.looks[len(h.looks)-2]
	}
	when := now.At.Format(time.TimeOnly)
	var lines []string
	say := func(format string, args ...any) { lines = append(lines, when+" "+fmt.Sprintf(format, args...)) }
	for _, f := range now.Feeders {
		switch {
		case f.Error != "":
			say("feeder at %s: %s", term.Line(f.Socket), term.Line(f.Error))
		case len(f.Consumers) == 0:
			say("feeder %d serves %s: nobody takes batches", f.PID, term.Line(term.Short(f.Dataset)))
		}
	}
	now.eachConsumer(func(id consumerID, f Feeder, c Consumer) {
		say("%s", h.plainLine(id, f, c))
		was, _ := before.consumer(id)
		for _, v := range fresh(was.Findings, c.Findings) {
			say("consumer %d: %s", c.Number, findingText(v))
		}
		for _, v := range fresh(c.Findings, was.Findings) {
			say("consumer %d: no longer found: %s", c.Number, v.Rule)
		}
	})
	before.eachConsumer(func(id consumerID, f Feeder, c Consumer) {
		if _, is := now.consumer(id); !is {
			say("consumer %d of feeder %d ended, batches taken: %s", c.Number, f.PID, term.Commas(c.Batches))
		}
	})
	return lines
}

// plainLine is a consumer in one line; what is not known is left out.
func (h *History) plainLine(id consumerID, f Feeder, c Consumer) string {
	row := tableRow{shownConsumer: shownConsumer{feeder: f, Consumer: c}, rate: h.rate(id)}
	parts := []string{fmt.Sprintf("%s consumer %d (%s) rank %d/%d", term.Line(term.Short(f.Dataset)), c.Number, c.process(), c.Rank, max(1, c.World))}
	for _, p := range []struct {
		value float64
		text  string
	}{
		{row.samples, perSecond(row.samples) + " samples/s"}, {row.step, "step " + term.Milliseconds(row.step)}, {row.stall, "stall " + percent(row.stall)},
	} {
		if p.value >= 0 {
			parts = append(parts, p.text)
		}
	}
	return strings.Join(append(parts, fmt.Sprintf("P %d R %d T %d of %d", c.Ring.Preparing, c.Ring.Ready, c.Ring.Training, c.Ring.Slots)), " · ")
}

// fresh are the findings of now whose rules did not find anything before.
func fresh(before, now []diagnosis.Verdict) (list []diagnosis.Verdict) {
	for _, v := range now {
		if !slices.ContainsFunc(before, func(b diagnosis.Verdict) bool { return b.Rule == v.Rule }) {
			list = append(list, v)
		}
	}
	return list
}

// findingText is a finding in one line.
func findingText(v diagnosis.Verdict) string {
	text := string(v.Basis)
	if v.Gain != nil {
		text += fmt.Sprintf(", gain %.0f %%", 100**v.Gain)
	}
	return term.Line(fmt.Sprintf("%s: %s [%s]", text, v.Text(), v.Rule))
}
