package audio

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"voxpack/audio/codec"
)

// MelConfig says which mel spectrogram to compute. A field that is zero has its default.
type MelConfig struct {
	Variant    string  // row of the feature table; default "hifigan"
	SampleRate int     // Hz; default 22050
	NFFT       int     // samples in a transform, a power of two; default 1024
	HopLength  int     // samples from frame to frame; default 256
	WinLength  int     // samples under the window, centred in the transform; default 1024
	NMels      int     // bands; default 80
	FMin       float64 // Hz, lower edge of the lowest band; default 0
	FMax       float64 // Hz, upper edge of the highest band; default 8000, whatever the rate
	PadMode    string  // what stands outside the clip: PadReflect (default), PadConstant, PadEdge
	Precision  string  // Float32Precision (default) or Float64Precision

	// Norms divides the bands of variant "xtts-dvae", one number a band; nil divides by 1. The model's
	// file mel_stats.pth (mel_norms.pth of Tortoise) holds what its weights were trained with. Other
	// variants have none.
	Norms []float32
}

// Limits of MelConfig. MinNFFT to MaxNFFT is what the variants in use need (256 for 8 kHz speech, 4096
// for cloning encoders).
const (
	MinNFFT  = 256
	MaxNFFT  = 4096
	MaxNMels = 512
)

// minNorm keeps what is divided by a norm far from the ends of float32, and of float16 as far as
// sensible norms (about 1) are.
const minNorm = 0x1p-20

// WithDefaults is c with every zero field replaced by its default.
func (c MelConfig) WithDefaults() MelConfig {
	c.Variant = cmp.Or(c.Variant, variants[0].name)
	c.PadMode = cmp.Or(c.PadMode, PadReflect)
	c.Precision = cmp.Or(c.Precision, Float32Precision)
	c.SampleRate, c.NMels = cmp.Or(c.SampleRate, 22050), cmp.Or(c.NMels, 80)
	c.NFFT, c.HopLength, c.WinLength = cmp.Or(c.NFFT, 1024), cmp.Or(c.HopLength, 256), cmp.Or(c.WinLength, 1024)
	if c.FMax == 0 {
		c.FMax = 8000
	}
	return c
}

// Check returns everything that is wrong with c, in the order of its fields; nil when NewMel will
// accept it. Names in the messages are those of the config file.
func (c MelConfig) Check() []error {
	c = c.WithDefaults()
	var errs []error
	fail := func(setting, format string, args ...any) {
		errs = append(errs, settingErrorf(setting, format, args...))
	}

	if _, ok := variantByName(c.Variant); !ok {
		fail("mel_variant", "mel_variant %q is not known; known: %s", c.Variant, variantNames())
	}
	if !knownPadMode(c.PadMode) {
		fail("pad_mode", "pad_mode %q is not known; known: %s", c.PadMode, strings.Join(padModes, ", "))
	}
	if c.Precision != Float32Precision && c.Precision != Float64Precision {
		fail("precision", "precision %q is not known; known: %s, %s", c.Precision, Float32Precision, Float64Precision)
	}
	if c.SampleRate < codec.MinRate || c.SampleRate > codec.MaxRate {
		fail("sample_rate", "sample_rate %d is out of range %d..%d", c.SampleRate, codec.MinRate, codec.MaxRate)
	}
	if c.NFFT < MinNFFT || c.NFFT > MaxNFFT || c.NFFT&(c.NFFT-1) != 0 {
		fail("n_fft", "n_fft %d is not a power of two in %d..%d", c.NFFT, MinNFFT, MaxNFFT)
	}
	if c.HopLength < 1 {
		fail("hop_length", "hop_length %d is below 1", c.HopLength)
	}
	if c.WinLength < 1 {
		fail("win_length", "win_length %d is below 1", c.WinLength)
	}
	if c.HopLength > c.WinLength {
		fail("hop_length", "hop_length %d is over win_length %d: samples between frames would be lost", c.HopLength, c.WinLength)
	}
	if c.WinLength > c.NFFT {
		fail("win_length", "win_length %d is over n_fft %d", c.WinLength, c.NFFT)
	}
	if c.NMels < 1 || c.NMels > MaxNMels {
		fail("n_mels", "n_mels %d is out of range 1..%d", c.NMels, MaxNMels)
	}
	errs = append(errs, c.checkRange()...)
	errs = append(errs, c.checkNorms()...)
	if errs != nil {
		return errs
	}
	return c.checkBands()
}

// settingError is an error of Check.
type settingError struct{ setting, text string }

// Error is the text, which begins with the setting where that reads well.
func (e *settingError) Error() string { return e.text }

// Setting is the key of the configuration that the error is about.
func (e *settingError) Setting() string { return e.setting }

func settingErrorf(setting, format string, args ...any) error {
	return &settingError{setting, fmt.Sprintf(format, args...)}
}

// checkRange checks fmin and fmax.
func (c MelConfig) checkRange() []error {
	var errs []error
	if !(c.FMin >= 0) || math.IsInf(c.FMin, 0) {
		errs = append(errs, settingErrorf("fmin", "fmin %v is not a frequency from 0 Hz up", c.FMin))
	}
	if !(c.FMax > 0) || math.IsInf(c.FMax, 0) {
		errs = append(errs, settingErrorf("fmax", "fmax %v is not a frequency above 0 Hz", c.FMax))
	}
	if c.FMin >= c.FMax {
		errs = append(errs, settingErrorf("fmin", "fmin %v is not below fmax %v", c.FMin, c.FMax))
	}
	if half := float64(c.SampleRate) / 2; half > 0 && c.FMax > half {
		errs = append(errs, settingErrorf("fmax", "fmax %v is over half the sample_rate %d: nothing is above %v Hz", c.FMax, c.SampleRate, half))
	}
	return errs
}

// checkNorms checks the numbers of a file that holds one a band.
func (c MelConfig) checkNorms() []error {
	if c.Norms == nil {
		return nil
	}
	if v, ok := variantByName(c.Variant); ok && !v.norms {
		return []error{settingErrorf("mel_norms", "mel_norms has no meaning for mel_variant %q", c.Variant)}
	}
	var errs []error
	if len(c.Norms) != c.NMels {
		errs = append(errs, settingErrorf("mel_norms", "mel_norms holds %d numbers, but n_mels is %d", len(c.Norms), c.NMels))
	}
	for i, v := range c.Norms {
		if !(v >= minNorm && v <= 1/minNorm) {
			errs = append(errs, settingErrorf("mel_norms", "mel_norms: number %d is %g, not a positive one that mels can be divided by", i+1, v))
			break // a file that is not what it should be has many
		}
	}
	return errs
}

// checkBands finds bands so narrow that no bin of the transform falls into them: they would be constant.
func (c MelConfig) checkBands() []error {
	first, count := -1, 0
	v, _ := variantByName(c.Variant) // Check found it
	for i, b := range v.bank(c) {
		if len(b.weights) == 0 {
			if count++; first < 0 {
				first = i
			}
		}
	}
	if count == 0 {
		return nil
	}
	edges := v.edges(c)
	return []error{settingErrorf("n_mels", "%d of the n_mels %d bands hold no bin of n_fft %d (first: band %d, %.1f to %.1f Hz; a bin is %.1f Hz): lower n_mels or raise n_fft",
		count, c.NMels, c.NFFT, first, edges[first], edges[first+2], float64(c.SampleRate)/float64(c.NFFT))}
}

// ParseMel reads how a mel was made from settings by the names of config keys, but for norms, padding and precision.
func ParseMel(setting func(name string) string) (MelConfig, error) {
	var wrong error
	number := func(name string) float64 {
		v, err := strconv.ParseFloat(setting(name), 64)
		if err != nil && wrong == nil {
			wrong = fmt.Errorf("setting %s of the snapshot is %q", name, setting(name))
		}
		return v
	}
	whole := func(name string) int { return int(number(name)) }
	c := MelConfig{Variant: setting("mel_variant"), SampleRate: whole("sample_rate"),
		NFFT: whole("n_fft"), HopLength: whole("hop_length"), WinLength: whole("win_length"),
		NMels: whole("n_mels"), FMin: number("fmin"), FMax: number("fmax")}
	return c, wrong
}
