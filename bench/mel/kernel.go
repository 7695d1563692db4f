package main

import (
	"golang.org/x/sys/cpu"

	"voxpack/audio"
)

// newMel makes the computer that the flags ask for.
func newMel(o options) (*audio.Mel, error) {
	if o.portable { // the kernel is chosen when the computer is made
		cpu.X86.HasAVX2, cpu.X86.HasAVX512F = false, false
	}
	return audio.NewMel(audio.MelConfig{Variant: o.variant, Precision: o.precision})
}
