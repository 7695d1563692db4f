package feedrun

import (
	"time"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/diagnosis"
	"voxpack/gpufeed"
	"voxpack/gpufeed/plan"
	"voxpack/internal/perf"
)

// Report is the JSON of feed. Times are seconds or milliseconds as the names
// say, rates are those of this rank.
type Report struct {
	Dataset string `json:"dataset"` // root digest
	Ended   string `json:"ended"`   // "done", "interrupted" or "failed"
	Error   string `json:"error,omitempty"`

	Samples          int64   `json:"samples"`
	Batches          int64   `json:"batches"`
	Epochs           int     `json:"epochs"`
	Seconds          float64 `json:"seconds"` // from the opening of the feed to the return of the last batch
	SamplesPerSecond float64 `json:"samples_per_second"`
	BytesPerSecond   float64 `json:"bytes_per_second"`
	FirstBatch       float64 `json:"first_batch_seconds"` // since the process started; 0: none came

	Step    StepFigures     `json:"step"`
	Stall   stallFigures    `json:"stall"`
	Ring    ringFigures     `json:"ring"`
	Memcpy  float64         `json:"memcpy_bytes_per_second"` // 0: nothing to measure it with
	Devices []DeviceFigures `json:"devices"`
	Cursor  *plan.Cursor    `json:"cursor"`
	Digests []string        `json:"epoch_digests"`

	Stages    []perf.StageSummary  `json:"stages"`
	Narrowest *diagnosis.Narrowest `json:"narrowest"`
	Cache     cacheFigures         `json:"cache"`
	Corrupt   corruptFigures       `json:"corrupt"`
	Findings  []diagnosis.Verdict  `json:"findings"` // what limits the training, by gain
	Advice    []advice             `json:"advice"`
	Notes     []string             `json:"notes"`
	Warnings  []string             `json:"warnings"`
}

// StepFigures are of the times from one batch to the next.
type StepFigures struct {
	Mean      float64 `json:"mean_ms"`
	Std       float64 `json:"std_ms"`
	Min       float64 `json:"min_ms"`
	Max       float64 `json:"max_ms"`
	P50       float64 `json:"p50_ms"`
	P99       float64 `json:"p99_ms"`
	Variation float64 `json:"variation"` // 100 × std / mean
}

// StepFiguresOf are the figures of steps that were summed up.
func StepFiguresOf(s perf.Summary) StepFigures {
	return StepFigures{s.MeanMS, s.StdMS, s.MinMS, s.MaxMS, s.P50MS, s.P99MS, s.Variation()}
}

// stallFigures are of the waits for a batch, the first one apart.
type stallFigures struct {
	P50      float64 `json:"p50_ms"`
	P99      float64 `json:"p99_ms"`
	Fraction float64 `json:"fraction"` // of the steps' time
}

// ringFigures are of the ring of batches on the host, whose depth the feed adapts
// while it runs.
type ringFigures struct {
	Depth  int `json:"depth"` // batches prepared ahead, at the end
	Grown  int `json:"grown"` // by so many batches
	Shrunk int `json:"shrunk"`
}

// DeviceFigures are of a GPU that batches went to; null is not known.
type DeviceFigures struct {
	Name        string   `json:"name"`
	GPU         int      `json:"gpu"`
	Role        string   `json:"role"`
	Bus         string   `json:"bus,omitempty"` // PCI address
	Utilisation *float64 `json:"utilisation"`   // mean percent of the time in which some kernel ran
	MemoryMB    *float64 `json:"memory_mb"`     // the most in use, by all processes
	// Of what was sampled through NVML; null where nothing was.
	UtilisationStd *float64 `json:"utilisation_std"`
	MemoryMean     *float64 `json:"memory_mean_mb"`
	MemoryStd      *float64 `json:"memory_std_mb"`
	TakenMB        float64  `json:"taken_mb"` // by this feed
}

// cacheFigures are of the samples that stay on a GPU.
type cacheFigures struct {
	Bytes uint64 `json:"bytes"`
	Size  uint64 `json:"size"`
	Host  int64  `json:"host_bytes"` // came from the host to a GPU
}

// corruptFigures are of corrupt samples that --on-corrupt skip left out. A row
// counts once, its deliveries each time.
type corruptFigures struct {
	Deliveries int64    `json:"deliveries"` // left out
	Rows       int      `json:"rows"`
	IDs        []string `json:"ids"`    // of the first ten rows
	Mended     int      `json:"mended"` // shards that were made anew, so that none of their rows was left out
}

// copyTime is how long a run copies at its end at most, to have something to compare
// its rate with.
const copyTime = 100 * time.Millisecond

// copyLimit is a tenth of a run that is shorter than a second, for which nobody
// waits longer than for the run itself.
func copyLimit(took time.Duration) time.Duration { return min(copyTime, took/10) }

// mostCorrupt is how many corrupt rows a report names.
const mostCorrupt = 10

// newReport is what the feed says of itself while it is still open.
func newReport(r *run) *Report {
	s := r.feed.Stats()
	f := &Report{
		Dataset: r.set.Dataset().Snapshot.Root.String(), Samples: s.Samples, Batches: s.Batches,
		Seconds: r.ended.Sub(r.opened).Seconds(), FirstBatch: r.firstBatch.Seconds(),
		Ring: ringFigures{s.Depth, s.Grown, s.Shrunk}, Devices: []DeviceFigures{}, Cache: cacheFigures{s.CacheBytes, s.CacheSize, s.HostBytes},
		Stages: s.Stages, Findings: []diagnosis.Verdict{}, Advice: []advice{}, Notes: []string{}, Warnings: []string{},
	}
	// Over the whole time, the first batch included. A clock may stand still over a
	// short run, and JSON has no infinity.
	if f.Seconds > 0 {
		f.SamplesPerSecond, f.BytesPerSecond = float64(s.Samples)/f.Seconds, float64(s.Bytes)/f.Seconds
	}
	f.Step = StepFiguresOf(s.Step)
	f.Stall = stallFigures{P50: s.Stall.P50MS, P99: s.Stall.P99MS}
	// A run of one batch has no step.
	if s.Step.TotalMS > 0 {
		f.Stall.Fraction = s.Stall.TotalMS / s.Step.TotalMS
	}
	// null in the JSON where the stages show none.
	if n, ok := diagnosis.Bottleneck(f.Stages); ok {
		f.Narrowest = &n
	}
	for _, d := range s.Devices {
		f.Devices = append(f.Devices, deviceOf(d))
	}
	f.Corrupt = corruptFigures{Deliveries: s.Lost, Rows: len(s.Corrupt), IDs: []string{}, Mended: s.Mended}
	for _, e := range s.Corrupt[:min(len(s.Corrupt), mostCorrupt)] {
		f.Corrupt.IDs = append(f.Corrupt.IDs, e.ID)
	}
	if c, err := r.feed.Cursor(); err == nil {
		f.Cursor = &c
	} else {
		r.said.note("the position cannot be told: %v", err)
	}
	if r.compare {
		f.Memcpy = r.feed.CopySpeed(copyLimit(r.ended.Sub(r.opened)))
	}
	return f
}

// end says how the run came to its end, and what depends on that.
func (f *Report) end(r *run, failed error, interrupted bool) {
	f.Ended = "done"
	if failed != nil {
		f.Ended, f.Error = "failed", failed.Error()
	}
	// Ctrl-C is how an endless run ends, so that it is no failure and has no
	// error text, whatever the delivery returned.
	if interrupted {
		f.Ended, f.Error = "interrupted", ""
	}
	f.Epochs = r.epochs(f, failed)
	f.Digests = r.digests.list(f.Epochs)
	observed := r.observe(r.feed.Stats())
	f.Findings = diagnosis.Find(observed)
	if text := unsteady(observed); text != "" && r.watch == nil { // who watches has the findings
		r.said.warn(text)
	}
	if f.Corrupt.Deliveries > 0 {
		r.said.warn("corrupt samples: " + corruptText(f.Corrupt) + "; " + term.RepairCure)
	}
	if f.Corrupt.Mended > 0 {
		r.said.warn(term.Count(f.Corrupt.Mended, "damaged shard") + " made anew from the sources for this run; voxpack repair does so in the store")
	}
	// Last, as the lines above add warnings.
	f.Advice = append(f.Advice, r.said.advice...)
	f.Notes = append(f.Notes, r.said.notes...)
	f.Warnings = append(f.Warnings, r.said.warnings...)
}

// epochs is how many epochs the run went through, the last one perhaps in part.
// Those that delivered nothing count, if the run went on behind them.
func (r *run) epochs(f *Report, failed error) int {
	if c := r.config; failed == nil && c.Plan.Steps == 0 {
		return c.Plan.Epochs
	}
	if f.Batches == 0 || f.Cursor == nil {
		return 0
	}
	return int(f.Cursor.Epoch-r.firstEpoch()) + 1
}

// deviceOf turns the feed's -1 for "not known" into null.
func deviceOf(u gpufeed.Usage) DeviceFigures {
	d := DeviceFigures{Name: u.Name, GPU: u.GPU, Role: u.Role, Bus: u.Bus, TakenMB: float64(u.Taken) / 1e6}
	if u.Utilisation >= 0 {
		d.Utilisation, d.UtilisationStd = &u.Utilisation, &u.Spread.Utilisation
	}
	if u.Memory >= 0 {
		most, mean, std := float64(u.Memory)/1e6, u.Spread.MeanMemory/1e6, u.Spread.Memory/1e6
		d.MemoryMB, d.MemoryMean, d.MemoryStd = &most, &mean, &std
	}
	return d
}
