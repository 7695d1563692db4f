package program

import "slices"

// Median of a list that is not empty; of an even number the lower of the two.
func Median(list []float64) float64 {
	return slices.Sorted(slices.Values(list))[(len(list)-1)/2]
}

// Verdict says whether a goal was met.
func Verdict(met bool) string {
	if met {
		return "met"
	}
	return "**missed**"
}
