package audio

// newHifigan is the mel of HiFi-GAN, which most vocoders and end-to-end voices of the field are trained on: reflection of
// (n_fft - hop) / 2 samples on either side, magnitude √(re² + im² + 1e-9), slaney bands, ln(max(·, 1e-5)). Source: meldataset.py of
// jik876/hifi-gan, commit 4769534, center=False.
func newHifigan(c MelConfig) (*Mel, error) {
	return newMel(c, melRule{
		pad:       (c.NFFT - c.HopLength) / 2,
		epsilon:   1e-9,
		floor:     1e-5,
		newFilter: slaneyBank,
	})
}
