package numbers

import (
	"cmp"
	"slices"
	"strings"
	"testing"
)

// TestOwnRulesMeetCLDR: what own.txt changes is there to be changed. A new CLDR
// that mends a rule or renames a set shows here.
func TestOwnRulesMeetCLDR(t *testing.T) {
	for _, l := range languages {
		cldr, own := section(cldrRules, cmp.Or(l.base, l.code)), section(ownRules, l.code)
		if cldr == "" {
			t.Errorf("%s has no rules", l.code)
		}
		sets := voiceOf(l.code).sets
		for line := range strings.Lines(own) {
			line = strings.TrimSpace(line)
			if set, ok := strings.CutPrefix(line, "%+"); ok && sets["%"+strings.TrimSuffix(set, ":")] == nil {
				t.Errorf("%s: %s amends a set that is not there", l.code, line)
			}
			if strings.HasPrefix(line, "~") && reword(cldr, line) == cldr {
				t.Errorf("%s: %q changes nothing", l.code, line)
			}
		}
	}
	for line := range strings.Lines(ownRules) {
		code, ok := strings.CutPrefix(strings.TrimSpace(line), "@")
		if ok && !slices.Contains(Languages(), code) {
			t.Errorf("own.txt has rules of %s, which the table lacks", code)
		}
	}
}

func TestParseKind(t *testing.T) {
	for kind := Cardinal; kind <= Decimal; kind++ {
		if got, ok := ParseKind(kind.String()); got != kind || !ok {
			t.Errorf("ParseKind(%s) = %v, %v", kind, got, ok)
		}
	}
	if _, ok := ParseKind("roman"); ok || Kind(9).String() != "unknown kind" {
		t.Error("there is no kind roman, and no ninth")
	}
}
