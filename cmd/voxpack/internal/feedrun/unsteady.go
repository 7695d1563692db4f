package feedrun

import "voxpack/diagnosis"

// fewestSteps: fewer say nothing about a variation.
const fewestSteps = 3

// unsteady is the warning of a run with a trainer whose steps vary too much, ""
// otherwise. Without one a step is nothing but the wait for the next batch, and
// its variation no trainer's concern.
func unsteady(o diagnosis.Observation) string {
	for _, v := range diagnosis.Find(diagnosis.Observation{Steps: o.Steps}) {
		if v.Rule == diagnosis.VariationTarget { // the rule has the name of what it compares with
			return v.Text() + " [" + v.Rule + "]"
		}
	}
	return ""
}
