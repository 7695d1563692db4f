package diagnosis

import "fmt"

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
	Looks:   "when a sample's checksum is compared, the time that this takes",
	Limit:   "once for each sample, when it is first read; in a single epoch both are the same",
	Meaning: "every sample is read twice in every epoch",
	Setting: "`--checksums`",
	Gain:    "filling without the comparison, bounded by the next longest stage; not known before a run",
	check: func(o Observation) (Verdict, bool) {
		s := o.Setup
		if s == nil || s.Checks != "always" || s.Epochs == 1 {
			return Verdict{}, false
		}
		v := Verdict{
			Kind: Wastes, Number: 2, Limit: 1, Unit: "readings", Setting: "--checksums", Basis: Computed,
			Cause: "--checksums always reads every sample twice in every epoch",
			Cure:  "--checksums first does so in the first alone",
		}
		if o.timed() && o.Steps.Checking > 0 {
			part := o.rechecks(*o.Work)
			v.Gain, v.Basis = gain(part), Measured
			v.Cause += fmt.Sprintf(", which takes %.3g ms of the %.3g ms that a worker needs for a batch", o.Steps.Checking, o.Work.stage(Load).MS)
			if part > 0 {
				v.Kind = Limits
			}
		}
		return v, true
	},
}

// rechecks is the gain of comparing checksums once, 0 where the GPU that trains waits
// for nothing that this would shorten.
func (o Observation) rechecks(w Work) float64 {
	load := w.stage(Load)
	if o.Setup == nil || o.Setup.Checks != "always" || load.MS <= 0 || !w.late(Load) {
		return 0
	}
	part := w.brings(w.faster(Load, max(0, 1-o.Steps.Checking/load.MS)))
	if part < worth {
		return 0
	}
	return part
}
