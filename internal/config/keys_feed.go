package config

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
