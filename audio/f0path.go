package audio

import (
	"math"

	"voxpack/audio/detmath"
)

// Of the path. They have the meanings and the order of size of Boersma's (see F0), whose
// autocorrelation is that of the power; the figures were chosen by the 32 real clips against two
// references, and f0_test.go holds what came out.
const (
	noVoice     = 0.22  // score of "no voice" in a loud frame, where a voice without noise scores 1
	silentPart  = 0.004 // of the clip's peak: about this far down "no voice" scores more, the more the quieter
	octaveBonus = 0.01  // an octave up, so that the shortest of equal periods wins
	octaveCost  = 0.5   // of a jump by an octave in 10 ms
	voicingCost = 0.2   // of a voice that begins or ends in 10 ms

	maxCandidates = 10      // voiced ones a frame; an eleventh replaces the weakest
	quietest      = 0x1p-14 // a frame of a lower level, two steps of 16 bits, has no voice

	// pathAhead is how many frames after the frame that it decides the path has seen. The choices of 64
	// frames before do not matter any more: on the 32 real clips not one frame changes when all of the
	// clip is seen.
	pathAhead = 64
)

// A candidate is a frequency that a frame may have, or that it has no voice.
type candidate struct {
	hz     float64 // 0: no voice
	octave float64 // of hz, over the least
	score  float64 // of the best path that ends here
	back   int     // candidate of the frame before on that path
}

// pathStep is a frame with its candidates; the first one is "no voice".
type pathStep struct {
	n int
	c [maxCandidates + 1]candidate
}

// f0Path chooses one candidate a frame, so that the sum of their scores less the costs of the changes
// between them is greatest (Viterbi). Memory and delay are bounded: it keeps the last frames only.
type f0Path struct {
	config F0Config
	scale  float64 // of the costs: 10 ms in frames
	peak   float64 // of the clip
	steps  []pathStep
	n      int // frames seen
}

// newF0Path makes a path that can be followed back over that many frames.
func newF0Path(c MelConfig, r F0Config, ahead int) *f0Path {
	return &f0Path{config: r, scale: 0.01 * float64(c.SampleRate) / float64(c.HopLength), steps: make([]pathStep, ahead+1)}
}

// reset begins a clip, whose greatest sample is peak.
func (p *f0Path) reset(peak float64) { p.peak, p.n = peak, 0 }

func (p *f0Path) at(t int) *pathStep { return &p.steps[t%len(p.steps)] }

// step takes the next frame.
func (p *f0Path) step(c *correlogram) {
	s := p.at(p.n)
	s.n, s.c[0] = 1, candidate{score: noVoice}
	if c.level >= quietest {
		s.c[0].score += max(0, 2-float64(c.level/p.peak*((1+noVoice)/silentPart)))
		p.candidates(s, c)
	}
	if p.n > 0 {
		p.connect(p.at(p.n-1), s)
	}
	p.n++
}

// candidates adds the peaks of the autocorrelation, with the tops of parabolas through them.
func (p *f0Path) candidates(s *pathStep, c *correlogram) {
	for i := 1; i+1 < len(c.value); i++ {
		before, top, after := c.value[i-1], c.value[i], c.value[i+1]
		if !(top > before && top >= after) || top < noVoice/2 {
			continue
		}
		shift := 0.5 * (after - before) / ((top - before) + (top - after))
		hz := c.rate / (float64(c.lo+i) + shift)
		if hz < p.config.Min || hz > p.config.Max {
			continue
		}
		if top += float64(0.25 * float64((after-before)*shift)); top > 1 {
			top = 1 / top // noise under the far end of the window, which the division by the window blew up
		}
		octave := detmath.Log(hz/p.config.Min) * (1 / math.Ln2)
		if at := s.place(top + float64(octaveBonus*octave)); at > 0 {
			s.c[at].hz, s.c[at].octave = hz, octave
		}
	}
}

// place makes a candidate of that score and returns where, perhaps instead of the weakest; 0: all
// others are at least as good.
func (s *pathStep) place(score float64) int {
	at := s.n
	if s.n == len(s.c) {
		at = 1
		for i := 2; i < s.n; i++ {
			if s.c[i].score < s.c[at].score {
				at = i
			}
		}
		if s.c[at].score >= score {
			return 0
		}
	} else {
		s.n++
	}
	s.c[at].score = score
	return at
}

// connect finds for every candidate of a frame the best one of the frame before.
func (p *f0Path) connect(before, s *pathStep) {
	change, octave := float64(voicingCost*p.scale), float64(octaveCost*p.scale)
	for i := range s.n {
		c, best := &s.c[i], math.Inf(-1)
		for j := range before.n {
			b := &before.c[j]
			score := b.score
			if (b.hz == 0) != (c.hz == 0) {
				score -= change
			} else if b.hz != 0 {
				score -= float64(octave * math.Abs(b.octave-c.octave))
			}
			if score > best {
				best, c.back = score, j
			}
		}
		c.score += best
	}
}

// trace follows the path that is best at frame last, the newest, back to frame first, and writes the
// frequencies of frames first, first+1, … to dst.
func (p *f0Path) trace(dst []float32, first, last int) {
	s := p.at(last)
	best := 0
	for i := 1; i < s.n; i++ {
		if s.c[i].score > s.c[best].score {
			best = i
		}
	}
	for t := last; t >= first; t-- {
		c := &p.at(t).c[best]
		if i := t - first; i < len(dst) {
			dst[i] = float32(c.hz)
		}
		best = c.back
	}
}
