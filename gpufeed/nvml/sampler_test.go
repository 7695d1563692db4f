//go:build linux && (amd64 || arm64) && !nogpu

package nvml

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// sampled runs a Sampler for a time, in the bubble's clock, and says what it saw.
func sampled(every, lasting time.Duration, devices ...Device) []Usage {
	s := NewSampler(every, devices...)
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { s.Run(ctx) })
	time.Sleep(lasting)
	synctest.Wait()
	cancel()
	wg.Wait()
	return s.Usage()
}

func TestSampler(t *testing.T) {
	const mib = 1 << 20
	for _, c := range []struct {
		name    string
		env     []string
		lasting time.Duration
		want    [2]Usage
		lost    [2]bool
		failed  string // in the errors
	}{
		{
			name:    "the mean of utilisation and the peak of memory",
			env:     []string{"UTIL", "10,20,60;50", "MEM_MB", "100,900,300;64"},
			lasting: 350 * time.Millisecond,
			want: [2]Usage{
				{Samples: 3, Utilisation: 30, PeakMemory: 900 * mib},
				{Samples: 3, Utilisation: 50, PeakMemory: 64 * mib},
			},
		},
		{
			name:    "memory counts from the start, utilisation after an interval",
			env:     []string{"UTIL", "10,90", "MEM_MB", "700,5"},
			lasting: 100 * time.Millisecond,
			want: [2]Usage{
				{Samples: 1, Utilisation: 10, PeakMemory: 700 * mib},
				{Samples: 1, Utilisation: 10, PeakMemory: 700 * mib},
			},
		},
		{
			name:    "a run shorter than an interval has one sample",
			env:     []string{"UTIL", "40,90", "MEM_MB", "5,6,7"},
			lasting: 99 * time.Millisecond,
			want: [2]Usage{
				{Samples: 1, Utilisation: 40, PeakMemory: 6 * mib},
				{Samples: 1, Utilisation: 40, PeakMemory: 6 * mib},
			},
		},
		{
			name:    "what a device does not support is unknown and no failure",
			env:     []string{"UNSUPPORTED", "nvmlDeviceGetUtilizationRates,nvmlDeviceGetMemoryInfo"},
			lasting: 350 * time.Millisecond,
			want:    [2]Usage{{Utilisation: Unknown, PeakMemory: Unknown}, {Utilisation: Unknown, PeakMemory: Unknown}},
		},
		{
			name:    "a lost device is not asked again, and keeps what was seen of it",
			env:     []string{"LOST", "0@3", "UTIL", "20", "MEM_MB", "8"},
			lasting: 550 * time.Millisecond,
			want: [2]Usage{
				{Samples: 1, Utilisation: 20, PeakMemory: 8 * mib, Failed: 1},
				{Samples: 5, Utilisation: 20, PeakMemory: 8 * mib},
			},
			lost: [2]bool{true, false}, failed: "GPU 0000:01:00.0: nvmlDeviceGetUtilizationRates: NVML_ERROR_GPU_IS_LOST",
		},
		{
			name:    "what fails otherwise is asked again, and does not hide the rest",
			env:     []string{"FAIL", "nvmlDeviceGetUtilizationRates=999", "MEM_MB", "1,2,9"},
			lasting: 350 * time.Millisecond,
			want: [2]Usage{
				{Utilisation: Unknown, PeakMemory: 9 * mib, Failed: 3},
				{Utilisation: Unknown, PeakMemory: 9 * mib, Failed: 3},
			},
			failed: "NVML_ERROR_UNKNOWN (999)",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := fake(t, c.env...)
			devices := []Device{device(t, n, bus0), device(t, n, bus1)}
			synctest.Test(t, func(t *testing.T) {
				for i, got := range sampled(100*time.Millisecond, c.lasting, devices...) {
					want := c.want[i]
					want.Bus = devices[i].bus
					if err := got.Err; (err != nil) != (want.Failed > 0) || err != nil && !strings.Contains(err.Error(), c.failed) || errors.Is(err, ErrLost) != c.lost[i] {
						t.Errorf("error of device %d: %v, want %q", i, err, c.failed)
					}
					got.Err, got.Spread = nil, Spread{} // TestHowMuchSamplesDiffer
					if got != want {
						t.Errorf("usage of device %d = %+v, want %+v", i, got, want)
					}
				}
			})
		})
	}
}

// TestHowMuchSamplesDiffer: by the definition of a mean and a deviation, of a
// memory that is looked at once more, at the start.
func TestHowMuchSamplesDiffer(t *testing.T) {
	const mib = 1 << 20
	n := fake(t, "UTIL", "10,20,60;50", "MEM_MB", "100,100,400,400;64")
	devices := []Device{device(t, n, bus0), device(t, n, bus1)}
	synctest.Test(t, func(t *testing.T) {
		got := sampled(100*time.Millisecond, 350*time.Millisecond, devices...)
		want := Spread{Utilisation: math.Sqrt((400. + 100 + 900) / 3), MeanMemory: 250 * mib, Memory: 150 * mib}
		if g := got[0].Spread; math.Abs(g.Utilisation-want.Utilisation) > 1e-9 || math.Abs(g.MeanMemory-want.MeanMemory) > 1 || math.Abs(g.Memory-want.Memory) > 1 {
			t.Errorf("spread %+v, want %+v", g, want)
		}
		if g := got[1].Spread; g.Utilisation != 0 || g.Memory > 1 || g.MeanMemory != 64*mib {
			t.Errorf("spread of equal samples %+v, want none", g)
		}
	})
}

// TestSamplerInterval: 0 is the documented interval.
func TestSamplerInterval(t *testing.T) {
	n := fake(t)
	d := device(t, n, bus0)
	synctest.Test(t, func(t *testing.T) {
		if got := sampled(0, 1010*time.Millisecond, d)[0].Samples; got != 5 {
			t.Errorf("%d samples in 1010 ms, want 5", got)
		}
	})
}

// TestSamplerWhileAsked: usage can be asked while samples are taken. The race
// detector watches; the clock is the real one and asserts nothing.
func TestSamplerWhileAsked(t *testing.T) {
	n := fake(t, "LOST", "1@40")
	s := NewSampler(50*time.Microsecond, device(t, n, bus0), device(t, n, bus1))
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { s.Run(ctx) })
	for {
		u := s.Usage()
		if u[0].Samples >= 40 && u[1].Failed > 0 {
			break
		}
	}
	cancel()
	wg.Wait()
	if u := s.Usage(); u[0].Err != nil || u[1].Failed != 1 {
		t.Errorf("usage = %+v, want one failure, of the second", u)
	}
}

// BenchmarkSample is what a look at two devices costs beside NVML's own time.
func BenchmarkSample(b *testing.B) {
	n := fake(b)
	s := NewSampler(0, device(b, n, bus0), device(b, n, bus1))
	b.ReportAllocs()
	for b.Loop() {
		s.sample()
	}
}
