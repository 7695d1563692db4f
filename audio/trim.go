package audio

import (
	"math"

	"voxpack/audio/detmath"
)

// The frames of librosa.effects.trim (0.10 and later): 2048 samples centred on every 512th, silence
// beyond the ends.
const (
	trimHop   = 512
	trimReach = 2 // hops from a frame's centre to its ends
)

// A trimmer finds the silence at the ends of a clip.
//
// A frame is silent when its power is at most the loudest frame's, less the threshold. Kept is from the
// centre of the first frame that is not silent to one hop after the centre of the last, and the margin
// on either side. So a sharp onset keeps 512 to 1024 samples before it and a sharp end 512 to 1536
// after it, besides the margin.
//
// A margin is a whole number of hops: then a second pass over a trimmed clip sees the same frames, and
// with a margin of 1024 samples or more it cuts nothing. With less, the frames at the ends lose quiet
// samples that they reached before, and a second pass may cut a little more, as it does in librosa.
//
// One difference from librosa is meant: it takes all frames below 1e-5 (-100 dBFS) for equally loud, so
// that it cuts nothing, not even zeros, off a clip whose threshold is below that. Here the threshold is
// the one that was asked for.
type trimmer struct {
	ratio  float64   // of the threshold's power to the loudest frame's
	margin int       // samples
	hops   []float64 // sums of squares, scratch
}

func newTrimmer(db, margin float64, rate int) trimmer {
	hops := math.Ceil(float64(margin*float64(rate)) / trimHop)
	return trimmer{ratio: detmath.Exp(float64(-db * (math.Ln10 / 10))), margin: int(hops) * trimHop}
}

// bounds gives what is kept, pcm[start:end], never empty. pcm must not be silent.
func (t *trimmer) bounds(pcm []float32) (start, end int) {
	t.hops = t.hops[:0]
	for at := 0; at < len(pcm); at += trimHop {
		t.hops = append(t.hops, sumOfSquares(pcm[at:min(at+trimHop, len(pcm))]))
	}
	loudest := 0.0
	for f := range t.hops {
		loudest = max(loudest, t.frame(f))
	}
	threshold := loudest * t.ratio
	silent := func(f int) bool { // the loudest is not, even where the ratio rounds to 1
		power := t.frame(f)
		return power <= threshold && power < loudest
	}
	// Where a clip ends with a whole hop, librosa has one frame more, centred on the end. It decides
	// nothing: all of its hops belong to the frame before as well, which keeps as much.
	first, last := 0, len(t.hops)-1
	for silent(first) {
		first++
	}
	for silent(last) {
		last--
	}
	return max(0, first*trimHop-t.margin), min(len(pcm), (last+1)*trimHop+t.margin)
}

// frame is the sum of squares of frame f.
func (t *trimmer) frame(f int) float64 {
	sum := 0.0
	for _, hop := range t.hops[max(0, f-trimReach):min(f+trimReach, len(t.hops))] {
		sum += hop
	}
	return sum
}

// sumOfSquares adds up in four partial sums by the place in x. The square of a float32 is exact in float64.
func sumOfSquares(x []float32) float64 {
	var s0, s1, s2, s3 float64
	for ; len(x) >= 4; x = x[4:] {
		a, b, c, d := float64(x[0]), float64(x[1]), float64(x[2]), float64(x[3])
		s0 += float64(a * a)
		s1 += float64(b * b)
		s2 += float64(c * c)
		s3 += float64(d * d)
	}
	for _, v := range x {
		s0 += float64(float64(v) * float64(v))
	}
	return (s0 + s1) + (s2 + s3)
}
