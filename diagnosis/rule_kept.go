package diagnosis

import "fmt"

// A batch is given back after its step. Half a step more is left for what a trainer does
// with it afterwards (chosen, not measured); who keeps it longer holds several at a time.
var keptRule = Rule{
	ID:      "batches-kept",
	Looks:   "how long the trainer keeps a batch, the slots that batches lie in",
	Limit:   "one and a half steps of training",
	Meaning: "there is no room for the next batch while the trainer keeps those before",
	Setting: "the trainer: give batches back when they are used",
	Gain:    "the part of the steps in which no stage was busy all the time",
	check: timed(func(o Observation, w Work) (Verdict, bool) {
		s, idle, train := o.Steps, w.idle(o.Steps), w.stage(Train).MS
		if s.Kept <= 1.5*train || s.Slots == 0 || idle < worth {
			return Verdict{}, false
		}
		return Verdict{
			Kind: Limits, Number: s.Kept, Limit: 1.5 * train, Unit: "ms", Gain: gain(idle), Basis: Measured,
			Cause: fmt.Sprintf("the trainer keeps a batch for %.3g ms and trains on it for %.3g ms: its batches lie in %d slots, and the next one has to wait for room",
				s.Kept, train, s.Slots),
			Cure: "give a batch back as soon as it is used",
		}, true
	}),
}
