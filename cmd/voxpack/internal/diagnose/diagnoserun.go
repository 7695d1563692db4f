package diagnose

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"voxpack/cmd/voxpack/internal/feedrun"
	"voxpack/diagnosis"
	"voxpack/internal/perf"
)

// runFacts are a run that left a record.
type runFacts struct {
	Kind    string  `json:"kind"`
	Started string  `json:"started"` // RFC 3339
	Seconds float64 `json:"seconds"`
	Version string  `json:"version"` // of the program
	Same    bool    `json:"same"`    // it was of the dataset as it is now
	Rate    float64 `json:"samples_per_second"`

	record perf.RunRecord
}

// recordKinds are the runs whose records are looked at.
var recordKinds = []string{buildRun, feedRun}

const (
	buildRun = "build"
	feedRun  = "feed"
)

// runs reads what the last runs left. What the last feed of this dataset found is
// still worth knowing, unless it is found again.
func (d *doctor) runs(context.Context) error {
	if d.missing != nil {
		return nil
	}
	for _, kind := range recordKinds {
		r, err := perf.Latest(filepath.Join(d.place.Store, feedrun.RecordsName), kind)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			d.miss(runsPart, "no record of a %s is kept here", kind)
			continue
		case err != nil:
			d.miss(runsPart, "%v", err)
			continue
		}
		facts, found := d.lastRun(r)
		d.out.Runs = append(d.out.Runs, facts)
		d.earlier = append(d.earlier, found...)
	}
	return nil
}

// lastRun is what a record tells of its run, and what was found in it, if it was of
// this dataset. A record that tells nothing of it is of another.
func (d *doctor) lastRun(r perf.RunRecord) (runFacts, []finding) {
	var results struct {
		Dataset  string              `json:"dataset"`
		Rate     float64             `json:"samples_per_second"`
		Findings []diagnosis.Verdict `json:"findings"`
	}
	err := json.Unmarshal(r.Results, &results)
	facts := runFacts{Kind: r.Kind, Started: r.Started.Format(time.RFC3339), Seconds: r.Seconds, Version: r.Version,
		Same: err == nil && results.Dataset == d.root.String(), Rate: max(results.Rate, 0), record: r}
	if !facts.Same {
		facts.Rate = 0
		return facts, nil
	}
	var found []finding
	for _, v := range results.Findings {
		if recorded(v) {
			// It was so then: a warning, whatever it is.
			found = append(found, finding{facts.Started, checkFinding{State: stateWarning, Verdict: v}})
		}
	}
	return facts, found
}

// recorded reports whether a verdict of a file is one that rules give: whoever wrote
// it may be of another version, or nobody.
func recorded(v diagnosis.Verdict) bool {
	_, known := diagnosis.RuleOf(v.Rule)
	kinds := []diagnosis.Kind{diagnosis.Limits, diagnosis.Wastes, diagnosis.Risks}
	bases := []diagnosis.Basis{diagnosis.Measured, diagnosis.Computed, diagnosis.Suspected}
	wholes := []diagnosis.Whole{diagnosis.OfStep, diagnosis.OfBuild}
	return known && slices.Contains(kinds, v.Kind) && slices.Contains(bases, v.Basis) && slices.Contains(wholes, v.Of) &&
		v.Cause != "" && v.Unit != "" && (v.Gain == nil || *v.Gain >= 0 && *v.Gain <= 1)
}
