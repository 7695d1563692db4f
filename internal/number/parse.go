package number

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// FromZero reads a number that is not negative, and neither infinite nor NaN.
func FromZero(text string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || !(v >= 0) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%q is not a number from 0", text)
	}
	return v, nil
}
