package audio

import (
	"errors"
	"fmt"
	"math"

	"voxpack/audio/detmath"
)

// InverseRounds is how many rounds of Griffin and Lim an Inverse makes.
const InverseRounds = 32

// linearEpsilon is what Linear adds to the power.
const linearEpsilon = 1e-6

// Inverse makes sound of stored frames again, so that one can hear what a model is trained on. It is an
// approximation: a magnitude has no phase and a band has no single frequency. The same frames give the
// same samples on every machine.
type Inverse struct {
	config  MelConfig
	variant variant
	spec    spectral
	bank    *bankInverse
	lim     *griffinLim
}

// NewInverse makes the inverse of what NewMel and NewLinear make for c. The error joins everything that
// c.Check finds.
func NewInverse(c MelConfig) (*Inverse, error) {
	c = c.WithDefaults()
	if errs := c.Check(); errs != nil {
		return nil, fmt.Errorf("inverse: %w", errors.Join(errs...))
	}
	v, _ := variantByName(c.Variant) // Check found it
	s := c.spectral()
	return &Inverse{config: c, variant: v, spec: s, bank: newBankInverse(v.bank(c), c.NFFT/2+1), lim: newGriffinLim(s)}, nil
}

// Mel makes sound of the frames that Mel.Compute wrote, row by row.
func (v *Inverse) Mel(mel []float32) []float32 {
	bins, bands := v.config.NFFT/2+1, make([]float64, v.config.NMels)
	frames := len(mel) / len(bands)
	magnitudes := make([]float64, frames*bins)
	for f := range frames {
		v.bands(bands, mel[f*len(bands):])
		m := magnitudes[f*bins:][:bins]
		v.bank.bins(m, bands)
		for k, x := range m {
			m[k] = v.magnitude(x)
		}
	}
	return v.cut(magnitudes)
}

// Linear makes sound of the frames that Linear.Compute wrote, row by row.
func (v *Inverse) Linear(linear []float32) []float32 {
	magnitudes := make([]float64, len(linear))
	for i, x := range linear {
		magnitudes[i] = root(float64(float64(x)*float64(x)) - linearEpsilon)
	}
	return v.cut(magnitudes)
}

// bands undoes what followed the bands of a frame: finish and logarithm. What stands at the floor was
// silence or near it, and becomes silence.
func (v *Inverse) bands(dst []float64, row []float32) {
	f, floor := v.variant.finish(v.config), detmath.Log(v.variant.floor)
	if a := f.affine; a != nil {
		floor = max(floor, float64(-a.limit-a.shift)/float64(a.scale))
	}
	floor -= float64(floor / 256) // bfloat16 has 8 bits
	for i := range dst {
		x := float64(row[i])
		if f.norms != nil {
			x = float64(x * float64(f.norms[i]))
		}
		if a := f.affine; a != nil {
			x = (x - float64(a.shift)) / float64(a.scale)
		}
		dst[i] = 0
		if x > floor {
			dst[i] = detmath.Exp(x)
			if v.variant.add {
				dst[i] -= v.variant.floor
			}
		}
	}
}

// magnitude takes from a bin what its variant put in.
func (v *Inverse) magnitude(x float64) float64 {
	if !v.variant.power {
		x = float64(x * x)
	}
	return root(x - v.variant.epsilon - v.variant.least)
}

func root(power float64) float64 { return math.Sqrt(max(power, 0)) }

// cut finds the phases and cuts the padding off.
func (v *Inverse) cut(magnitudes []float64) []float32 {
	if len(magnitudes) == 0 {
		return nil
	}
	sound := v.lim.sound(magnitudes, InverseRounds)
	pad := v.spec.pad
	sound = sound[pad:max(pad+1, len(sound)-pad+min(v.spec.skip, pad))]
	pcm := make([]float32, len(sound))
	for i, x := range sound {
		pcm[i] = float32(x)
	}
	return pcm
}

// MelEdges gives the n_mels + 2 frequencies in Hz between which the bands of a checked config lie: band
// i has its middle at i + 1 and ends at i and i + 2.
func MelEdges(c MelConfig) []float64 {
	c = c.WithDefaults()
	v, _ := variantByName(c.Variant)
	return v.edges(c)
}
