package action

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"voxpack/store"
)

// Change is a setting with its value before and now.
type Change struct {
	Key string `json:"key"`
	Was string `json:"was"`
	Now string `json:"now"`
}

// String is "fmax 8000 → 11025".
func (c Change) String() string {
	return fmt.Sprintf("%s %s → %s", c.Key, cmp.Or(c.Was, "(default)"), cmp.Or(c.Now, "(default)"))
}

// Changes lists settings, stage versions and tables that differ.
func Changes(was, now *store.Root) []Change {
	out := []Change{}
	for _, n := range now.Config {
		if old := was.Setting(n.Name); old != n.Value {
			out = append(out, Change{n.Name, brief(n.Name, old), brief(n.Name, n.Value)})
		}
	}
	for _, n := range was.Config { // back to a default that roots do not mention
		if now.Setting(n.Name) == "" && n.Value != "" {
			out = append(out, Change{n.Name, brief(n.Name, n.Value), ""})
		}
	}
	for _, n := range now.Stages {
		if old := was.Stage(n.Name); old != n.Value && old != "" {
			out = append(out, Change{"version of " + n.Name, old, n.Value})
		}
	}
	if !slices.Equal(was.Speakers, now.Speakers) {
		out = append(out, Change{"speakers", strings.Join(was.Speakers, ","), strings.Join(now.Speakers, ",")})
	}
	return out
}

// brief is a setting's value as people are told it: of a lexicon the first digits
// of its digest.
func brief(name, value string) string {
	if d, err := store.ParseDigest(value); err == nil && name == store.LexiconSetting {
		return d.Short()
	}
	return value
}
