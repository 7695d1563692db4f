package diagnosis

import (
	"slices"
	"strings"
	"testing"
)

// soundSetup is a run on the host that needs no advice; soundGPUs is one on two GPUs.
var (
	soundSetup = Setup{Batch: 32, Share: 32, Rows: 13_100, Buckets: 1, Tail: "drop", Shuffle: "global", Epochs: 3, Fillers: 2, Cores: 2,
		Depth: 2, Usual: 2, Checks: "first", BatchBytes: 8e6, GPUs: 2, DeviceDepth: 3}
	soundGPUs = func() Setup {
		s := soundSetup
		s.Device, s.Dual, s.DataMemory, s.ModelMemory = true, true, 24e9, 24e9
		return s
	}()
)

// setupCase changes one thing of a sound setup.
type setupCase struct {
	name   string
	from   Setup
	change func(*Setup)
	fires  bool
	says   string // a piece of the text
}

// wantOnly: the rule, and no other one, fires for the cases that say so.
func wantOnly(t *testing.T, rule string, cases []setupCase) {
	t.Helper()
	for _, c := range cases {
		s := c.from
		c.change(&s)
		wantVerdict(t, c.name, rule, c.fires, c.says, Observation{Setup: &s})
	}
}

// wantVerdict: an observation gives one verdict, or none.
func wantVerdict(t *testing.T, name, rule string, fires bool, says string, o Observation) {
	t.Helper()
	found := Find(o)
	var ids []string
	for _, v := range found {
		ids = append(ids, v.Rule)
	}
	var want []string
	if fires {
		want = []string{rule}
	}
	if !slices.Equal(ids, want) {
		t.Errorf("%s: rules %q, want %q", name, ids, want)
		return
	}
	if fires && !strings.Contains(found[0].Text(), says) {
		t.Errorf("%s: %q, want %q in it", name, found[0].Text(), says)
	}
}

func TestASoundSetupNeedsNoAdvice(t *testing.T) {
	wantOnly(t, "", []setupCase{
		{"on the host", soundSetup, func(*Setup) {}, false, ""},
		{"on GPUs", soundGPUs, func(s *Setup) { s.DataCap, s.ModelCap = 8e9, 16e9 }, false, ""},
	})
	if found := Find(Observation{}); found == nil || len(found) > 0 {
		t.Errorf("of nothing observed: %#v, want an empty list", found)
	}
}

// TestTheTableOfRules: the table is the reference, so that each rule has all its
// sentences, an id of its own, and fields that programs can rely on.
func TestTheTableOfRules(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Rules() {
		for what, text := range map[string]string{"id": r.ID, "looks": r.Looks, "limit": r.Limit, "meaning": r.Meaning, "setting": r.Setting, "gain": r.Gain} {
			if text == "" || strings.HasSuffix(text, ".") || strings.TrimSpace(text) != text {
				t.Errorf("rule %q: %s is %q, want a phrase", r.ID, what, text)
			}
		}
		if seen[r.ID] || strings.ToLower(r.ID) != r.ID || strings.ContainsAny(r.ID, " _") {
			t.Errorf("rule %q: want an id of its own in lower case with hyphens", r.ID)
		}
		seen[r.ID] = true
		if one, known := RuleOf(r.ID); !known || one.Looks != r.Looks {
			t.Errorf("RuleOf(%q) = %q, %v", r.ID, one.Looks, known)
		}
	}
	if r, known := RuleOf("none"); known || r.ID != "" {
		t.Errorf("RuleOf of no rule = %q, %v", r.ID, known)
	}
}

// TestTheOrderOfVerdicts: what brings most comes first, and among those whose
// gain nobody knows the first of the table.
func TestTheOrderOfVerdicts(t *testing.T) {
	s := soundSetup
	s.Rows, s.Fillers, s.Depth, s.Shuffle, s.Checks = 48, 9, 99, "none", "off"
	o := Observation{Setup: &s, Steps: &Steps{Variation: 40, Stall: 0.01, Mean: 10, Depth: 2},
		Work: &Work{Stages: []StageTime{{Load, 20, 0, 1}, {Train, 10, 0, 1}}}}
	var ids []string
	for _, v := range Find(o) {
		ids = append(ids, v.Rule)
		if v.Kind == "" || v.Unit == "" || v.Basis == "" || v.Cause == "" || v.Gain != nil && (*v.Gain < 0 || *v.Gain > 1) {
			t.Errorf("%+v: want kind, unit, basis, cause and a gain from 0 to 1", v)
		}
	}
	if want := []string{"bound", "variation", "tail", "workers", "prefetch-large", "same-order", "checksums-off"}; !slices.Equal(ids, want) {
		t.Errorf("rules %q, want %q", ids, want)
	}
}
