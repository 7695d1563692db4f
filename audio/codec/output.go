package codec

import "slices"

// An output takes the samples of a compressed stream. Memory grows with what has been decoded, never
// with what a header claims.
type output struct {
	title string
	pcm   []float32
	keep  bool  // false: count samples and keep none, for Probe
	n     int64 // samples so far
	rate  int
	l     Limits
}

// room returns the place of the next n samples, nil if they are only counted, or an error of kind ErrTooLong.
// The limit is asked before memory is taken, block by block, so a file that is too long costs no more than
// one that is not.
func (o *output) room(n int) ([]float32, error) {
	if err := o.l.Check(o.title, o.n+int64(n), o.rate); err != nil {
		return nil, err
	}
	o.n += int64(n)
	if !o.keep {
		return nil, nil
	}
	at := len(o.pcm)
	o.pcm = slices.Grow(o.pcm, n)[:at+n]
	return o.pcm[at:], nil
}

// expect takes memory for the samples that a header claims, as far as the bytes that hold them make
// that likely: at most 4 samples for each byte, which speech in 16 bits does not reach.
func (o *output) expect(claimed int64, bytes int) {
	if n := min(claimed, 4*int64(bytes), o.l.Samples(o.rate)); o.keep && n > 0 {
		o.pcm = slices.Grow(o.pcm, int(n))
	}
}
