package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"voxpack/diagnosis"
	"voxpack/internal/number"
)

// fixedAnd reads "150", which grows with the batch as a whole, or "10+140", of
// which the first part does not.
func fixedAnd(text string) (fixed, growing float64, err error) {
	first, second, split := strings.Cut(text, "+")
	if !split {
		growing, err = number.FromZero(first)
		return 0, growing, err
	}
	if fixed, err = number.FromZero(first); err == nil {
		growing, err = number.FromZero(second)
	}
	return fixed, growing, err
}

// stages reads "load=20,train=10+140", in milliseconds.
func stages(text string) ([]diagnosis.StageTime, error) {
	var list []diagnosis.StageTime
	for part := range strings.SplitSeq(text, ",") {
		name, times, _ := strings.Cut(strings.TrimSpace(part), "=")
		stage := diagnosis.Stage(name)
		if !slices.Contains(diagnosis.Stages(), stage) {
			return nil, fmt.Errorf("%q: want STAGE=MS with a STAGE of %s", part, stageNames())
		}
		fixed, growing, err := fixedAnd(times)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, diagnosis.StageTime{Stage: stage, MS: fixed + growing, FixedMS: fixed, Workers: 1})
	}
	return list, nil
}

func stageNames() string {
	var names []string
	for _, s := range diagnosis.Stages() {
		names = append(names, string(s))
	}
	return strings.Join(names, ", ")
}

// units of bytes, in powers of ten as links are sold.
var units = map[string]float64{"": 1, "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}

// bytes reads "8200000", "8.2MB" or "8.2 MB".
func bytes(text string) (float64, error) {
	digits := strings.TrimRight(text, "BkMG ")
	unit, known := units[strings.TrimSpace(text[len(digits):])]
	v, err := number.FromZero(digits)
	if !known || err != nil {
		return 0, fmt.Errorf("%q is not a size such as 8.2MB", text)
	}
	return v * unit, nil
}
