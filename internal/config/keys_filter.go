package config

// filterKeys leave rows out. All are off by default, and what each leaves out
// is counted.
var filterKeys = []Key{
	{Name: "min_chars_per_second", Section: "data", Kind: Float, Default: 0.0, Min: 0, Max: 1000, Reads: []string{"rows"},
		at: func(c *Config) any { return &c.Filter.MinCharsPerSecond }},
	{Name: "max_chars_per_second", Section: "data", Kind: Float, Default: 0.0, Min: 0, Max: 1000, Reads: []string{"rows"},
		at: func(c *Config) any { return &c.Filter.MaxCharsPerSecond }},
	{Name: "only_speakers", Section: "data", Kind: List, Reads: []string{"rows"},
		at: func(c *Config) any { return &c.Filter.OnlySpeakers }},
	{Name: "not_speakers", Section: "data", Kind: List, Reads: []string{"rows"},
		at: func(c *Config) any { return &c.Filter.NotSpeakers }},
	{Name: "only_languages", Section: "data", Kind: List, Reads: []string{"rows"},
		at: func(c *Config) any { return &c.Filter.OnlyLanguages }},
	{Name: "drop_ids", Section: "data", Kind: Path, Default: "", Reads: []string{"rows"},
		at: func(c *Config) any { return &c.Filter.dropFile }},
	{Name: "keep_ids", Section: "data", Kind: Path, Default: "", Reads: []string{"rows"},
		at: func(c *Config) any { return &c.Filter.keepFile }},
}
