package feedrun

import (
	"fmt"
	"reflect"
	"testing"

	"voxpack/gpufeed"
	"voxpack/gpufeed/plan"
	"voxpack/internal/config"
	"voxpack/store"
)

func TestFeedErrorsHaveExitCodes(t *testing.T) {
	for _, tt := range []struct {
		name string
		err  error
		want end
	}{
		{"none", nil, ended},
		{"a corrupt sample is a finding", &gpufeed.StageError{Stage: "fill", Err: &plan.CorruptError{ID: "a", Err: store.ErrDamaged}}, foundSomething},
		{"a record that cannot be read too", &plan.CorruptError{Err: store.ErrDamaged}, foundSomething},
		{"a cursor that does not fit is usage", fmt.Errorf("resume: %w", plan.ErrCursor), wrongCommand},
		{"a copy that does not end is the machine", gpufeed.ErrCopyTimeout, machineFailed},
		{"a batch that does not come too", gpufeed.ErrWaitTimeout, machineFailed},
	} {
		if got := endOf(exitError(tt.err)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestSettingsOfTheConfigHoldWhereNoFlagDoes looks at what the feed is asked for.
func TestSettingsOfTheConfigHoldWhereNoFlagDoes(t *testing.T) {
	base := config.Default().Feed
	for _, tt := range []struct {
		name   string
		args   []string
		change func(*config.Feed)
		got    func(*Options) any
		want   any
	}{
		{"the batch", nil, func(c *config.Feed) { c.BatchSize = 7 }, func(o *Options) any { return o.FeedConfig().Plan.Batch }, 7},
		{"a flag beats it", []string{"--batch-size", "9"}, func(c *config.Feed) { c.BatchSize = 7 }, func(o *Options) any { return o.FeedConfig().Plan.Batch }, 9},
		{"the depth at the start", nil, func(c *config.Feed) { c.PrefetchBufferSize = 5 }, func(o *Options) any { return o.FeedConfig().Depth }, 5},
		{"the depth without one is the rule's", []string{"--batch-size", "8"}, func(*config.Feed) {}, func(o *Options) any { return o.FeedConfig().Depth }, 8},
		{"which the world's share counts for", []string{"--batch-size", "32", "--world", "2"}, func(*config.Feed) {}, func(o *Options) any { return o.FeedConfig().Depth }, 4},
		{"the most it grows to", nil, func(c *config.Feed) { c.PipelineBufferSize = 6 }, func(o *Options) any { return o.FeedConfig().MaxDepth }, 6},
		{"is the most it starts with", []string{"--batch-size", "1"}, func(c *config.Feed) { c.PipelineBufferSize = 6 }, func(o *Options) any { return o.FeedConfig().Depth }, 6},
		{"and gives way to a flag", []string{"--prefetch-buffer-size", "9"}, func(c *config.Feed) { c.PipelineBufferSize = 6 }, func(o *Options) any { return o.FeedConfig().MaxDepth }, 9},
		{"a ring that stays as it is", nil, func(c *config.Feed) { c.EnhancedGPUPrefetch = false }, func(o *Options) any { return o.FeedConfig().FixedDepth }, true},
		{"a ring that moves", nil, func(*config.Feed) {}, func(o *Options) any { return o.FeedConfig().FixedDepth }, false},
		{"batches that wait on the GPU", nil, func(c *config.Feed) { c.PrefetchToGPU = true }, func(o *Options) any { return o.onGPU }, true},
		{"the split", nil, func(c *config.Feed) { c.ValSplit, c.TrainSplit = 0.1, 0.8 }, func(o *Options) any { return []float64{o.ValSplit, o.TrainSplit} }, []float64{0.1, 0.8}},
		{"whose parts a flag settles both", []string{"--val-split", "0.3"}, func(c *config.Feed) { c.ValSplit, c.TrainSplit = 0.1, 0.8 }, func(o *Options) any { return []float64{o.ValSplit, o.TrainSplit} }, []float64{0.3, 0}},
		{"the GPUs", []string{"--model-gpu", "3"}, func(c *config.Feed) { c.DataGPU, c.ModelGPU = 1, 2 }, func(o *Options) any { return []int{o.dataGPU, o.modelGPU} }, []int{1, 3}},
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
