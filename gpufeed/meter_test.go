package gpufeed

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"voxpack/gpufeed/datatest"
	"voxpack/gpufeed/plan"
	"voxpack/gpufeed/sim"
)

// TestWhoMadeABatchLate plants stages that are slower than the trainer, in
// virtual time. By definition a stage answers for what would go away without it:
// the longest for what it takes more than the next longest.
func TestWhoMadeABatchLate(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(57)), plan.Selection{})
	const ms = time.Millisecond
	for _, tt := range []struct {
		name                     string
		fill, in, peer, training time.Duration // peer 0: one GPU; in 0 too: the host
		want                     [3]time.Duration
	}{
		{"nobody, on the host", 10 * ms, 0, 0, 15 * ms, [3]time.Duration{}},
		{"nobody, on two GPUs", 10 * ms, 12 * ms, 9 * ms, 15 * ms, [3]time.Duration{}},
		{"filling, on the host", 20 * ms, 0, 0, 15 * ms, [3]time.Duration{5 * ms}},
		{"filling, on one GPU", 20 * ms, 3 * ms, 0, 15 * ms, [3]time.Duration{5 * ms}},
		{"filling, on two", 20 * ms, 3 * ms, 4 * ms, 15 * ms, [3]time.Duration{5 * ms}},
		{"the first copy", 2 * ms, 20 * ms, 3 * ms, 15 * ms, [3]time.Duration{0, 5 * ms}},
		{"the second copy", 2 * ms, 3 * ms, 20 * ms, 15 * ms, [3]time.Duration{0, 0, 5 * ms}},
		{"filling, then the first copy", 20 * ms, 18 * ms, 3 * ms, 15 * ms, [3]time.Duration{2 * ms, 3 * ms}},
		{"all three", 20 * ms, 18 * ms, 17 * ms, 15 * ms, [3]time.Duration{2 * ms, 1 * ms, 2 * ms}},
		{"nobody trains", 20 * ms, 6 * ms, 0, 0, [3]time.Duration{14 * ms, 6 * ms}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := layout(t, datatest.Schema, 8, 0)
				link := func(d time.Duration) sim.Link {
					return sim.Link{BytesPerSecond: float64(l.Bytes) / max(d, 1).Seconds()}
				}
				c := Config{Plan: plan.Options{Batch: 8}, Fillers: 1, Cache: CacheOff}
				if tt.in > 0 {
					d := sim.New(sim.Options{In: link(tt.in), Peer: link(tt.peer)})
					defer d.Close()
					c.Driver = d
				}
				if tt.peer > 0 {
					c.ModelGPU = 1
				}
				for i, s := range stepsOf(t, set, c, tt.fill, tt.training, 60) {
					var sum time.Duration
					for _, late := range s.Late {
						sum += late
					}
					if sum > s.Stall || s.Stall > s.Took && i > 0 { // before the first batch there is no step
						t.Fatalf("step %d: %+v, want parts of a stall of a step", i, s)
					}
					if i < 40 { // the ring fills before the training begins
						continue
					}
					for stage, late := range s.Late {
						if off := late - tt.want[stage]; off < -ms/10 || off > ms/10 {
							t.Fatalf("step %d: stages are late by %v, want %v", i, s.Late, tt.want)
						}
					}
				}
			})
		})
	}
}

// stepsOf are the first n steps of a consumer that keeps each batch for a while.
func stepsOf(t *testing.T, set *plan.Set, c Config, filling, training time.Duration, n int) (steps []Step) {
	t.Helper()
	reader, err := NewReader(set, ChecksFirst)
	if err != nil {
		t.Fatal(err)
	}
	f, err := open(context.Background(), set, c, &paced{source: reader, takes: func(int64) time.Duration { return filling }})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for range n {
		b, err := f.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		steps = append(steps, b.Step)
		time.Sleep(training)
		b.Release()
	}
	return steps
}
