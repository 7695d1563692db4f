package diagnosis

// Shards hold rows by the hash of their id: without a shuffle that is one random order,
// and in every epoch the same.
var sameOrderRule = Rule{
	ID:      "same-order",
	Looks:   "the order of an epoch",
	Limit:   "an order of its own for each epoch; a single epoch repeats none",
	Meaning: "a model that sees rows in one order learns the order too",
	Setting: "`--shuffle`",
	Gain:    "none in time: it changes what is trained on",
	check: asked(func(s *Setup) (Verdict, bool) {
		if s.Shuffle != "none" || s.Epochs == 1 {
			return Verdict{}, false
		}
		return Verdict{
			Kind: Risks, Number: float64(s.Epochs), Limit: 1, Unit: "epochs", Setting: "--shuffle", Basis: Computed,
			Cause: "--shuffle none gives every epoch the same order",
			Cure:  "train with --shuffle global",
		}, true
	}),
}
