package feedrun

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"voxpack/diagnosis"
)

// plantedConfig is a trainer's config with something wrong in it.
type plantedConfig struct {
	name   string
	change string // of soundConfig, NAME=VALUE with spaces between; NAME alone takes it away
	first  string // the rule of the first finding; "": there is none
	also   string
}

// soundConfig is a config of which check finds nothing.
var soundConfig = map[string]string{
	"batch_size": "32", "num_workers": "8", "prefetch_buffer_size": "4", "pipeline_buffer_size": "8", "use_tf_native_loading": "true",
	"pad_to_fixed_length": "true", "max_text_length": "200", "max_mel_frames": "800", "enable_xla": "true", "mixed_precision": "true",
	"prefetch_to_gpu": "true", "data_gpu": "0", "model_gpu": "1", "data_gpu_memory": "8192", "model_gpu_memory": "16384",
	"tokenizer": "char", "sample_rate": "22050", "hop_length": "256",
}

var plantedConfigs = []plantedConfig{
	{name: "nothing"},
	{name: "missing fixed shapes", change: "pad_to_fixed_length=false", first: "config-shapes"},
	{name: "fixed shapes that nobody asks for", change: "pad_to_fixed_length max_text_length max_mel_frames", first: "config-shapes"},
	{name: "maxima that rows do not fit", change: "max_mel_frames=300", first: "config-mel-frames"},
	{name: "maxima far too large", change: "max_text_length=2000", first: "config-text-length"},
	{name: "one worker", change: "num_workers=1", first: "config-workers"},
	{name: "one batch ahead", change: "prefetch_buffer_size=1", first: "config-prefetch"},
	{name: "stages in turn", change: "enable_async_pipeline=false", first: "config-async"},
	{name: "a GPU that is not there", change: "model_gpu=5", first: "config-gpus"},
	{name: "a memory limit over the GPU's memory", change: "model_gpu_memory=30000", first: "config-caps"},
	{name: "small batches and no mixed precision", change: "batch_size=8 prefetch_buffer_size=8 mixed_precision=false", first: "config-batch", also: "config-precision"},
}

// of is the config on a machine with 8 cores and two GPUs, for a dataset of its own
// front end.
func (c plantedConfig) of() *diagnosis.Config {
	values := map[string]string{}
	for name, value := range soundConfig {
		values[name] = value
	}
	for _, change := range strings.Fields(c.change) {
		name, value, given := strings.Cut(change, "=")
		if values[name] = value; !given {
			delete(values, name)
		}
	}
	config := &diagnosis.Config{Cores: 8, GPUs: map[int]uint64{0: 24e9, 1: 24e9},
		Made: map[string]string{"tokenizer": "char", "sample_rate": "22050", "hop_length": "256"},
		Text: &diagnosis.Lengths{Rows: 100, Median: 90, P99: 170, Longest: 187, Unit: "tokens"},
		Mel:  &diagnosis.Lengths{Rows: 100, Median: 500, P99: 760, Longest: 790, Unit: "frames"}}
	for name, value := range values {
		config.Settings = append(config.Settings, diagnosis.Setting{Name: name, Path: "data." + name, Value: value})
	}
	if values["max_mel_frames"] == "300" {
		config.Mel.Over = 90 // which the reader of the dataset counts
	}
	return config
}

// wantConfigs holds check to what is planted in configs, and adds it to the page.
func wantConfigs(t *testing.T, page io.Writer) {
	t.Helper()
	fmt.Fprint(page, configHead)
	for _, c := range plantedConfigs {
		var rules []string
		found := diagnosis.Find(diagnosis.Observation{Config: c.of()})
		for _, v := range found {
			rules = append(rules, v.Rule)
		}
		want := slices.DeleteFunc([]string{c.first, c.also}, func(s string) bool { return s == "" })
		if !slices.Equal(rules, want) {
			t.Errorf("%s: findings by %q, want %q\n%s", c.name, rules, want, texts(found))
			continue
		}
		how := "–"
		if c.change != "" {
			how = "`" + strings.Join(strings.Fields(c.change), "`, `") + "`"
		}
		fmt.Fprintf(page, "| %s | %s | %s |\n", c.name, how, rulesText(want))
	}
}

const configHead = `
## Configs

What ` + "`voxpack check`" + ` says of a trainer's config that is sound but for what was planted. A setting without a value was taken away. What
these cost is not known before a run.

| planted | how | findings |
|---|---|---|
`
