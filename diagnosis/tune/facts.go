package tune

import (
	"voxpack/diagnosis"
	"voxpack/internal/perf"
)

// Facts are what is known of a machine, a dataset and a config. What nobody knows
// is 0 or nil.
type Facts struct {
	Cores     perf.Cores
	Processes int    // of this training on this machine
	Memory    uint64 // of the host, bytes
	GPUs      []GPU
	Pair      []int // places in GPUs of the two that go best together: data, model; nil: not known
	// KeepOrder: CUDA_VISIBLE_DEVICES names GPUs by numbers that another order
	// would change.
	KeepOrder bool
	Dataset   *Dataset
	Config    *diagnosis.Config // of the trainer or the dataset; nil: none
	Batch     int               // that the config says
	// Environment has the variables of the process, by name.
	Environment map[string]string
}

// GPU is one of them.
type GPU struct {
	Number       int // with CUDA_DEVICE_ORDER=PCI_BUS_ID, unless KeepOrder
	Name         string
	Memory       uint64 // bytes
	Major, Minor int    // of the compute capability
}

// Dataset is what decides the size of batches and shapes.
type Dataset struct {
	Rows        int
	SampleBytes uint64            // of one sample in its fixed shape
	Frames      diagnosis.Lengths // with those of rows that were refused as too long
	Tokens      diagnosis.Lengths
	Untold      int // rows that were refused as too long, and whose lengths nobody kept
}

// batchBytes are those of a batch in the largest shape; 0: not known.
func (f *Facts) batchBytes(batch int) uint64 {
	if f.Dataset == nil {
		return 0
	}
	return uint64(batch) * f.Dataset.SampleBytes
}

// cores are those of one process of the training.
func (f *Facts) cores() int { return max(1, f.Cores.Usable()/max(1, f.Processes)) }

// capability is that of the oldest GPU; false where there is none, or one of which
// it is not known.
func (f *Facts) capability() (major, minor int, known bool) {
	for i, g := range f.GPUs {
		if g.Major == 0 {
			return 0, 0, false
		}
		if i == 0 || g.Major < major || g.Major == major && g.Minor < minor {
			major, minor = g.Major, g.Minor
		}
	}
	return major, minor, len(f.GPUs) > 0
}

// roles are the places of the data GPU and the model GPU; there is one GPU at least.
func (f *Facts) roles() (data, model int) {
	switch {
	case len(f.Pair) == 2:
		return f.Pair[0], f.Pair[1]
	case len(f.GPUs) > 1:
		return 0, 1
	}
	return 0, 0
}
