package diagnosis

import "fmt"

var batchSmallRule = Rule{
	ID:      "batch-small",
	Looks:   "the part of the longest stage that does not grow with the batch",
	Limit:   "half of the stage",
	Meaning: "most of a step takes as long for more samples",
	Setting: "`--batch-size`",
	Gain:    "the time of a sample in a batch four times as large",
	check: func(o Observation) (Verdict, bool) {
		if o.Work == nil || o.Work.Batch == 0 || !o.Work.has(Train) {
			return Verdict{}, false
		}
		w := *o.Work
		stage, most := w.longest()
		fixed := w.stage(stage).FixedMS
		if most == 0 || fixed < w.stage(stage).MS/2 { // a clock may stand still
			return Verdict{}, false
		}
		_, then := w.sized(4 * w.Batch).longest()
		return Verdict{
			Kind: Limits, Number: fixed, Limit: w.stage(stage).MS / 2, Unit: "ms", Setting: "--batch-size", Gain: gain(1 - then/4/most), Basis: Computed,
			Cause: fmt.Sprintf("%s takes %.3g ms for %d samples, of which %.3g ms are the same for any number", stage, w.stage(stage).MS, w.Batch, fixed),
			Cure:  fmt.Sprintf("take --batch-size %d, where memory and the training allow it", 4*w.Batch),
		}, true
	},
}
