package main

import (
	"fmt"

	"voxpack/audio"
)

// newMel makes the computer that the flags ask for.
func newMel(o options) (*audio.Mel, error) {
	// What the code in package audio does today. Whoever asks for more is told,
	// so that no row of a table has another kernel's figures.
	if o.precision != "f64" || o.portable {
		return nil, fmt.Errorf("-precision %s, -portable=%t: this build has float64 code only", o.precision, o.portable)
	}
	return audio.NewMel(audio.MelConfig{Variant: o.variant})
}
