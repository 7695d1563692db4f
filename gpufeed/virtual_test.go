package gpufeed

import (
	"context"
	"math"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"voxpack/gpufeed/datatest"
	"voxpack/gpufeed/plan"
	"voxpack/gpufeed/sim"
)

// paced is a source whose fills take a time of their own.
type paced struct {
	source
	fills atomic.Int64
	takes func(n int64) time.Duration // of the n-th fill, from 0
}

func (p *paced) Fill(l *Layout, d Delivery, slot []byte) error {
	time.Sleep(p.takes(p.fills.Add(1) - 1))
	return p.source.Fill(l, d, slot)
}

// steps is what a consumer measured that works for some time on each batch.
type steps struct {
	mean, variation float64 // ms, and std / mean
	most            time.Duration
}

// train takes n batches and holds each for work.
func train(t testing.TB, f *Feed, n int, work time.Duration) steps {
	t.Helper()
	var sum, squares float64
	var s steps
	var last time.Time
	for i := range n + 1 {
		b, err := f.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if now := time.Now(); i > 0 {
			step := now.Sub(last)
			ms := step.Seconds() * 1e3
			sum, squares = sum+ms, squares+ms*ms
			s.most = max(s.most, step)
			last = now
		} else {
			last = now
		}
		time.Sleep(work)
		b.Release()
	}
	s.mean = sum / float64(n)
	s.variation = math.Sqrt(squares/float64(n)-s.mean*s.mean) / s.mean
	return s
}

// TestTheRingHidesBursts is the trainer of the requirements, in virtual time:
// a step of 5 ms, a copy of 4.2 ms, a preparation of 3 ms of which every 8th
// takes 15 ms, by one filler.
func TestTheRingHidesBursts(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(57)), plan.Selection{})
	const work = 5 * time.Millisecond
	burst := func(n int64) time.Duration {
		if n%8 == 7 {
			return 15 * time.Millisecond
		}
		return 3 * time.Millisecond
	}
	run := func(c Config) (s steps, stats Stats) {
		synctest.Test(t, func(t *testing.T) {
			l := layout(t, datatest.Schema, 8, 0)
			d := sim.New(sim.Options{In: sim.Link{BytesPerSecond: float64(l.Bytes) / 4.2e-3}})
			c.Driver, c.Plan, c.Fillers = d, plan.Options{Batch: 8}, 1
			reader, err := NewReader(set, ChecksFirst)
			if err != nil {
				t.Fatal(err)
			}
			f, err := open(context.Background(), set, c, &paced{source: reader, takes: burst})
			if err != nil {
				t.Fatal(err)
			}
			s = train(t, f, 2000, work)
			stats = f.Stats()
			if err := f.Close(); err != nil {
				t.Error(err)
			}
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		})
		return s, stats
	}
	got, stats := run(Config{Depth: 2})
	alone, _ := run(Config{Depth: 1, FixedDepth: true, DeviceDepth: 1})
	serial := 0.0 // one after the other, by the same clock
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		for n := range int64(2000) {
			time.Sleep(burst(n) + 4200*time.Microsecond + work)
		}
		serial = time.Since(start).Seconds() / 2000 * 1e3
	})
	t.Logf("with overlap: mean step %.3f ms, variation %.1f %%, longest %v, depth %d, grown %d", got.mean, 100*got.variation, got.most, stats.Depth, stats.Grown)
	t.Logf("without overlap: mean step %.3f ms", serial)
	t.Logf("one slot on each side: mean step %.3f ms, variation %.1f %%", alone.mean, 100*alone.variation)
	if got.mean > 1.06*5 {
		t.Errorf("mean step %.3f ms, want at most 1.06 times the longest stage of 5 ms", got.mean)
	}
	if got.variation >= 0.05 {
		t.Errorf("variation %.1f %%, want less than 5 %%", 100*got.variation)
	}
}
