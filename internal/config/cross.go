package config

import (
	"fmt"
	"slices"
	"strings"
)

// rule is one check of keys against each other. It is made only when all the
// keys that it names could be read; its problem stands at the first of them
// that the file has.
type rule struct {
	keys  []string
	check func(c Config) (message, hint string) // "" when all is well
}

// rules hold between keys; the ranges of single keys are in their rows.
var rules = []rule{
	{[]string{"fmax", "sample_rate"}, func(c Config) (string, string) {
		half := float64(c.Audio.SampleRate) / 2
		if c.Mel.FMax <= half {
			return "", ""
		}
		fmax := number(c.Mel.FMax)
		switch preset := c.preset["fmax"]; {
		case c.Given("fmax"):
		case preset != "":
			fmax = fmt.Sprintf("fmax %s of preset %s", fmax, preset)
		default:
			fmax = "the default fmax " + fmax // the problem stands at sample_rate then
		}
		return fmt.Sprintf("%s is over half of sample_rate %d (%s)", fmax, c.Audio.SampleRate, number(half)),
			fmt.Sprintf("no frequency above %s exists there: set fmax to %s or less", number(half), number(half))
	}},
	{[]string{"fmin", "fmax"}, func(c Config) (string, string) {
		if c.Mel.FMin < c.Mel.FMax {
			return "", ""
		}
		return fmt.Sprintf("fmin %s is not below fmax %s", number(c.Mel.FMin), number(c.Mel.FMax)), ""
	}},
	// The transform of package audio takes powers of two only.
	{[]string{"n_fft"}, func(c Config) (string, string) {
		if n := c.Mel.NFFT; n&(n-1) != 0 {
			return fmt.Sprintf("%d is not a power of two", n), "set n_fft to 512, 1024 or 2048"
		}
		return "", ""
	}},
	{[]string{"win_length", "n_fft"}, func(c Config) (string, string) {
		if c.Mel.WinLength <= c.Mel.NFFT {
			return "", ""
		}
		return fmt.Sprintf("win_length %d is over n_fft %d", c.Mel.WinLength, c.Mel.NFFT), "a window longer than the transform is cut"
	}},
	{[]string{"hop_length", "win_length"}, func(c Config) (string, string) {
		if c.Mel.HopLength <= c.Mel.WinLength {
			return "", ""
		}
		return fmt.Sprintf("hop_length %d is over win_length %d", c.Mel.HopLength, c.Mel.WinLength), "samples between two windows would be left out"
	}},
	{[]string{"n_mels", "n_fft"}, func(c Config) (string, string) {
		if bins := c.Mel.NFFT/2 + 1; c.Mel.NMels >= bins {
			return fmt.Sprintf("n_mels %d is not below the %d bins of n_fft %d", c.Mel.NMels, bins, c.Mel.NFFT), "bands without a bin stay empty"
		}
		return "", ""
	}},
	// As floats, the sum of two decimals that make 1 may be a little over it.
	{[]string{"val_split", "train_split"}, func(c Config) (string, string) {
		if sum := c.Feed.TrainSplit + c.Feed.ValSplit; sum > 1.000001 {
			return fmt.Sprintf("train_split %s and val_split %s are more than 1", number(c.Feed.TrainSplit), number(c.Feed.ValSplit)), ""
		}
		return "", ""
	}},
	// 0 batches as pipeline_buffer_size is no bound of the user's.
	{[]string{"prefetch_buffer_size", "pipeline_buffer_size"}, func(c Config) (string, string) {
		first, most := c.Feed.PrefetchBufferSize, c.Feed.PipelineBufferSize
		if most == 0 || first <= most {
			return "", ""
		}
		return fmt.Sprintf("prefetch_buffer_size %d is over pipeline_buffer_size %d, the most that the ring may grow to", first, most), ""
	}},
	// "auto" leaves the language to the text of each row.
	{[]string{"language"}, func(c Config) (string, string) {
		if c.Rows.Language == "auto" {
			return "", ""
		}
		return checkTag(c.Rows.Language)
	}},
	{[]string{"languages"}, func(c Config) (string, string) { return checkTags(c.Rows.Languages) }},
	{[]string{"features"}, func(c Config) (string, string) { return repeated(c.Audio.Features) }},
	{[]string{"min_seconds", "max_seconds"}, func(c Config) (string, string) {
		return between("seconds", c.Audio.MinSeconds, c.Audio.MaxSeconds, "clip")
	}},
	{[]string{"datasets", "dataset_path"}, oneSource("dataset_path", func(c Config) string { return c.Dataset.Path })},
	{[]string{"datasets", "metadata_train"}, oneSource("metadata_train", func(c Config) string { return c.Rows.MetadataTrain })},
	{[]string{"metadata_eval", "metadata_train"}, func(c Config) (string, string) {
		switch train, eval := c.Rows.MetadataTrain, c.Rows.MetadataEval; {
		case eval != "" && train == "":
			return "metadata_eval without metadata_train leaves no rows to train on", "name both, or set apart some rows by val_split"
		case eval != "" && eval == train:
			return "metadata_eval and metadata_train are one file: each row would be on both sides", ""
		}
		return "", ""
	}},
	{[]string{"columns", "format"}, func(c Config) (string, string) {
		// Each of several corpora has a format of its own, and is asked itself.
		if c.Rows.Columns == nil || len(c.Dataset.Datasets) > 0 || takesColumns(c.Rows.Format) {
			return "", ""
		}
		return columnsMessage(c.Rows.Format), ""
	}},
	{[]string{"min_chars_per_second", "max_chars_per_second"}, func(c Config) (string, string) {
		return between("chars_per_second", c.Filter.MinCharsPerSecond, c.Filter.MaxCharsPerSecond, "row")
	}},
	{[]string{"only_languages"}, func(c Config) (string, string) { return checkTags(c.Filter.OnlyLanguages) }},
	{[]string{"only_speakers", "not_speakers"}, func(c Config) (string, string) {
		for _, name := range c.Filter.OnlySpeakers {
			if slices.Contains(c.Filter.NotSpeakers, name) {
				return fmt.Sprintf("%q is in only_speakers and in not_speakers", clip(name)), "take it out of one of them"
			}
		}
		return "", ""
	}},
	{[]string{"speakers"}, func(c Config) (string, string) {
		for i, name := range c.Rows.Speakers {
			if message, hint := checkSpeaker(name); message != "" {
				return fmt.Sprintf("speaker %d %s", i, message), hint
			}
		}
		return repeated(c.Rows.Speakers)
	}},
}

// oneSource refuses datasets beside a key that names the rows of one.
func oneSource(key string, value func(Config) string) func(Config) (string, string) {
	return func(c Config) (string, string) {
		if len(c.Dataset.Datasets) == 0 || value(c) == "" {
			return "", ""
		}
		return "datasets and " + key + " both say where the rows are", "take one of them away"
	}
}

// between refuses bounds that nothing lies between; 0 as the upper one is none.
func between(of string, least, most float64, what string) (message, hint string) {
	if most == 0 || least <= most {
		return "", ""
	}
	return fmt.Sprintf("min_%s %s is over max_%s %s", of, number(least), of, number(most)), "every " + what + " would be left out"
}

// cross makes every check between keys and says what is replaced.
func (l *loader) cross() {
	for _, r := range rules {
		// The config has the default for a key that failed. A rule would complain
		// of a value that the file does not have.
		if slices.ContainsFunc(r.keys, func(k string) bool { return l.failed[k] }) {
			continue
		}
		if message, hint := r.check(l.config); message != "" {
			l.at(message, hint, r.keys...)
		}
	}
	for _, r := range l.values {
		if list, ok := r.value.([]string); ok && r.key.Name == "text_cleaners" && len(list) > 0 {
			p := l.config.Problem("text_cleaners", fmt.Sprintf("%s not run: the rules of each row's language take their place", strings.Join(list, ", ")), "")
			p.Warning, p.Message = true, clip(p.Message)
			l.add(p)
		}
	}
}

// checkSpeaker refuses what metadata cannot hold.
func checkSpeaker(name string) (message, hint string) {
	if name == "" || strings.TrimSpace(name) != name || strings.ContainsAny(name, "|\n") {
		return fmt.Sprintf("%q is not a name that metadata can hold", clip(name)), "no empty names, spaces at an end, | or line ends"
	}
	return "", ""
}

// checkTag refuses what cannot be a language tag. The caller, who has the table of
// languages, looks the code up there.
func checkTag(tag string) (message, hint string) {
	base, _, _ := strings.Cut(strings.ReplaceAll(tag, "_", "-"), "-")
	letters := strings.Trim(strings.ToLower(base), "abcdefghijklmnopqrstuvwxyz") == ""
	if !letters || len(base) < 2 || len(base) > 3 {
		return fmt.Sprintf("%q is not a language code", clip(tag)), "write two letters, as in en or fa-IR"
	}
	return "", ""
}

// checkTags refuses a list of languages that holds what is none, or one twice.
func checkTags(tags []string) (message, hint string) {
	for _, tag := range tags {
		if message, hint := checkTag(tag); message != "" {
			return message, hint
		}
	}
	return repeated(tags)
}

// repeated finds a value that stands in a list twice, by its positions from 0.
func repeated(list []string) (message, hint string) {
	first := map[string]int{}
	for i, s := range list {
		if at, ok := first[s]; ok {
			return fmt.Sprintf("%q is there twice: at %d and at %d", clip(s), at, i), ""
		}
		first[s] = i
	}
	return "", ""
}
