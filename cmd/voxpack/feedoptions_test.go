package main

import (
	"fmt"
	"reflect"
	"runtime"
	"testing"
	"time"

	"voxpack/gpufeed"
	"voxpack/gpufeed/plan"
	"voxpack/internal/config"
	"voxpack/store"
)

func TestFeedErrorsHaveExitCodes(t *testing.T) {
	for _, tt := range []struct {
		name string
		err  error
		want int
	}{
		{"none", nil, exitDone},
		{"a corrupt sample is a finding", &gpufeed.StageError{Stage: "fill", Err: &plan.CorruptError{ID: "a", Err: store.ErrDamaged}}, exitFindings},
		{"a record that cannot be read too", &plan.CorruptError{Err: store.ErrDamaged}, exitFindings},
		{"a cursor that does not fit is usage", fmt.Errorf("resume: %w", plan.ErrCursor), exitUsage},
		{"a copy that does not end is the machine", gpufeed.ErrCopyTimeout, exitEnvironment},
		{"a batch that does not come too", gpufeed.ErrWaitTimeout, exitEnvironment},
	} {
		if got := exitCode(feedError(tt.err)); got != tt.want {
			t.Errorf("%s: exit code %d, want %d", tt.name, got, tt.want)
		}
	}
}

// TestTheStartOfTheProcessIsBeforeMain: the kernel's note of it is rounded down,
// so that the age is never too small.
func TestTheStartOfTheProcessIsBeforeMain(t *testing.T) {
	inMain := time.Since(entered.at)
	if got := sinceStart(); got < inMain+entered.cpu || got > inMain+time.Minute {
		t.Errorf("sinceStart() = %v, want a little more than the %v in main and the %v of work before", got, inMain, entered.cpu)
	}
	if age := processAge(); runtime.GOOS == "linux" && (age < inMain || age > inMain+time.Minute) {
		t.Errorf("processAge() = %v, want a little more than the %v in main", age, inMain)
	}
}

// TestSettingsOfTheConfigHoldWhereNoFlagDoes looks at what the feed is asked for.
func TestSettingsOfTheConfigHoldWhereNoFlagDoes(t *testing.T) {
	base := config.Default().Feed
	for _, tt := range []struct {
		name   string
		args   []string
		change func(*config.Feed)
		got    func(*feedOptions) any
		want   any
	}{
		{"the batch", nil, func(c *config.Feed) { c.BatchSize = 7 }, func(o *feedOptions) any { return o.translate().Plan.Batch }, 7},
		{"a flag beats it", []string{"--batch-size", "9"}, func(c *config.Feed) { c.BatchSize = 7 }, func(o *feedOptions) any { return o.translate().Plan.Batch }, 9},
		{"the depth at the start", nil, func(c *config.Feed) { c.PrefetchBufferSize = 5 }, func(o *feedOptions) any { return o.translate().Depth }, 5},
		{"the depth without one is the rule's", []string{"--batch-size", "8"}, func(*config.Feed) {}, func(o *feedOptions) any { return o.translate().Depth }, 8},
		{"which the world's share counts for", []string{"--batch-size", "32", "--world", "2"}, func(*config.Feed) {}, func(o *feedOptions) any { return o.translate().Depth }, 4},
		{"the most it grows to", nil, func(c *config.Feed) { c.PipelineBufferSize = 6 }, func(o *feedOptions) any { return o.translate().MaxDepth }, 6},
		{"is the most it starts with", []string{"--batch-size", "1"}, func(c *config.Feed) { c.PipelineBufferSize = 6 }, func(o *feedOptions) any { return o.translate().Depth }, 6},
		{"and gives way to a flag", []string{"--prefetch-buffer-size", "9"}, func(c *config.Feed) { c.PipelineBufferSize = 6 }, func(o *feedOptions) any { return o.translate().MaxDepth }, 9},
		{"a ring that stays as it is", nil, func(c *config.Feed) { c.EnhancedGPUPrefetch = false }, func(o *feedOptions) any { return o.translate().FixedDepth }, true},
		{"a ring that moves", nil, func(*config.Feed) {}, func(o *feedOptions) any { return o.translate().FixedDepth }, false},
		{"batches that wait on the GPU", nil, func(c *config.Feed) { c.PrefetchToGPU = true }, func(o *feedOptions) any { return o.onGPU }, true},
		{"the split", nil, func(c *config.Feed) { c.ValSplit, c.TrainSplit = 0.1, 0.8 }, func(o *feedOptions) any { return []float64{o.valSplit, o.trainSplit} }, []float64{0.1, 0.8}},
		{"whose parts a flag settles both", []string{"--val-split", "0.3"}, func(c *config.Feed) { c.ValSplit, c.TrainSplit = 0.1, 0.8 }, func(o *feedOptions) any { return []float64{o.valSplit, o.trainSplit} }, []float64{0.3, 0}},
		{"the GPUs", []string{"--model-gpu", "3"}, func(c *config.Feed) { c.DataGPU, c.ModelGPU = 1, 2 }, func(o *feedOptions) any { return []int{o.dataGPU, o.modelGPU} }, []int{1, 3}},
	} {
		o := optionsOf(t, tt.args...)
		c := base
		tt.change(&c)
		o.merge(c)
		if got := tt.got(o); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestALiveLineGoesOnWhereAResumedEpochStood: batches of 2 behind 5 samples.
func TestALiveLineGoesOnWhereAResumedEpochStood(t *testing.T) {
	var s spot
	resumed := &plan.Cursor{Epoch: 3, Samples: 5}
	for i, want := range []struct{ epoch, batch int }{{3, 3}, {3, 4}, {4, 1}, {4, 2}} {
		s.reach(uint64(want.epoch), resumed, 2)
		if epoch, batch := s.now(); int(epoch) != want.epoch || batch != want.batch {
			t.Errorf("delivery %d: epoch %d batch %d, want %d and %d", i, epoch, batch, want.epoch, want.batch)
		}
	}
}
