package diagnosis

// Two roles on one GPU are no error: the cache may be what somebody wants.
var oneGPURule = Rule{
	ID:      "one-gpu",
	Looks:   "which GPU takes the batches, which one trains, how many there are",
	Limit:   "two different GPUs",
	Meaning: "a data GPU that is the model GPU adds a copy and brings nothing but its cache",
	Setting: "`--mode direct`, `--cache on`",
	Gain:    "one copy on the GPU for each batch; not known before a run",
	check: asked(func(s *Setup) (Verdict, bool) {
		v := Verdict{Kind: Wastes, Number: 1, Limit: 2, Unit: "GPUs", Basis: Computed}
		switch {
		case s.Dual && s.Same:
			v.Setting = "--mode"
			v.Cause = "data GPU and model GPU are the same: each batch is copied once more for nothing"
			v.Cure = "take --mode direct, and --cache on for what a data GPU would keep"
		case s.TwoAsked && s.GPUs == 1:
			v.Setting = "--cache"
			v.Cause = "data_gpu and model_gpu are two, and there is one GPU: batches go straight to it"
			v.Cure = "what a data GPU would keep, --cache on keeps beside the model"
		}
		return v, v.Cause != ""
	}),
}
