package numbers

import (
	"math/rand/v2"
	"strconv"
	"testing"
)

// TestNumbersDiffer: no two numbers are said alike, so that no part of a number
// is lost on the way.
func TestNumbersDiffer(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var numbers []string
	small := 3000
	if testing.Short() {
		small = 600
	}
	for n := range small {
		numbers = append(numbers, strconv.Itoa(n))
	}
	for range small {
		n := strconv.Itoa(3000 + r.IntN(1e6))
		if r.IntN(2) == 0 {
			// Few digits that are no zeros: the places where words are left out.
			b := []byte("1000000000000000"[:5+r.IntN(12)])
			b[r.IntN(len(b))], b[r.IntN(len(b))] = byte('1'+r.IntN(9)), byte('1'+r.IntN(9))
			n = string(b)
		}
		numbers = append(numbers, n)
	}
	var fractions []string
	for range 1000 {
		fractions = append(fractions, strconv.Itoa(r.IntN(30))+"."+strconv.Itoa(1e6 + r.IntN(1e6))[1+r.IntN(6):])
	}
	for _, lang := range Languages() {
		for kind := Cardinal; kind <= Decimal; kind++ {
			values := numbers
			if kind == Decimal {
				values = fractions
			}
			said := map[string]string{}
			for _, n := range values {
				words, ok := Speak(lang, kind, n)
				if other, twice := said[words]; !ok || twice && other != n {
					t.Errorf("%s %v: %s and %s are both %q", lang, kind, other, n, words)
				}
				said[words] = n
			}
		}
	}
}
