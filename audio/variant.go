package audio

// A variant is one definition of a mel. Sources, by field: the loaders and mel functions of the projects named; their differences
// are what makes a mel of one useless to a vocoder of another.
type variant struct {
	name    string
	center  bool    // padded by n_fft / 2 on either side (1 + samples div hop frames), else by (n_fft - hop) / 2 (samples div hop)
	epsilon float64 // added to the power before the root
	power   bool    // bands of the power, else of the magnitude
	htk     bool    // the mel scale of HTK, else Slaney's; both with Slaney's area norm
	floor   float64 // least value that the logarithm sees
	db      bool    // decibels, normalised to -4..4; else the natural logarithm
	norms   bool    // each band divided by a number from a file
}

// variants is the table; the first one is the default.
var variants = []variant{
	// HiFi-GAN's meldataset.mel_spectrogram, copied by many.
	{name: "hifigan", epsilon: 1e-9, floor: 1e-5},
}

func variantByName(name string) (variant, bool) {
	for _, v := range variants {
		if v.name == name {
			return v, true
		}
	}
	return variant{}, false
}
