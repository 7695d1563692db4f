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

// TestSignsOfAWait, in virtual time: who fills how fast, how long batches are
// kept, what is padding, and where copies go.
func TestSignsOfAWait(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(64)), plan.Selection{}) // 1 to 8 of 8 frames, evenly
	synctest.Test(t, func(t *testing.T) {
		d := sim.New(sim.Options{NoPeer: true})
		defer closeSim(t, d)
		f, err := Open(context.Background(), set, Config{
			Driver: d, ModelGPU: 1, Cache: CacheOff, Plan: plan.Options{Batch: 8, Epochs: 4}, Fillers: 2, Depth: 4, MaxDepth: 6,
			Planted: func(f Fill) time.Duration { return time.Duration(f.Filler) * time.Millisecond },
		})
		if err != nil {
			t.Fatal(err)
		}
		for range 32 {
			b, err := f.Next(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(5 * time.Millisecond)
			b.Release()
		}
		s := f.Stats()
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		if len(s.Fillers) != 2 || s.Fillers[0].MeanMS != 1 || s.Fillers[1].MeanMS != 2 || s.Fillers[0].Batches+s.Fillers[1].Batches != 32 {
			t.Errorf("fillers %+v, want 32 batches of 1 and of 2 ms", s.Fillers)
		}
		if s.KeptMS != 5 || s.Real != 4.5/8 || s.Slots != 3 || s.MaxDepth != 6 || !s.Staged {
			t.Errorf("kept %v ms, real %v, %d slots, at most %d ahead, staged %v; want 5, %v, 3, 6 and true", s.KeptMS, s.Real, s.Slots, s.MaxDepth, s.Staged, 4.5/8)
		}
	})
}

// TestTheFirstBatchIsNoStep: n batches end n-1 steps, so that the consumer's mean
// is that of its steps in a run of any length, and all samples count.
func TestTheFirstBatchIsNoStep(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(64)), plan.Selection{})
	for _, n := range []int64{1, 2, 5} {
		synctest.Test(t, func(t *testing.T) {
			f, err := Open(context.Background(), set, Config{Plan: plan.Options{Batch: 8}})
			if err != nil {
				t.Fatal(err)
			}
			for range n {
				b, err := f.Next(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				time.Sleep(15 * time.Millisecond)
				b.Release()
			}
			s := f.Stats()
			train := s.Stages[len(s.Stages)-1]
			if train.Work.Count != n-1 || train.Work.TotalMS != float64(15*(n-1)) || train.Items != 8*n || s.Batches != n {
				t.Errorf("%d batches: %d steps of %v ms in all, %d samples; want %d of %d ms, %d", n, train.Work.Count, train.Work.TotalMS, train.Items, n-1, 15*(n-1), 8*n)
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
