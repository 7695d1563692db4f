package main

import (
	"math"
	"sync"
)

// The pool's size: 12 voices and 4 noises of 3 s are 1.6 MB, which stays in
// the cache while clips are mixed from it.
const (
	voicedPieces = 12
	noisePieces  = 4
	pieceSamples = 3 * sampleRate
	periodSteps  = 2048 // samples of one period of a voice
	riseSteps    = 256  // steps of the rise of a syllable
)

// pool is the sound that clips are cut from. It is only read once it is made.
type pool struct {
	voiced [voicedPieces][]int16
	noise  [noisePieces][]int16
	rise   [riseSteps]int32 // raised cosine from 0 to 1, in 1/32768
}

// newPool makes the pieces of a seed; each draws its own random numbers, so
// they are made side by side.
func newPool(seed uint64) *pool {
	p := &pool{}
	for i := range p.rise {
		phase := float64(math.Pi * (float64(i) + 0.5) / riseSteps)
		p.rise[i] = int32(math.Round(16384 * (1 - math.Cos(phase))))
	}
	var wg sync.WaitGroup
	for i := range p.voiced {
		wg.Go(func() { p.voiced[i] = voicedPiece(seed, i) })
	}
	for i := range p.noise {
		wg.Go(func() { p.noise[i] = noisePiece(seed, voicedPieces+i) })
	}
	wg.Wait()
	return p
}

// voicedPiece plays a period at a pitch that glides a fifth up and down, twice
// over the piece; a whole number of glides keeps the wrap-around smooth.
func voicedPiece(seed uint64, index int) []int16 {
	rng := source(seed, pieceStream, index)
	pitch := float64(85 + 11*float64(index)) // Hz: 85 to 206, men and women
	formant := float64(350 + 450*rng.Float64())
	period := periodOf(pitch, formant)
	piece := make([]int16, pieceSamples)
	phase := 0.0
	for i := range piece {
		glide := math.Sin(float64(4 * math.Pi * float64(i) / pieceSamples))
		phase += float64(pitch * float64(1+float64(0.2*glide)) / sampleRate)
		phase -= math.Floor(phase)
		piece[i] = period[int(phase*periodSteps)%periodSteps]
	}
	return piece
}

// periodOf sums the harmonics of a pitch below 8 kHz. They fall with 1/k and
// rise again round three formants, as a vowel's do.
func periodOf(pitch, formant float64) []int16 {
	wave := make([]float64, periodSteps)
	for k := 1.0; k*pitch < 8000; k++ {
		level := 0.02 / k
		for _, centre := range []float64{formant, 2.6 * formant, 5.2 * formant} {
			distance := (float64(k*pitch) - centre) / 140
			level += 1 / (float64(k) * float64(1+float64(distance*distance)))
		}
		for i := range wave {
			// The phase k² spreads the energy over the period: a sum of
			// cosines in phase would be a train of clicks.
			angle := float64(2*math.Pi*float64(k*float64(i))/periodSteps) + float64(0.7*k*k)
			wave[i] += float64(level * math.Sin(angle))
		}
	}
	return scaled(wave)
}

// noisePiece is noise through one pole, brighter from piece to piece: breath
// to hiss.
func noisePiece(seed uint64, index int) []int16 {
	rng := source(seed, pieceStream, index)
	bright := float64(0.15 + 0.2*float64(index-voicedPieces))
	wave := make([]float64, pieceSamples)
	last := 0.0
	for i := range wave {
		last += float64(bright * float64(2*rng.Float64()-1-last))
		wave[i] = last
	}
	return scaled(wave)
}

// scaled brings the loudest sample to half of full scale.
func scaled(wave []float64) []int16 {
	peak := 0.0
	for _, v := range wave {
		peak = max(peak, math.Abs(v))
	}
	out := make([]int16, len(wave))
	for i, v := range wave {
		out[i] = int16(math.Round(float64(v / peak * 16384)))
	}
	return out
}
