package gpufeed

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"voxpack/gpufeed/datatest"
	"voxpack/gpufeed/plan"
	"voxpack/gpufeed/sim"
)

// TestCloseAtAnyMoment: whatever fillers, copies and the consumer are at, Close
// ends all of them, and nothing is left on a device or pinned.
func TestCloseAtAnyMoment(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(57)), plan.Selection{})
	l := layout(t, datatest.Schema, 8, 0)
	for name, c := range map[string]Config{"host": {}, "direct": {ModelGPU: 1, Mode: Direct}, "dual": {ModelGPU: 1}} {
		t.Run(name, func(t *testing.T) {
			for moment := range 60 {
				synctest.Test(t, func(t *testing.T) {
					c := c
					c.Plan, c.Plan.Epochs = plan.Options{Batch: 8}, 2
					if name != "host" {
						d := sim.New(sim.Options{In: sim.Link{BytesPerSecond: float64(l.Bytes) / 2e-3}, Peer: sim.Link{BytesPerSecond: float64(l.Bytes) / 1e-3}})
						defer closeSim(t, d)
						c.Driver = d
					}
					reader, err := NewReader(set, ChecksFirst)
					if err != nil {
						t.Fatal(err)
					}
					f, err := open(context.Background(), set, c, &paced{source: reader, takes: func(int64) time.Duration { return 1500 * time.Microsecond }})
					if err != nil {
						t.Fatal(err)
					}
					ended := make(chan error)
					go func() { ended <- consume(f) }()
					time.Sleep(time.Duration(moment) * 777 * time.Microsecond)
					if err := f.Close(); err != nil {
						t.Error(err)
					}
					if err := <-ended; !errors.Is(err, ErrClosed) && err != io.EOF {
						t.Errorf("the consumer got %v", err)
					}
					if err := f.Close(); err != nil {
						t.Errorf("a second Close: %v", err)
					}
				})
			}
		})
	}
}

// TestNothingIsHandedOutAfterClose: from the start of Close on a batch that is
// ready stays where it is, or Close would have to wait for who takes it.
func TestNothingIsHandedOutAfterClose(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(57)), plan.Selection{})
	synctest.Test(t, func(t *testing.T) {
		f, err := Open(context.Background(), set, Config{Plan: plan.Options{Batch: 8}})
		if err != nil {
			t.Fatal(err)
		}
		b, err := f.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait() // the next one is ready
		if err := f.Close(); err == nil {
			t.Error("Close while a batch is held: no error")
		}
		if _, err := f.Next(context.Background()); err != ErrClosed {
			t.Errorf("Next after Close: %v, want %v", err, ErrClosed)
		}
		b.Release()
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
}

// consume takes batches, lets each go at once and thinks for a while.
func consume(f *Feed) error {
	for {
		b, err := f.Next(context.Background())
		if err != nil {
			return err
		}
		b.Release()
		time.Sleep(time.Millisecond)
	}
}

// TestNextObeysItsContext and the feed goes on with another.
func TestNextObeysItsContext(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(57)), plan.Selection{})
	synctest.Test(t, func(t *testing.T) {
		reader, err := NewReader(set, ChecksFirst)
		if err != nil {
			t.Fatal(err)
		}
		f, err := open(context.Background(), set, Config{Plan: plan.Options{Batch: 8}}, &paced{source: reader, takes: func(int64) time.Duration { return time.Second }})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
		defer cancel()
		if _, err := f.Next(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Next: %v, want its deadline", err)
		}
		b, err := f.Next(context.Background())
		if err != nil || b.Seq != 0 {
			t.Errorf("the next call: batch %d, %v; want batch 0", b.Seq, err)
		}
		b.Release()
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestNothingIsWrittenUnderALease: batches that a consumer keeps for a while,
// several at a time and let go in any order, hold what they held.
func TestNothingIsWrittenUnderALease(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(57)), plan.Selection{})
	for name, c := range map[string]Config{"host": {}, "direct": {ModelGPU: 1, Mode: Direct}, "dual": {ModelGPU: 1}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := c
				c.Plan, c.Plan.Epochs, c.DeviceDepth = plan.Options{Batch: 8}, 30, 5
				if name != "host" {
					d := sim.New(sim.Options{})
					defer closeSim(t, d)
					c.Driver = d
				}
				f, err := Open(context.Background(), set, c)
				if err != nil {
					t.Fatal(err)
				}
				fetcher, err := f.NewFetcher()
				if err != nil {
					t.Fatal(err)
				}
				content := func(b Batch) string {
					held, err := fetcher.Bytes(b)
					if err != nil {
						t.Fatal(err)
					}
					return string(held)
				}
				type lease struct {
					Batch
					was string
				}
				var held []lease
				r := rand.New(rand.NewPCG(1, 2))
				for n := 0; ; n++ {
					b, err := f.Next(context.Background())
					if err == io.EOF {
						break
					}
					if err != nil {
						t.Fatal(err)
					}
					held = append(held, lease{b, content(b)})
					for len(held) > r.IntN(4) {
						time.Sleep(time.Duration(r.IntN(2000)) * time.Microsecond)
						i := r.IntN(len(held))
						if content(held[i].Batch) != held[i].was {
							t.Fatalf("batch %d was overwritten while it was held", held[i].Seq)
						}
						held[i].Release()
						held = slices.Delete(held, i, i+1)
					}
				}
				for _, l := range held {
					l.Release()
				}
				if err := errors.Join(fetcher.Close(), f.Close()); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
