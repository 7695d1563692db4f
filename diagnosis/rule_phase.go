package diagnosis

import "fmt"

// The rules of phases know how much a wait costs and not why. They speak where no rule
// of measured stages does.
var loadShareRule = Rule{
	ID:      "load-share",
	Looks:   "the wait for batches that were filled late, the times of filling and training",
	Limit:   "the target `load-most`; where another rule names the cause, that one speaks",
	Meaning: "the GPU that trains waits for the host",
	Setting: "`--workers` where cores are free, else fewer bytes: `mel_dtype`; where filling is fast enough in the mean, `--prefetch-buffer-size`",
	Gain:    "this wait, as measured: the next longest stage is left out of it",
	check: func(o Observation) (Verdict, bool) {
		limit := o.Targets.Of(LoadMost)
		if !o.Phases.misses(LoadPhase, limit) || o.limited() {
			return Verdict{}, false
		}
		share := o.Phases.Of(LoadPhase)
		v := o.Steps.fillCure()
		v.Kind, v.Number, v.Limit, v.Unit, v.Gain, v.Basis = Limits, 100*share, limit, "%", gain(share), Measured
		v.Cause = fmt.Sprintf("%.0f %% of the step is a wait for loading (limit %g %%): %s", 100*share, limit, v.Cause)
		return v, true
	},
}

// fillCure names the setting that makes batches come sooner.
func (s *Steps) fillCure() Verdict {
	if s == nil {
		return Verdict{Setting: "--workers", Cause: "batches are filled late", Cure: "more --workers, or fewer bytes: mel_dtype: f16"}
	}
	train := s.Mean * (1 - s.Stall)
	filling := fmt.Sprintf("filling takes %.3g ms a batch, training %.3g ms", s.Fill, train)
	switch {
	case s.Fill > train && s.Fillers < s.Cores:
		return Verdict{Setting: "--workers", Cause: filling, Cure: fmt.Sprintf("give --workers %d", s.Cores)}
	case s.Fill > train:
		return Verdict{Setting: "mel_dtype", Cause: filling + ", on all cores",
			Cure: "mel_dtype: f16 halves the bytes, and a smaller max_mel_frames leaves out padding"}
	}
	return Verdict{Setting: "--prefetch-buffer-size", Cause: filling + ", but at times much more",
		Cure: fmt.Sprintf("give --prefetch-buffer-size %d (prefetch_buffer_size)", max(2, 2*s.Depth))}
}

var transferShareRule = Rule{
	ID:      "transfer-share",
	Looks:   "the wait for batches that were copied late, the time of the slowest copy",
	Limit:   "the target `transfer-most`; where another rule names the cause, that one speaks",
	Meaning: "the GPU that trains waits for a link",
	Setting: "`--cache`, or fewer bytes: `mel_dtype`",
	Gain:    "this wait, as measured, once nothing before the link is slower than it",
	check: func(o Observation) (Verdict, bool) {
		limit := o.Targets.Of(TransferMost)
		if !o.Phases.misses(TransferPhase, limit) || o.limited() {
			return Verdict{}, false
		}
		share := o.Phases.Of(TransferPhase)
		cause := fmt.Sprintf("%.0f %% of the step is a wait for copies (limit %g %%)", 100*share, limit)
		if s := o.Steps; s != nil {
			cause += fmt.Sprintf(": a copy takes %.3g ms, training %.3g ms", s.Copying, s.Mean*(1-s.Stall))
		}
		return Verdict{Kind: Limits, Number: 100 * share, Limit: limit, Unit: "%", Setting: "--cache", Gain: gain(share), Basis: Measured,
			Cause: cause, Cure: stageCures[Copy].text}, true
	},
}

var trainShareRule = Rule{
	ID:      "train-share",
	Looks:   "the part of the step in which somebody trains, if loading and copying meet their targets",
	Limit:   "the target `train-least`",
	Meaning: "the step goes into what is between batches",
	Setting: "none of the feed",
	Gain:    "the gaps, as measured",
	check: func(o Observation) (Verdict, bool) {
		limit := o.Targets.Of(TrainLeast)
		p := o.Phases
		if p == nil || p.late(o.Targets) || !(p.Of(TrainPhase) > 0) || 100*p.Of(TrainPhase) >= limit {
			return Verdict{}, false
		}
		train, gaps := p.Of(TrainPhase), p.Of(GapsPhase)
		return Verdict{Kind: Limits, Number: 100 * train, Limit: limit, Unit: "%", Gain: gain(gaps), Basis: Measured,
			Cause: fmt.Sprintf("training is %.0f %% of the step (target %g %%), and %.0f %% goes into what is between batches", 100*train, limit, 100*gaps),
			Cure:  "a step that is this short pays more for each batch than for its samples: a larger --batch-size; or take logging and checkpoints out of the loop",
		}, true
	},
}
