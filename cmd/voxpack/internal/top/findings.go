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
	o := diagnosis.Observation{Setup: feedrun.ServedSetup(s.Session, l.Cores)}
	if feedrun.KnowsServed(s.Session) && !s.Steps.Hidden && s.Steps.Period.Count >= fewest {
		stats := statsOf(s)
		o.Steps, o.Work = feedrun.StepsOf(stats, len(s.Fillers), l.Cores), feedrun.WorkOf(stats, s.Samples, len(s.Fillers))
		o.Steps.Running = true
	}
	return diagnosis.Find(o)
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
