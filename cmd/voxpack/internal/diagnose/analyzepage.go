package diagnose

import (
	"fmt"
	"io"
	"time"

	"voxpack/cmd/voxpack/internal/term"
)

// mostOthers is the part of all cores, in percent, that others may use before the
// page says so: below it, an idle machine's own services.
const mostOthers = 10

// page is the analysis for people, in 60 columns.
func (a *analysis) page(w io.Writer) {
	field := term.Fields(w, 9)
	if a.Rows != nil {
		a.Rows.lines(field)
	}
	if a.Feed != nil {
		a.Feed.lines(field)
	}
	if l := a.Load; l != nil && l.Others > mostOthers {
		field("machine", "others used %.0f %% of all cores: times may be longer for it", l.Others)
	}
	term.Verdicts(field, a.Findings)
	n := 0
	for _, u := range a.Unseen {
		for _, line := range term.Wrapped(string(u.What) + ": " + u.Text) {
			field(term.First(n, "unseen"), "%s", line)
			n++
		}
	}
}

func (r *rowsFacts) lines(field func(string, string, ...any)) {
	field("rows", "%s of %s timed (seed %d), one core", term.Commas(r.Timed), term.Commas(r.Total), r.Seed)
	if r.Refused > 0 {
		for i, line := range term.Wrapped(fmt.Sprintf("a build would reject %d more of the sample; the first: %s", r.Refused, r.Why)) {
			field(term.First(i, "rejected"), "%s", line)
		}
	}
	field("text", "%s a row, %s in all", term.Milliseconds(r.Text.MS), seconds(r.Text.Total))
	field("audio", "%s a row, %s in all, for %.1f s of sound", term.Milliseconds(r.Audio.MS), seconds(r.Audio.Total), r.Seconds)
	field("", "varies by %.0f %%, clips of one length by %.0f %%", r.Audio.Variation, r.Audio.Uneven)
	field("steps", "%-10s %10s  %5s", "", "a row", "share")
	for _, s := range r.Steps {
		if s.MS > 0 {
			field("", "%-10s %10s  %3.0f %%", s.Step, term.Milliseconds(s.MS), 100*s.Share)
		}
	}
	for i, s := range r.Slowest {
		for j, line := range term.Wrapped(fmt.Sprintf("%s (%s): %s for %.1f s", s.ID, s.Kind, term.Milliseconds(s.MS), s.Seconds)) {
			field(term.First(i+j, "slowest"), "%s", line)
		}
	}
}

func (f *feedFacts) lines(field func(string, string, ...any)) {
	field("feed", "batches of %d through the host ring, %s each", f.Batch, term.Size(int64(f.Bytes)))
	field("", "one every %s ± %s, %s samples/s", term.Milliseconds(f.Between.MeanMS), term.Milliseconds(f.Between.StdMS), rate(f.Samples))
	t := f.Trainer
	if t == nil {
		return
	}
	field("trainer", "%s a step becomes %s; idle %.1f %%", term.Milliseconds(t.Own), term.Milliseconds(t.Step.MeanMS), 100*t.Idle)
	for i, q := range t.Queues {
		field(term.First(i, "ready"), "%s: %.0f %% of the batches", q.Queue, 100*q.Ready)
	}
	field("headspace", "%.1f %%: from memory a step is %s", 100*t.Headspace, term.Milliseconds(t.Replayed))
}

// seconds is a time of any length: a text of few rows takes microseconds.
func seconds(s float64) string {
	if s < 1 {
		return term.Milliseconds(1000 * s)
	}
	return term.Duration(time.Duration(s * float64(time.Second)))
}
