package diagnosis

import (
	"fmt"

	"voxpack/internal/number"
)

// Both rules are about what is trained on and cost no time, so that they have no gain.
var batchOverRowsRule = Rule{
	ID:      "batch-over-rows",
	Looks:   "the batch size, the rows of the selection",
	Limit:   "a batch of all rows",
	Meaning: "a batch is padded, or holds rows several times",
	Setting: "`--batch-size`",
	Gain:    "none in time: it changes what is trained on",
	check: asked(func(s *Setup) (Verdict, bool) {
		if s.Batch <= s.Rows {
			return Verdict{}, false
		}
		cost := "the rest of it is empty"
		cause := "a batch has %d samples and the selection %s: %s"
		if s.Tail == "wrap" {
			cost = "rows come several times in each"
			cause = "a batch has %d samples and the selection %s, so that %s"
		}
		return Verdict{
			Kind: Wastes, Number: float64(s.Batch), Limit: float64(s.Rows), Unit: "samples", Setting: "--batch-size", Basis: Computed,
			Cause: fmt.Sprintf(cause, s.Batch, number.Count(s.Rows, "row"), cost),
			Cure:  fmt.Sprintf("take --batch-size %d or less", s.Rows),
		}, true
	}),
}

// tailPart: a tail of more than 1/tailPart of the rows is worth a line.
const tailPart = 20

var tailRule = Rule{
	ID:      "tail",
	Looks:   "the rows that fill no whole batch, and what becomes of them",
	Limit:   "a twentieth of the rows: fewer come in the next epoch, which has another order",
	Meaning: "rows are missing from each epoch, other ones each time",
	Setting: "`--tail`",
	Gain:    "none in time: it changes what is trained on",
	check: asked(func(s *Setup) (Verdict, bool) {
		// Only for a drop that is large: with buckets each bucket has a tail of its
		// own, so that this remainder is not what is left out.
		if s.Tail != "drop" || s.Buckets > 1 || s.Rows < s.Batch || s.Rows%s.Batch*tailPart <= s.Rows {
			return Verdict{}, false
		}
		left := s.Rows % s.Batch
		return Verdict{
			Kind: Wastes, Number: float64(left), Limit: float64(s.Rows) / tailPart, Unit: "rows", Setting: "--tail", Basis: Computed,
			Cause: fmt.Sprintf("each epoch leaves out %d of %s (--tail drop)", left, number.Count(s.Rows, "row")),
			Cure:  "--tail pad or wrap delivers them, and so may another --batch-size",
		}, true
	}),
}
