package diagnosis

import "fmt"

var readinessRule = Rule{
	ID:      "readiness",
	Looks:   "how often the trainer finds a batch ready",
	Limit:   "the target `ready-least`; where the rule `idle` fires, that one speaks",
	Meaning: "the feed has no reserve: whatever delays it delays the trainer",
	Setting: "`--prefetch-buffer-size`, `--workers`, `mel_dtype`, `max_mel_frames`",
	Gain:    "what the cure takes off the time between batches, at most the headspace; not known where other processes are the cause, or nothing is left to spare",
	check: func(o Observation) (Verdict, bool) {
		s := o.Supply
		if s == nil || o.idles() || 100*s.Ready >= o.Targets.Of(ReadyLeast) {
			return Verdict{}, false
		}
		v := s.cured()
		v.Kind, v.Number, v.Limit, v.Unit, v.Basis = Limits, 100*s.Ready, o.Targets.Of(ReadyLeast), "%", Measured
		v.Cause = fmt.Sprintf("%.0f %% of the batches are ready when the trainer asks (target %g %%): %s", v.Number, v.Limit, v.Cause)
		return v, true
	},
}
