package diagnosis

import "fmt"

// The host's rules look at parts of all cores: a trainer's thread needs one of them, on a
// machine of any size.
var feederCPURule = Rule{
	ID:      "feeder-cpu",
	Looks:   "the processor time of the feeder, beside a trainer",
	Limit:   "the target `feeder-cpu-most`",
	Meaning: "the trainer's thread, which starts the GPU's work, waits for a core",
	Setting: "`--workers`",
	Gain:    "not known: it shows in the trainer, not in the feed",
	check: func(o Observation) (Verdict, bool) {
		limit := o.Targets.Of(FeederCPUMost)
		h := o.Host
		if h == nil || !h.Trained || h.FeederCPU <= limit {
			return Verdict{}, false
		}
		return Verdict{Kind: Risks, Number: h.FeederCPU, Limit: limit, Unit: "%", Setting: "--workers", Basis: Measured,
			Cause: fmt.Sprintf("the feeder uses %.0f %% of all cores (limit %g %%), and the trainer needs one to start the GPU's work", h.FeederCPU, limit),
			Cure:  "fewer --workers, or less to fill: mel_dtype: f16, a smaller max_mel_frames, --checksums first",
		}, true
	},
}

var hostCPURule = Rule{
	ID:      "host-cpu",
	Looks:   "the part of all cores that worked beside a trainer, for any process",
	Limit:   "the target `host-cpu-most`; where the feeder misses its own target, that rule speaks",
	Meaning: "others take the cores from feeder and trainer",
	Setting: "none of the feed",
	Gain:    "not known",
	check: func(o Observation) (Verdict, bool) {
		limit := o.Targets.Of(HostCPUMost)
		h := o.Host
		if h == nil || !h.Trained || h.CPU <= limit || h.FeederCPU > o.Targets.Of(FeederCPUMost) {
			return Verdict{}, false
		}
		return Verdict{Kind: Risks, Number: h.CPU, Limit: limit, Unit: "%", Basis: Measured,
			Cause: fmt.Sprintf("%.0f %% of all cores work (limit %g %%), %.0f %% for the feeder", h.CPU, limit, h.FeederCPU),
			Cure:  "end what else runs on this machine, or bind it to other cores",
		}, true
	},
}

var swapRule = Rule{
	ID:      "swap",
	Looks:   "the bytes a second that the machine moved to swap and from it during the run",
	Limit:   "the target `swap-most`",
	Meaning: "memory is short, and steps wait for a disk at times",
	Setting: "`--prefetch-buffer-size`",
	Gain:    "the step with filling at the target `fill-least` and no delays; not known without a training",
	check: func(o Observation) (Verdict, bool) {
		if !o.swaps() {
			return Verdict{}, false
		}
		v := Verdict{Kind: Limits, Number: o.Host.Swapping, Limit: o.Targets.Of(SwapMost), Unit: "MB/s", Setting: "--prefetch-buffer-size", Basis: Measured,
			Cause: fmt.Sprintf("the machine moved %.3g MB a second to swap and back (limit %g)", o.Host.Swapping, o.Targets.Of(SwapMost)),
			Cure:  "fewer processes beside the training, fewer batches ahead (--prefetch-buffer-size), more memory",
		}
		if o.timed() && o.Steps.Mean > 0 {
			w := *o.Work
			if rate := o.Steps.FillRate / 1e9; rate > 0 {
				w = w.faster(Load, min(1, rate/o.Targets.Of(FillLeast)))
			}
			v.Gain = gain(w.idle(o.Steps))
		}
		return v, true
	},
}

// swaps reports whether the machine swapped while the run went on, more than other
// processes do by the way. What filling waits for is that, then.
func (o Observation) swaps() bool {
	return o.Host != nil && o.Host.Swapping > o.Targets.Of(SwapMost)
}

// GrowthSteps is the shortest run that says something of growth: rings and pools
// grow at first.
const GrowthSteps = 1000

var growthRule = Rule{
	ID:      "memory-growth",
	Looks:   "memory of the process that belongs to no file, over 1,000 steps and more",
	Limit:   "the target `growth-most`",
	Meaning: "something keeps memory that it should give back, and the training ends when there is none left",
	Setting: "none: it is a defect",
	Gain:    "none in time: it keeps a training from ending",
	check: func(o Observation) (Verdict, bool) {
		limit := o.Targets.Of(GrowthMost)
		h := o.Host
		if h == nil || h.Steps < GrowthSteps || h.GrowthMB <= limit {
			return Verdict{}, false
		}
		return Verdict{Kind: Risks, Number: h.GrowthMB, Limit: limit, Unit: "MB", Basis: Measured,
			Cause: fmt.Sprintf("memory grows by %.0f MB in 1,000 steps (limit %g MB)", h.GrowthMB, limit),
			Cure:  "release each batch; profile with fewer parts to find which one grows",
		}, true
	},
}
