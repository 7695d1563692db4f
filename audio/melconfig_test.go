package audio

import (
	"math"
	"strings"
	"testing"
)

func TestCheckReportsEveryProblem(t *testing.T) {
	tests := []struct {
		name   string
		config MelConfig
		want   []string // a part of each error, in order
	}{
		{"zero config is the default and good", MelConfig{}, nil},
		{"16 kHz with fmax at half the rate", MelConfig{SampleRate: 16000, NFFT: 512, WinLength: 400, HopLength: 160, NMels: 40}, nil},
		{"fmax exactly half the rate", MelConfig{FMax: 11025}, nil},
		{"unknown variant", MelConfig{Variant: "mfcc"}, []string{`mel_variant "mfcc" is not known; known: hifigan`}},
		{"fmax over half the rate", MelConfig{FMax: 11026}, []string{"fmax 11026 is over half the sample_rate 22050"}},
		{"default fmax over half a low rate", MelConfig{SampleRate: 8000}, []string{"fmax 8000 is over half the sample_rate 8000"}},
		{"hop over win", MelConfig{HopLength: 512, WinLength: 400}, []string{"hop_length 512 is over win_length 400"}},
		{"win over n_fft", MelConfig{NFFT: 512}, []string{"win_length 1024 is over n_fft 512"}},
		{"n_fft no power of two", MelConfig{NFFT: 1000, WinLength: 1000}, []string{"n_fft 1000 is not a power of two in 256..4096"}},
		{"n_fft too small", MelConfig{NFFT: 128, WinLength: 128, HopLength: 64}, []string{"n_fft 128"}},
		{"n_fft too large", MelConfig{NFFT: 8192}, []string{"n_fft 8192"}},
		{"more bands than the limit", MelConfig{NMels: 513}, []string{"n_mels 513 is out of range 1..512"}},
		{"band without a bin", MelConfig{NFFT: 256, WinLength: 256, HopLength: 64}, []string{"hold no bin of n_fft 256"}},
		{"fmin at fmax", MelConfig{FMin: 8000}, []string{"fmin 8000 is not below fmax 8000"}},
		{"norms of every band", MelConfig{Variant: "xtts-dvae", NMels: 3, Norms: []float32{1, 0.5, 7}}, nil},
		{"cloning encoder", MelConfig{Variant: "xtts-dvae", NFFT: 4096, HopLength: 1024, WinLength: 4096}, nil},
		{"too few norms", MelConfig{Variant: "xtts-dvae", Norms: make([]float32, 79)},
			[]string{"mel_norms holds 79 numbers, but n_mels is 80", "mel_norms: number 1 is 0"}},
		{"empty norms", MelConfig{Variant: "xtts-dvae", Norms: []float32{}}, []string{"mel_norms holds 0 numbers"}},
		{"norm below zero", MelConfig{Variant: "xtts-dvae", NMels: 3, Norms: []float32{1, -2, -3}}, []string{"mel_norms: number 2 is -2, not a positive one"}},
		{"norm that makes infinities", MelConfig{Variant: "xtts-dvae", NMels: 3, Norms: []float32{1, 1e-45, 1}}, []string{"mel_norms: number 2 is 1e-45, not a positive one"}},
		{"norm that is none", MelConfig{Variant: "xtts-dvae", NMels: 2, Norms: []float32{1, float32(math.NaN())}}, []string{"number 2 is NaN"}},
		{"endless norm", MelConfig{Variant: "xtts-dvae", NMels: 2, Norms: []float32{float32(math.Inf(1)), 1}}, []string{"number 1 is +Inf"}},
		{"norms for a variant without", MelConfig{Norms: testNorms()}, []string{`mel_norms has no meaning for mel_variant "hifigan"`}},
		{"bands without a bin on HTK's scale only", MelConfig{Variant: "xtts-dvae", NMels: 200}, []string{"hold no bin of n_fft 1024"}},
		{"as many on Slaney's", MelConfig{Variant: "tacotron2", NMels: 200}, nil},
		{"NaN", MelConfig{FMin: math.NaN()}, []string{"fmin NaN"}},
		{"infinity", MelConfig{FMax: math.Inf(1)}, []string{"fmax +Inf", "fmax +Inf is over half"}},
		{"negative sizes, all at once", MelConfig{SampleRate: -1, NFFT: -1, HopLength: -2, WinLength: -3, NMels: -1, FMin: -1, FMax: -2},
			[]string{"sample_rate -1", "n_fft -1", "hop_length -2", "win_length -3", "hop_length -2 is over", "n_mels -1", "fmin -1", "fmax -2", "fmin -1 is not below"}},
	}
	for _, c := range tests {
		errs := c.config.Check()
		if len(errs) != len(c.want) {
			t.Errorf("%s: %d problems, want %d: %v", c.name, len(errs), len(c.want), errs)
			continue
		}
		for i, want := range c.want {
			if got := errs[i].Error(); !strings.Contains(got, want) {
				t.Errorf("%s: problem %d is %q, want %q in it", c.name, i, got, want)
			}
		}
		if _, err := NewMel(c.config); (err == nil) != (c.want == nil) {
			t.Errorf("%s: NewMel gives %v, but Check %v", c.name, err, errs)
		}
	}
}

func TestDefaultBankHasKnownShape(t *testing.T) {
	bands := variant{}.bank(MelConfig{}.WithDefaults())
	weights := 0
	for i, b := range bands {
		weights += len(b.weights)
		for _, w := range b.weights {
			if !(w > 0) {
				t.Errorf("band %d has a weight of %g", i, w)
			}
		}
	}
	// 727 of librosa's 41,040 cells are not zero for these values.
	if weights != 727 {
		t.Errorf("bank has %d weights, want 727", weights)
	}
	if lo, hi := bankBins(bands); lo != 1 || hi != 372 {
		t.Errorf("bank reads bins %d..%d, want 1..371", lo, hi-1)
	}
}

// TestScaleOfHTKIsItsFormula: the edges are equally spaced on the scale as HTK's book writes it.
func TestScaleOfHTKIsItsFormula(t *testing.T) {
	book := func(hz float64) float64 { return 2595 * math.Log10(1+hz/700) }
	edges := melEdges(80, 0, 8000, true)
	for i, hz := range edges {
		if got, want := book(hz), float64(i)*book(8000)/81; math.Abs(got-want) > 1e-9 {
			t.Errorf("edge %d of %g Hz is %g mel, want %g", i, hz, got, want)
		}
	}
}

func TestFeatureNamesAndVersionsAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range Features() {
		if f.Name == "" || f.Version == "" || f.New == nil || seen[f.Name] || seen[f.Version] {
			t.Errorf("feature %q with version %q is incomplete or doubled", f.Name, f.Version)
		}
		seen[f.Name], seen[f.Version] = true, true
	}
}
