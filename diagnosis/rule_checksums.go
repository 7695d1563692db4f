package diagnosis

var checksumsOffRule = Rule{
	ID:      "checksums-off",
	Looks:   "when a sample's checksum is compared",
	Limit:   "once for each sample, when it is first read",
	Meaning: "a damaged sample is trained on",
	Setting: "`--checksums`",
	Gain:    "none in time: it costs reading each sample once more",
	check: asked(func(s *Setup) (Verdict, bool) {
		return Verdict{
			Kind: Risks, Number: 0, Limit: 1, Unit: "looks", Setting: "--checksums", Basis: Computed,
			Cause: "with --checksums off a damaged sample reaches the trainer",
			Cure:  "--checksums first costs one look at each sample in the whole run",
		}, s.Checks == "off"
	}),
}

var checksumsAlwaysRule = Rule{
	ID:      "checksums-always",
	Looks:   "when a sample's checksum is compared",
	Limit:   "once for each sample, when it is first read; in a single epoch both are the same",
	Meaning: "every sample is read twice in every epoch",
	Setting: "`--checksums`",
	Gain:    "a second reading of each sample; not known before a run",
	check: asked(func(s *Setup) (Verdict, bool) {
		return Verdict{
			Kind: Wastes, Number: 2, Limit: 1, Unit: "readings", Setting: "--checksums", Basis: Computed,
			Cause: "--checksums always reads every sample twice in every epoch",
			Cure:  "--checksums first does so in the first alone",
		}, s.Checks == "always" && s.Epochs != 1
	}),
}
