package diagnosis

import "fmt"

// The last word: it knows the stage and no cause. Each rule that knows one comes before
// it, so that a person is not told twice of the same wait.
var boundRule = Rule{
	ID:      "bound",
	Looks:   "the time of each stage for a batch",
	Limit:   "the next longest stage: no step is shorter than it, however fast the longest becomes",
	Meaning: "the GPU that trains waits for an earlier stage, although all stages overlap",
	Setting: "that of the stage: `--workers`, `--cache`, `mel_dtype`, `--mode`",
	Gain:    "the difference of the two longest stages, as a part of the longest",
	check: func(o Observation) (Verdict, bool) {
		// What a stage costs shows beside training only, and a rule that knows why
		// says more than this one.
		if o.Work == nil || !o.Work.has(Train) || o.timed() && (o.named(*o.Work) || explained(o, paddingRule, melDTypeRule)) {
			return Verdict{}, false
		}
		stage, most := o.Work.longest()
		cure, known := stageCures[stage]
		if !known || stage == Transfer && staged(o) { // the training itself waits for nothing
			return Verdict{}, false
		}
		next, second := o.Work.faster(stage, 0).longest()
		return Verdict{
			Kind: Limits, Number: most, Limit: second, Unit: "ms", Setting: cure.setting, Gain: gain(1 - second/most), Basis: Computed,
			Cause: fmt.Sprintf("%s takes %.4g ms a batch and %s %.4g ms: the GPU that trains waits for %[1]s", stage, most, next, second),
			Cure:  cure.text,
		}, true
	},
}

// stageCures are what makes a stage faster. Training has none here.
var stageCures = map[Stage]struct{ setting, text string }{
	Load:       {"--workers", "--workers up to the number of cores, mel_dtype: f16 for half the bytes, a smaller max_mel_frames for less padding"},
	Copy:       {"--cache", "--cache on keeps samples on the GPU, mel_dtype: f16 halves them; see voxpack topo for the link"},
	Preprocess: {"", "do it once, when the dataset is built, or on the host's cores"},
	Transfer:   {"mel_dtype", "mel_dtype: f16 halves the bytes, --mode direct leaves the copy out; see voxpack topo for the way between the GPUs"},
}
