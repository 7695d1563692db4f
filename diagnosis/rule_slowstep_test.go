package diagnosis

import (
	"math"
	"slices"
	"testing"
)

// TestASlowStepOfABuild: the step that is most of a row, if it can be spared.
func TestASlowStepOfABuild(t *testing.T) {
	for _, c := range []struct {
		name    string
		steps   []CompileStep
		fires   bool
		setting string
		gain    float64
	}{
		{"nothing is most", []CompileStep{{Name: "read", MS: 1}, {Name: "decode", MS: 1}, {Name: "mel", MS: 1}}, false, "", 0},
		{"the half is not most", []CompileStep{{Name: "decode", MS: 1}, {Name: "mel", MS: 1}}, false, "", 0},
		{"decode", []CompileStep{{Name: "decode", MS: 3}, {Name: "mel", MS: 1}}, true, "", 0.75},
		{"resample", []CompileStep{{Name: "resample", MS: 3}, {Name: "mel", MS: 1}}, true, "sample_rate", 0.75},
		{"a cold read", []CompileStep{{"read", 8, 1}, {Name: "mel", MS: 2}}, true, "", 0.7},
		{"a read that is no faster from memory", []CompileStep{{"read", 8, 7}, {Name: "mel", MS: 2}}, false, "", 0},
		{"a feature", []CompileStep{{Name: "mel", MS: 1}, {Name: "f0", MS: 9}}, true, "features", 0.9},
		{"what a build is for", []CompileStep{{Name: "mel", MS: 1}, {Name: "write", MS: 9}}, false, "", 0},
		{"nothing took any time", []CompileStep{{Name: "decode", MS: 0}}, false, "", 0},
	} {
		found := Find(Observation{Compilation: &Compilation{Steps: c.steps}})
		if !c.fires {
			if len(found) > 0 {
				t.Errorf("%s: %+v, want nothing", c.name, found)
			}
			continue
		}
		if len(found) != 1 || found[0].Rule != "slow-step" || found[0].Setting != c.setting || *found[0].Gain != c.gain || found[0].Of != OfBuild {
			t.Errorf("%s: %+v, want %q with a gain of %v of the build", c.name, found, c.setting, c.gain)
		}
	}
}

// TestSpread: a clip is not slow because it is long.
func TestSpread(t *testing.T) {
	for _, c := range []struct {
		name              string
		lengths, times    []float64
		variation, uneven float64
	}{
		{"nothing", nil, nil, 0, 0},
		{"equal", []float64{1, 2}, []float64{3, 3}, 0, 0},
		{"as the length", []float64{1, 3}, []float64{10, 30}, 50, 0},
		{"with a part that is fixed", []float64{1, 3}, []float64{20, 40}, 100.0 / 3, 0},
		{"of one length", []float64{2, 2}, []float64{10, 30}, 50, 50},
		{"against the length", []float64{3, 1}, []float64{10, 30}, 50, 50},
		{"without time", []float64{1, 2}, []float64{0, 0}, 0, 0},
	} {
		variation, uneven := Spread(c.lengths, c.times)
		if math.Abs(variation-c.variation) > 1e-9 || math.Abs(uneven-c.uneven) > 1e-5 {
			t.Errorf("%s: varies by %v, %v uneven; want %v, %v", c.name, variation, uneven, c.variation, c.uneven)
		}
	}
}

// TestAudioThatVaries: over the target, and only where there are clips enough.
func TestAudioThatVaries(t *testing.T) {
	for _, c := range []struct {
		compilation Compilation
		targets     Targets
		fires       bool
	}{
		{Compilation{Rows: 100, Variation: 80, Uneven: 31}, nil, true},
		{Compilation{Rows: 100, Variation: 80, Uneven: 30}, nil, false},
		{Compilation{Rows: 19, Variation: 80, Uneven: 80}, nil, false},
		{Compilation{Rows: 20, Variation: 80, Uneven: 31}, Targets{AudioVariationTarget: 40}, false},
	} {
		wantVerdict(t, "audio", "audio-variation", c.fires, "vary by 31 %", Observation{Compilation: &c.compilation, Targets: c.targets})
	}
}

// TestABuildComesAfterAStep: a training is done often, a build once.
func TestABuildComesAfterAStep(t *testing.T) {
	s := keepsUp
	s.Whole, s.Ready = 101.4, 0.5
	found := Find(Observation{Supply: &s, Compilation: &Compilation{Rows: 50, Uneven: 90, Steps: []CompileStep{{Name: "decode", MS: 9}, {Name: "mel", MS: 1}}}})
	var ids []string
	for _, v := range found {
		ids = append(ids, v.Rule)
	}
	if want := []string{"readiness", "slow-step", "audio-variation"}; !slices.Equal(ids, want) {
		t.Errorf("rules %q, want %q", ids, want)
	}
}
