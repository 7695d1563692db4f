package bundle

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/diagnosis"
)

// findingMember is a finding without its own sentences, which hold what users write:
// those of its rule stand in their place.
type findingMember struct {
	Rule    string   `json:"rule"`
	State   string   `json:"state"`
	Kind    string   `json:"kind"`
	Basis   string   `json:"basis"`
	Earlier bool     `json:"earlier"` // an earlier feed found it
	Number  float64  `json:"number"`
	Limit   float64  `json:"limit"`
	Unit    string   `json:"unit"`
	Gain    *float64 `json:"gain"`
	Of      string   `json:"gain_of,omitempty"`
	Line    int      `json:"line"`
	Meaning string   `json:"meaning"`
	Setting string   `json:"setting"`
}

func (s *scrubber) findings(list []Finding) []findingMember {
	out := []findingMember{}
	for _, f := range list {
		rule, known := diagnosis.RuleOf(f.Rule)
		if !known {
			s.removed++
			continue
		}
		out = append(out, findingMember{Rule: f.Rule, State: f.State, Kind: string(f.Kind), Basis: string(f.Basis), Earlier: f.Earlier,
			Number: f.Number, Limit: f.Limit, Unit: f.Unit, Gain: f.Gain, Of: string(f.Of), Line: f.Line, Meaning: rule.Meaning, Setting: rule.Setting})
	}
	return out
}

// findingsText is the same for people.
func (s *scrubber) findingsText(list []Finding) []byte {
	var b bytes.Buffer
	field := term.Fields(&b, 9)
	for _, f := range list {
		rule, known := diagnosis.RuleOf(f.Rule)
		if !known {
			continue
		}
		how := fmt.Sprintf("%s: found %.4g, limit %.4g", f.Basis, f.Number, f.Limit)
		if s.word("unit", f.Unit) {
			how += " " + f.Unit
		}
		if f.Gain != nil {
			how += ", " + term.Gain(f.Verdict)
		}
		if f.Line > 0 {
			how += fmt.Sprintf(", line %d of the config", f.Line)
		}
		if f.Earlier {
			how += ", by an earlier feed"
		}
		lines := slices.Concat(term.Wrapped(rule.Meaning), term.Wrapped("to change: "+strings.ReplaceAll(rule.Setting, "`", "")), term.Wrapped(how+" ["+f.Rule+"]"))
		for i, line := range lines {
			field(term.First(i, f.State), "%s", line)
		}
	}
	if b.Len() == 0 {
		field("result", "nothing was found")
	}
	return b.Bytes()
}
