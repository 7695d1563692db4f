package diagnose

import (
	"os"
	"time"

	"voxpack/cmd/voxpack/internal/feedrun"
	"voxpack/internal/perf"
)

// look is what the machine and this process had used at a moment.
type look struct {
	at      time.Time
	machine perf.Load
	own     time.Duration // processor time, over all cores
}

func lookNow() look {
	return look{at: time.Now(), machine: perf.ReadLoad(os.DirFS("/")), own: feedrun.ProcessCPU()}
}

// loadFacts is who used the cores meanwhile, in percent of all of them.
type loadFacts struct {
	Own    float64 `json:"own"`
	Others float64 `json:"others"` // processes of anybody, and the kernel's work for them
}

// since is the load from a look to this one; nil where nobody tells.
func (l look) since(before look) *loadFacts {
	all, known := l.machine.CPU(before.machine)
	// The cores that the machine's figure is of, which may be more than this process has.
	wall := l.at.Sub(before.at).Seconds() * float64(l.machine.Cores)
	if !known || wall <= 0 {
		return nil
	}
	own := min(100*(l.own-before.own).Seconds()/wall, 100)
	return &loadFacts{own, max(all-own, 0)}
}
