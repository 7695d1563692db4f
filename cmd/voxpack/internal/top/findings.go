package top

import (
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
func findingsOf(l *serve.Look, s serve.Session, steps serve.StepSummary) []diagnosis.Verdict {
	o := diagnosis.Observation{Setup: feedrun.ServedSetup(s, l.Cores)}
	if feedrun.KnowsServed(s) && !steps.Hidden && steps.Period.Count >= fewest {
		stats := statsOf(s, steps)
		o.Steps, o.Work = feedrun.StepsOf(stats, len(s.Fillers), l.Cores), feedrun.WorkOf(stats, s.Samples, len(s.Fillers))
		o.Steps.Running = true
	}
	return diagnosis.Find(o)
}

// statsOf are the figures of a session whose consumer is the trainer. What a step has
// besides waits is the trainer's, also outside of its marks: no stage could fill that
// time.
func statsOf(s serve.Session, steps serve.StepSummary) gpufeed.Stats {
	stats := feedrun.ServedStats(s)
	stats.Step, stats.Stall = steps.Period, steps.Wait
	stats.Stages[len(stats.Stages)-1] = perf.StageSummary{Work: perf.Summary{MeanMS: steps.Period.MeanMS - steps.Wait.MeanMS}}
	return stats
}
