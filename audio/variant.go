package audio

import (
	"math"
	"slices"
)

// A variant is one definition of a mel. Sources, by field: the loaders and mel functions of the
// projects named; their differences are what makes a mel of one useless to a vocoder of another.
type variant struct {
	name    string
	center  bool    // padded by n_fft / 2 on either side (1 + samples div hop frames), else by (n_fft - hop) / 2 (samples div hop)
	epsilon float64 // added to the power before the root
	power   bool    // bands of the power, else of the magnitude
	htk     bool    // the mel scale of HTK, else Slaney's; both with Slaney's area norm
	floor   float64 // least value that the logarithm sees
	db      bool    // decibels, normalised to -4..4; else the natural logarithm
	norms   bool    // each band divided by a number of MelConfig.Norms
}

// variants is the table; the first one is the default.
var variants = []variant{
	// HiFi-GAN's meldataset.mel_spectrogram, copied by many.
	{name: "hifigan", epsilon: 1e-9, floor: 1e-5},
	// The mel loss of VITS, and what Piper and Coqui's VITS took from it:
	// mel_processing.spectrogram_torch has the greater epsilon.
	{name: "vits", epsilon: 1e-6, floor: 1e-5},
	// NVIDIA's Tacotron 2 and WaveGlow: layers.TacotronSTFT over a transform that pads by half of itself.
	{name: "tacotron2", center: true, floor: 1e-5},
	// Coqui's AudioProcessor with its defaults for signal_norm, but fmax 8000 as in its recipes; its
	// own default is half the rate. Without a file of statistics: with one it neither normalises nor
	// clips like this.
	{name: "coqui-ap", center: true, floor: 1e-8, db: true},
	// XTTS's dvae_wav_to_mel, and Tortoise's mel at 22,050 Hz: torchaudio's MelSpectrogram with norm
	// "slaney" and its default scale. XTTS's wav_to_mel_cloning is the same with n_fft 4096, hop_length
	// 1024, win_length 4096.
	{name: "xtts-dvae", center: true, power: true, htk: true, floor: 1e-5, norms: true},
}

func variantByName(name string) (variant, bool) {
	for _, v := range variants {
		if v.name == name {
			return v, true
		}
	}
	return variant{}, false
}

// Coqui's normalisation with its defaults: D = 20 log10(mel) - ref_level_db (20); n = (D -
// min_level_db) / -min_level_db, min_level_db being -100; 2 max_norm n - max_norm, max_norm being 4,
// clipped to ± max_norm (symmetric_norm, clip_norm). Of ln mel that is one product and one sum. The
// clip begins at a mel of 1e-4, so the floor of 1e-8 never shows.
const (
	coquiMaxNorm = 4
	coquiScale   = 2 * coquiMaxNorm * 20 / (100 * math.Ln10) // 1.6 / ln 10
	coquiShift   = 2*coquiMaxNorm*(100.0-20)/100 - coquiMaxNorm
)

// finish is what a variant does to the logarithm.
func (v variant) finish(c MelConfig) finish {
	var f finish
	if v.db {
		f.affine = &affine{scale: coquiScale, shift: coquiShift, limit: coquiMaxNorm}
	}
	if v.norms {
		f.norms = slices.Clone(c.Norms)
	}
	return f
}

// A finish is what follows the logarithm. Its zero value changes nothing.
type finish struct {
	affine *affine
	norms  []float32 // one a band
}

// An affine scales and shifts a value, and clips it to ±limit.
type affine struct{ scale, shift, limit float32 }

// rows finishes whole rows in place.
func (f *finish) rows(values []float32) {
	if a := f.affine; a != nil {
		for i, v := range values {
			v = float32(v*a.scale) + a.shift
			if v > a.limit { // min and max, which mind NaN, take twice as long
				v = a.limit
			} else if v < -a.limit {
				v = -a.limit
			}
			values[i] = v
		}
	}
	// A true division, as in the sources: the product with a reciprocal would round twice.
	for n := len(f.norms); n > 0 && len(values) >= n; values = values[n:] {
		for i, norm := range f.norms {
			values[i] /= norm
		}
	}
}
