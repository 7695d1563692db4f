package align

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// document is an alignment in JSON: with tiers by name, as the Montreal Forced Aligner
// exports it, or in a list, as praatio does.
type document struct {
	End, Xmax float64
	Tiers     json.RawMessage
}

type jsonTier struct {
	Name, Type, Class string
	Entries           [][]any
}

// ReadJSON reads what the Montreal Forced Aligner exports with --output_format json, and
// what praatio saves as json.
func ReadJSON(b []byte) (*Alignment, error) {
	var d document
	if err := json.Unmarshal(b, &d); err != nil {
		return nil, err
	}
	a := &Alignment{End: max(d.End, d.Xmax)}
	var list []jsonTier
	if err := json.Unmarshal(d.Tiers, &list); err != nil {
		byName := map[string]jsonTier{}
		if err := json.Unmarshal(d.Tiers, &byName); err != nil || len(byName) == 0 {
			return nil, errors.New("it has no tiers")
		}
		for _, name := range slices.Sorted(maps.Keys(byName)) {
			t := byName[name]
			t.Name = name
			list = append(list, t)
		}
	}
	for _, t := range list {
		tier := Tier{Name: t.Name, Points: t.Type == "point" || t.Class == "TextTier"}
		for n, e := range t.Entries {
			i, err := entry(e, tier.Points)
			if err != nil {
				return nil, fmt.Errorf("entry %d of tier %q: %w", n, t.Name, err)
			}
			tier.Intervals = append(tier.Intervals, i)
		}
		a.Tiers = append(a.Tiers, tier)
	}
	return a, nil
}

// entry is [start, end, text], of a point [time, text].
func entry(e []any, point bool) (i Interval, err error) {
	if point && len(e) == 2 {
		e = []any{e[0], e[0], e[1]}
	}
	if len(e) == 3 {
		start, ok1 := e[0].(float64)
		end, ok2 := e[1].(float64)
		if text, ok3 := e[2].(string); ok1 && ok2 && ok3 {
			return Interval{start, end, text}, checkSpan(start, end)
		}
	}
	return i, errors.New("it is no start, end and text")
}
