package plan

import (
	"fmt"
	"math"
	"testing"

	"voxpack/store"
)

// spread is how far counts are from equal ones: Pearson's chi-square, less its
// mean, in standard deviations, of which 6 are next to impossible by chance.
func spread(counts []int) float64 {
	total := 0
	for _, n := range counts {
		total += n
	}
	want, sum := float64(total)/float64(len(counts)), 0.0
	for _, n := range counts {
		sum += (float64(n) - want) * (float64(n) - want) / want
	}
	free := float64(len(counts) - 1)
	return (sum - free) / math.Sqrt(2*free)
}

// TestACropBeginsAnywhere: every start from which the row fills the segment is
// as likely as another, over epochs, seeds and rows, and no other comes.
func TestACropBeginsAnywhere(t *testing.T) {
	const length, segment = 40, 11
	counts := map[string][]int{}
	for n := range uint64(9000) {
		for over, s := range map[string]Span{
			"epochs": crop(7, n, 12345, length, segment),
			"seeds":  crop(n, 3, 12345, length, segment),
			"rows":   crop(7, 3, store.Place(fmt.Sprint(n)), length, segment),
		} {
			if counts[over] == nil {
				counts[over] = make([]int, length-segment+1)
			}
			if s.Start < 0 || s.Start > length-segment || s.Length != segment {
				t.Fatalf("over %s: %+v, want %d frames from 0 to %d", over, s, segment, length-segment)
			}
			counts[over][s.Start]++
		}
	}
	for over, c := range counts {
		if x := spread(c); math.Abs(x) > 6 {
			t.Errorf("over %s: starts are %.1f standard deviations from even: %v", over, x, c)
		}
	}
}

func TestACropOfAShortRowIsTheRow(t *testing.T) {
	for _, length := range []int{0, 1, 10, 11} {
		for epoch := range uint64(20) {
			if s := crop(1, epoch, 99, length, 11); s != (Span{0, length}) {
				t.Errorf("%d frames: %+v, want all from 0", length, s)
			}
		}
	}
	if s := crop(1, 1, 99, 70, 0); s != (Span{0, 70}) {
		t.Errorf("no segment: %+v, want all from 0", s)
	}
}

// TestDrawsArePartOfTheFormat: whoever repeats a run depends on them.
func TestDrawsArePartOfTheFormat(t *testing.T) {
	place := store.Place("LJ001-0001")
	if got, want := crop(7, 1, place, 800, 32), (Span{goldenStart, 32}); got != want {
		t.Errorf("crop = %+v, want %+v", got, want)
	}
	if got := pick(draw(forReference, 7, 1, place, 0), 13_099); got != goldenSibling {
		t.Errorf("sibling %d, want %d", got, goldenSibling)
	}
}

// The draws as version 1 has them, see TestDrawsArePartOfTheFormat.
const (
	goldenStart   = 155
	goldenSibling = 11189
)
