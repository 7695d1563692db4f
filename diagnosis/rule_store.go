package diagnosis

import (
	"fmt"

	"voxpack/internal/number"
)

var storeDamagedRule = Rule{
	ID:      "store-damaged",
	Looks:   "what a check of the store found",
	Limit:   "no damage",
	Meaning: "a part of the dataset cannot be read, or is not what was built: a feed ends there, or leaves the rows out",
	Setting: "`voxpack repair`",
	Gain:    "not known: it is no part of a step",
	check: stored(func(s *Store) (Verdict, bool) {
		v := Verdict{Kind: Risks, Number: float64(s.Damage), Unit: "places", Basis: Measured, Cause: "the store is damaged: " + s.First,
			Cure: "voxpack verify --full lists all, voxpack repair makes it anew"}
		if s.Damage > 1 {
			v.Cause = fmt.Sprintf("the store is damaged in %s; the first: %s", number.Count(s.Damage, "place"), s.First)
		}
		return v, s.Damage > 0
	}),
}

var storeEmptyRule = Rule{
	ID:      "store-empty",
	Looks:   "the rows of the dataset",
	Limit:   "one row",
	Meaning: "there is nothing to train on",
	Setting: "the metadata, or the filters of `voxpack.yaml`",
	Gain:    "not known: nothing is fed",
	check: stored(func(s *Store) (Verdict, bool) {
		v := Verdict{Kind: Risks, Number: float64(s.Rows), Limit: 1, Unit: "rows", Basis: Measured,
			Cause: "the dataset has no row", Cure: "voxpack build says which rows were rejected, and why"}
		return v, s.Rows == 0 && s.Damage == 0
	}),
}

// stored is a check of rules that look at a store.
func stored(check func(*Store) (Verdict, bool)) check {
	return func(o Observation) (Verdict, bool) {
		if o.Store == nil {
			return Verdict{}, false
		}
		return check(o.Store)
	}
}
