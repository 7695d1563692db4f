package diagnose

import (
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"voxpack/cmd/voxpack/internal/feedrun"
	"voxpack/diagnosis"
	"voxpack/internal/perf"
)

// lookEvery is how often the machine is looked at. A look takes 0.1 ms on a
// goroutine of its own: 0.05 % of a core.
const lookEvery = 200 * time.Millisecond

// hostWatch looks at the machine beside the measured steps.
type hostWatch struct {
	root fs.FS
	pid  int           // the process that feeds; 0: this one
	stop chan struct{} // closed by end; nil: it did not begin
	work sync.WaitGroup
	at   atomic.Int64 // the step
	half atomic.Int64 // the step from which on it is the second half

	started     time.Time
	cpu         time.Duration // of the process at the start
	first, last perf.Load
	most        float64 // percent of all cores, over the time between two looks
	memory      perf.Spread
	halves      [2]struct{ step, memory perf.Spread }

	took time.Duration // from begin to end
	used time.Duration // of the processor
}

func newHostWatch() *hostWatch { return &hostWatch{root: os.DirFS("/")} }

// begin starts to look, with the measured steps.
func (h *hostWatch) begin() {
	h.started, h.cpu, h.first = time.Now(), h.processCPU(), perf.ReadLoad(h.root)
	h.last, h.stop = h.first, make(chan struct{})
	h.half.Store(1 << 62)
	h.work.Go(func() {
		tick := time.NewTicker(lookEvery)
		defer tick.Stop()
		for {
			select {
			case <-h.stop:
				return
			case <-tick.C:
				h.look()
			}
		}
	})
}

// step says how far the run is.
func (h *hostWatch) step(at, of int64) {
	h.at.Store(at)
	h.half.Store(of / 2)
}

// processCPU is the processor time of the process that feeds.
func (h *hostWatch) processCPU() time.Duration {
	if h.pid != 0 {
		return perf.ProcessTime(h.root, h.pid)
	}
	return feedrun.ProcessCPU()
}

// look adds what the machine did since the last look.
func (h *hostWatch) look() {
	now := perf.ReadLoad(h.root)
	if percent, known := now.CPU(h.last); known {
		h.most = max(h.most, percent)
	}
	h.last = now
	if now.Private == 0 || h.pid != 0 { // what it has in memory is this process's
		return
	}
	at, half := h.at.Load(), 0
	if at >= h.half.Load() {
		half = 1
	}
	h.memory.Add(float64(now.Private))
	h.halves[half].step.Add(float64(at))
	h.halves[half].memory.Add(float64(now.Private))
}

// end looks for the last time. It may be called where nothing began.
func (h *hostWatch) end() {
	if h.stop == nil {
		return
	}
	close(h.stop)
	h.work.Wait()
	h.took, h.used = time.Since(h.started), h.processCPU()-h.cpu
	h.look()
}

// hostFacts are what the machine did beside the measured steps; null is not known.
type hostFacts struct {
	FeederCPU *float64 `json:"feeder_cpu"` // percent of all cores that this process used
	CPU       *float64 `json:"cpu"`        // percent of all cores that worked
	CPUMost   *float64 `json:"cpu_most"`   // over a fifth of a second
	SwappedMB *float64 `json:"swapped_mb"`
	MemoryMB  *float64 `json:"memory_mb"` // of the process, that is of no file
	MemoryStd *float64 `json:"memory_std_mb"`
	GrowthMB  *float64 `json:"growth_mb"` // in 1,000 steps; null also: too few steps

	swapping float64 // MB a second
}

// facts sums up. Both parts of all cores are of the cores that the machine tells of.
func (h *hostWatch) facts(steps int64) hostFacts {
	var f hostFacts
	if cores := h.last.Cores; h.took > 0 && cores > 0 && h.used >= 0 { // below 0: the process has ended, and its time is not known
		cpu := 100 * h.used.Seconds() / h.took.Seconds() / float64(cores)
		f.FeederCPU = &cpu
	}
	if percent, known := h.last.CPU(h.first); known {
		most := max(h.most, percent)
		f.CPU, f.CPUMost = &percent, &most
	}
	if h.last.Known {
		swapped := float64(h.last.Swapped-h.first.Swapped) / 1e6
		f.SwappedMB = &swapped
		if h.took > 0 {
			f.swapping = swapped / h.took.Seconds()
		}
	}
	if h.memory.N() > 0 {
		mb, std := h.memory.Mean()/1e6, h.memory.Std()/1e6
		f.MemoryMB, f.MemoryStd = &mb, &std
	}
	if growth, known := h.growth(); known && steps >= diagnosis.GrowthSteps {
		f.GrowthMB = &growth
	}
	return f
}

// growth is how many MB of memory 1,000 steps add: what the halves of the run
// differ by.
func (h *hostWatch) growth() (mb float64, known bool) {
	a, b := h.halves[0], h.halves[1]
	steps := b.step.Mean() - a.step.Mean()
	if a.step.N() == 0 || b.step.N() == 0 || steps <= 0 {
		return 0, false
	}
	return (b.memory.Mean() - a.memory.Mean()) / 1e6 / steps * 1000, true
}

// observed is what the rules look at.
func (f hostFacts) observed(steps int64, trained bool) *diagnosis.Host {
	value := func(p *float64) float64 {
		if p == nil {
			return 0
		}
		return *p
	}
	return &diagnosis.Host{FeederCPU: value(f.FeederCPU), CPU: value(f.CPU), Swapping: f.swapping, GrowthMB: value(f.GrowthMB), Steps: steps, Trained: trained}
}
