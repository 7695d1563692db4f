package diagnosis

import "testing"

func TestVariation(t *testing.T) {
	for _, tt := range []struct {
		name string
		s    Steps
		says string // "": none
	}{
		{"at the limit", Steps{Variation: 30, Stall: 0.5, Mean: 10}, ""},
		{"the trainer's own steps", Steps{Variation: 31, Stall: 0.01, Mean: 10},
			"steps vary by 31 % (limit 30 %): the simulated trainer's own, which this machine lets sleep too long; the wait for data is 1.0 % of the time"},
		{"as it was told", Steps{Variation: 58, Stall: 0.01, Mean: 10, Jitter: true}, "as --jitter says"},
		{"a real trainer's", Steps{Variation: 31, Stall: 0.01, Mean: 10, Running: true}, "steps vary by 31 % (limit 30 %): the trainer's own, as where batches have several lengths"},
		{"slow copies", Steps{Variation: 50, Stall: 0.5, Mean: 10, Copying: 9, Fill: 1}, "a copy takes 9 ms, the trainer 5 ms; --cache on"},
		{"too few workers", Steps{Variation: 50, Stall: 0.5, Mean: 10, Fill: 8, Fillers: 1, Cores: 4}, "give --workers 4"},
		{"all cores busy", Steps{Variation: 50, Stall: 0.5, Mean: 10, Fill: 8, Fillers: 4, Cores: 4}, "mel_dtype: f16 halves the bytes"},
		{"bursts", Steps{Variation: 50, Stall: 0.2, Mean: 10, Fill: 2, Copying: 3, Depth: 4}, "give --prefetch-buffer-size 8 (prefetch_buffer_size)"},
	} {
		wantVerdict(t, tt.name, "variation", tt.says != "", tt.says, Observation{Steps: &tt.s})
	}
	steady := Steps{Variation: 25, Stall: 0.2, Mean: 10, Depth: 4}
	wantVerdict(t, "a target of one's own", "variation", true, "steps vary by 25 % (limit 20 %)",
		Observation{Steps: &steady, Targets: Targets{VariationTarget: 20}})
	if found := Find(Observation{Steps: &Steps{Variation: 50, Stall: 0.2, Mean: 10}}); *found[0].Gain != 0.2 {
		t.Errorf("gain %v, want the wait for data, 0.2", *found[0].Gain)
	}
}

func TestTargetsAsWritten(t *testing.T) {
	if name, value, err := ParseTarget("variation=20"); name != VariationTarget || value != 20 || err != nil {
		t.Errorf(`ParseTarget("variation=20") = %q, %v, %v`, name, value, err)
	}
	for _, in := range []string{"", "variation", "variation=", "variation=-1", "variation=NaN", "variation=Inf", "speed=3", "=3"} {
		if name, value, err := ParseTarget(in); err == nil {
			t.Errorf("ParseTarget(%q) = %q, %v, want an error", in, name, value)
		}
	}
	for _, target := range AllTargets() {
		if got := (Targets{}).Of(target.Name); got != target.Default || target.Source == "" || target.Meaning == "" {
			t.Errorf("%+v: want its default, got %v, and a source", target, got)
		}
	}
}
