package audio

import (
	"math"
	"slices"
)

// A variant is one definition of a mel. Sources, by field: the loaders and mel functions of the
// projects named; their differences are what makes a mel of one useless to a vocoder of another.
type variant struct {
	name      string
	center    bool    // padded by n_fft / 2 on either side (1 + samples div hop frames), else by (n_fft - hop) / 2 (samples div hop)
	short     bool    // the last frame of each clip is left out: with center, samples div hop remain
	symmetric bool    // a symmetric Hann window, else a periodic one
	epsilon   float64 // added to the power before the root
	least     float64 // to which a power is raised before the root
	power     bool    // bands of the power, else of the magnitude
	htk       bool    // the mel scale of HTK, else Slaney's
	raw       bool    // triangles of height 1, else of area 1, which is Slaney's norm
	rate      int     // Hz that the bands take every clip for, whatever its rate; 0: its own
	floor     float64 // least value that the logarithm sees
	add       bool    // the floor is added to a band, else a band below is raised to it
	affine    affine  // of the natural logarithm; no scale: none
	norms     bool    // each band divided by a number of MelConfig.Norms
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
	{name: "coqui-ap", center: true, floor: 1e-8, affine: affine{coquiScale, coquiShift, coquiMaxNorm}},
	// XTTS's dvae_wav_to_mel, and Tortoise's mel at 22,050 Hz: torchaudio's MelSpectrogram with norm
	// "slaney" and its default scale. XTTS's wav_to_mel_cloning is the same with n_fft 4096, hop_length
	// 1024, win_length 4096.
	{name: "xtts-dvae", center: true, power: true, htk: true, floor: 1e-5, norms: true},
	// Vocos's MelSpectrogramFeatures with padding "center" and its safe_log: torchaudio's MelSpectrogram
	// with its defaults, which have no norm, of the magnitude.
	{name: "vocos", center: true, htk: true, raw: true, floor: 1e-7},
	// F5-TTS's get_vocos_mel_spectrogram: the mel of Vocos with another floor.
	{name: "f5-tts", center: true, htk: true, raw: true, floor: 1e-5},
	// NeMo's FilterbankFeatures as the configs of FastPitch have it (log_zero_guard_type "add", no
	// preemph): the frames that it counts since 2.5. It fills up with silence, which is pad_mode.
	{name: "nemo", center: true, short: true, symmetric: true, floor: 1e-5, add: true},
	// The same as the configs of NeMo's HiFi-GAN have it: exact_pad, log_zero_guard_type "clamp".
	{name: "nemo-hifigan", symmetric: true, floor: 1e-5},
	// ParallelWaveGAN's logmelfilterbank, with its default log_base of 10.
	{name: "parallel-wavegan", center: true, floor: 1e-10, affine: affine{1 / math.Ln10, 0, math.MaxFloat32}},
	// ESPnet's LogMelFbank of its TTS: the same but in silence, where each bin has its floor.
	{name: "espnet", center: true, least: 1e-10, floor: 1e-10, affine: affine{1 / math.Ln10, 0, math.MaxFloat32}},
	// StyleTTS 2's meldataset.preprocess: torchaudio's MelSpectrogram at its default rate of 16,000 Hz,
	// though the clips have 24,000; (ln - mean) / std with a mean of -4 and a std of 4.
	{name: "styletts2", center: true, power: true, htk: true, raw: true, rate: 16000, floor: 1e-5, add: true, affine: affine{1.0 / 4, 1, math.MaxFloat32}},
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
	if v.affine.scale != 0 {
		f.affine = &v.affine
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
