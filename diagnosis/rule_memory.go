package diagnosis

import (
	"fmt"

	"voxpack/internal/number"
)

var gpuMemorySmallRule = Rule{
	ID:      "gpu-memory-small",
	Looks:   "the memory limit of each GPU, the bytes of a batch",
	Limit:   "the batches that the feed keeps on a device: three, so that one arrives, one waits and one is used",
	Meaning: "copying overlaps less with training",
	Setting: "`--data-gpu-memory`, `--model-gpu-memory`, `--batch-size`",
	Gain:    "the part of the steps in which no stage was busy all the time; not known before a run",
	check: func(o Observation) (Verdict, bool) {
		v, small := asked(gpuMemorySmall)(o)
		if o.timed() {
			v.Gain = gain(o.Work.idle(o.Steps))
		}
		return v, small
	},
}

func gpuMemorySmall(s *Setup) (Verdict, bool) {
	switch {
	case s.Dual && tooSmall(s.DataCap, s):
		return smallCap("data", s.DataCap, s), true
	case s.Device && tooSmall(s.ModelCap, s):
		return smallCap("model", s.ModelCap, s), true
	}
	return Verdict{}, false
}

// tooSmall reports whether a limit holds fewer batches than the feed keeps on the
// device. A limit of 0 is none.
func tooSmall(limit uint64, s *Setup) bool {
	return limit > 0 && limit < uint64(s.DeviceDepth)*s.BatchBytes
}

func smallCap(role string, limit uint64, s *Setup) Verdict {
	// The flag takes whole MB of 1,000,000 bytes, so the size is rounded up.
	want, flag := uint64(s.DeviceDepth)*s.BatchBytes, "--"+role+"-gpu-memory"
	return Verdict{
		Kind: Limits, Number: float64(limit), Limit: float64(want), Unit: "B", Setting: flag, Basis: Computed,
		Cause: fmt.Sprintf("%s of the %s GPU hold %d of %d batches of %s",
			number.Size(int64(limit)), role, limit/s.BatchBytes, s.DeviceDepth, number.Size(int64(s.BatchBytes))),
		Cure: fmt.Sprintf("give %s %d, or take a smaller --batch-size", flag, (want+1e6-1)/1e6),
	}
}

var gpuMemoryLargeRule = Rule{
	ID:      "gpu-memory-large",
	Looks:   "the memory limit of each GPU, its memory",
	Limit:   "the memory that the driver reports",
	Meaning: "the limit limits nothing, and a trainer beside the feed may run out of memory",
	Setting: "`--data-gpu-memory`, `--model-gpu-memory`",
	Gain:    "none in time: it keeps a training from ending",
	check: asked(func(s *Setup) (Verdict, bool) {
		switch {
		// 0 is a GPU whose memory is not known; nothing is said of it.
		case s.Dual && s.DataMemory > 0 && s.DataCap > s.DataMemory:
			return largeCap("data", s.DataCap, s.DataMemory), true
		case s.Device && s.ModelMemory > 0 && s.ModelCap > s.ModelMemory:
			return largeCap("model", s.ModelCap, s.ModelMemory), true
		}
		return Verdict{}, false
	}),
}

func largeCap(role string, limit, memory uint64) Verdict {
	flag := "--" + role + "-gpu-memory"
	return Verdict{
		Kind: Risks, Number: float64(limit), Limit: float64(memory), Unit: "B", Setting: flag, Basis: Measured,
		Cause: fmt.Sprintf("%s allows %s, the GPU has %s: the feed takes what is free, and a trainer beside it may find none",
			flag, number.Size(int64(limit)), number.Size(int64(memory))),
		Cure: "lower it",
	}
}
