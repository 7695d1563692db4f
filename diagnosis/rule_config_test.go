package diagnosis

import (
	"slices"
	"strings"
	"testing"
)

// soundConfig is a config of which no rule has anything to say.
func soundConfig() *Config {
	return configOf(16, "batch_size=32", "num_workers=16", "prefetch_buffer_size=16", "pipeline_buffer_size=50", "use_tf_native_loading=true", "pad_to_fixed_length=true",
		"max_text_length=200", "max_mel_frames=800", "enable_xla=true", "mixed_precision=true", "prefetch_to_gpu=true", "enhanced_gpu_prefetch=true",
		"enable_async_pipeline=true", "data_gpu=0", "model_gpu=1", "data_gpu_memory=8192", "model_gpu_memory=16384",
		"sample_rate=22050", "hop_length=256", "tokenizer=char")
}

// configOf makes a config of NAME=VALUE, one a line, on a machine with two GPUs and a
// dataset whose rows fit.
func configOf(cores int, settings ...string) *Config {
	c := &Config{Cores: cores, GPUs: map[int]uint64{0: 24e9, 1: 24e9},
		Text: &Lengths{Rows: 13_100, Median: 100, P99: 170, Longest: 187, Unit: "tokens"},
		Mel:  &Lengths{Rows: 13_100, Median: 600, P99: 780, Longest: 799, Unit: "frames"},
		Made: map[string]string{"sample_rate": "22050", "hop_length": "256", "tokenizer": "char"}}
	for _, text := range settings {
		c.set(text)
	}
	return c
}

// set changes or adds a setting; without "=" it takes one away.
func (c *Config) set(text string) {
	name, value, given := strings.Cut(text, "=")
	i := slices.IndexFunc(c.Settings, func(s Setting) bool { return s.Name == name })
	switch {
	case !given:
		c.Settings = slices.Delete(c.Settings, i, i+1)
	case i >= 0:
		c.Settings[i].Value = value
	default:
		c.Settings = append(c.Settings, Setting{Name: name, Path: "data." + name, Value: value, At: Position{Line: len(c.Settings) + 2, Col: 3}})
	}
}

// configCase changes a sound config.
type configCase struct {
	name   string
	set    string // settings, with spaces between
	change func(*Config)
	grave  bool
	says   string // a piece of the text; "": the rule finds nothing
	fix    string // "Path|Name=Value", with spaces between
}

// wantAudit: the rule finds what the case says, and no other rule finds anything
// that is grave.
func wantAudit(t *testing.T, rule string, cases []configCase) {
	t.Helper()
	for _, c := range cases {
		config := soundConfig()
		for _, s := range strings.Fields(c.set) {
			config.set(s)
		}
		if c.change != nil {
			c.change(config)
		}
		var fixes []string
		fired := false
		for _, s := range Audit(config) {
			for _, v := range s.Found {
				switch {
				case s.Rule != rule && v.Grave():
					t.Errorf("%s: %s finds %q", c.name, s.Rule, v.Text())
				case s.Rule != rule:
					continue
				case v.Grave() != c.grave || c.says == "" || !strings.Contains(v.Text(), c.says):
					t.Errorf("%s: %q, grave %t; want %q, %t", c.name, v.Text(), v.Grave(), c.says, c.grave)
				}
				fired = true
				for _, f := range v.Fixes {
					fixes = append(fixes, f.Path+"|"+f.Name+"="+f.Value)
				}
			}
		}
		if fired != (c.says != "") || strings.Join(fixes, " ") != c.fix {
			t.Errorf("%s: fired %t, fixes %q; want %q, %q", c.name, fired, fixes, c.says, c.fix)
		}
	}
}

func TestASoundConfigPasses(t *testing.T) {
	for _, s := range Audit(soundConfig()) {
		if len(s.Found) > 0 || s.Unknown || s.Text == "" || s.Subject == "" || s.Rule == "" {
			t.Errorf("%s: %+v", s.Rule, s)
		}
	}
	if list := Audit(&Config{Ours: true, Cores: 2}); len(list) != 1 { // of its values
		t.Errorf("of a dataset's empty config: %+v", list)
	}
	if o := (Observation{Config: soundConfig()}); len(Find(o)) > 0 {
		t.Errorf("Find(%v) = %v", o, Find(o))
	}
}

func TestConfigLoading(t *testing.T) {
	wantAudit(t, "config-native", []configCase{
		{"Python prepares rows", "use_tf_native_loading=no", nil, false, "GPUs may wait for it", ""},
		{"it is not said", "use_tf_native_loading", nil, false, "", ""},
	})
	wantAudit(t, "config-async", []configCase{
		{"stages in turn", "enable_async_pipeline=false", nil, true, "a step is the sum of them", "data.enable_async_pipeline|=true"},
		{"it is not said", "enable_async_pipeline", nil, false, "", ""},
	})
	wantAudit(t, "config-gpu-prefetch", []configCase{
		{"no copy ahead", "prefetch_to_gpu=false enhanced_gpu_prefetch", nil, false, "not copied to the GPU ahead", ""},
		{"nobody says so", "prefetch_to_gpu", nil, false, "GPUs are named", ""},
	})
}

func TestConfigWorkers(t *testing.T) {
	wantAudit(t, "config-workers", []configCase{
		{"one after the other", "num_workers=1", nil, true, "1 worker prepares rows one after the other; num_workers: 16", "data.num_workers|=16"},
		{"none", "num_workers=0", nil, true, "0 workers prepare", "data.num_workers|=16"},
		{"AUTOTUNE", "num_workers=-1", nil, false, "", ""},
		{"one on one core", "num_workers=1", func(c *Config) { c.Cores = 1 }, false, "", ""},
		{"two on one core", "num_workers=2", func(c *Config) { c.Cores = 1 }, false, "", ""},
		{"three on one core", "num_workers=3", func(c *Config) { c.Cores = 1 }, false, "3 workers share the 1 core of this machine; num_workers: 2", ""},
		{"two are enough", "num_workers=2", nil, false, "", ""},
		{"more than cores is a warning", "num_workers=17", nil, false, "17 workers share the 16 cores", ""},
		{"cores that nobody knows", "num_workers=64", func(c *Config) { c.Cores = 0 }, false, "", ""},
		{"0 of a dataset's config is one a core", "num_workers=0", func(c *Config) { c.Ours = true }, false, "", ""},
	})
}

// The rule of thumb: 8 ahead for batches of 8, 4 of 16, 2 from 32 on.
func TestConfigPrefetch(t *testing.T) {
	wantAudit(t, "config-prefetch", []configCase{
		{"fewer than the rule", "batch_size=16 prefetch_buffer_size=2", nil, false, "2 batches ahead; for batches of 16 the rule of thumb is 4", ""},
		{"one of four", "batch_size=16 prefetch_buffer_size=1", nil, true, "1 batch ahead; for batches of 16 the rule of thumb is 4", "data.prefetch_buffer_size|=4"},
		{"none", "prefetch_buffer_size=0 enable_async_pipeline", func(c *Config) { c.GPUs = nil; c.set("prefetch_to_gpu"); c.set("enhanced_gpu_prefetch") }, true, "0 batches ahead", "data.prefetch_buffer_size|=2"},
		{"as the rule says", "batch_size=16 prefetch_buffer_size=4", nil, false, "", ""},
		{"two for large batches", "batch_size=128 prefetch_buffer_size=2", nil, false, "", ""},
		{"one", "prefetch_buffer_size=1", nil, true, "1 batch ahead; for batches of 32 the rule of thumb is 2", "data.prefetch_buffer_size|=2"},
		{"AUTOTUNE", "prefetch_buffer_size=-1 pipeline_buffer_size=-1", nil, false, "", ""},
		{"two buffers", "pipeline_buffer_size=2 prefetch_buffer_size=2", nil, true, "a pipeline of 2 has no room", "data.pipeline_buffer_size|=3"},
		{"three buffers", "pipeline_buffer_size=3 prefetch_buffer_size=2", nil, false, "", ""},
		{"0 of a dataset's config is chosen", "prefetch_buffer_size=0 pipeline_buffer_size=0", func(c *Config) { c.Ours = true }, false, "", ""},
	})
}

func TestConfigBatch(t *testing.T) {
	wantAudit(t, "config-batch", []configCase{
		{"small", "batch_size=8 prefetch_buffer_size=8", nil, false, "a batch of 8 leaves a large GPU idle", ""},
		{"the least", "batch_size=16", nil, false, "", ""},
		{"more than there are rows", "batch_size=13101 prefetch_buffer_size=2", nil, true, "13,101 is more than the dataset's 13,100 rows", ""},
		{"small, as the dataset is", "batch_size=8 prefetch_buffer_size=8", func(c *Config) { c.Mel.Rows = 15 }, false, "", ""},
		{"as many as there are", "batch_size=13100 prefetch_buffer_size=2", nil, false, "", ""},
	})
}

func TestConfigShapes(t *testing.T) {
	wantAudit(t, "config-shapes", []configCase{
		{"shapes vary", "pad_to_fixed_length=false", nil, true, "compiled anew by XLA", "data.pad_to_fixed_length|=true"},
		{"nobody says", "pad_to_fixed_length max_mel_frames max_text_length enable_xla=false", nil, true, "nothing makes shapes fixed",
			"|pad_to_fixed_length=true |max_text_length=187 |max_mel_frames=799"},
		{"fixed to nothing", "max_mel_frames", nil, false, "max_mel_frames: 799 fits all rows", ""},
		{"without a sign of graphs", "pad_to_fixed_length=false enable_xla use_tf_native_loading prefetch_to_gpu enhanced_gpu_prefetch", nil, false,
			"a graph may be traced for each new one", ""},
		{"another trainer's file", "pad_to_fixed_length", func(c *Config) { c.Program = "Coqui TTS" }, false, "", ""},
		{"a dataset's own", "pad_to_fixed_length", func(c *Config) { c.Ours = true }, false, "", ""},
	})
	wantAudit(t, "config-xla", []configCase{
		{"off", "enable_xla=false", nil, false, "XLA is off", ""},
		{"nobody says", "enable_xla", nil, false, "nothing turns XLA on", ""},
	})
	wantAudit(t, "config-precision", []configCase{
		{"off", "mixed_precision=fp32", nil, false, "mixed precision is off", ""},
		{"nobody says", "mixed_precision", nil, false, "nothing turns mixed precision on", ""},
		{"nobody says, in a file of another trainer", "mixed_precision", func(c *Config) { c.Program = "Coqui TTS" }, false, "", ""},
		{"by a word", "mixed_precision=bf16", nil, false, "", ""},
	})
}

// One row in a hundred may be too long; a fifth is an error; 1.25 times the longest
// row is room enough.
func TestConfigLengths(t *testing.T) {
	over := func(rows int) func(*Config) {
		return func(c *Config) { c.Mel.Over, c.Mel.Longest, c.Mel.P99 = rows, 1700, 1500 }
	}
	wantAudit(t, "config-mel-frames", []configCase{
		{"one in a hundred", "", over(131), false, "", ""},
		{"more", "", over(132), false, "132 of 13,100 rows do not fit 800 frames (1.0 %); max_mel_frames: 1500 fits 99 %, 1700 fits all", ""},
		{"a fifth", "", over(2620), false, "2,620 of 13,100 rows do not fit 800 frames (20.0 %)", ""},
		{"more than a fifth", "", over(2621), true, "2,621 of 13,100 rows", ""},
		{"nearly a quarter of room", "max_mel_frames=998", nil, false, "", ""},
		{"just a quarter of room", "max_mel_frames=1000", func(c *Config) { c.Mel.Longest = 800 }, false, "", ""},
		{"far too large", "max_mel_frames=1598", nil, false, "the longest row has 799 frames: 50 % of each batch is padding", "data.max_mel_frames|=799"},
		{"no dataset", "max_mel_frames=9999", func(c *Config) { c.Mel = nil }, false, "", ""},
	})
	wantAudit(t, "config-text-length", []configCase{
		{"far too large", "max_text_length=400", nil, false, "the longest row has 187 tokens", "data.max_text_length|=187"},
	})
}

// TestConfigLengthsOfAnotherFrontEnd: the dataset's frames and tokens are the
// config's only if what they follow from is the same.
func TestConfigLengthsOfAnotherFrontEnd(t *testing.T) {
	const none = "all rows are too long by far"
	over := func(c *Config) { c.Mel.Over, c.Mel.Longest, c.Mel.P99, c.Text.Longest = 13_100, 1700, 1500, 100 }
	wantAudit(t, "config-mel-frames", []configCase{
		{none, "max_text_length=100", over, true, "13,100 of 13,100 rows do not fit", ""},
		{"the hop by another number's spelling", "max_text_length=100 hop_length=256.0", over, true, "13,100 of 13,100 rows", ""},
		{"the file names no hop", "max_text_length=100 hop_length", over, false, "(100.0 %), if hop_length is the dataset's, 256;", ""},
		{"nor a rate", "max_text_length=100 sample_rate hop_length", over, false, "if sample_rate and hop_length are the dataset's, 22050 and 256;", ""},
		{"a hop that only the trainer knows", "max_text_length=100 hop_length=${audio.hop}", over, false, "if hop_length is the dataset's, 256;", ""},
		{"a dataset's own names none", "max_text_length=100 sample_rate hop_length", func(c *Config) { over(c); c.Ours = true }, true, "13,100 of 13,100 rows", ""},
		{"another hop", "max_text_length=100 hop_length=200", over, false, "", ""},
		{"another rate", "max_text_length=100 sample_rate=16000", over, false, "", ""},
	})
	wantAudit(t, "config-text-length", []configCase{
		{"no tokenizer", "max_text_length=400 tokenizer", nil, false, "if tokenizer is the dataset's, char; max_text_length: 187 fits all", ""},
		{"another tokenizer", "max_text_length=400 tokenizer=phonemes", nil, false, "", ""},
	})
	c := soundConfig()
	c.set("hop_length=200")
	for _, s := range Audit(c) {
		if s.Rule == "config-mel-frames" && (!s.Unknown || s.Text != "max_mel_frames 800: hop_length is 200, and the dataset's frames were made with 256") {
			t.Errorf("another hop: %+v", s)
		}
	}
}

func TestConfigGPUs(t *testing.T) {
	wantAudit(t, "config-gpus", []configCase{
		{"one that is not here", "model_gpu=3", nil, true, "there is no GPU 3 here; there are GPU 0, 1", ""},
		{"one for both", "model_gpu=0", nil, false, "each batch is copied once more for nothing", ""},
		{"only one is named", "data_gpu data_gpu_memory", nil, false, "only model_gpu is given", ""},
		{"one for both, as tune writes it", "model_gpu=0 data_gpu_memory model_gpu_memory", func(c *Config) { c.Ours = true }, false, "", ""},
		{"-1 leaves the choice to voxpack", "data_gpu=-1 model_gpu=-1", func(c *Config) { c.Ours = true }, false, "", ""},
		{"one is chosen, the other is not here", "data_gpu=-1 model_gpu=3", func(c *Config) { c.Ours = true }, true, "there is no GPU 3 here", ""},
		{"a name of a number", "data_gpu=${gpu} model_gpu=1", nil, false, "", ""},
		{"a device", "data_gpu=cuda:0 model_gpu=1", nil, false, "", ""},
		{"no driver", "model_gpu=3", func(c *Config) { c.GPUs = nil }, false, "", ""},
	})
	wantAudit(t, "config-caps", []configCase{
		{"more than the GPU has", "model_gpu_memory=24000", nil, true, "model_gpu_memory allows 25.17 GB, and GPU 1 has 24.00 GB; model_gpu_memory: 20599 or less", ""},
		{"all that the GPU has", "", func(c *Config) { c.GPUs[1] = 16384 << 20 }, false, "", ""},
		{"a GPU that does not tell", "model_gpu_memory=24000", func(c *Config) { c.GPUs[1] = 0 }, false, "", ""},
		{"no driver", "model_gpu_memory=99999", func(c *Config) { c.GPUs = nil }, false, "", ""},
	})
}

// 32 samples of 800 frames and 80 bands of 4 bytes are 8.192 MB.
func TestConfigBatchesOnTheGPU(t *testing.T) {
	wantAudit(t, "config-gpu-prefetch-memory", []configCase{
		{"more than the limit", "data_gpu_memory=100", nil, true, "16 batches of 8.2 MB ahead are 131.1 MB, and data_gpu_memory allows 104.9 MB; prefetch_buffer_size: 2", ""},
		{"the rule of thumb does not help", "data_gpu_memory=10 prefetch_buffer_size=2", nil, true, "data_gpu_memory allows 10.5 MB; batch_size: 20 or less", ""},
		{"nor does what it is", "data_gpu_memory=10 prefetch_buffer_size=8", nil, true, "data_gpu_memory allows 10.5 MB; batch_size: 5 or less", ""},
		{"not one sample fits", "data_gpu_memory=1 prefetch_buffer_size=8", nil, true, "a smaller batch_size, and fewer batches ahead", ""},
		{"what just fits", "data_gpu_memory=125", nil, false, "", ""},
		{"more bands", "data_gpu_memory=125 n_mels=81", nil, true, "132.7 MB", ""},
		{"more than the GPU has", "data_gpu_memory", func(c *Config) { c.GPUs[0] = 131_071_999 }, true, "GPU 0 allows 131.1 MB", ""},
		{"a GPU that does not tell", "data_gpu_memory", func(c *Config) { c.GPUs[0] = 0 }, false, "", ""},
		{"batches stay on the host", "data_gpu_memory=1 prefetch_to_gpu=false enhanced_gpu_prefetch", nil, false, "", ""},
	})
}

func TestConfigKeys(t *testing.T) {
	wantAudit(t, "config-values", []configCase{
		{"two values", "", func(c *Config) {
			c.Settings = append(c.Settings, Setting{"batch_size", "train.batch_size", "64", Position{30, 3}})
		}, false, "train.batch_size is 64, and data.batch_size at line 2 is 32", ""},
		{"two values in one section", "", func(c *Config) {
			c.Settings = append(c.Settings, Setting{"batch_size", "data.train_batch_size", "64", Position{30, 3}})
		}, true, "data.train_batch_size is 64, and data.batch_size at line 2 is 32", ""},
		{"one value, written otherwise", "", func(c *Config) {
			c.Settings = append(c.Settings, Setting{"batch_size", "data.train_batch_size", "32.0", Position{30, 3}},
				Setting{"enable_xla", "data.use_xla", "True", Position{31, 3}})
		}, false, "", ""},
		{"what only the trainer can resolve", "", func(c *Config) {
			c.Settings = append(c.Settings, Setting{"batch_size", "data.train_batch_size", "${oc.env:N}", Position{30, 3}})
		}, false, "", ""},
		{"the same twice", "", func(c *Config) {
			c.Settings = append(c.Settings, Setting{"batch_size", "train.batch_size", "32", Position{30, 3}})
		}, false, "", ""},
		{"more ahead than the pipeline holds", "prefetch_buffer_size=60", nil, true, "prefetch_buffer_size 60 is over pipeline_buffer_size 50", ""},
		{"better prefetching of nothing", "prefetch_to_gpu=false", nil, true, "enhanced_gpu_prefetch is on, and prefetch_to_gpu off", ""},
		{"a fault of the reader", "", func(c *Config) {
			c.Faults = []Fault{{"data.batch_size", "0 is outside 1 to 65536", "", Position{2, 3}}}
		}, true, "data.batch_size: 0 is outside", ""},
	})
	wantAudit(t, "config-spelling", []configCase{
		{"a letter off", "", func(c *Config) {
			c.Strays = []Stray{{"data.batch_szie", "batch_szie", "batch_size", "", Position{9, 3}}}
		}, true, "data.batch_szie is not read; a trainer reads batch_size; write batch_size", "data.batch_szie|batch_size="},
	})
	wantAudit(t, "config-foreign", []configCase{
		{"another trainer's", "", func(c *Config) {
			c.Strays = []Stray{{"data.num_loader_workers", "num_loader_workers", "num_workers", "Coqui TTS", Position{9, 3}}}
		}, false, "is a key of Coqui TTS; write num_workers", ""},
	})
}

// TestExpect: the part of a step that train takes, by the mode that a config leads to.
func TestExpect(t *testing.T) {
	work := Work{Stages: []StageTime{{Load, 20, 0, 1}, {Preprocess, 10, 0, 1}, {Transfer, 15, 0, 1}, {Train, 150, 0, 1}}}
	slow := Work{Stages: []StageTime{{Load, 200, 0, 1}, {Train, 150, 0, 1}}}
	for _, c := range []struct {
		name    string
		set     string
		work    Work
		mode    Mode
		busy    float64 // 0: not known
		missing string
	}{
		{"two GPUs, beside each other", "", work, DualAsync, 1, ""},
		{"two GPUs, in turn", "enable_async_pipeline=false", work, DualSync, 150. / 195, ""},
		{"one batch ahead, and room for two", "prefetch_buffer_size=1 pipeline_buffer_size=2", work, DualAsync, 1, ""},
		{"room for one", "prefetch_buffer_size=1 pipeline_buffer_size=1", work, DualSync, 150. / 195, ""},
		{"AUTOTUNE", "prefetch_buffer_size=-1 pipeline_buffer_size=-1", work, DualAsync, 1, ""},
		{"one GPU", "data_gpu model_gpu", slow, SingleAhead, 0.75, ""},
		{"one GPU and nothing ahead", "data_gpu model_gpu prefetch_buffer_size=0", slow, Single, 150. / 350, ""},
		{"without the stages of the data GPU it is a bound", "", slow, DualAsync, 0.75, "preprocess transfer"},
		{"nothing measured", "data_gpu model_gpu", Work{}, SingleAhead, 0, "load train"},
	} {
		config := soundConfig()
		for _, s := range strings.Fields(c.set) {
			config.set(s)
		}
		e, err := Expect(config, c.work)
		var missing []string
		for _, s := range e.Missing {
			missing = append(missing, string(s))
		}
		if err != nil || e.Mode != c.mode || strings.Join(missing, " ") != c.missing || (e.Busy == nil) != (c.busy == 0) || e.Busy != nil && *e.Busy != c.busy {
			t.Errorf("%s: %+v, %v; want %s, %v, missing %q", c.name, e, err, c.mode, c.busy, c.missing)
		}
	}
}
