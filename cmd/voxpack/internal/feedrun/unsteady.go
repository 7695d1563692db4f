package feedrun

import "fmt"

// VariationLimit is the variation of the steps, in percent, above which a run
// warns.
const VariationLimit = 30

// fewestSteps: fewer say nothing about a variation.
const fewestSteps = 3

// steadiness is what tells why steps differ.
type steadiness struct {
	variation float64 // percent
	stall     float64 // part of the steps' time
	step      float64 // ms, mean
	fill      float64 // ms that the fillers together need for a batch, mean
	copying   float64 // ms of the slowest copy, mean
	narrowest string  // stage
	depth     int
	fillers   int
	cores     int
	jitter    bool // the simulated trainer was told to vary
}

// unsteady is the warning of a run with a trainer whose steps vary too much, ""
// otherwise. Without one a step is nothing but the wait for the next batch, and
// its variation no trainer's concern.
func unsteady(f *Report, r *run) string {
	if r.trainer == nil || f.Batches <= fewestSteps {
		return ""
	}
	s := steadiness{
		variation: f.Step.Variation, stall: f.Stall.Fraction, step: f.Step.Mean, depth: f.Ring.Depth,
		fillers: r.options.fillers(), cores: r.cores(), jitter: r.trainer.jitter > 0,
	}
	if f.Narrowest != nil {
		s.narrowest = f.Narrowest.Stage
	}
	for i, stage := range f.Stages[:len(f.Stages)-1] { // the consumer is the last
		if i == 0 {
			s.fill = stage.Work.MeanMS / float64(s.fillers)
			continue
		}
		s.copying = max(s.copying, stage.Work.MeanMS)
	}
	return s.warning()
}

// warning names the setting that helps most: where the trainer itself varies
// none of a feed's, where the supply is too slow in the mean the stage that is,
// and the depth where it is only late at times.
func (s steadiness) warning() string {
	if s.variation <= VariationLimit {
		return ""
	}
	text := fmt.Sprintf("steps vary by %.0f %% (limit %d %%): ", s.variation, VariationLimit)
	train := s.step * (1 - s.stall)
	switch {
	case s.stall < 0.05 && s.jitter:
		return text + fmt.Sprintf("the trainer's own, as --jitter says; the wait for data is %.1f %% of the time", 100*s.stall)
	case s.stall < 0.05:
		return text + fmt.Sprintf("the simulated trainer's own, which this machine lets sleep too long; the wait for data is %.1f %% of the time", 100*s.stall)
	case s.copying > train:
		return text + fmt.Sprintf("a copy takes %.2g ms, the trainer %.2g ms; --cache on keeps samples on the GPU, and mel_dtype: f16 halves them", s.copying, train)
	case s.fill > train && s.fillers < s.cores:
		return text + fmt.Sprintf("filling takes %.2g ms a batch, the trainer %.2g ms; give --workers %d", s.fill, train, s.cores)
	case s.fill > train:
		return text + fmt.Sprintf("filling takes %.2g ms a batch on all cores, the trainer %.2g ms; mel_dtype: f16 halves the bytes, and a smaller max_mel_frames leaves out padding", s.fill, train)
	}
	return text + fmt.Sprintf("batches come fast enough in the mean and late at times; give --prefetch-buffer-size %d (prefetch_buffer_size)", 2*s.depth)
}
