package config

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// feedKeys say how batches are delivered. No stage of the compiler reads them, so
// that none of them changes a root. A number of batches that is 0
// leaves the choice to the feed; for a GPU -1 does, as 0 is the first one.
var feedKeys = []Key{
	{Name: "batch_size", Section: "data", Kind: Int, Default: 32, Min: 1, Max: 65_536, Reads: []string{"feed"},
		at: func(c *Config) any { return &c.Feed.BatchSize }},
	{Name: "num_workers", Section: "data", Kind: Int, Default: 0, Min: 0, Max: 4096, Reads: []string{"none"},
		at: func(c *Config) any { return &c.Workers }},
	{Name: "train_split", Section: "data", Kind: Float, Default: 0.0, Min: 0, Max: 1, Reads: []string{"feed"},
		at: func(c *Config) any { return &c.Feed.TrainSplit }},
	{Name: "val_split", Section: "data", Kind: Float, Default: 0.0, Min: 0, Max: 1, Reads: []string{"feed"},
		at: func(c *Config) any { return &c.Feed.ValSplit }},
	{Name: "prefetch_buffer_size", Section: "data", Kind: Int, Default: 0, Min: 0, Max: 4096, Reads: []string{"feed"},
		at: func(c *Config) any { return &c.Feed.PrefetchBufferSize }},
	{Name: "pipeline_buffer_size", Section: "data", Kind: Int, Default: 0, Min: 0, Max: 4096, Reads: []string{"feed"},
		at: func(c *Config) any { return &c.Feed.PipelineBufferSize }},
	{Name: "shuffle_buffer_multiplier", Section: "data", Kind: Int, Default: 0, Min: 0, Max: 1_000_000, Reads: []string{"none"}},
	{Name: "prefetch_to_gpu", Section: "data", Kind: Bool, Default: false, Reads: []string{"feed"},
		at: func(c *Config) any { return &c.Feed.PrefetchToGPU }},
	{Name: "enhanced_gpu_prefetch", Section: "data", Kind: Bool, Default: true, Reads: []string{"feed"},
		at: func(c *Config) any { return &c.Feed.EnhancedGPUPrefetch }},
	{Name: "pin_memory", Section: "data", Kind: Bool, Default: true, Reads: []string{"feed"},
		at: func(c *Config) any { return &c.Feed.PinMemory }},
	{Name: "data_gpu", Section: "data", Kind: Int, Default: -1, Min: -1, Max: 1023, Reads: []string{"feed"},
		at: func(c *Config) any { return &c.Feed.DataGPU }},
	{Name: "model_gpu", Section: "data", Kind: Int, Default: -1, Min: -1, Max: 1023, Reads: []string{"feed"},
		at: func(c *Config) any { return &c.Feed.ModelGPU }},
}

// selectionKeys stand under `feed:`, since names such as languages mean something
// else under `data:`. They are what a Dataset in Python takes as arguments, which go
// before them, as flags do. Lists that are not given are nil.
var selectionKeys = []Key{
	{Name: "feed.columns", Section: "feed", Kind: List, Reads: []string{"feed"},
		at: func(c *Config) any { return &c.Feed.Columns }},
	{Name: "feed.split", Section: "feed", Kind: Enum, Default: "all", Enum: []string{"all", "train", "val", "test"}, Reads: []string{"feed"},
		at: func(c *Config) any { return &c.Feed.Split }},
	{Name: "feed.languages", Section: "feed", Kind: List, Reads: []string{"feed"},
		at: func(c *Config) any { return &c.Feed.Languages }},
	{Name: "feed.speakers", Section: "feed", Kind: List, Reads: []string{"feed"},
		at: func(c *Config) any { return &c.Feed.Speakers }},
	{Name: "feed.weights", Section: "feed", Kind: Names, Reads: []string{"feed"},
		at: func(c *Config) any { return &c.Feed.Weights }},
	{Name: "feed.buckets", Section: "feed", Kind: List, Reads: []string{"feed"},
		at: func(c *Config) any { return &c.Feed.buckets }},
	{Name: "feed.segment", Section: "feed", Kind: Int, Default: 0, Min: 0, Max: 1_000_000, Reads: []string{"feed"},
		at: func(c *Config) any { return &c.Feed.Segment }},
	{Name: "feed.reference", Section: "feed", Kind: Enum, Default: "none", Enum: []string{"none", "same-speaker"}, Reads: []string{"feed"},
		at: func(c *Config) any { return &c.Feed.Reference }},
	{Name: "feed.mel_norm", Section: "feed", Kind: Enum, Default: "none", Enum: []string{"none", "stats", "bands"}, Reads: []string{"feed"},
		at: func(c *Config) any { return &c.Feed.MelNorm }},
	{Name: "feed.extra", Section: "feed", Kind: List, Reads: []string{"feed"},
		at: func(c *Config) any { return &c.Feed.Extra }},
	{Name: "feed.seed", Section: "feed", Kind: Int, Default: 0, Min: 0, Max: 1 << 52, Reads: []string{"feed"},
		at: func(c *Config) any { return &c.Feed.Seed }},
	{Name: "feed.shuffle", Section: "feed", Kind: Enum, Default: "global", Enum: []string{"global", "none"}, Reads: []string{"feed"},
		at: func(c *Config) any { return &c.Feed.Shuffle }},
	{Name: "feed.tail", Section: "feed", Kind: Enum, Default: "drop", Enum: []string{"drop", "pad", "wrap"}, Reads: []string{"feed"},
		at: func(c *Config) any { return &c.Feed.Tail }},
}

// selection reads numbers of frames and weights. What has to be of a dataset is
// looked at where that is open.
func (l *loader) selection() {
	f := &l.config.Feed
	for i, text := range f.buckets {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 1_000_000 {
			l.at(fmt.Sprintf("item %d: %q is not a number of frames from 1 to 1000000", i+1, clip(text)), "as in [400, 600]", "feed.buckets")
			break
		}
		f.Buckets = append(f.Buckets, n)
	}
	for _, name := range slices.Sorted(maps.Keys(f.Weights)) {
		group, of, _ := strings.Cut(name, ":")
		times, err := strconv.ParseFloat(f.Weights[name], 64)
		p := l.config.Problem("feed.weights", "", "")
		p.Part = "." + clip(name)
		switch {
		case of == "" || !slices.Contains([]string{"language", "speaker", "corpus"}, group):
			p.Message, p.Hint = "is no group of rows", "write language:NAME, speaker:NAME or corpus:NAME, and how often, as in {\"speaker:sara\": 2}"
		case err != nil || !(times >= 0 && times <= 1000):
			p.Message = fmt.Sprintf("%q is not a number from 0 to 1000", clip(f.Weights[name]))
		default:
			continue
		}
		l.add(p)
	}
}

// trainerKeys belong to the trainer's code. They are in the table so that a config
// written for a trainer is read without warnings of unknown keys. Those marked
// Always name work that is done in any case; false for one of them is a warning.
var trainerKeys = []Key{
	{Name: "enable_xla", Section: "data", Kind: Bool, Default: false, Reads: []string{"model"}},
	{Name: "mixed_precision", Section: "data", Kind: Bool, Default: false, Reads: []string{"model"}},
	{Name: "use_tf_native_loading", Section: "data", Kind: Bool, Default: true, Always: true, Reads: []string{"none"}},
	{Name: "enable_parallel_batch", Section: "data", Kind: Bool, Default: true, Always: true, Reads: []string{"none"}},
	{Name: "enable_map_fusion", Section: "data", Kind: Bool, Default: true, Always: true, Reads: []string{"none"}},
	{Name: "optimize_cpu_gpu_overlap", Section: "data", Kind: Bool, Default: true, Always: true, Reads: []string{"none"}},
	{Name: "enable_caching", Section: "data", Kind: Bool, Default: true, Always: true, Reads: []string{"none"}},
}
