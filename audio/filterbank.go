package audio

import (
	"voxpack/audio/detmath"
)

// A melBand is one triangle of the filter bank: weights for the FFT bins first, first+1, …
type melBand struct {
	first   int
	weights []float64
}

// The slaney mel scale: 3 mels per 200 Hz up to 1,000 Hz (15 mels), from there 27 mels for each factor
// of 6.4. Source: Malcolm Slaney's Auditory Toolbox; it is the default scale of librosa.filters.mel.
const (
	melBreakHz  = 1000.0
	melBreak    = 15.0
	melPerHz    = 3.0 / 200
	melPerStep  = 27.0
	melStepBase = 6.4
)

// hzToMel is a frequency on the slaney scale: f × 3/200 below 1,000 Hz, 15 + 27 ln(f / 1000) / ln 6.4 above.
func hzToMel(hz float64) float64 {
	if hz < melBreakHz {
		return float64(hz * melPerHz)
	}
	return melBreak + float64(melPerStep/detmath.Log(melStepBase)*detmath.Log(hz/melBreakHz))
}

// melToHz is its inverse.
func melToHz(mel float64) float64 {
	if mel < melBreak {
		return mel / melPerHz
	}
	return float64(melBreakHz * detmath.Exp((mel-melBreak)*detmath.Log(melStepBase)/melPerStep))
}

// The scale of HTK (The HTK Book, 5.6) is 2595 log10(1 + hz / 700). Only equal distances on it matter
// here, so that the logarithm may be the natural one without its factor.
const htkHz = 700.0

func hzToHTK(hz float64) float64  { return detmath.Log(1 + hz/htkHz) }
func htkToHz(mel float64) float64 { return float64(htkHz * (detmath.Exp(mel) - 1)) }

// melEdges gives n+2 frequencies in Hz, equally spaced in mel from fmin to fmax: band i rises from edge
// i to i+1 and falls to i+2.
func melEdges(n int, fmin, fmax float64, htk bool) []float64 {
	toMel, toHz := hzToMel, melToHz
	if htk {
		toMel, toHz = hzToHTK, htkToHz
	}
	lo, hi := toMel(fmin), toMel(fmax)
	edges := make([]float64, n+2)
	for i := range edges {
		edges[i] = toHz(lo + float64((hi-lo)*float64(i))/float64(n+1))
	}
	return edges
}

// edges is melEdges of a checked config. Where the bands take a clip for one of another rate, a
// frequency is to that rate what it is to the clip's.
func (v variant) edges(c MelConfig) []float64 {
	if v.rate == 0 {
		return melEdges(c.NMels, c.FMin, c.FMax, v.htk)
	}
	own, taken := float64(c.SampleRate), float64(v.rate)
	edges := melEdges(c.NMels, c.FMin*taken/own, c.FMax*taken/own, v.htk)
	for i := range edges {
		edges[i] = edges[i] * own / taken
	}
	return edges
}

// bank builds the triangles for a checked config, each scaled to area 1 (times the bin width in Hz) by
// 2 / its width in Hz, unless they are raw. A band that meets no bin has no weights; MelConfig.Check
// reports it.
//
// The triangle over the frequency f is min((f - lo) / (mid - lo), (hi - f) / (hi - mid)), where that is
// above 0: librosa.filters.mel with norm="slaney", or None.
func (v variant) bank(c MelConfig) []melBand {
	edges := v.edges(c)
	bands := make([]melBand, c.NMels)
	for i := range bands {
		lo, mid, hi := edges[i], edges[i+1], edges[i+2]
		for k := 0; k <= c.NFFT/2; k++ {
			hz := float64(k) * float64(c.SampleRate) / float64(c.NFFT)
			w := min((hz-lo)/(mid-lo), (hi-hz)/(hi-mid))
			if w <= 0 {
				continue
			}
			if bands[i].weights == nil {
				bands[i].first = k
			}
			if !v.raw {
				w = w * 2 / (hi - lo)
			}
			bands[i].weights = append(bands[i].weights, w)
		}
	}
	return bands
}

// bankBins is the half-open range of bins that any band reads.
func bankBins(bands []melBand) (lo, hi int) {
	lo = bands[0].first
	for _, b := range bands {
		lo, hi = min(lo, b.first), max(hi, b.first+len(b.weights))
	}
	return lo, hi
}

// sum is the band's weighted sum over bins, of which the first is bin number base. Two sums, of the
// even and the odd terms, hide half of the latency of the additions; their order is part of the mel's
// version.
func (b *melBand) sum(bins []float64, base int) float64 {
	w := b.weights
	x := bins[b.first-base:][:len(w)]
	var even, odd float64
	i := 0
	for ; i+1 < len(w) && i+1 < len(x); i += 2 {
		even += float64(w[i] * x[i])
		odd += float64(w[i+1] * x[i+1])
	}
	if i < len(w) {
		even += float64(w[i] * x[i])
	}
	return even + odd
}
