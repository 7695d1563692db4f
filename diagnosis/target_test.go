package diagnosis

import (
	"math"
	"testing"
)

// TestTheTableOfTargets: each has a name of its own, a unit, a meaning and a source, and
// a default that counts until another is set, zero too.
func TestTheTableOfTargets(t *testing.T) {
	seen := map[string]bool{}
	for _, target := range AllTargets() {
		name := target.Name
		if seen[name] || target.Unit == "" || target.Meaning == "" || target.Source == "" || !(target.Default > 0) {
			t.Errorf("%+v", target)
		}
		seen[name] = true
		if got := Targets(nil).Of(name); got != target.Default || UnitOf(name) != target.Unit {
			t.Errorf("%s is %v %s by default", name, got, UnitOf(name))
		}
		if got := (Targets{name: 0}).Of(name); got != 0 {
			t.Errorf("%s set to 0 is %v", name, got)
		}
		if got := (Targets{"other": 3}).Of(name); got != target.Default {
			t.Errorf("%s is %v where another is set", name, got)
		}
		if parsed, value, err := ParseTarget(name + "=12.5"); parsed != name || value != 12.5 || err != nil {
			t.Errorf("ParseTarget(%s=12.5) = %q, %v, %v", name, parsed, value, err)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a target that there is not has a value")
		}
	}()
	Targets(nil).Of("nothing")
}

// TestUsualDepths: max(2, min(8, 64 // batch)), and a ring that may grow to twice that,
// to 8 at least.
func TestUsualDepths(t *testing.T) {
	for batch, want := range map[int][2]int{0: {8, 16}, 1: {8, 16}, 8: {8, 16}, 9: {7, 14}, 16: {4, 8}, 21: {3, 8}, 32: {2, 8}, 33: {2, 8}, 4096: {2, 8}} {
		if a, b := UsualDepth(batch), UsualMost(UsualDepth(batch)); a != want[0] || b != want[1] {
			t.Errorf("batches of %d: %d ahead, %d at most; want %v", batch, a, b, want)
		}
	}
}

// TestAGainIsAPart, whatever a rule worked out.
func TestAGainIsAPart(t *testing.T) {
	for in, want := range map[float64]float64{-0.5: 0, 0: 0, 0.25: 0.25, 1: 1, 7: 1, math.Inf(1): 1, math.Inf(-1): 0} {
		if got := *gain(in); got != want {
			t.Errorf("gain(%v) = %v, want %v", in, got, want)
		}
	}
	s := &Supply{}
	if got := *s.gainAt(3); got != 0 {
		t.Errorf("of a step of no time: %v", got)
	}
	if got := (Verdict{Cause: "a", Cure: ""}).Text() + "|" + (Verdict{Cause: "a", Cure: "b"}).Text(); got != "a|a; b" {
		t.Errorf("texts %q", got)
	}
}

// TestWhatIsGrave: what wastes a little, or is known by experience only, is a warning.
func TestWhatIsGrave(t *testing.T) {
	for _, tt := range []struct {
		kind  Kind
		basis Basis
		want  bool
	}{
		{Limits, Computed, true}, {Limits, Measured, true}, {Risks, Measured, true}, {Risks, Computed, true},
		{Limits, Suspected, false}, {Risks, Suspected, false}, {Wastes, Measured, false}, {Wastes, Computed, false}, {Wastes, Suspected, false},
	} {
		if got := (Verdict{Kind: tt.kind, Basis: tt.basis}).Grave(); got != tt.want {
			t.Errorf("%s, %s: grave %t, want %t", tt.kind, tt.basis, got, tt.want)
		}
	}
}
