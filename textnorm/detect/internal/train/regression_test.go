package main

import (
	"math"
	"math/rand/v2"
	"testing"
)

// byChance is a regression with weights by chance, and some rows that a text shows.
func byChance(random *rand.Rand, rows, classes int) (*regression, []uint32) {
	r := newRegression(rows, classes)
	for i := range r.weights {
		r.weights[i] = float32(random.NormFloat64())
	}
	shown := make([]uint32, 1+random.IntN(2*rows)) // a row may be there twice
	for i := range shown {
		shown[i] = uint32(random.IntN(rows))
	}
	return r, shown
}

// probabilities are those of a multinomial logistic regression by definition, in float64:
// the exponentials of the classes' sums, as shares.
func probabilities(r *regression, rows []uint32) []float64 {
	p, total := make([]float64, r.classes), 0.0
	for k := range p {
		sum := float64(r.weights[len(r.weights)-r.classes+k])
		for _, row := range rows {
			sum += float64(r.weights[int(row)*r.classes+k])
		}
		p[k] = math.Exp(sum)
		total += p[k]
	}
	for k := range p {
		p[k] /= total
	}
	return p
}

// TestGuessIsTheLikeliest: the class of the greatest probability, and all probabilities.
func TestGuessIsTheLikeliest(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		r, rows := byChance(random, 1+random.IntN(8), 2+random.IntN(11))
		want := probabilities(r, rows)
		best := r.guess(rows)
		for k, p := range want {
			if math.Abs(float64(r.logits[k])-p) > 1e-4 {
				t.Fatalf("class %d of %v has probability %v, want %v", k, rows, r.logits[k], p)
			}
			if p > want[best]+1e-4 {
				t.Fatalf("guess(%v) = %d of probability %v; class %d has %v", rows, best, want[best], k, p)
			}
		}
	}
}

// TestGuessOfLargeSums: sums of which float32 has no exponential are shares all the same.
func TestGuessOfLargeSums(t *testing.T) {
	r := newRegression(1, 3)
	copy(r.weights, []float32{500, 499, -500})
	if best := r.guess([]uint32{0}); best != 0 || math.Abs(float64(r.logits[0])-1/(1+math.Exp(-1))) > 1e-6 || r.logits[2] != 0 {
		t.Errorf("guess = %d with %v, want 0 with e/(e+1)", best, r.logits)
	}
}

// TestLearnIsAStepOfAdagrad: a shown class becomes likelier. Each weight of a shown row, and
// of the row that every text has, moves against its gradient (the probability, less one for
// the class), divided by the root of the sum of the squares so far; no other weight moves.
func TestLearnIsAStepOfAdagrad(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	for range 100 {
		const rate = 0.05
		rows, classes := 2+random.IntN(8), 2+random.IntN(11)
		r, _ := byChance(random, rows, classes)
		shown, class := uint32(random.IntN(rows)), random.IntN(classes)
		squares := make([]float64, classes)
		for range 5 {
			before, weights := probabilities(r, []uint32{shown}), append([]float32(nil), r.weights...)
			if before[class] > 0.99 {
				break // what is known is not learned again
			}
			if got := r.learn([]uint32{shown}, class, rate); before[got] < before[class] {
				t.Fatalf("learn = %d of probability %v, though %d had %v", got, before[got], class, before[class])
			}
			if after := probabilities(r, []uint32{shown}); after[class] <= before[class] {
				t.Fatalf("class %d has probability %v after it was shown, %v before", class, after[class], before[class])
			}
			for k, p := range before {
				if k == class {
					p--
				}
				squares[k] += p * p
				before[k] = -rate * p / math.Sqrt(squares[k]+1e-4)
			}
			for i, w := range r.weights {
				want := 0.0
				if row := i / classes; row == int(shown) || row == rows {
					want = before[i%classes]
				}
				if change := float64(w - weights[i]); math.Abs(change-want) > 1e-5 {
					t.Fatalf("class %d was shown: the weight of row %d, class %d moves by %v, want %v", class, i/classes, i%classes, change, want)
				}
			}
		}
	}
}

// TestPackKeepsWhatCounts: a packed weight is within half a step of the weight less the
// row's mean, which changes no probability; what is below the bound is none, what is above
// the range of a byte its end.
func TestPackKeepsWhatCounts(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	o := options{step: 0.1, keep: 0.3}
	r, _ := byChance(random, 200, 5)
	r.weights[7], r.weights[8] = 40, -40 // 127 steps are 12.7
	w := r.pack(o)
	if len(w.Values) != 200 || len(w.Bias) != 5 || w.Scale != o.step {
		t.Fatalf("%d rows, %d biases, scale %v", len(w.Values), len(w.Bias), w.Scale)
	}
	for k, bias := range w.Bias {
		if want := float64(r.weights[200*5+k]); math.Abs(float64(bias)*o.step-want) > o.step/2+1e-6 {
			t.Errorf("bias %d is %d steps, want %v", k, bias, want)
		}
	}
	for row, packed := range w.Values {
		mean := 0.0
		for _, v := range r.weights[row*5 : row*5+5] {
			mean += float64(v) / 5
		}
		for k, steps := range packed {
			want := float64(r.weights[row*5+k]) - mean
			switch got := float64(steps) * o.step; {
			case math.Abs(want) > 12.7 && math.Abs(got) == 12.700000000000001 && math.Signbit(got) == math.Signbit(want):
			case math.Abs(want) < o.keep-1e-6 && steps == 0:
			case math.Abs(want) > o.keep-1e-6 && math.Abs(got-want) <= o.step/2+1e-5:
			default:
				t.Errorf("row %d, class %d: %v is packed as %v", row, k, want, got)
			}
		}
	}
}
