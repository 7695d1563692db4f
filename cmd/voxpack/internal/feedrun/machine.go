package feedrun

import (
	"math"
	"os"
	"time"

	"voxpack/diagnosis"
	"voxpack/gpufeed"
	"voxpack/internal/perf"
	"voxpack/store"
)

// machine is what the machine did beside a run.
type machine struct {
	disk    uint64  // bytes that storage gave to this process
	swapped uint64  // bytes that it moved to swap and from it
	memory  uint64  // that it has, or the process's control group
	checked float64 // bytes a second that checksums are compared at; 0: not known
}

// beside is what the machine did since the feed was opened.
func (r *run) beside() machine {
	if planted := r.options.planted.machine; planted != nil {
		return *planted
	}
	now := perf.ReadLoad(os.DirFS("/"))
	m := machine{disk: uint64(max(0, now.Disk-r.began.Disk)), swapped: uint64(max(0, now.Swapped-r.began.Swapped)), memory: gpufeed.HostMemory()}
	if r.options.Checks == string(gpufeed.ChecksAlways) {
		m.checked = checksumRate()
	}
	return m
}

// host is what rules look at of the machine beside steps that took so long in all.
func (m machine) host(stepsMS float64) *diagnosis.Host {
	return &diagnosis.Host{Swapping: part(float64(m.swapped)/1e6, stepsMS/1000)}
}

// The rate of checksums is that of the quickest of some samples of this size: what
// else the machine does only adds, and they lie in a core's cache, as they do for the
// copy that comes after. On an AMD EPYC that says 0.122 ms for a batch of 2.6 MB;
// filling it takes 0.146 ms less without them (medians of five interleaved runs).
const (
	checksumTries = 100
	checksumSize  = 256 << 10
)

// checksumRate is how many bytes a second a worker compares, 0 where the clock
// stands still.
func checksumRate() float64 {
	sample := make([]byte, checksumSize)
	quickest := time.Duration(math.MaxInt64)
	for range checksumTries {
		begin := time.Now()
		store.Checksum(sample)
		quickest = min(quickest, time.Since(begin))
	}
	if quickest <= 0 {
		return 0
	}
	return float64(len(sample)) / quickest.Seconds()
}
