package feedrun

import "voxpack/diagnosis"

// fewestSteps: fewer say nothing about a variation.
const fewestSteps = 3

// unsteady is the warning of a run with a trainer whose steps vary too much, ""
// otherwise. Without one a step is nothing but the wait for the next batch, and
// its variation no trainer's concern.
func unsteady(f *Report, r *run) string {
	if r.trainer == nil || f.Batches <= fewestSteps {
		return ""
	}
	s := &diagnosis.Steps{
		Variation: f.Step.Variation, Stall: f.Stall.Fraction, Mean: f.Step.Mean, Depth: f.Ring.Depth,
		Fillers: r.options.fillers(), Cores: r.cores(), Jitter: r.trainer.jitter > 0,
	}
	for i, stage := range f.Stages[:len(f.Stages)-1] { // the consumer is the last
		if i == 0 {
			s.Fill = stage.Work.MeanMS / float64(s.Fillers)
			continue
		}
		s.Copying = max(s.Copying, stage.Work.MeanMS)
	}
	found := diagnosis.Find(diagnosis.Observation{Steps: s})
	if len(found) == 0 {
		return ""
	}
	return found[0].Text()
}
