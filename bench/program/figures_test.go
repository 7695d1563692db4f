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

func TestFieldReadsStatus(t *testing.T) {
	status := []byte("Name:\tvoxpack\nVmHWM:\t   5208 kB\nRssAnon:\t     776 kB\nThreads:\t5\n")
	for name, want := range map[string]int64{"RssAnon:": 776 << 10, "VmHWM:": 5208 << 10, "Threads:": 0, "VmSwap:": 0} {
		if got := statusField(status, name); got != want {
			t.Errorf("statusField(%q) = %d, want %d", name, got, want)
		}
	}
}
