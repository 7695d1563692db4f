package serve

import (
	"slices"
	"testing"
	"time"
)

// takes makes entries of (asked, waited, got), all of one loop.
func takes(list ...[3]uint64) (all []Take) {
	for i, t := range list {
		all = append(all, Take{Number: uint64(i), Loop: 1, Asked: t[0], Waited: t[1], Got: t[2]})
	}
	return all
}

// marks makes entries of (begin, end).
func marks(list ...[2]uint64) (all []Mark) {
	for i, m := range list {
		all = append(all, Mark{Number: uint64(i), Begin: m[0], End: m[1]})
	}
	return all
}

// TestStepsOfALog: docs/protocol.md says what a step is and which part of it is
// what. Each step here is (took, load, copy, train).
func TestStepsOfALog(t *testing.T) {
	apart := takes([3]uint64{0, 0, 10}, [3]uint64{50, 20, 75}, [3]uint64{100, 0, 101})
	apart[2].Loop = 2
	missing := takes([3]uint64{0, 0, 10}, [3]uint64{50, 20, 75}, [3]uint64{100, 0, 101})
	missing = slices.Delete(missing, 1, 2)
	for _, c := range []struct {
		name           string
		log            StepLog
		want           [][4]time.Duration
		marked, hidden bool
	}{
		{name: "nothing"},
		{name: "one batch is no step", log: StepLog{Takes: takes([3]uint64{0, 5, 10})}},
		{name: "without marks: waits, and the rest is not told apart",
			log: StepLog{Takes: takes([3]uint64{0, 5, 10}, [3]uint64{50, 20, 75})}, want: [][4]time.Duration{{65, 20, 5, 0}}},
		{name: "a mark is training, before it and after it are gaps",
			log:  StepLog{Takes: takes([3]uint64{0, 5, 10}, [3]uint64{50, 20, 75}), Marks: marks([2]uint64{12, 48})},
			want: [][4]time.Duration{{65, 20, 5, 36}}, marked: true},
		{name: "several marks in a step add up, one that overlaps another counts once",
			log:  StepLog{Takes: takes([3]uint64{0, 5, 10}, [3]uint64{50, 0, 75}), Marks: marks([2]uint64{10, 20}, [2]uint64{30, 40}, [2]uint64{35, 45})},
			want: [][4]time.Duration{{65, 0, 25, 25}}, marked: true},
		{name: "a mark over several batches is in each",
			log:  StepLog{Takes: takes([3]uint64{0, 0, 10}, [3]uint64{20, 0, 30}, [3]uint64{40, 0, 50}), Marks: marks([2]uint64{5, 60})},
			want: [][4]time.Duration{{20, 0, 0, 20}, {20, 0, 0, 20}}, marked: true},
		{name: "steps from before the first mark are left out",
			log:  StepLog{Takes: takes([3]uint64{0, 0, 10}, [3]uint64{20, 0, 30}, [3]uint64{40, 0, 50}), Marks: marks([2]uint64{31, 39})},
			want: [][4]time.Duration{{20, 0, 10, 8}}, marked: true},
		{name: "marks that stopped long ago are none",
			log:  StepLog{Takes: takes([3]uint64{0, 0, 10}, [3]uint64{20, 0, 30}, [3]uint64{40, 0, 50}, [3]uint64{60, 0, 70}), Marks: marks([2]uint64{11, 19})},
			want: [][4]time.Duration{{20, 0, 10, 8}, {20, 0, 10, 0}, {20, 0, 10, 0}}},
		{name: "the time between two loops is no step", log: StepLog{Takes: apart}, want: [][4]time.Duration{{65, 20, 5, 0}}},
		{name: "a step with an entry missing is left out", log: StepLog{Takes: missing}},
		{name: "a mark without an end ends where the next one begins",
			log:  StepLog{Takes: takes([3]uint64{0, 0, 10}, [3]uint64{50, 0, 75}), Marks: marks([2]uint64{12, 0}, [2]uint64{40, 48})},
			want: [][4]time.Duration{{65, 0, 25, 36}}, marked: true},
		{name: "taken ahead: from mark to mark, and a wait beside training is none",
			log:  StepLog{Ahead: true, Takes: takes([3]uint64{0, 0, 1}, [3]uint64{1, 50, 52}, [3]uint64{52, 8, 62}), Marks: marks([2]uint64{10, 40}, [2]uint64{56, 90}, [2]uint64{100, 0})},
			want: [][4]time.Duration{{46, 11 + 4, 1, 30}, {44, 0, 0, 34}}, marked: true},
		{name: "taken ahead without marks: nobody knows what is waited for",
			log: StepLog{Ahead: true, Takes: takes([3]uint64{0, 5, 10}, [3]uint64{50, 20, 75})}, want: [][4]time.Duration{{65, 0, 0, 0}}, hidden: true},
	} {
		s := c.log.Steps()
		var got [][4]time.Duration
		for _, step := range s.List {
			got = append(got, [4]time.Duration{step.Took, step.Load, step.Copy, step.Train})
		}
		if !slices.Equal(got, c.want) || s.Marked != c.marked || s.Hidden != c.hidden {
			t.Errorf("%s: %v, marked %v, hidden %v\nwant %v, %v, %v", c.name, got, s.Marked, s.Hidden, c.want, c.marked, c.hidden)
		}
	}
}

// TestSummaryOfSteps: a wait is what load and copies have together.
func TestSummaryOfSteps(t *testing.T) {
	s := Steps{Marked: true, List: []Step{
		{Took: 100 * time.Millisecond, Load: 10 * time.Millisecond, Copy: 20 * time.Millisecond, Train: 60 * time.Millisecond},
		{Took: 300 * time.Millisecond, Load: 30 * time.Millisecond, Train: 200 * time.Millisecond},
	}}.Summary()
	if s.Period.Count != 2 || s.Period.MeanMS != 200 || s.Period.StdMS != 100 || s.Wait.MeanMS != 30 || s.Load.MeanMS != 20 || s.Copy.MeanMS != 10 || s.Train.MeanMS != 130 || !s.Marked {
		t.Errorf("%+v", s)
	}
}

// TestAStateThatNoFeederWrites: the ring's words are the consumer's to write too.
func TestAStateThatNoFeederWrites(t *testing.T) {
	for word, want := range map[uint32]string{running: "running", ended: "ended", failed: "failed", 3: "failed", 1 << 31: "failed"} {
		if got := stateName(word); got != want {
			t.Errorf("state %d is %q, want %q", word, got, want)
		}
	}
}
