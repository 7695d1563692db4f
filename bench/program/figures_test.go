package program

import "testing"

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		list []float64
		want float64
	}{{[]float64{3}, 3}, {[]float64{9, 1, 5}, 5}, {[]float64{4, 1, 3, 2}, 2}} {
		if got := Median(c.list); got != c.want {
			t.Errorf("Median(%v) = %v, want %v", c.list, got, c.want)
		}
	}
}
