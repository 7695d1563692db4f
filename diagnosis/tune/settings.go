package tune

import (
	"fmt"

	"voxpack/diagnosis"
	"voxpack/internal/number"
)

// The shares of memory that batches may take. A share makes the largest batch that
// the model could have smaller by no more than itself: a sixteenth of a GPU is 6 %,
// about what runs vary by. On the host an eighth is taken from the page cache, so
// that of a dataset larger than memory no more than that is read from the disk again.
// What is advised hardly depends on them: 128 mels of 800 frames need 2.2 GB of host
// memory and 1.6 GB on a GPU, with sound beside them 5.5 and 4.1 GB, and whoever trains
// has more; a test holds that.
const (
	hostShare = 8
	gpuShare  = 16
)

// onGPU is how many batches the feed keeps on a device: as many as on the host
// (prefetch_to_gpu), and three at least: one arrives, one waits, one is used.
func onGPU(depth int) uint64 { return uint64(max(3, depth)) }

// most is the part of a data GPU's memory that the feed may take, in percent: the
// driver needs some too.
const most = 80

// tailPart: the longest rows may be 1/tailPart longer than 99 % of the rows. Beyond
// that, padding all rows for a few costs more than those rows are worth.
const tailPart = 4

// setting is a row of the table of settings.
type setting struct {
	name      string // the key, or what voxpack.settings calls it
	place     Place
	flag      string
	framework Framework
	rule      string
	source    string
	find      func(p *plan) (value any, basis Basis, why string, ok bool)
}

var settings = []setting{
	{name: "batch_size", place: InConfig, flag: "--batch-size", find: (*plan).batchSize,
		rule:   "what the config says, else the largest of 16, 32, 64, 128 whose batches take an eighth of the host's memory and a sixteenth of a GPU's at most",
		source: "voxpack: input may make the largest batch smaller by a sixteenth at most, which is what runs vary by"},
	{name: "num_workers", place: InConfig, find: (*plan).workers,
		rule: "one for each usable core; in a trainer's config shared among its processes", source: "voxpack: a build keeps each core busy"},
	{name: "workers", place: InFlag, flag: "--workers", find: (*plan).fillers,
		rule: "one for each usable core, at most 4", source: "voxpack: filling is copying, which more goroutines do not speed up"},
	{name: "prefetch_buffer_size", place: InConfig, flag: "--prefetch-buffer-size", find: (*plan).prefetch,
		rule: "max(2, min(8, 64 // batch))", source: "voxpack: the feed's own rule"},
	{name: "pipeline_buffer_size", place: InConfig, find: (*plan).pipeline,
		rule: "max(8, 2 * prefetch), less where that takes more than an eighth of the memory", source: "voxpack: the feed's own rule"},
	{name: "prefetch_to_gpu", place: InConfig, find: (*plan).toGPU,
		rule: "true where there is a GPU", source: "voxpack: a copy then runs beside the training"},
	{name: "pad_to_fixed_length", place: InConfig, find: (*plan).fixed,
		rule: "always true", source: "voxpack: it has fixed shapes alone; graphs and cuDNN's choices then serve all steps"},
	{name: "max_mel_frames", place: InConfig, find: (*plan).frames,
		rule: "what fits all rows, or 99 % of them where a few are more than a quarter longer", source: "voxpack: what is longer is rejected or cut"},
	{name: "max_text_length", place: InConfig, find: (*plan).tokens,
		rule: "what fits all rows, or 99 % of them where a few are more than a quarter longer", source: "voxpack: what is longer is rejected or cut"},
	{name: "data_gpu", place: InConfig, flag: "--data-gpu", find: (*plan).dataGPU,
		rule: "the best pair of voxpack topo; the one with less memory takes the data", source: "voxpack topo"},
	{name: "model_gpu", place: InConfig, flag: "--model-gpu", find: (*plan).modelGPU,
		rule: "the best pair of voxpack topo; the one with more memory trains", source: "voxpack topo"},
	{name: "data-gpu-memory", place: InFlag, flag: "--data-gpu-memory", find: (*plan).dataMemory,
		rule: "the batches ahead (three at least) and the dataset as a cache, at most 80 % of the GPU, in MB", source: "voxpack: what the feed keeps there"},
	{name: "model-gpu-memory", place: InFlag, flag: "--model-gpu-memory", find: (*plan).modelMemory,
		rule: "the batches ahead, three at least, in MB: the model has the rest", source: "voxpack: what the feed keeps there"},
	{name: "mixed_precision", place: InConfig, find: (*plan).mixed,
		rule: "from compute capability 7.0 on, by the oldest GPU", source: precisionSource},
	{name: "autocast", place: InFramework, framework: Torch, find: func(p *plan) (any, Basis, string, bool) { return p.precision(Torch) },
		rule: "bfloat16 from compute capability 8.0 on, float16 from 7.0, else float32", source: precisionSource},
	{name: "policy", place: InFramework, framework: TensorFlow, find: func(p *plan) (any, Basis, string, bool) { return p.precision(TensorFlow) },
		rule: "float16 from compute capability 7.0 on, else float32", source: precisionSource},
	{name: "enable_xla", place: InConfig, framework: TensorFlow, find: (*plan).xla,
		rule: "always: shapes are fixed", source: "TensorFlow documentation, XLA"},
}

const precisionSource = "CUDA Programming Guide, Compute Capabilities: types of tensor cores"

// plan is what several settings follow from.
type plan struct {
	*Facts
	batch  int
	basis  Basis
	why    string
	depth  int
	gpu    bool
	data   int // places in GPUs
	model  int
	second bool // data and model GPU differ
}

// defaultBatch is that of voxpack.yaml, where nothing is known.
const defaultBatch = 32

func newPlan(f *Facts) *plan {
	p := &plan{Facts: f, gpu: len(f.GPUs) > 0}
	if p.gpu {
		p.data, p.model = f.roles()
		p.second = p.data != p.model
	}
	p.batch, p.basis, p.why = p.chooseBatch()
	p.depth = diagnosis.UsualDepth(p.batch)
	return p
}

// chooseBatch tries the sizes from the largest down.
func (p *plan) chooseBatch() (int, Basis, string) {
	switch {
	case p.Batch > 0:
		return p.Batch, Given, "what the config says"
	case p.Dataset == nil:
		return defaultBatch, Table, "the default, because no dataset is here"
	}
	for _, size := range []int{128, 64, 32, 16} {
		if size <= p.Dataset.Rows && p.fits(size) {
			return size, diagnosis.Computed, fmt.Sprintf("the largest of 16 to 128 that fits; a batch is %s", number.Size(int64(p.batchBytes(size))))
		}
	}
	size := max(1, min(16, p.Dataset.Rows))
	if size < 16 {
		return size, diagnosis.Computed, fmt.Sprintf("the dataset has only %s", number.Count(p.Dataset.Rows, "row"))
	}
	return size, diagnosis.Computed, fmt.Sprintf("the smallest: a batch is %s, which is much for this memory", number.Size(int64(p.batchBytes(size))))
}

// fits reports whether batches of a size leave the trainer enough memory.
func (p *plan) fits(size int) bool {
	bytes := p.batchBytes(size)
	ring := uint64(diagnosis.UsualMost(diagnosis.UsualDepth(size)))
	ahead := onGPU(diagnosis.UsualDepth(size))
	if p.Memory > 0 && ring*bytes > p.Memory/hostShare {
		return false
	}
	for _, g := range p.GPUs {
		if g.Memory > 0 && ahead*bytes > g.Memory/gpuShare {
			return false
		}
	}
	return true
}

func (p *plan) batchSize() (any, Basis, string, bool) { return p.batch, p.basis, p.why, true }

func (p *plan) workers() (any, Basis, string, bool) {
	if p.Config != nil && !p.Config.Ours && p.Processes > 1 {
		return p.cores(), diagnosis.Measured, fmt.Sprintf("the cores that this process may use, shared by %d processes", p.Processes), true
	}
	return p.Cores.Usable(), diagnosis.Measured, "the cores that this process may use", true
}

func (p *plan) fillers() (any, Basis, string, bool) {
	return min(4, p.cores()), diagnosis.Measured, "goroutines that fill batches: the cores that this process may use, at most 4", true
}

func (p *plan) prefetch() (any, Basis, string, bool) {
	return p.depth, diagnosis.Computed, fmt.Sprintf("the rule for batches of %d", p.batch), true
}

func (p *plan) pipeline() (any, Basis, string, bool) {
	size, why := diagnosis.UsualMost(p.depth), "the most that the ring grows to where steps vary"
	if bytes := p.batchBytes(p.batch); bytes > 0 && p.Memory > 0 {
		if room := p.Memory / hostShare / bytes; room < uint64(size) {
			size, why = max(p.depth, int(room)), "more would take over an eighth of the memory"
		}
	}
	return size, diagnosis.Computed, why, true
}

func (p *plan) toGPU() (any, Basis, string, bool) {
	return true, diagnosis.Measured, "there is a GPU: batches are copied while the one before is used", p.gpu
}

func (p *plan) fixed() (any, Basis, string, bool) {
	return true, Table, "batches of one shape: nothing is traced or compiled twice", true
}

func (p *plan) frames() (any, Basis, string, bool) {
	if p.Dataset == nil || p.Dataset.Frames.Longest == 0 {
		return nil, "", "", false
	}
	value, why := shape(p.Dataset.Frames)
	return value, diagnosis.Measured, why, true
}

func (p *plan) tokens() (any, Basis, string, bool) {
	if p.Dataset == nil || p.Dataset.Tokens.Longest == 0 {
		return nil, "", "", false
	}
	value, why := shape(p.Dataset.Tokens)
	return value, diagnosis.Measured, why, true
}

// shape is the maximum to take: padding costs each row, a rejection one.
func shape(l diagnosis.Lengths) (int, string) {
	switch {
	case l.Longest == l.P99:
		return l.Longest, "fits all rows"
	case l.Longest*tailPart <= l.P99*(tailPart+1):
		return l.Longest, fmt.Sprintf("fits all rows; %d fits 99 %%", l.P99)
	}
	return l.P99, fmt.Sprintf("fits 99 %% of the rows; all need %d, which pads the others much", l.Longest)
}

func (p *plan) dataGPU() (any, Basis, string, bool) {
	if !p.gpu {
		return nil, "", "", false
	}
	why, basis := p.pairWhy()
	return p.GPUs[p.data].Number, basis, why, true
}

func (p *plan) modelGPU() (any, Basis, string, bool) {
	if !p.gpu {
		return nil, "", "", false
	}
	why, basis := p.pairWhy()
	return p.GPUs[p.model].Number, basis, why, true
}

func (p *plan) pairWhy() (string, Basis) {
	switch {
	case !p.second:
		return "the only GPU", diagnosis.Measured
	case p.Pair == nil:
		return "the first two: how GPUs hang together is not known", diagnosis.Computed
	}
	return "the pair whose copies are cheapest", diagnosis.Measured
}

// dataMemory is what the feed may take of a data GPU of its own, in MB of 1,000,000
// bytes. A key of that name in a trainer's config is the trainer's share, in MiB.
func (p *plan) dataMemory() (any, Basis, string, bool) {
	if !p.second || p.Dataset == nil || p.GPUs[p.data].Memory == 0 {
		return nil, "", "", false
	}
	whole := onGPU(p.depth)*p.batchBytes(p.batch) + uint64(p.Dataset.Rows)*p.Dataset.SampleBytes
	share := p.GPUs[p.data].Memory / 100 * most
	if whole > share {
		return megabytes(share), diagnosis.Computed, fmt.Sprintf("%d %% of GPU %d: the dataset does not fit whole", most, p.GPUs[p.data].Number), true
	}
	return megabytes(whole), diagnosis.Computed, fmt.Sprintf("%d batches, and the whole dataset as a cache", onGPU(p.depth)), true
}

func (p *plan) modelMemory() (any, Basis, string, bool) {
	if !p.gpu || p.Dataset == nil {
		return nil, "", "", false
	}
	return megabytes(onGPU(p.depth) * p.batchBytes(p.batch)), diagnosis.Computed, fmt.Sprintf("%d batches: the model has the rest", onGPU(p.depth)), true
}

func megabytes(bytes uint64) int { return int((bytes + 1e6 - 1) / 1e6) }

func (p *plan) mixed() (any, Basis, string, bool) {
	name, basis, why, known := p.precision(TensorFlow)
	if !known {
		return nil, "", "", false
	}
	if name == "float32" {
		return false, basis, why, true
	}
	major, minor, _ := p.capability()
	return true, basis, fmt.Sprintf("tensor cores (compute capability %d.%d) take halves; weights stay float32", major, minor), true
}

// precision is the rule of python/voxpack/settings, by the oldest GPU. Where no GPU
// was seen, or not what it can do, there is no value to hold a config against.
func (p *plan) precision(framework Framework) (any, Basis, string, bool) {
	major, minor, known := p.capability()
	switch {
	case !known:
		return nil, "", "", false
	case major < 7:
		return "float32", Table, fmt.Sprintf("tensor cores came with compute capability 7.0, here it is %d.%d", major, minor), true
	case framework == Torch && major >= 8:
		return "mixed_bfloat16", Table, fmt.Sprintf("tensor cores (compute capability %d.%d) take it, and the loss needs no scaling", major, minor), true
	}
	return "mixed_float16", Table, fmt.Sprintf("tensor cores (compute capability %d.%d) take float16; weights stay float32", major, minor), true
}

func (p *plan) xla() (any, Basis, string, bool) {
	return true, Table, "shapes never change, so one compilation serves all steps", true
}
