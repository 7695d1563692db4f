//go:build linux && (amd64 || arm64) && !nogpu && !race

package nvml

import "testing"

// Under the race detector a sync.Pool drops some of what it is given, and
// purego keeps the arguments of a call in one: nothing is counted there.

func TestCallAllocations(t *testing.T) {
	n := fake(t)
	d := device(t, n, bus0)
	for name, ask := range map[string]func(){
		"Utilisation": func() { _, _ = d.Utilisation() },
		"Memory":      func() { _, _ = d.Memory() },
	} {
		if got := testing.AllocsPerRun(100, ask); got != 0 {
			t.Errorf("%s: %v allocations a call, want 0", name, got)
		}
	}
}

func TestSampleAllocations(t *testing.T) {
	n := fake(t)
	s := NewSampler(0, device(t, n, bus0), device(t, n, bus1))
	if got := testing.AllocsPerRun(1000, s.sample); got != 0 {
		t.Errorf("%v allocations a sample, want 0", got)
	}
}
