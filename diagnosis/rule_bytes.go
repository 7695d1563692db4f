package diagnosis

import "fmt"

// lighter is the work on batches with a part of their bytes: what moves them gets
// shorter, training does not.
func (w Work) lighter(part float64) Work {
	for _, stage := range []Stage{Load, Copy, Transfer} {
		w = w.faster(stage, part)
	}
	return w
}

// faulty reports whether what moves bytes is slower than it should be. To move
// fewer of them would hide that.
func (o Observation) faulty(w Work) bool {
	return staged(o) && w.late(Transfer) || o.named(w)
}

// named reports whether a rule knows why a stage is slow.
func (o Observation) named(w Work) bool {
	return o.swaps() || o.rechecks(w) > 0 ||
		explained(o, slowLinkRule, slowPeerRule, workersFewRule, coldCacheRule, slowDiskRule, slowFillRule, ringSmallRule)
}

var paddingRule = Rule{
	ID:      "padding",
	Looks:   "the frames of the samples that were delivered, the frames of their shape",
	Limit:   "half of the frames",
	Meaning: "the GPU that trains waits for bytes that are padding",
	Setting: "`max_mel_frames`, `--buckets`",
	Gain:    "loading and copying without the padding, bounded by the training",
	check: timed(func(o Observation, w Work) (Verdict, bool) {
		s := o.Steps
		part := w.brings(w.lighter(s.Real))
		if s.Real <= 0 || s.Real >= 0.5 || part < worth || o.faulty(w) {
			return Verdict{}, false
		}
		return Verdict{
			Kind: Limits, Number: 100 * (1 - s.Real), Limit: 50, Unit: "%", Setting: "max_mel_frames", Gain: gain(part), Basis: Computed,
			Cause: fmt.Sprintf("%.0f %% of all frames are padding, and the GPU that trains waits for them to be moved", 100*(1-s.Real)),
			Cure:  "a smaller max_mel_frames (voxpack verify tells the lengths), or --buckets for shapes in between",
		}, true
	}),
}

var melDTypeRule = Rule{
	ID:      "mel-f32",
	Looks:   "the type of the mel, the time of each stage",
	Limit:   "16 bits: most training does not notice the difference",
	Meaning: "the GPU that trains waits for bytes that it can do without",
	Setting: "`mel_dtype`",
	Gain:    "loading and copying half of the mel, bounded by the training",
	check: timed(func(o Observation, w Work) (Verdict, bool) {
		s := o.Steps
		part := w.brings(w.lighter(1 - s.Halved))
		if s.Halved <= 0 || part < worth || o.faulty(w) {
			return Verdict{}, false
		}
		return Verdict{
			Kind: Limits, Number: 32, Limit: 16, Unit: "bits", Setting: "mel_dtype", Gain: gain(part), Basis: Computed,
			Cause: "the mel is f32, and the GPU that trains waits for it to be moved",
			Cure:  "mel_dtype: f16 halves it; --cache on keeps samples on the GPU",
		}, true
	}),
}
