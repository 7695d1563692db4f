package config

// datasetKeys say where rows come from and what their columns mean.
var datasetKeys = []Key{
	{Name: "dataset_path", Section: "data", Kind: Path, Default: "", Reads: []string{"none"},
		at: func(c *Config) any { return &c.Dataset.Path }},
	{Name: "dataset_name", Section: "data", Kind: String, Default: "", Reads: []string{"none"},
		at: func(c *Config) any { return &c.Dataset.Name }},
	{Name: "datasets", Section: "data", Kind: Corpora, Reads: []string{"rows", "feed"},
		at: func(c *Config) any { return &c.Dataset.Datasets }},
	{Name: "audio_roots", Section: "data", Kind: List, Reads: []string{"none"},
		at: func(c *Config) any { return &c.Dataset.AudioRoots }},
	{Name: "metadata_train", Section: "data", Kind: Path, Default: "", Reads: []string{"rows"},
		at: func(c *Config) any { return &c.Rows.MetadataTrain }},
	{Name: "metadata_eval", Section: "data", Kind: Path, Default: "", Reads: []string{"rows"},
		at: func(c *Config) any { return &c.Rows.MetadataEval }},
	{Name: "format", Section: "data", Kind: Enum, Default: "auto", Reads: []string{"rows"},
		at: func(c *Config) any { return &c.Rows.Format }},
	{Name: "columns", Section: "data", Kind: Sources, Enum: columnNames, Reads: []string{"rows", "features"},
		at: func(c *Config) any { return &c.Columns }},
	{Name: "language", Section: "data", Kind: String, Default: "auto", Reads: []string{"rows", "text"},
		at: func(c *Config) any { return &c.Rows.Language }},
	{Name: "languages", Section: "data", Kind: List, Reads: []string{"rows", "text"},
		at: func(c *Config) any { return &c.Rows.Languages }},
	{Name: "speaker_languages", Section: "data", Kind: Names, Reads: []string{"rows"},
		at: func(c *Config) any { return &c.Rows.SpeakerLanguages }},
	{Name: "speakers", Section: "data", Kind: List, Reads: []string{"rows"},
		at: func(c *Config) any { return &c.Rows.Speakers }},
	{Name: "max_loss", Section: "data", Kind: Float, Default: 0.2, Min: 0, Max: 1, Reads: []string{"none"},
		at: func(c *Config) any { return &c.MaxLoss }},
	{Name: "keep_last", Section: "data", Kind: Int, Default: 0, Min: 0, Max: 1_000_000, Reads: []string{"none"},
		at: func(c *Config) any { return &c.Keep.Last }},
	{Name: "keep_daily", Section: "data", Kind: Int, Default: 0, Min: 0, Max: 1_000_000, Reads: []string{"none"},
		at: func(c *Config) any { return &c.Keep.Daily }},
	{Name: "rows_per_shard", Section: "data", Kind: Int, Default: 16, Min: 1, Max: 4096, Reads: []string{"shards"},
		at: func(c *Config) any { return &c.Shards.RowsPerShard }},
}

// shapeKeys give the fixed shape of a sample.
var shapeKeys = []Key{
	{Name: "max_text_length", Section: "data", Kind: Int, Default: 200, Min: 1, Max: 65_536, Reads: []string{"shape"},
		at: func(c *Config) any { return &c.Shape.MaxTextLength }},
	{Name: "max_mel_frames", Section: "data", Kind: Int, Default: 800, Min: 1, Max: 1_048_576, Reads: []string{"shape"},
		at: func(c *Config) any { return &c.Shape.MaxMelFrames }},
	{Name: "overlong", Section: "data", Kind: Enum, Default: "reject", Enum: []string{"reject", "truncate", "error"}, Reads: []string{"shape"},
		at: func(c *Config) any { return &c.Shape.Overlong }},
	{Name: "pad_to_fixed_length", Section: "data", Kind: Bool, Default: true, OnlyDefault: true, Reads: []string{"shape"}},
}
