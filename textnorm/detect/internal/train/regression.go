package main

import (
	"math"

	"voxpack/textnorm/detect"
)

// regression is a multinomial logistic regression over the rows of a table.
type regression struct {
	classes          int
	weights, squares []float32 // row by row, and a last row that every text has
	logits           []float32
}

func newRegression(rows, classes int) *regression {
	n := (rows + 1) * classes
	return &regression{classes: classes, weights: make([]float32, n), squares: make([]float32, n), logits: make([]float32, classes)}
}

// guess leaves the probability of each class in logits and returns the likeliest.
func (r *regression) guess(rows []uint32) int {
	copy(r.logits, r.weights[len(r.weights)-r.classes:])
	for _, row := range rows {
		for k, w := range r.weights[int(row)*r.classes : (int(row)+1)*r.classes] {
			r.logits[k] += w
		}
	}
	best := 0
	for k, v := range r.logits {
		if v > r.logits[best] {
			best = k
		}
	}
	total, top := float32(0), r.logits[best]
	for k, v := range r.logits {
		r.logits[k] = float32(math.Exp(float64(v - top)))
		total += r.logits[k]
	}
	for k := range r.logits {
		r.logits[k] /= total
	}
	return best
}

// learn shows a fragment and returns the class that it was taken for before.
func (r *regression) learn(rows []uint32, class int, rate float32) int {
	best := r.guess(rows)
	r.logits[class]-- // now the gradient
	if r.logits[class] > -0.001 {
		return best
	}
	r.step(len(r.weights)/r.classes-1, rate)
	for _, row := range rows {
		r.step(int(row), rate)
	}
	return best
}

// step moves one row against the gradient, by Adagrad.
func (r *regression) step(row int, rate float32) {
	at := row * r.classes
	for k, gradient := range r.logits {
		r.squares[at+k] += gradient * gradient
		r.weights[at+k] -= rate * gradient / float32(math.Sqrt(float64(r.squares[at+k])+1e-4))
	}
}

// doubts says whether a paragraph looks like another class than its own.
func (r *regression) doubts(group int, paragraph string, class int, limit float64) bool {
	var rows []uint32
	detect.Words(group, paragraph, func(some []uint32) { rows = append(rows, some...) })
	if len(rows) == 0 {
		return true
	}
	best := r.guess(rows)
	return best != class && float64(r.logits[best]) > limit
}

// pack rounds the weights to steps. A constant for all classes of a row changes
// nothing, so the rows are centred first.
func (r *regression) pack(o options) detect.Weights {
	w := detect.Weights{Bias: make([]int32, r.classes), Scale: o.step}
	last := len(r.weights) - r.classes
	for k, v := range r.weights[last:] {
		w.Bias[k] = int32(math.Round(float64(v) / o.step))
	}
	for at := 0; at < last; at += r.classes {
		row, mean := r.weights[at:at+r.classes], float32(0)
		for _, v := range row {
			mean += v / float32(r.classes)
		}
		packed := make([]int8, r.classes)
		for k, v := range row {
			if v -= mean; math.Abs(float64(v)) >= o.keep {
				packed[k] = int8(max(-127, min(127, math.Round(float64(v)/o.step))))
			}
		}
		w.Values = append(w.Values, packed)
	}
	return w
}
