package feedrun

import (
	"slices"
	"testing"

	"voxpack/diagnosis"
)

// TestThePageHasTheDearestFindings: three at most, in their order, and none that
// stderr had already. With -q nothing was said at the start.
func TestThePageHasTheDearestFindings(t *testing.T) {
	f := &Report{}
	for _, rule := range []string{"slow-link", "variation", "tail", "workers", "prefetch-large"} {
		f.Findings = append(f.Findings, diagnosis.Verdict{Rule: rule})
	}
	for _, tt := range []struct {
		quiet bool
		want  []string
	}{
		{false, []string{"slow-link", "workers", "prefetch-large"}},
		{true, []string{"slow-link", "tail", "workers"}},
	} {
		r := &run{said: said{quiet: tt.quiet, advice: []advice{{Rule: "tail"}}}}
		var rules []string
		for _, v := range f.news(r) {
			rules = append(rules, v.Rule)
		}
		if !slices.Equal(rules, tt.want) {
			t.Errorf("quiet %t: findings by %q, want %q", tt.quiet, rules, tt.want)
		}
	}
}
