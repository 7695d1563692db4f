package main

import "voxpack/audio"

// newMel makes the computer that the flags ask for.
func newMel(o options) (*audio.Mel, error) {
	audio.SetPortable(o.portable)
	return audio.NewMel(audio.MelConfig{Variant: o.variant, Precision: o.precision})
}
