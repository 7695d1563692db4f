package diagnosis

import (
	"strings"
	"testing"
)

// TestWholeNumbers: as YAML and JSON write them, and nothing that no setting can have.
func TestWholeNumbers(t *testing.T) {
	for text, want := range map[string]int{"800": 800, "800.0": 800, "8e2": 800, "-1": -1, "0": 0, "+4": 4, "2147483647": 1<<31 - 1} {
		if got, ok := (Setting{Value: text}).Whole(); !ok || got != want {
			t.Errorf("%q is %d, %t; want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "x", "800.5", "1e10", "2147483648", "NaN", "Inf", "8 00", "0x", "${n}", "true"} {
		if got, ok := (Setting{Value: text}).Whole(); ok {
			t.Errorf("%q is %d", text, got)
		}
	}
}

// TestSwitches: words of booleans in any case, and of precisions; other words are not
// known, which is no off.
func TestSwitches(t *testing.T) {
	for _, tt := range []struct {
		words     string
		on, known bool
	}{
		{"true True TRUE yes on 1 fp16 BF16 float16 bfloat16 mixed_float16 mixed_bfloat16 16 16-mixed bf16-mixed", true, true},
		{"false False no off 0 fp32 float32 32 none", false, true},
		{"${x} O1 auto 2 truthy half", false, false},
	} {
		for word := range strings.FieldsSeq(tt.words) {
			if on, known := (Setting{Value: word}).switched(); on != tt.on || known != tt.known {
				t.Errorf("%q: on %t, known %t; want %t, %t", word, on, known, tt.on, tt.known)
			}
			c := configOf(4, "enable_xla="+word)
			if c.vague("enable_xla") == tt.known || c.vague("mixed_precision") {
				t.Errorf("%q: vague %t, of a setting that is not there %t", word, c.vague("enable_xla"), c.vague("mixed_precision"))
			}
		}
	}
}

// TestEqualValues: as trainers compare them.
func TestEqualValues(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"80", "80.0", true}, {"80", "8e1", true}, {"80", "81", false}, {"True", "true", true}, {"yes", "on", true}, {"fp16", "bf16", true},
		{"true", "false", false}, {"Char", "char", true}, {"char", "phonemes", false}, {"1", "true", true}, {"", "", true}, {"1", "2", false},
	} {
		if a, b := (Setting{Value: tt.a}), (Setting{Value: tt.b}); a.equals(b) != tt.want || b.equals(a) != tt.want {
			t.Errorf("%q and %q: equal %t, and turned %t; want %t", tt.a, tt.b, a.equals(b), b.equals(a), tt.want)
		}
	}
}

// TestWhatAConfigHas holds a setting against a value of tune's.
func TestWhatAConfigHas(t *testing.T) {
	c := configOf(4, "batch_size=32.0", "enable_xla=True", "data_gpu=cuda:0")
	for _, tt := range []struct {
		name        string
		value       any
		same, given bool
	}{
		{"batch_size", 32, true, true}, {"batch_size", 16, false, true}, {"enable_xla", true, true, true}, {"enable_xla", false, false, true},
		{"data_gpu", 0, false, true}, {"num_workers", 4, false, false}, {"mixed_precision", true, false, false}, {"batch_size", "32", false, true},
	} {
		if s, same, given := c.Has(tt.name, tt.value); same != tt.same || given != tt.given || given && s.Name != tt.name {
			t.Errorf("%s = %v: same %t, given %t; want %t, %t", tt.name, tt.value, same, given, tt.same, tt.given)
		}
	}
}

// TestModeOfAConfig: two GPUs that are named and differ are dual; stages come in turn
// where the file says so, or leaves no room for one more batch.
func TestModeOfAConfig(t *testing.T) {
	for _, tt := range []struct {
		settings string
		ours     bool
		want     Mode
	}{
		{"", false, SingleAhead}, {"", true, SingleAhead}, {"data_gpu=0 model_gpu=1", false, DualAsync}, {"data_gpu=0 model_gpu=0", false, SingleAhead},
		{"data_gpu=0", false, SingleAhead}, {"data_gpu=-1 model_gpu=1", false, SingleAhead}, {"data_gpu=cuda:0 model_gpu=cuda:1", false, SingleAhead},
		{"enable_async_pipeline=false", false, Single}, {"enable_async_pipeline=no data_gpu=0 model_gpu=1", false, DualSync},
		{"prefetch_buffer_size=0", false, Single}, {"prefetch_buffer_size=0", true, SingleAhead}, {"prefetch_buffer_size=-1", false, SingleAhead},
		{"pipeline_buffer_size=1", false, Single}, {"pipeline_buffer_size=2", false, SingleAhead}, {"pipeline_buffer_size=-1", false, SingleAhead},
		{"pipeline_buffer_size=1", true, SingleAhead}, {"prefetch_buffer_size=${n}", false, SingleAhead},
	} {
		c := configOf(4, strings.Fields(tt.settings)...)
		if c.Ours = tt.ours; c.Mode() != tt.want {
			t.Errorf("%q, of a dataset %t: %s, want %s", tt.settings, tt.ours, c.Mode(), tt.want)
		}
	}
}

// TestWhatAnAuditSays of settings that are well, and of what it cannot see: it names
// what it looked at, so that a person knows it was looked at.
func TestWhatAnAuditSays(t *testing.T) {
	for _, tt := range []struct {
		rule, set, says string
		unknown         bool
		change          func(*Config)
	}{
		{"config-native", "", "native", false, nil},
		{"config-native", "use_tf_native_loading", "use_tf_native_loading is not set: the trainer's default counts", true, nil},
		{"config-async", "", "stages beside each other", false, nil},
		{"config-async", "enable_async_pipeline=${a.b}", "data.enable_async_pipeline is ${a.b}, which only the trainer can resolve", true, nil},
		{"config-workers", "", "16 on 16 cores", false, nil},
		{"config-workers", "num_workers=0", "one for each core", false, func(c *Config) { c.Ours = true }},
		{"config-workers", "num_workers=-1", "num_workers is below 0: the framework chooses", true, nil},
		{"config-prefetch", "", "16 batches ahead", false, nil},
		{"config-prefetch", "prefetch_buffer_size", "prefetch_buffer_size is not set: the trainer's default counts", true, nil},
		{"config-gpu-prefetch", "", "batches are copied ahead", false, nil},
		{"config-batch", "", "32 samples", false, nil},
		{"config-shapes", "", "fixed", false, nil},
		{"config-shapes", "pad_to_fixed_length=${x}", "data.pad_to_fixed_length is ${x}, which only the trainer can resolve", true, nil},
		{"config-text-length", "", "200 tokens: all 13,100 rows fit, the longest has 187", false, nil},
		{"config-mel-frames", "", "800 frames: 50 of 13,100 do not fit", false, func(c *Config) { c.Mel.Over = 50 }},
		{"config-mel-frames", "", "max_mel_frames 800: no dataset to hold it against", true, func(c *Config) { c.Mel = nil }},
		{"config-mel-frames", "", "max_mel_frames 800: no dataset to hold it against", true, func(c *Config) { c.Mel.Rows = 0 }},
		{"config-text-length", "tokenizer=bpe", "max_text_length 200: tokenizer is bpe, and the dataset's tokens were made with char", true, nil},
		{"config-xla", "", "on", false, nil},
		{"config-precision", "mixed_precision=O1", "data.mixed_precision is O1, which only the trainer can resolve", true, nil},
		{"config-gpus", "", "data 0, model 1", false, nil},
		{"config-gpus", "", "data 0, model 1: no driver says whether they exist", true, func(c *Config) { c.GPUs = nil }},
		{"config-gpus", "model_gpu", "data 0", false, func(c *Config) { c.Ours = true }},
		{"config-gpus", "data_gpu", "model 1: no driver says whether they exist", true, func(c *Config) { c.Ours, c.GPUs = true, nil }},
		{"config-gpus", "model_gpu=0", "GPU 0 for data and model", false, func(c *Config) { c.Ours = true }},
		{"config-caps", "", "data_gpu_memory 8.59 GB, model_gpu_memory 17.18 GB", false, nil},
		{"config-caps", "data_gpu", "data_gpu_memory 8.59 GB, model_gpu_memory 17.18 GB: nothing tells the memory of that GPU", true, nil},
		{"config-gpu-prefetch-memory", "", "16 batches of 8.2 MB ahead are 131.1 MB", false, nil},
		{"config-gpu-prefetch-memory", "data_gpu data_gpu_memory", "16 batches of 8.2 MB ahead are 131.1 MB: nothing tells the memory of that GPU", true, nil},
		{"config-values", "", "20 settings, none contradicts another", false, nil},
	} {
		c := soundConfig()
		for s := range strings.FieldsSeq(tt.set) {
			c.set(s)
		}
		if tt.change != nil {
			tt.change(c)
		}
		said := false
		for _, s := range Audit(c) {
			if s.Rule != tt.rule {
				continue
			}
			if said = true; s.Text != tt.says || s.Unknown != tt.unknown || len(s.Found) > 0 {
				t.Errorf("%s with %q: %q, unknown %t, %d findings; want %q, %t", tt.rule, tt.set, s.Text, s.Unknown, len(s.Found), tt.says, tt.unknown)
			}
		}
		if !said {
			t.Errorf("%s says nothing with %q", tt.rule, tt.set)
		}
	}
}

// TestWhatAMachineHas, in the words of a finding.
func TestWhatAMachineHas(t *testing.T) {
	for want, gpus := range map[string]map[int]uint64{
		"there is none": {}, "there is GPU 3 alone": {3: 1}, "there are GPU 0, 1, 10": {10: 1, 0: 1, 1: 1},
	} {
		if got := (&Config{GPUs: gpus}).have(); got != want {
			t.Errorf("%v: %q, want %q", gpus, got, want)
		}
	}
}

// TestFixedToNothing: which maximum is missing, and what it would be where a dataset
// is there.
func TestFixedToNothing(t *testing.T) {
	for _, tt := range []struct {
		set, says string
		change    func(*Config)
	}{
		{"max_text_length", "max_text_length: 187 fits all rows", nil},
		{"max_text_length", "give max_text_length", func(c *Config) { c.Text = nil }},
		{"max_text_length max_mel_frames", "max_text_length: 187 fits all rows, max_mel_frames: 799 fits all rows", nil},
		{"max_text_length max_mel_frames", "give max_text_length, max_mel_frames: 799 fits all rows", func(c *Config) { c.Text = nil }},
	} {
		c := soundConfig()
		for s := range strings.FieldsSeq(tt.set) {
			c.set(s)
		}
		if tt.change != nil {
			tt.change(c)
		}
		found := Find(Observation{Config: c})
		if len(found) != 1 || found[0].Rule != "config-shapes" || found[0].Cure != tt.says || found[0].Grave() || found[0].Fixes != nil {
			t.Errorf("without %s: %+v, want a warning with %q", tt.set, found, tt.says)
		}
	}
}
