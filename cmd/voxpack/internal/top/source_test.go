package top

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"voxpack/diagnosis"
	"voxpack/gpufeed/inventory"
	"voxpack/gpufeed/serve"
	"voxpack/internal/perf"
)

// logOf is a log of steps of 10 ms, each with 2 ms of waiting and a mark of 7 ms.
func logOf(steps int) (l serve.StepLog) {
	const ms = 1_000_000
	for i := range steps {
		n, got := uint64(i), uint64(i)*10*ms+2*ms
		l.Takes = append(l.Takes, serve.Take{Number: n, Loop: 1, Asked: got - 2*ms, Waited: 2 * ms, Got: got})
		l.Marks = append(l.Marks, serve.Mark{Number: n, Taken: n + 1, Begin: got + ms, End: got + 8*ms})
	}
	return l
}

// TestStepsAreThoseSinceTheLookBefore: figures follow a training as it changes, and
// one whose step is longer than an interval keeps its last.
func TestStepsAreThoseSinceTheLookBefore(t *testing.T) {
	const ms = 1_000_000
	for _, c := range []struct {
		name         string
		steps        int
		since        uint64
		takes, marks int
		first        uint64
	}{
		{"all at first", 100, 0, 100, 100, 0},
		{"from the middle, with the step that was under way", 100, 503 * ms, 50, 50, 50},
		{"none is new: the last one stays", 100, 5000 * ms, 2, 2, 98},
		{"one batch is no step", 1, 0, 1, 1, 0},
		{"nothing yet", 0, 0, 0, 0, 0},
	} {
		got := lastSteps(logOf(c.steps), c.since)
		if len(got.Takes) != c.takes || len(got.Marks) != c.marks || c.takes > 0 && got.Takes[0].Number != c.first {
			t.Errorf("%s: %d takes and %d marks from %+v, want %d and %d from %d", c.name, len(got.Takes), len(got.Marks), got.Takes[:min(1, len(got.Takes))], c.takes, c.marks, c.first)
		}
	}
	s := stepsOf(lastSteps(logOf(100), 503*ms).Steps().Summary())
	if s.Count != 49 || s.MeanMS != 10 || *s.Load != 0.2 || *s.Copy != 0 || *s.Train != 0.7 || s.stall() != 0.2 {
		t.Errorf("%d steps of %v ms, load %v, copy %v, train %v; want 49 of 10 ms, 0.2, 0 and 0.7", s.Count, s.MeanMS, *s.Load, *s.Copy, *s.Train)
	}
}

// TestWhatIsNotKnownOfSteps stays null.
func TestWhatIsNotKnownOfSteps(t *testing.T) {
	unmarked, ahead := logOf(10), logOf(10)
	unmarked.Marks, ahead.Marks, ahead.Ahead = nil, nil, true
	for _, c := range []struct {
		name               string
		log                serve.StepLog
		count              int64
		load, train, stall bool
	}{
		{"no step yet", logOf(1), 0, false, false, false},
		{"nothing is marked", unmarked, 9, true, false, true},
		{"batches are taken ahead, and nothing is marked", ahead, 9, false, false, false},
	} {
		s := stepsOf(c.log.Steps().Summary())
		if s.Count != c.count || (s.Load != nil) != c.load || (s.Train != nil) != c.train || (s.stall() >= 0) != c.stall {
			t.Errorf("%s: %+v", c.name, s)
		}
	}
}

// seen is a session with two fillers that need so long for a batch, and a training
// of 10 ms.
func seen(fill float64) (*serve.Look, serve.Session, serve.StepSummary) {
	sum := func(mean float64) perf.Summary {
		return perf.Summary{Count: 100, TotalMS: 100 * mean, MeanMS: mean, P99MS: mean}
	}
	step := max(10, fill/2)
	s := serve.Session{
		ID: 3, PID: 1, World: 1, Batch: 8, Samples: 8, Transport: "host", Slots: 5, HasSteps: true, Taken: 100, Published: 104, Held: 1, Ready: 2, Preparing: 2,
		Setup:   serve.Setup{Rows: 800, Tail: "drop", Shuffle: "global", Buckets: 1, Checks: "first", Depth: 4, BatchBytes: 1_000_000},
		Stages:  []perf.StageSummary{{Name: "fill", Bytes: 104e9, Work: sum(fill)}, {Name: "consumer", Bytes: 104e6, Work: sum(1)}},
		Fillers: []serve.Filler{{Batches: 50, MeanMS: fill}, {Batches: 50, MeanMS: fill}},
		Real:    1,
	}
	steps := serve.StepSummary{Marked: true, Period: sum(step), Wait: sum(step - 10), Load: sum(step - 10), Train: sum(10)}
	return &serve.Look{Feeder: serve.Feeder{PID: 7, Cores: 8}}, s, steps
}

// TestFindingsOfASession: a feeder that is too slow is found with its gain, a
// sound one is not, and what a feeder of another version says ends nothing.
func TestFindingsOfASession(t *testing.T) {
	rules := func(l *serve.Look, s serve.Session, steps serve.StepSummary) (list []string) {
		for _, v := range findingsOf(l, s, steps) {
			list = append(list, v.Rule)
		}
		return list
	}
	if got := rules(seen(4)); got != nil {
		t.Errorf("a sound feeder: %v", got)
	}
	l, s, gaps := seen(4)
	gaps.Period, gaps.Train = perf.Summary{Count: 100, TotalMS: 2000, MeanMS: 20}, perf.Summary{Count: 100, TotalMS: 1000, MeanMS: 10}
	if got := rules(l, s, gaps); got != nil {
		t.Errorf("a trainer that does something else for half of its step: %v", got)
	}
	gaps.Period.StdMS = 10
	if got := findingsOf(l, s, gaps); len(got) != 1 || got[0].Rule != diagnosis.VariationTarget || strings.Contains(got[0].Cause, "simulated") {
		t.Errorf("a trainer that varies by itself: %+v", got)
	}
	if got := rules(seen(40)); !reflect.DeepEqual(got, []string{"workers-few"}) {
		t.Errorf("two workers that need 40 ms each beside a training of 10 ms: %v, want workers-few", got)
	}
	v := findingsOf(seen(40))
	if len(v) > 0 && (v[0].Gain == nil || *v[0].Gain < 0.4 || *v[0].Gain > 0.5 || v[0].Basis != diagnosis.Computed) {
		t.Errorf("%+v, want a gain of half a step, computed", v[0])
	}
	l, s, few := seen(40)
	few.Period.Count = fewest - 1
	if got := rules(l, s, few); got != nil {
		t.Errorf("after few steps: %v", got)
	}
	for stages := range 8 {
		l, s, steps := seen(40)
		s.Stages = make([]perf.StageSummary, stages)
		findingsOf(l, s, steps)
		s.Fillers = nil
		findingsOf(l, s, steps)
		consumerOf(l, serve.Seen{Session: s}, 0)
	}
}

// TestConsumerOfASession: counters are those of its own batches.
func TestConsumerOfASession(t *testing.T) {
	l, session, _ := seen(4)
	s := serve.Seen{Session: session}
	c := consumerOf(l, s, 0)
	if c.Number != 3 || c.Batches != 100 || c.Samples != 800 || c.Bytes != 104e6 || c.Device != "host" || len(c.Stages) != 1 {
		t.Errorf("%+v", c)
	}
	if want := (Ring{Slots: 5, Preparing: 2, Ready: 2, Training: 1}); c.Ring != want {
		t.Errorf("ring %+v, want %+v", c.Ring, want)
	}
	// The same bytes in more batches, as of small buckets, are no fewer bytes.
	if s.Taken, s.Published = 101, 108; consumerOf(l, s, 0).Bytes < c.Bytes {
		t.Errorf("bytes fell to %d", consumerOf(l, s, 0).Bytes)
	}
	one := 1
	s.GPU, s.HasSteps = &serve.GPU{Ordinal: &one}, false
	if c := consumerOf(l, s, 0); c.Device != "GPU 1" || c.Steps != nil {
		t.Errorf("on a GPU, without a log: %+v", c)
	}
}

// TestWhyNoAnswer: an end is told from trouble.
func TestWhyNoAnswer(t *testing.T) {
	for err, want := range map[error]string{
		fmt.Errorf("x: %w", serve.ErrGone):     hasEnded,
		fmt.Errorf("x: %w", serve.ErrNoFeeder): hasEnded,
		errors.New("it is older"):              "it is older",
	} {
		if got := whyNot(err); got != want {
			t.Errorf("%v: %q, want %q", err, got, want)
		}
	}
}

// TestGPUsOfTheMachine: what NVML does not tell is null.
func TestGPUsOfTheMachine(t *testing.T) {
	got := gpusOf([]inventory.GPU{{Busy: -1, Used: -1}, {Busy: 0, Used: 5, Memory: 9}})
	if got[0].Busy != nil || got[0].Used != nil || got[0].Memory != nil {
		t.Errorf("unknown: %+v", got[0])
	}
	if *got[1].Busy != 0 || *got[1].Used != 5 || *got[1].Memory != 9 {
		t.Errorf("known: %+v", got[1])
	}
}
