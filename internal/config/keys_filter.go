//lint:file-ignore ST1018 Persian is spelt with U+200C, and an escape in its place cannot be read.

package config

// filterKeys leave rows out. All are off by default, and what each leaves out
// is counted.
var filterKeys = []Key{
	{Name: "min_chars_per_second", Section: "data", Kind: Float, Default: 0.0, Min: 0, Max: 1000, Reads: []string{"rows"},
		En: "Rows with fewer characters of text, spaces left out, for each second of the clip are left out and counted: their text is mostly cut short. 0 keeps all.",
		Fa: "سطرهایی که متنشان، بی‌شمردن فاصله‌ها، برای هر ثانیه از صدا نویسهٔ کمتری دارد کنار گذاشته و شمرده می‌شوند: متنِ این‌ها بیشتر وقت‌ها ناقص است. مقدار 0 همه را نگه می‌دارد.",
		at: func(c *Config) any { return &c.Filter.MinCharsPerSecond }},
	{Name: "max_chars_per_second", Section: "data", Kind: Float, Default: 0.0, Min: 0, Max: 1000, Reads: []string{"rows"},
		En: "Rows with more characters of text, spaces left out, for each second of the clip are left out and counted: their clip is mostly cut short. 0 keeps all.",
		Fa: "سطرهایی که متنشان، بی‌شمردن فاصله‌ها، برای هر ثانیه از صدا نویسهٔ بیشتری دارد کنار گذاشته و شمرده می‌شوند: صدای این‌ها بیشتر وقت‌ها ناقص است. مقدار 0 همه را نگه می‌دارد.",
		at: func(c *Config) any { return &c.Filter.MaxCharsPerSecond }},
	{Name: "only_speakers", Section: "data", Kind: List, Reads: []string{"rows"},
		En: "Keep the rows of these speakers alone; the others are left out and counted.",
		Fa: "تنها سطرهای این گوینده‌ها نگه داشته شوند؛ بقیه کنار گذاشته و شمرده می‌شوند.",
		at: func(c *Config) any { return &c.Filter.OnlySpeakers }},
	{Name: "not_speakers", Section: "data", Kind: List, Reads: []string{"rows"},
		En: "Leave out the rows of these speakers, and count them.",
		Fa: "سطرهای این گوینده‌ها کنار گذاشته و شمرده شوند.",
		at: func(c *Config) any { return &c.Filter.NotSpeakers }},
	{Name: "only_languages", Section: "data", Kind: List, Reads: []string{"rows"},
		En: "Keep the rows of these languages alone, by codes such as `en` or `fa`; the others are left out and counted.",
		Fa: "تنها سطرهای این زبان‌ها نگه داشته شوند، با کدهایی مانند `en` یا `fa`؛ بقیه کنار گذاشته و شمرده می‌شوند.",
		at: func(c *Config) any { return &c.Filter.OnlyLanguages }},
	{Name: "drop_ids", Section: "data", Kind: Path, Default: "", Reads: []string{"rows"},
		En: "A UTF-8 file of ids as `voxpack show --ids` prints them, one a line, whose rows are left out and counted. What it holds counts, not where it lies.",
		Fa: "پروندهٔ UTF-8 از شناسه‌ها، چنان‌که `voxpack show --ids` می‌نویسد، هر کدام در یک سطر، که سطرهایشان کنار گذاشته و شمرده می‌شوند. محتوای آن اهمیت دارد، نه جای آن.",
		at: func(c *Config) any { return &c.Filter.dropFile }},
	{Name: "keep_ids", Section: "data", Kind: Path, Default: "", Reads: []string{"rows"},
		En: "A UTF-8 file of ids, one a line; all other rows are left out and counted. An id that stands in `drop_ids` too is left out.",
		Fa: "پروندهٔ UTF-8 از شناسه‌ها، هر کدام در یک سطر؛ سطرهای دیگر همه کنار گذاشته و شمرده می‌شوند. شناسه‌ای که در `drop_ids` هم باشد کنار گذاشته می‌شود.",
		at: func(c *Config) any { return &c.Filter.keepFile }},
}
