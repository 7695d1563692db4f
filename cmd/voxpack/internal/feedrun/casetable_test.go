package feedrun

import (
	"time"

	"voxpack/diagnosis"
	"voxpack/gpufeed"
	"voxpack/gpufeed/sim"
)

// oneEpoch are 60 batches of the 64 rows: nothing comes twice.
const oneEpoch = "--batch-size 1 --step-ms 0.4 --steps 60"

// plantedCases is the table. A cause that no flag plants is in the rig.
var plantedCases = []plantedCase{
	{name: "nothing, one GPU", how: "–"},
	{name: "nothing, a short run", how: "–", args: "--steps 9"},
	{name: "nothing, two GPUs", how: "–", args: "--mode dual"},
	{name: "nothing, on the host", how: "–", alter: func(o *Options) { o.Device, o.Mode = "host", "auto" }},
	{name: "nothing, two GPUs at one switch", how: "–", args: "--mode dual", gpus: []gpuAt{near, other}},
	{name: "a slow trainer", how: "`--slow consumer=4`", args: "--slow consumer=4"},

	{name: "a slow link", how: "`--link 0.05`", args: "--link 0.05", first: "slow-link", removed: plantedRun{args: "--link 25"}},
	{name: "a slow copy between the GPUs", how: "`--slow 'GPU 0 to GPU 1=50'`", args: "--mode dual --step-ms 0.5",
		rig: rig{devices: func(s *sim.Options) { s.Peer = s.Peer.Slower(50) }}, first: "slow-peer", removed: plantedRun{args: "--mode dual --step-ms 0.5"}},
	{name: "a slow copy of batches that are padding", how: "`--slow 'GPU 0 to GPU 1=50'`, a fifth of 400 frames is sound", args: "--mode dual --step-ms 0.5", data: "padded",
		rig: rig{devices: func(s *sim.Options) { s.Peer = s.Peer.Slower(50) }}, first: "slow-peer", removed: plantedRun{args: "--mode dual --step-ms 0.5", data: "padded"}},
	{name: "copies of a sound link", how: "steps of 0.03 ms for batches of 2 MB", args: "--batch-size 32 --step-ms 0.03 --prefetch-buffer-size 8",
		rig: rig{fill: fillsAt(40e9)}, first: "bound", removed: plantedRun{args: "--batch-size 32 --step-ms 0.03 --prefetch-buffer-size 8 --cache on", rig: rig{fill: fillsAt(40e9)}}},
	{name: "too few workers", how: "`--workers 1` on 8 cores", args: "--workers 1 --step-ms 0.05", first: "workers-few", removed: plantedRun{args: "--step-ms 0.05"}},
	{name: "slow filling", how: "workers that fill 0.01 GB/s", rig: rig{fill: fillsAt(0.01e9)}, first: "slow-fill", removed: plantedRun{args: "--workers 8"}},
	{name: "a cold page cache", how: "workers that fill 0.01 GB/s; each sample comes from a disk once, and fits into memory", args: oneEpoch,
		rig: rig{fill: fillsAt(0.01e9), machine: &machine{disk: 4.2e6, memory: 64e9}}, first: "cold-cache", removed: plantedRun{args: oneEpoch}},
	{name: "a slow disk", how: "workers that fill 0.01 GB/s, from a disk in every epoch", rig: rig{fill: fillsAt(0.01e9), machine: &machine{disk: 50e6, memory: 64e9}},
		first: "slow-disk", removed: plantedRun{args: "--workers 8"}},
	{name: "a dataset larger than memory", how: "the same in the first epoch, with 6 MB of memory", args: oneEpoch,
		rig: rig{fill: fillsAt(0.01e9), machine: &machine{disk: 4.2e6, memory: 6e6}}, first: "slow-disk", removed: plantedRun{args: oneEpoch}},
	{name: "swap", how: "every seventh fill takes 25 ms, and the machine moved 300 MB to swap and back", args: "--prefetch-buffer-size 8", alter: func(o *Options) { o.fixed = true },
		rig: rig{fill: bursts, machine: &machine{swapped: 300e6, memory: 64e9}}, first: "swap", removed: plantedRun{args: "--workers 8"}},
	{name: "swap that keeps workers waiting", how: "workers that fill 0.01 GB/s, and the machine moved 300 MB to swap and back",
		rig: rig{fill: fillsAt(0.01e9), machine: &machine{disk: 50e6, swapped: 300e6, memory: 64e9}}, first: "swap", removed: plantedRun{args: "--workers 8"}},
	{name: "debug checksums that cost time", how: "`--checksums always`, compared at 2 GB/s where a worker copies 4", args: "--checksums always --batch-size 32 --steps 100 --step-ms 0.1 --prefetch-buffer-size 8",
		rig: rig{fill: checked(4e9, 2e9), machine: &machine{memory: 64e9, checked: 2e9}}, first: "checksums-always",
		removed: plantedRun{args: "--batch-size 32 --steps 100 --step-ms 0.1 --prefetch-buffer-size 8", rig: rig{fill: fillsAt(4e9)}}},
	{name: "one slow worker", how: "a worker that needs 40 ms a batch, `enhanced_gpu_prefetch: false`", rig: rig{fill: oneSlow}, first: "slow-worker",
		alter: func(o *Options) { o.fixed = true }, removed: plantedRun{args: "--workers 8"}},
	{name: "a ring of one", how: "`--prefetch-buffer-size 1`, `enhanced_gpu_prefetch: false`, every seventh fill takes 25 ms", args: "--prefetch-buffer-size 1",
		alter: func(o *Options) { o.fixed = true }, rig: rig{fill: bursts}, first: "ring-small", removed: plantedRun{args: "--workers 8", rig: rig{fill: bursts}}},
	{name: "fewer batches ahead than workers", how: "`--prefetch-buffer-size 2`, `enhanced_gpu_prefetch: false`, 8 workers", args: "--batch-size 32 --step-ms 0.4 --prefetch-buffer-size 2",
		alter: func(o *Options) { o.fixed = true }, rig: rig{fill: fillsAt(1.2e9)}, first: "ring-small",
		removed: plantedRun{args: "--batch-size 32 --step-ms 0.4 --prefetch-buffer-size 8", rig: rig{fill: fillsAt(1.2e9)}}},
	{name: "a trainer that keeps batches", how: "each for 20 ms after its step", rig: rig{keep: 20 * time.Millisecond}, first: "batches-kept", removed: plantedRun{args: "--workers 8"}},
	{name: "a trainer that asks in turn", how: "room for one batch on the GPU", args: "--batch-size 8 --step-ms 0.04",
		rig: rig{fill: fillsAt(40e9), config: func(c *gpufeed.Config) { c.DeviceDepth = 1 }}, first: "no-overlap",
		removed: plantedRun{args: "--batch-size 8 --step-ms 0.04", rig: rig{fill: fillsAt(40e9)}}},
	{name: "a small batch", how: "`--batch-size 4 --step-ms 3+1`, of which a sweep has measured 2 as well", args: "--step-ms 3+1", sweep: []int{2},
		first: "batch-small", removed: plantedRun{args: "--batch-size 16 --step-ms 3+4"}},
	{name: "a batch that is large enough", how: "`--batch-size 4 --step-ms 1+3`, of which a sweep has measured 2 as well", args: "--step-ms 1+3", sweep: []int{2}},
	{name: "a jittery trainer", how: "`--jitter 90%`", args: "--jitter 90%", first: "variation"},
	{name: "maxima far too large", how: "a fifth of 400 frames is sound", args: "--batch-size 32 --steps 100 --step-ms 0.03 --prefetch-buffer-size 8", rig: rig{fill: fillsAt(4e9)}, data: "padded",
		first: "padding", removed: plantedRun{args: "--batch-size 32 --steps 100 --step-ms 0.03 --prefetch-buffer-size 8", rig: rig{fill: fillsAt(4e9)}, data: "fitting"}},
	{name: "an f32 mel where f16 would do", how: "`mel_dtype: f32`", args: "--batch-size 16 --steps 100 --step-ms 0.03 --prefetch-buffer-size 8", rig: rig{fill: fillsAt(4e9)}, data: "f32",
		first: "mel-f32", removed: plantedRun{args: "--batch-size 16 --steps 100 --step-ms 0.03 --prefetch-buffer-size 8", rig: rig{fill: fillsAt(4e9)}}},
	{name: "no P2P", how: "GPUs that cannot write to each other", args: "--mode dual --batch-size 16 --step-ms 0.06", rig: rig{devices: func(s *sim.Options) { s.NoPeer = true }},
		first: "no-peer", removed: plantedRun{args: "--mode dual --batch-size 16 --step-ms 0.06"}},
	{name: "a GPU memory limit too small", how: "`--model-gpu-memory 1`, for one batch", args: "--batch-size 8 --step-ms 0.04 --model-gpu-memory 1", first: "gpu-memory-small",
		removed: plantedRun{args: "--batch-size 8 --step-ms 0.04"}},

	{name: "a GPU memory limit too large", how: "`--model-gpu-memory 90000` of 17 GB", args: "--model-gpu-memory 90000", first: "gpu-memory-large"},
	{name: "another process on the GPU", how: "NVML says that the GPU was 80 % busy before the first copy", rig: rig{gpus: []diagnosis.GPUUse{{GPU: 1, Role: "model", Busy: 80}}}, first: "gpu-shared"},
	{name: "two GPUs asked for, one there", how: "`data_gpu: 0`, `model_gpu: 1`", args: "--mode auto", rig: rig{devices: func(s *sim.Options) { s.Devices = 1 }},
		alter: func(o *Options) { o.dataGPU, o.modelGPU = 0, 1 }, first: "one-gpu"},
	{name: "one GPU for both", how: "`--mode dual --data-gpu 0 --model-gpu 0`", args: "--mode dual --data-gpu 0 --model-gpu 0", first: "one-gpu"},
	{name: "GPUs at two sockets", how: "the model GPU is at another NUMA node", args: "--mode dual", gpus: []gpuAt{near, far}, first: "far"},
	{name: "a feed on the CPUs of another node", how: "both GPUs are at the node whose CPUs it may not use", args: "--mode dual",
		gpus: []gpuAt{near.with(func(g *gpuAt) { g.node = "1" }), other.with(func(g *gpuAt) { g.node = "1" })}, first: "node"},
	{name: "an IOMMU that translates", how: "the group of both GPUs is of kind DMA", args: "--mode dual",
		gpus: []gpuAt{near.with(func(g *gpuAt) { g.iommu = "DMA" }), other.with(func(g *gpuAt) { g.iommu = "DMA" })}, first: "iommu"},
	{name: "a slot with fewer lanes", how: "4 lanes of 16", args: "--mode dual", gpus: []gpuAt{near.with(func(g *gpuAt) { g.lanes = "4" }), other}, first: "link"},
	{name: "more workers than cores", how: "`--workers 9` on 8 cores", args: "--workers 9", first: "workers"},
	{name: "far too many batches ahead", how: "`--prefetch-buffer-size 64`", args: "--prefetch-buffer-size 64", first: "prefetch-large"},
	{name: "a batch of more rows than there are", how: "`--batch-size 100` of 64 rows", args: "--batch-size 100 --tail pad --steps 80", first: "batch-over-rows"},
	{name: "a large tail", how: "`--batch-size 24` of 64 rows", args: "--batch-size 24 --steps 50", first: "tail"},
	{name: "debug checksums", how: "`--checksums always`", args: "--checksums always", first: "checksums-always"},
	{name: "no checksums", how: "`--checksums off`", args: "--checksums off", first: "checksums-off"},
	{name: "one order for all epochs", how: "`--shuffle none`", args: "--shuffle none", first: "same-order"},

	{name: "a slow link and slow filling", how: "`--link 0.05`, workers that fill 0.01 GB/s", args: "--link 0.05", rig: rig{fill: fillsAt(0.01e9)},
		first: "slow-link", also: "slow-fill", removed: plantedRun{args: "--link 25", rig: rig{fill: fillsAt(0.01e9)}}},
	{name: "few workers and a slow link", how: "`--workers 1` on 8 cores, `--link 5`", args: "--workers 1 --link 3 --step-ms 0.02", first: "workers-few", also: "slow-link",
		removed: plantedRun{args: "--link 3 --step-ms 0.02"}},
	{name: "a small memory limit and too many batches ahead", how: "`--model-gpu-memory 1 --prefetch-buffer-size 64`",
		args:  "--batch-size 8 --step-ms 0.04 --model-gpu-memory 1 --prefetch-buffer-size 64",
		first: "gpu-memory-small", also: "prefetch-large", removed: plantedRun{args: "--batch-size 8 --step-ms 0.04 --prefetch-buffer-size 64"}},
	{name: "a slow link and a slow disk", how: "`--link 0.05`, workers that fill 0.01 GB/s from a disk", args: "--link 0.05",
		rig: rig{fill: fillsAt(0.01e9), machine: &machine{disk: 50e6, memory: 64e9}}, first: "slow-link", also: "slow-disk",
		removed: plantedRun{args: "--link 25", rig: rig{fill: fillsAt(0.01e9)}}},
	{name: "a large tail and debug checksums", how: "`--batch-size 24 --checksums always`", args: "--batch-size 24 --steps 50 --checksums always",
		first: "tail", also: "checksums-always"},
}

// checked is a source whose workers read each sample twice.
func checked(copied, compared float64) func(gpufeed.Fill) time.Duration {
	return func(f gpufeed.Fill) time.Duration { return fillsAt(copied)(f) + fillsAt(compared)(f) }
}

// oneSlow is a source whose first worker is far slower than the others.
func oneSlow(f gpufeed.Fill) time.Duration {
	if f.Filler == 1 {
		return 40 * time.Millisecond
	}
	return fillsAt(soundFill)(f)
}

// bursts is a source that is late every seventh time.
func bursts(f gpufeed.Fill) time.Duration {
	if f.Seq%7 == 6 {
		return 25 * time.Millisecond
	}
	return fillsAt(soundFill)(f)
}
