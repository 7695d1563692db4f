package align

import (
	"fmt"
	"math"
	"strings"
)

// Interval is a span of a clip.
type Interval struct {
	Start, End float64 // seconds; of a point both are its time
	Text       string
}

// Tier is one row of an alignment.
type Tier struct {
	Name      string
	Points    bool       // it has points in time, and no spans
	Intervals []Interval // as they stand in the file
}

// Alignment is what is aligned with a clip.
type Alignment struct {
	End   float64 // of the clip, in seconds; 0: the file does not say it
	Tiers []Tier
}

// Tier is the tier of a name. The Montreal Forced Aligner puts the speaker in front
// where it knows several ("anna - phones"): that is found too if it is the only one.
func (a *Alignment) Tier(name string) (*Tier, error) {
	var there []string
	var found *Tier
	for i := range a.Tiers {
		t := &a.Tiers[i]
		if t.Name == name {
			return t, nil
		}
		if there = append(there, fmt.Sprintf("%q", t.Name)); strings.HasSuffix(t.Name, " - "+name) {
			if found != nil {
				return nil, fmt.Errorf("tiers %q and %q both are of %s: name one of them", found.Name, t.Name, name)
			}
			found = t
		}
	}
	if found == nil {
		return nil, fmt.Errorf("it has no tier %q; its tiers are %s", name, strings.Join(there, ", "))
	}
	return found, nil
}

// checkSpan says what is wrong with the times of an interval.
func checkSpan(start, end float64) error {
	if math.IsNaN(start) || math.IsInf(start, 0) || math.IsNaN(end) || math.IsInf(end, 0) || start > end {
		return fmt.Errorf("it goes from %v to %v seconds", start, end)
	}
	return nil
}
