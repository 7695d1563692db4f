package top

import (
	"slices"

	"voxpack/cmd/voxpack/internal/feedrun"
	"voxpack/diagnosis"
	"voxpack/gpufeed"
	"voxpack/gpufeed/serve"
	"voxpack/internal/perf"
)

// fewest: fewer steps say nothing of a training.
const fewest = 20

// findingsOf holds a session against the rules: what it was started with, and, of
// consumers that note their steps, what the last ones were spent on.
func findingsOf(l *serve.Look, s serve.Seen) []diagnosis.Verdict {
	o := diagnosis.Observation{Setup: setupOf(l, s)}
	// Fill, at most two copies, and who publishes: a feeder of another version may
	// say something else.
	known := len(s.Stages) >= 2 && len(s.Stages) <= 4 && len(s.Fillers) > 0 && s.Setup.Depth > 0
	if known && !s.Steps.Hidden && s.Steps.Period.Count >= fewest {
		stats := statsOf(s)
		o.Steps, o.Work = feedrun.StepsOf(stats, len(s.Fillers), l.Cores), feedrun.WorkOf(stats, s.Samples, len(s.Fillers))
		o.Steps.Running = true
	}
	return diagnosis.Find(o)
}

// setupOf is what a session was started with.
func setupOf(l *serve.Look, s serve.Seen) *diagnosis.Setup {
	return &diagnosis.Setup{
		Batch: s.Batch, Share: s.Samples, Rows: s.Setup.Rows, Buckets: s.Setup.Buckets, Tail: s.Setup.Tail, Shuffle: s.Setup.Shuffle,
		Epochs: s.Setup.Epochs, Fillers: len(s.Fillers), Cores: l.Cores, Depth: s.Setup.Depth, Usual: diagnosis.UsualDepth(s.Samples),
		Checks: s.Setup.Checks, BatchBytes: uint64(max(0, s.Setup.BatchBytes)), Device: s.GPU != nil, Dual: s.Setup.Dual,
	}
}

// statsOf are the figures of a session as those of a feed whose consumer is the
// trainer: here the last stage only publishes. What a step has besides waits is the
// trainer's, also outside of its marks: no stage could fill that time. How long the
// trainer keeps a batch is left out, because a served one waits in the ring first.
func statsOf(s serve.Seen) gpufeed.Stats {
	train := perf.Summary{MeanMS: s.Steps.Period.MeanMS - s.Steps.Wait.MeanMS}
	stats := gpufeed.Stats{
		Step: s.Steps.Period, Stall: s.Steps.Wait, Depth: s.Setup.Depth, MaxDepth: s.Setup.Depth,
		Stages: slices.Clone(s.Stages), Real: s.Real, Slots: s.Slots, Staged: s.Staged,
	}
	stats.Stages[len(stats.Stages)-1] = perf.StageSummary{Work: train}
	for _, f := range s.Fillers {
		stats.Fillers = append(stats.Fillers, gpufeed.FillerStats{Batches: f.Batches, MeanMS: f.MeanMS})
	}
	return stats
}
