package extra

import (
	"encoding/binary"
	"math"
	"slices"
	"sync"
)

// Prior is the beta-binomial distribution of tokens at each frame, by which an aligner prefers diagonals
// (Shih et al. 2021, RAD-TTS). Of frame i of M, from 1, token k has the probability that k of n draws succeed,
// with a success rate of Beta(scale i, scale (M + 1 - i)).
type Prior struct {
	NeMo  bool    // n is one less than the tokens, as in NeMo and RAD-TTS; else the tokens, as in FastPitch, where the last value is left out
	Scale float64 // small ones are broad
}

// priorRows is memory for the values of a frame.
var priorRows = sync.Pool{New: func() any { return new([]float64) }}

// Put writes the frames from start on, of all that a row has, into dst, float32 [steps, width]; the rest is 0.
func (p Prior) Put(dst []byte, width, tokens, frames, start int) {
	clear(dst)
	if tokens == 0 || tokens > width {
		return
	}
	n := tokens
	if p.NeMo {
		n--
	}
	row, _ := priorRows.Get().(*[]float64)
	defer priorRows.Put(row)
	*row = slices.Grow((*row)[:0], n+1)[:n+1]
	for i := start; i < frames && (i-start)*width*4 < len(dst); i++ {
		one := 1 / betaBinomial(*row, p.Scale*float64(i+1), p.Scale*float64(frames-i))
		out := dst[(i-start)*width*4:]
		for k, v := range (*row)[:tokens] {
			binary.LittleEndian.PutUint32(out[4*k:], math.Float32bits(float32(v*one)))
		}
	}
}

// betaBinomial writes the probabilities of 0 to n successes, times their sum, which it returns. It goes from the
// likeliest to both sides by the quotient of neighbours: no logarithm loses digits. The conversions keep products from
// being fused, so that all machines have the same bits. What is no float32 any more is 0: numbers near the least of a
// float64 cost a hundred times as much.
func betaBinomial(row []float64, a, b float64) (sum float64) {
	const least = 1e-60
	n := len(row) - 1
	quotient := func(k int) (over, under float64) { // of p(k+1) and p(k)
		x, left := float64(k), float64(n-k)
		return float64(left * (x + a)), float64((x + 1) * (left - 1 + b))
	}
	top := 0
	for ; top < n; top++ {
		if over, under := quotient(top); over <= under {
			break
		}
	}
	clear(row)
	row[top], sum = 1, 1
	for k := top; k < n && row[k] > least; k++ {
		over, under := quotient(k)
		row[k+1] = float64(row[k] * (over / under))
		sum += row[k+1]
	}
	for k := top - 1; k >= 0 && row[k+1] > least; k-- {
		over, under := quotient(k)
		row[k] = float64(row[k+1] * (under / over))
		sum += row[k]
	}
	return sum
}
