package gpufeed

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"voxpack/gpufeed/datatest"
	"voxpack/gpufeed/plan"
)

// inVirtualTime runs a feed on the host whose fills take a time of their own.
func inVirtualTime(t *testing.T, c Config, takes func(n int64) time.Duration, body func(f *Feed)) {
	t.Helper()
	set := choose(t, datatest.Dataset(t, datatest.Samples(57)), plan.Selection{})
	synctest.Test(t, func(t *testing.T) {
		reader, err := NewReader(set, ChecksFirst)
		if err != nil {
			t.Fatal(err)
		}
		c.Plan = plan.Options{Batch: 8}
		f, err := open(context.Background(), set, c, &paced{source: reader, takes: takes})
		if err != nil {
			t.Fatal(err)
		}
		body(f)
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
}

func every(d time.Duration) func(int64) time.Duration {
	return func(int64) time.Duration { return d }
}

func TestTheDepth(t *testing.T) {
	const ms = time.Millisecond
	burst := func(n int64) time.Duration {
		if n%8 == 7 {
			return 15 * ms
		}
		return 3 * ms
	}
	for _, tt := range []struct {
		name          string
		config        Config
		takes         func(int64) time.Duration
		steps         int
		least, most   int // depth at the end
		grown, shrunk bool
	}{
		{"stays where fills are even", Config{Fillers: 1, Depth: 2}, every(3 * ms), 1000, 2, 2, false, false},
		{"grows with bursts", Config{Fillers: 1, Depth: 2}, burst, 1000, 3, 8, true, false},
		{"stays where fills are too slow", Config{Fillers: 1, Depth: 2}, every(9 * ms), 1000, 2, 2, false, false},
		{"stays when it is fixed", Config{Fillers: 1, Depth: 2, FixedDepth: true}, burst, 1000, 2, 2, false, false},
		{"never exceeds its limit", Config{Fillers: 1, Depth: 2, MaxDepth: 3}, burst, 1000, 3, 3, true, false},
		{"shrinks after 2,000 steps that found it full", Config{Fillers: 1, Depth: 8}, every(ms), 4100, 6, 6, false, true},
		{"does not shrink below two", Config{Fillers: 1, Depth: 3}, every(ms), 9000, 2, 2, false, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inVirtualTime(t, tt.config, tt.takes, func(f *Feed) {
				train(t, f, tt.steps, 5*ms)
				s := f.Stats()
				if s.Depth < tt.least || s.Depth > tt.most || s.Grown > 0 != tt.grown || s.Shrunk > 0 != tt.shrunk {
					t.Errorf("depth %d, grown %d, shrunk %d; want %d to %d, grown %v, shrunk %v", s.Depth, s.Grown, s.Shrunk, tt.least, tt.most, tt.grown, tt.shrunk)
				}
			})
		})
	}
}

// TestAConsumerMayHoldMoreThanTheDepth: as many as the ring can grow to.
func TestAConsumerMayHoldMoreThanTheDepth(t *testing.T) {
	inVirtualTime(t, Config{Depth: 2, MaxDepth: 6}, every(time.Millisecond), func(f *Feed) {
		var held []Batch
		for range 7 {
			b, err := f.Next(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			held = append(held, b)
		}
		for _, b := range held {
			b.Release()
		}
	})
}
