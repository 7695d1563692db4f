package feedrun

import (
	"slices"
	"strings"
	"testing"
)

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

func TestStepAsWritten(t *testing.T) {
	for in, want := range map[string][2]float64{"150": {150, 0}, "10+140": {150, 10}, "0.5 + 1": {1.5, 0.5}, "0": {0, 0}, "10+0": {10, 10}} {
		var o, again Options
		if err := (stepFlag{&o}).Set(in); err != nil || o.stepMS != want[0] || o.stepFixed != want[1] {
			t.Errorf("%q: %v ms, %v of them fixed, %v; want %v", in, o.stepMS, o.stepFixed, err, want)
		}
		if err := (stepFlag{&again}).Set(stepFlag{&o}.String()); err != nil || again.stepMS != o.stepMS || again.stepFixed != o.stepFixed {
			t.Errorf("%q is printed as %q", in, stepFlag{&o})
		}
	}
	for _, in := range []string{"", "a", "1+", "+2", "1+2+3", "10 ms"} {
		if err := (stepFlag{&Options{}}).Set(in); err == nil {
			t.Errorf("%q is taken", in)
		}
	}
	o := Options{stepMS: 15, stepFixed: 5, Batch: 4}
	if got := o.Sized(8); got.stepMS != 25 || got.stepFixed != 5 {
		t.Errorf("twice the batch: %v ms, %v fixed; want 25 and 5", got.stepMS, got.stepFixed)
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
