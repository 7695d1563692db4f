package feedrun

import (
	"slices"
	"strings"
	"testing"
)

// TestAdviceRules changes one thing of a run that needs no advice.
func TestAdviceRules(t *testing.T) {
	sound := situation{batch: 32, share: 32, rows: 13_100, buckets: 1, tail: "drop", shuffle: "global", epochs: 3, fillers: 2, cores: 2,
		depth: 2, checks: "first", batchBytes: 8e6, gpus: 2, deviceDepth: 3}
	gpus := sound
	gpus.device, gpus.dual, gpus.dataMemory, gpus.modelMemory = true, true, 24e9, 24e9
	for _, tt := range []struct {
		name   string
		from   situation
		change func(*situation)
		rule   string // "": none
		says   string
	}{
		{"nothing to say on the host", sound, func(*situation) {}, "", ""},
		{"nothing to say with GPUs", gpus, func(s *situation) { s.dataCap, s.modelCap = 8e9, 16e9 }, "", ""},
		{"a limit below three batches of the data GPU", gpus, func(s *situation) { s.dataCap = 20e6 }, "gpu-memory-small", "give --data-gpu-memory 24,"},
		{"and of the model GPU", gpus, func(s *situation) { s.modelCap = 23_999_999 }, "gpu-memory-small", "hold 2 of 3 batches of 8.0 MB; give --model-gpu-memory 24,"},
		{"one that just holds them", gpus, func(s *situation) { s.modelCap = 24e6 }, "", ""},
		{"limits on the host are nobody's", sound, func(s *situation) { s.modelCap = 1e6 }, "", ""},
		{"more than the GPU has", gpus, func(s *situation) { s.dataCap = 25e9 }, "gpu-memory-large", "--data-gpu-memory allows 25.00 GB, the GPU has 24.00 GB"},
		{"two GPUs asked for, one there", gpus, func(s *situation) { s.twoAsked, s.gpus, s.dual = true, 1, false }, "one-gpu", "--cache on"},
		{"one GPU for both", gpus, func(s *situation) { s.same = true }, "one-gpu", "take --mode direct"},
		{"straight to it", gpus, func(s *situation) { s.same, s.dual = true, false }, "", ""},
		{"a batch over the rows, filled up", sound, func(s *situation) { s.rows, s.tail = 10, "wrap" }, "batch-over-rows", "take --batch-size 10 or less"},
		{"and padded", sound, func(s *situation) { s.rows, s.tail = 10, "pad" }, "batch-over-rows", "the rest of it is empty"},
		{"a tail of a third", sound, func(s *situation) { s.rows = 48 }, "tail", "leaves out 16 of 48 rows"},
		{"that is delivered", sound, func(s *situation) { s.rows, s.tail = 48, "pad" }, "", ""},
		{"a tail of a twentieth", sound, func(s *situation) { s.rows = 32*19 + 32 - 1 }, "", ""},
		{"more workers than cores", sound, func(s *situation) { s.fillers = 3 }, "workers", "--workers 2 or less"},
		{"four times the rule is still no waste", sound, func(s *situation) { s.depth = 8 }, "", ""},
		{"above it is", sound, func(s *situation) { s.depth = 64 }, "prefetch-large", "64 batches ahead take 512.0 MB of memory"},
		{"one order for all epochs", sound, func(s *situation) { s.shuffle = "none" }, "same-order", "--shuffle global"},
		{"for one epoch it does not matter", sound, func(s *situation) { s.shuffle, s.epochs = "none", 1 }, "", ""},
		{"no checksums", sound, func(s *situation) { s.checks = "off" }, "checksums-off", "--checksums first"},
		{"checksums in each epoch", sound, func(s *situation) { s.checks = "always" }, "checksums-always", "--checksums first"},
	} {
		s := tt.from
		tt.change(&s)
		var fired []string
		for _, rule := range adviceRules {
			if text := rule.text(s); text != "" {
				fired = append(fired, rule.id)
				if !strings.Contains(text, tt.says) {
					t.Errorf("%s: %s says %q, want %q in it", tt.name, rule.id, text, tt.says)
				}
			}
		}
		if want := slices.DeleteFunc([]string{tt.rule}, func(s string) bool { return s == "" }); !slices.Equal(fired, want) {
			t.Errorf("%s: rules %q, want %q", tt.name, fired, want)
		}
	}
}

func TestARunBeginsWithAtMostThreeLinesOfAdvice(t *testing.T) {
	r := runOf(t, fed(t, "en"), "--batch-size", "4", "--workers", "400", "--prefetch-buffer-size", "99", "--shuffle", "none", "--epochs", "2", "--checksums", "off")
	if err := r.close(); err != nil {
		t.Fatal(err)
	}
	var rules []string
	for _, a := range r.said.advice {
		rules = append(rules, a.Rule)
	}
	if want := []string{"tail", "workers", "prefetch-large"}; !slices.Equal(rules, want) {
		t.Errorf("advice by %q, want the first three of the table, %q", rules, want)
	}
}

func TestTheWarningOfUnsteadySteps(t *testing.T) {
	for _, tt := range []struct {
		name string
		s    steadiness
		want string // a piece; "": no warning
	}{
		{"at the limit", steadiness{variation: 30, stall: 0.5, step: 10}, ""},
		{"the trainer's own steps", steadiness{variation: 31, stall: 0.01, step: 10}, "steps vary by 31 % (limit 30 %): the simulated trainer's own, which this machine lets sleep too long; the wait for data is 1.0 % of the time"},
		{"as it was told", steadiness{variation: 58, stall: 0.01, step: 10, jitter: true}, "as --jitter says"},
		{"slow copies", steadiness{variation: 50, stall: 0.5, step: 10, copying: 9, fill: 1}, "a copy takes 9 ms, the trainer 5 ms; --cache on"},
		{"too few workers", steadiness{variation: 50, stall: 0.5, step: 10, fill: 8, fillers: 1, cores: 4}, "give --workers 4"},
		{"all cores busy", steadiness{variation: 50, stall: 0.5, step: 10, fill: 8, fillers: 4, cores: 4}, "mel_dtype: f16 halves the bytes"},
		{"bursts", steadiness{variation: 50, stall: 0.2, step: 10, fill: 2, copying: 3, depth: 4}, "give --prefetch-buffer-size 8 (prefetch_buffer_size)"},
	} {
		got := tt.s.warning()
		if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: warning = %q, want %q in it", tt.name, got, tt.want)
		}
	}
}

func TestWeightsAsWritten(t *testing.T) {
	for _, tt := range []struct {
		in, column, name string
		times            float64
		wrong            string
	}{
		{"language:fa=2", "language", "fa", 2, ""},
		{"speaker:a:b=c=0.5", "speaker", "a:b=c", 0.5, ""},
		{"speaker:ada=0", "speaker", "ada", 0, ""},
		{"ada=2", "", "", 0, "want language:NAME=TIMES"},
		{"speaker:=2", "", "", 0, "want language:NAME=TIMES"},
		{"mel_len:3=2", "", "", 0, "want language:NAME=TIMES"},
		{"speaker:ada=-1", "", "", 0, `"-1" is not a number from 0 to 1000`},
		{"speaker:ada=1001", "", "", 0, "is not a number"},
		{"speaker:ada=NaN", "", "", 0, "is not a number"},
		{"speaker:ada=", "", "", 0, `"" is not a number`},
	} {
		column, name, times, err := splitWeight(tt.in)
		if column != tt.column || name != tt.name || times != tt.times || (err == nil) != (tt.wrong == "") {
			t.Errorf("splitWeight(%q) = %q, %q, %v, %v, want %q, %q, %v", tt.in, column, name, times, err, tt.column, tt.name, tt.times)
		}
		if err != nil && !strings.Contains(err.Error(), tt.wrong) {
			t.Errorf("splitWeight(%q): %v, want %q in it", tt.in, err, tt.wrong)
		}
	}
}

func TestJitterAsWritten(t *testing.T) {
	for in, want := range map[string]float64{"": 0, "20%": 0.2, "20": 0.2, "0%": 0, "12.5 %": 0.125, "100%": 1} {
		if got, err := parseJitter(in); got != want || err != nil {
			t.Errorf("parseJitter(%q) = %v, %v, want %v", in, got, err, want)
		}
	}
	for _, in := range []string{"101%", "-1", "a lot", "%", "NaN", "1e999"} {
		if got, err := parseJitter(in); err == nil {
			t.Errorf("parseJitter(%q) = %v, want an error", in, got)
		}
	}
}

func TestTheGPUsOfARun(t *testing.T) {
	for _, tt := range []struct {
		name        string
		args        []string
		config      [2]int // data_gpu and model_gpu of the config
		gpus        int
		data, model int
		wrong       string
	}{
		{"two, nothing said", nil, [2]int{-1, -1}, 2, 0, 1, ""},
		{"one, nothing said", nil, [2]int{-1, -1}, 1, 0, 0, ""},
		{"the second for both", []string{"--data-gpu", "1", "--model-gpu", "1"}, [2]int{0, 1}, 2, 1, 1, ""},
		{"a config of two on a machine with one", nil, [2]int{0, 1}, 1, 0, 0, ""},
		{"a flag of two is a mistake there", []string{"--model-gpu", "1"}, [2]int{0, -1}, 1, 0, 1, "--model-gpu 1: there is no such GPU; there is GPU 0 alone"},
		{"a config of more on a machine with two too", nil, [2]int{0, 3}, 2, 0, 3, "there are 0 to 1"},
	} {
		o := optionsOf(t, tt.args...)
		if !o.Given("data-gpu") {
			o.dataGPU = tt.config[0]
		}
		if !o.Given("model-gpu") {
			o.modelGPU = tt.config[1]
		}
		data, model, err := o.roles(tt.gpus)
		if data != tt.data || model != tt.model || (err == nil) != (tt.wrong == "") {
			t.Errorf("%s: roles = %d, %d, %v, want %d, %d", tt.name, data, model, err, tt.data, tt.model)
		}
		if err != nil && !strings.Contains(err.Error(), tt.wrong) {
			t.Errorf("%s: %v, want %q in it", tt.name, err, tt.wrong)
		}
	}
}
