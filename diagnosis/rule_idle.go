package diagnosis

import "fmt"

// Idle and readiness are one wait, seen from the trainer and from the feed. Of both, the
// one that says how much is lost speaks.
var idleRule = Rule{
	ID:      "idle",
	Looks:   "the part of the time in which the trainer waits for data",
	Limit:   "what the target `model-gpu-least` leaves of 100 %; not if the feed is fast enough and batches are as ready as `ready-least` asks: then a few delays are long",
	Meaning: "the GPU that trains waits for the feed",
	Setting: "`--workers`, `mel_dtype`, `max_mel_frames`, `--prefetch-buffer-size`",
	Gain:    "what the cure takes off the time between batches, at most the headspace; not known where other processes are the cause, or nothing is left to spare",
	check: func(o Observation) (Verdict, bool) {
		s := o.Supply
		if !o.idles() {
			return Verdict{}, false
		}
		v := s.cured()
		v.Kind, v.Number, v.Limit, v.Unit, v.Basis = Limits, 100*s.Idle, 100-o.Targets.Of(ModelGPULeast), "%", Measured
		v.Cause = fmt.Sprintf("the trainer waits %.0f %% of the time (limit %g %%): %s", v.Number, v.Limit, v.Cause)
		return v, true
	},
}

// idles reports whether the trainer waits too long. Of a feed that is too slow most
// batches may be ready: many workers end at the same moment, and the trainer waits for
// the first of them alone.
func (o Observation) idles() bool {
	s := o.Supply
	return s != nil && 100*s.Idle > 100-o.Targets.Of(ModelGPULeast) && (s.Period > s.Step || 100*s.Ready < o.Targets.Of(ReadyLeast))
}
