package feedrun

import (
	"fmt"
	"strconv"
	"strings"
)

// stepFlag is --step-ms: "150", or "10+140" for a step of 150 ms of which 10 are the
// same for any batch size.
type stepFlag struct{ o *Options }

// Set reads the flag; check looks at the range.
func (s stepFlag) Set(text string) error {
	fixed, growing, split := strings.Cut(text, "+")
	if !split {
		fixed, growing = "0", text
	}
	same, err := strconv.ParseFloat(strings.TrimSpace(fixed), 64)
	if err != nil {
		return err
	}
	grows, err := strconv.ParseFloat(strings.TrimSpace(growing), 64)
	if err != nil {
		return err
	}
	s.o.stepMS, s.o.stepFixed = same+grows, same
	return nil
}

// String is the flag as written, "0" where it was not given.
func (s stepFlag) String() string {
	switch {
	case s.o == nil || s.o.stepMS == 0:
		return "0"
	case s.o.stepFixed == 0:
		return fmt.Sprint(s.o.stepMS)
	}
	return fmt.Sprintf("%v+%v", s.o.stepFixed, s.o.stepMS-s.o.stepFixed)
}

// Type is the name of a number in messages of the flag library.
func (s stepFlag) Type() string { return "float64" }
