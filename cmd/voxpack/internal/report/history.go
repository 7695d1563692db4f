package report

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"slices"
	"time"

	"voxpack/cmd/voxpack/internal/feedrun"
	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/compiler"
	"voxpack/compiler/kind"
	"voxpack/internal/perf"
	"voxpack/store"
)

// RejectionGroup is the rows that were left out for one cause.
type RejectionGroup struct {
	Stage string                 `json:"stage"`
	Kind  string                 `json:"kind"` // one of kind.Rejections
	Rows  int                    `json:"rows"`
	First []compiler.RejectedRow `json:"first"` // in file order
}

// StageReuse says how many rows a stage of the build computed and took over.
type StageReuse struct {
	Stage string `json:"stage"`
	Run   uint64 `json:"run"`
	Hit   uint64 `json:"hit"`
}

// Build is what the last run record of a build says.
type Build struct {
	Started      time.Time `json:"started"`
	Seconds      float64   `json:"seconds"`
	Version      string    `json:"version"`
	Current      bool      `json:"current"` // it made this snapshot
	BytesWritten int64     `json:"bytes_written"`
	Spans        []Span    `json:"spans"`
}

// Span is a stretch of a build, in seconds from its begin.
type Span struct {
	Name    string  `json:"name"`
	Start   float64 `json:"start"`
	Seconds float64 `json:"seconds"`
}

// Feed is what the last run record of a feed says.
type Feed struct {
	Started          time.Time `json:"started"`
	Seconds          float64   `json:"seconds"`
	Version          string    `json:"version"`
	Current          bool      `json:"current"` // it fed this dataset
	Samples          int64     `json:"samples"`
	Batches          int64     `json:"batches"`
	SamplesPerSecond float64   `json:"samples_per_second"`
	StepMS           float64   `json:"step_ms"`
	Variation        float64   `json:"variation"` // percent
	Stall            float64   `json:"stall"`     // the part of the time that the trainer waited
}

// addRejections groups rejected rows by stage and cause, the most rows first.
func (f *Figures) addRejections(d *store.Dataset) error {
	list, err := d.Store.ReadRejections(d.Snapshot)
	if err != nil {
		return err
	}
	type cause struct{ stage, kind string }
	at := map[cause]int{}
	for i := range list {
		c := cause{list[i].Stage, string(kind.Of(list[i].Kind))}
		n, ok := at[c]
		if !ok {
			n = len(f.Rejections)
			at[c] = n
			f.Rejections = append(f.Rejections, RejectionGroup{c.stage, c.kind, 0, []compiler.RejectedRow{}})
		}
		g := &f.Rejections[n]
		if g.Rows++; g.Rows <= mostFirst {
			g.First = append(g.First, compiler.RejectedRowOf(&list[i]))
		}
	}
	slices.SortStableFunc(f.Rejections, func(a, b RejectionGroup) int { return cmp.Compare(b.Rows, a.Rows) })
	return nil
}

// addHistory reads the last run records. They are for people: one that is missing
// or that cannot be read is no reason to have no report.
func (f *Figures) addHistory(p locate.Place, d *store.Dataset) {
	records := filepath.Join(p.Store, feedrun.RecordsName)
	if r, err := perf.Latest(records, "build"); err == nil {
		f.Build = buildOf(r, d)
	}
	if r, err := perf.Latest(records, "feed"); err == nil {
		f.Feed = feedOf(r, d)
	}
}

// mostSpans bounds what a record can put on the page; a build has some twenty.
const mostSpans = 200

func buildOf(r perf.RunRecord, d *store.Dataset) *Build {
	var results struct {
		Snapshot     string `json:"snapshot"`
		BytesWritten int64  `json:"bytes_written"`
		Spans        []Span `json:"spans"`
	}
	if err := json.Unmarshal(r.Results, &results); err != nil {
		return nil
	}
	return &Build{r.Started, r.Seconds, r.Version, results.Snapshot == d.Digest.String(), results.BytesWritten, append([]Span{}, results.Spans[:min(len(results.Spans), mostSpans)]...)}
}

func feedOf(r perf.RunRecord, d *store.Dataset) *Feed {
	var results struct {
		Dataset          string  `json:"dataset"`
		Samples          int64   `json:"samples"`
		Batches          int64   `json:"batches"`
		SamplesPerSecond float64 `json:"samples_per_second"`
		Step             struct {
			Mean      float64 `json:"mean_ms"`
			Variation float64 `json:"variation"`
		} `json:"step"`
		Stall struct {
			Fraction float64 `json:"fraction"`
		} `json:"stall"`
	}
	if err := json.Unmarshal(r.Results, &results); err != nil {
		return nil
	}
	return &Feed{r.Started, r.Seconds, r.Version, results.Dataset == d.Snapshot.Root.String(), results.Samples, results.Batches, results.SamplesPerSecond,
		results.Step.Mean, results.Step.Variation, results.Stall.Fraction}
}
