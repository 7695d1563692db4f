package serve

import (
	"math"
	"time"

	"voxpack/internal/perf"
)

// Step is the time from one batch that a loop got to the next. Its parts overlap
// nowhere; what they leave of it is neither training nor a wait.
type Step struct {
	Took   time.Duration
	Load   time.Duration // nobody trained, and the ring was empty
	Copy   time.Duration // nobody trained, and a batch was copied or handed over
	Train  time.Duration // marked
	Marked bool          // it has a mark
}

// Steps are the steps of a log.
type Steps struct {
	List []Step
	// Marked says that the trainer marks its steps. If it does not, Train is 0 and
	// what a step has besides waits may be training or not.
	Marked bool
	// Hidden says that nobody knows what the trainer waits for: batches are taken
	// ahead, and without marks those waits may be beside training.
	Hidden bool
}

// span is a while, in ns.
type span struct{ from, to uint64 }

// Steps takes the log apart. A step with an entry missing, and the time between
// two loops, are left out.
func (l StepLog) Steps() Steps {
	trained := l.trained()
	s := Steps{Hidden: l.Ahead && len(trained) == 0}
	periods := l.periods(trained)
	load, copied := make([]span, 0, len(l.Takes)), make([]span, 0, len(l.Takes))
	for _, t := range l.Takes {
		load = append(load, span{t.Asked, t.Asked + t.Waited})
		copied = append(copied, span{t.Asked + t.Waited, t.Got})
	}
	train, waits, copies := cutter{list: trained}, cutter{list: without(union(load), trained)}, cutter{list: without(union(copied), trained)}
	marked := 0
	for _, p := range periods {
		step := Step{Took: time.Duration(p.to - p.from), Train: train.in(p), Load: waits.in(p), Copy: copies.in(p)}
		if s.Hidden {
			step.Load, step.Copy = 0, 0
		}
		if step.Marked = step.Train > 0; step.Marked {
			marked++
		}
		s.List = append(s.List, step)
	}
	s.Marked = 2*marked > len(s.List)
	return s
}

// periods are the steps: from batch to batch, or where those are taken ahead from
// mark to mark. Where there are marks, a step from before the first one is left out.
func (l StepLog) periods(trained []span) (list []span) {
	if l.Ahead && len(l.Marks) > 0 {
		for i, m := range l.Marks[1:] {
			if before := l.Marks[i]; before.Number+1 == m.Number && before.Begin <= m.Begin {
				list = append(list, span{before.Begin, m.Begin})
			}
		}
		return list
	}
	for i := 1; i < len(l.Takes); i++ {
		a, b := l.Takes[i-1], l.Takes[i]
		if a.Number+1 != b.Number || a.Loop != b.Loop || b.Got < a.Got || len(trained) > 0 && b.Got <= trained[0].from {
			continue
		}
		list = append(list, span{a.Got, b.Got})
	}
	return list
}

// trained are the marked times. A mark that was never ended, and is not the last,
// ends where the next one begins.
func (l StepLog) trained() []span {
	list := make([]span, 0, len(l.Marks))
	for i, m := range l.Marks {
		s := span{m.Begin, m.End}
		if s.to == 0 {
			s.to = math.MaxUint64
			if i+1 < len(l.Marks) {
				s.to = l.Marks[i+1].Begin
			}
		}
		list = append(list, s)
	}
	return union(list)
}

// union joins what overlaps of a list that is in order.
func union(list []span) (joined []span) {
	for _, s := range list {
		if n := len(joined); n > 0 && s.from <= joined[n-1].to {
			joined[n-1].to = max(joined[n-1].to, s.to)
			continue
		}
		joined = append(joined, s)
	}
	return joined
}

// without is what others leave of times that are in order, others apart.
func without(list, others []span) (left []span) {
	at := 0
	for _, s := range list {
		for at < len(others) && others[at].to <= s.from {
			at++
		}
		for i := at; i < len(others) && others[i].from < s.to; i++ {
			if s.from < others[i].from {
				left = append(left, span{s.from, others[i].from})
			}
			s.from = max(s.from, others[i].to)
		}
		if s.from < s.to {
			left = append(left, s)
		}
	}
	return left
}

// cutter cuts times out of a list, in their order.
type cutter struct {
	list []span
	at   int
}

// in is how much of the list lies in a step.
func (c *cutter) in(s span) (d time.Duration) {
	for c.at < len(c.list) && c.list[c.at].to <= s.from {
		c.at++
	}
	for i := c.at; i < len(c.list) && c.list[i].from < s.to; i++ {
		if from, to := max(c.list[i].from, s.from), min(c.list[i].to, s.to); from < to {
			d += time.Duration(to - from)
		}
	}
	return d
}

// StepSummary is the steps of a log in figures: their number, median, 99th
// percentile, mean and standard deviation are those of the summaries.
type StepSummary struct {
	Marked, Hidden bool         // as in Steps
	Period         perf.Summary // from step to step
	Wait           perf.Summary // Load and Copy of a step together
	Load, Copy     perf.Summary
	Train          perf.Summary // 0 without marks
}

// Summary sums steps up.
func (s Steps) Summary() StepSummary {
	var period, wait, load, copied, train perf.Histogram
	for _, step := range s.List {
		period.Record(step.Took)
		wait.Record(step.Load + step.Copy)
		load.Record(step.Load)
		copied.Record(step.Copy)
		train.Record(step.Train)
	}
	return StepSummary{s.Marked, s.Hidden, period.Summary(), wait.Summary(), load.Summary(), copied.Summary(), train.Summary()}
}
