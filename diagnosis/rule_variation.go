package diagnosis

import "fmt"

// The oldest rule, which a feed prints as its warning. Whatever the mean explains has a
// rule of its own; this one speaks of steps that differ.
var variationRule = Rule{
	ID:      "variation",
	Looks:   "how much steps vary, the wait for data, the times of filling and copying",
	Limit:   "the target `variation`; where a phase misses its own target, its rule speaks",
	Meaning: "the trainer waits at times, or varies by itself",
	Setting: "that of the stage that is too slow in the mean; if none is, `--prefetch-buffer-size`",
	Gain:    "the wait for data, as measured",
	check: func(o Observation) (Verdict, bool) {
		s := o.Steps
		if s == nil || s.Variation <= o.Targets.Of(VariationTarget) || o.Phases != nil && o.Phases.late(o.Targets) {
			return Verdict{}, false
		}
		if s.Stall >= ownStall && o.limited() {
			return Verdict{}, false
		}
		limit := o.Targets.Of(VariationTarget)
		v := s.why()
		v.Kind, v.Number, v.Limit, v.Unit, v.Gain, v.Basis = Limits, s.Variation, limit, "%", gain(s.Stall), Measured
		v.Cause = fmt.Sprintf("steps vary by %.0f %% (limit %g %%): %s", s.Variation, limit, v.Cause)
		return v, true
	},
}

// ownStall is the wait for data, as a part of the step, under which a trainer
// that varies does so by itself.
const ownStall = 0.05

// why names the setting that helps most: where the trainer itself varies none of
// a feed's, where the supply is too slow in the mean the stage that is, and the
// depth where it is only late at times.
func (s *Steps) why() Verdict {
	train := s.Mean * (1 - s.Stall)
	filling := fmt.Sprintf("filling takes %.2g ms a batch", s.Fill)
	switch {
	case s.Stall < ownStall && s.Jitter:
		return Verdict{Cause: fmt.Sprintf("the trainer's own, as --jitter says; the wait for data is %.1f %% of the time", 100*s.Stall)}
	case s.Stall < ownStall && s.Running:
		return Verdict{Cause: fmt.Sprintf("the trainer's own, as where batches have several lengths or it evaluates now and then; the wait for data is %.1f %% of the time", 100*s.Stall)}
	case s.Stall < ownStall:
		return Verdict{Cause: fmt.Sprintf("the simulated trainer's own, which this machine lets sleep too long; the wait for data is %.1f %% of the time", 100*s.Stall)}
	case s.Copying > train:
		return Verdict{Setting: "--cache",
			Cause: fmt.Sprintf("a copy takes %.2g ms, the trainer %.2g ms", s.Copying, train),
			Cure:  "--cache on keeps samples on the GPU, and mel_dtype: f16 halves them"}
	case s.Fill > train && s.Fillers < s.Cores:
		return Verdict{Setting: "--workers",
			Cause: fmt.Sprintf("%s, the trainer %.2g ms", filling, train),
			Cure:  fmt.Sprintf("give --workers %d", s.Cores)}
	case s.Fill > train:
		return Verdict{Setting: "mel_dtype",
			Cause: fmt.Sprintf("%s on all cores, the trainer %.2g ms", filling, train),
			Cure:  "mel_dtype: f16 halves the bytes, and a smaller max_mel_frames leaves out padding"}
	}
	return Verdict{Setting: "--prefetch-buffer-size",
		Cause: "batches come fast enough in the mean and late at times",
		Cure:  fmt.Sprintf("give --prefetch-buffer-size %d (prefetch_buffer_size)", 2*s.Depth)}
}
