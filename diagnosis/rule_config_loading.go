package diagnosis

import (
	"fmt"
	"strconv"

	"voxpack/internal/number"
)

var configNativeRule = Rule{
	ID:      "config-native",
	Looks:   "whether the trainer's graph reads the data itself",
	Limit:   "it does: teams whose text and audio went through Python saw their GPUs at 40 to 70 %",
	Meaning: "one Python thread prepares what GPUs may wait for",
	Setting: "`use_tf_native_loading`",
	Gain:    "not known before a run",
	subject: "loading",
	audit: func(c *Config) Seen {
		on, s, given := c.switched("use_tf_native_loading")
		switch {
		case given && on:
			return well("native")
		case given:
			return found(Verdict{
				Kind: Limits, Number: 0, Limit: 1, Unit: "native", Setting: "use_tf_native_loading", Basis: Suspected, At: s.At,
				Cause: "native loading is off: Python prepares each row, and GPUs may wait for it",
				Cure:  s.key() + ": true",
			})
		case c.tensorFlow() && !c.Ours:
			return c.unset("use_tf_native_loading")
		}
		return Seen{}
	},
}

var configAsyncRule = Rule{
	ID:      "config-async",
	Looks:   "whether stages overlap",
	Limit:   "they do: then a step takes as long as the longest stage, and not as the sum of all",
	Meaning: "each GPU waits while the other works",
	Setting: "`enable_async_pipeline`",
	Gain:    "the stages before the training; `voxpack estimate` works it out from their times",
	subject: "pipeline",
	audit: func(c *Config) Seen {
		on, s, given := c.switched("enable_async_pipeline")
		switch {
		case c.vague("enable_async_pipeline"):
			return c.unset("enable_async_pipeline")
		case !given:
			return Seen{}
		case on:
			return well("stages beside each other")
		}
		return found(Verdict{
			Kind: Limits, Number: 0, Limit: 1, Unit: "stages beside", Setting: "enable_async_pipeline", Basis: Computed, At: s.At,
			Cause: "stages come in turn, so that a step is the sum of them and each GPU waits for the other",
			Cure:  s.key() + ": true",
			Fixes: []Fix{{Path: s.Path, Value: "true"}},
		})
	},
}

var configWorkersRule = Rule{
	ID:      "config-workers",
	Looks:   "workers, the cores of this machine",
	Limit:   "two or more, because one worker prepares row after row; not more than there are cores, but two are never too many",
	Meaning: "text and audio are prepared one row after the other; or workers take cores from each other",
	Setting: "`num_workers`",
	Gain:    "not known before a run",
	subject: "workers",
	audit: func(c *Config) Seen {
		n, s, given := c.number("num_workers")
		v := Verdict{Number: float64(n), Unit: "workers", Setting: "num_workers", Basis: Computed, At: s.At}
		most := max(2, min(c.Cores, 16))
		bound := max(2, c.Cores)
		switch {
		case given && c.Ours && n == 0:
			return well("one for each core")
		case !given && c.Ours:
			return Seen{}
		case !given:
			return c.unset("num_workers")
		case n < 0:
			return unknown(s.key() + " is below 0: the framework chooses")
		case n < 2 && c.Cores != 1: // on one core workers only share it
			v.Kind, v.Limit = Limits, 2
			v.Cause = fmt.Sprintf("%s prepare rows one after the other", number.Count(n, "worker"))
			if n == 1 {
				v.Cause = "1 worker prepares rows one after the other"
			}
			v.Cure = fmt.Sprintf("%s: %d", s.key(), most)
			v.Fixes = []Fix{{Path: s.Path, Value: strconv.Itoa(most)}}
			return found(v)
		case c.Cores > 0 && n > bound:
			v.Kind, v.Limit = Wastes, float64(bound)
			v.Cause = fmt.Sprintf("%d workers share the %s of this machine", n, number.Count(c.Cores, "core"))
			v.Cure = fmt.Sprintf("%s: %d, unless the training runs on another machine", s.key(), most)
			return found(v)
		}
		return well(fmt.Sprintf("%d on %s", n, number.Count(c.Cores, "core")))
	},
}

// LeastAhead is how many batches have to be prepared ahead, and LeastPipeline how
// many a pipeline has to hold: one that arrives, one that waits and one that is used.
// In virtual time, with filling that takes 95 % of a step in the mean and varies by
// 60 % up and down, a step is 12 % longer than it could be with 1 ahead, 2 % with 2
// and 1 % with 4; a test holds that.
const (
	LeastAhead    = 2
	LeastPipeline = 3
)

var configPrefetchRule = Rule{
	ID:      "config-prefetch",
	Looks:   "the batches that are prepared ahead, and how many the pipeline holds",
	Limit:   "by a rule of thumb `max(2, min(8, 64 // batch))` ahead, and 2 at least; three in the pipeline: one arrives, one waits, one is used",
	Meaning: "a stage that is late once makes all others wait",
	Setting: "`prefetch_buffer_size`, `pipeline_buffer_size`",
	Gain:    "not known before a run: it depends on how much stages vary",
	subject: "prefetch",
	audit: func(c *Config) Seen {
		batch, _, sized := c.number("batch_size")
		if !sized {
			batch = 32 // the rule is 2 from there on, the least that it can be
		}
		n, s, given := c.number("prefetch_buffer_size")
		var list []Verdict
		usual := UsualDepth(batch)
		if given && n >= 0 && n < usual && !(c.Ours && n == 0) {
			v := Verdict{
				Kind: Limits, Number: float64(n), Limit: float64(usual), Unit: "batches", Setting: "prefetch_buffer_size", Basis: Computed, At: s.At,
				Cause: fmt.Sprintf("%s ahead; for batches of %d the rule of thumb is %d", count(n, "batch", "batches"), batch, usual),
				Cure:  fmt.Sprintf("%s: %d", s.key(), usual),
				Fixes: []Fix{{Path: s.Path, Value: strconv.Itoa(usual)}},
			}
			if n >= LeastAhead {
				v.Basis = Suspected
			}
			list = append(list, v)
		}
		if p, s, held := c.number("pipeline_buffer_size"); held && p >= 0 && p < LeastPipeline && !(c.Ours && p == 0) {
			want := max(LeastPipeline, usual, n)
			list = append(list, Verdict{
				Kind: Limits, Number: float64(p), Limit: LeastPipeline, Unit: "batches", Setting: "pipeline_buffer_size", Basis: Computed, At: s.At,
				Cause: fmt.Sprintf("a pipeline of %d has no room for one batch that arrives, one that waits and one that is used", p),
				Cure:  fmt.Sprintf("%s: %d", s.key(), want),
				Fixes: []Fix{{Path: s.Path, Value: strconv.Itoa(want)}},
			})
		}
		switch {
		case list != nil:
			return found(list...)
		case given && n > 0:
			return well(fmt.Sprintf("%d batches ahead", n))
		case given && n < 0 && !c.Ours:
			return unknown(s.key() + " is below 0: the framework chooses")
		case c.Ours || c.Program != "":
			return Seen{}
		}
		return c.unset("prefetch_buffer_size")
	},
}

var configGPUPrefetchRule = Rule{
	ID:      "config-gpu-prefetch",
	Looks:   "whether batches are copied to the GPU ahead",
	Limit:   "they are, where GPUs are named",
	Meaning: "the copy of a batch begins when the step before it has ended",
	Setting: "`prefetch_to_gpu`",
	Gain:    "the copy of a batch; `voxpack estimate` works it out from its bytes and the link",
	subject: "to the GPU",
	audit: func(c *Config) Seen {
		on, s, given := c.switched("prefetch_to_gpu")
		_, gpu := c.get("data_gpu")
		switch {
		case c.vague("prefetch_to_gpu"):
			return c.unset("prefetch_to_gpu")
		case given && on:
			return well("batches are copied ahead")
		case c.Ours || !given && !gpu:
			return Seen{}
		}
		v := Verdict{
			Kind: Limits, Number: 0, Limit: 1, Unit: "copies ahead", Setting: "prefetch_to_gpu", Basis: Suspected, At: s.At,
			Cause: "batches are not copied to the GPU ahead", Cure: "prefetch_to_gpu: true",
		}
		if !given {
			v.Cause = "GPUs are named, and nothing says that batches are copied there ahead"
		}
		return found(v)
	},
}

// leastBatch: below it the start of each step costs more than its work, and teams
// with two large GPUs found 16 the first size that kept them busy.
const leastBatch = 16

var configBatchRule = Rule{
	ID:      "config-batch",
	Looks:   "the batch size, the rows of the dataset",
	Limit:   "16 samples, below which teams with two GPUs found most of a step to be overhead; not more than there are rows",
	Meaning: "a GPU is done with a batch before the next one is there; or no batch is ever full",
	Setting: "`batch_size`",
	Gain:    "not known before a run",
	subject: "batch",
	audit: func(c *Config) Seen {
		n, s, given := c.number("batch_size")
		v := Verdict{Number: float64(n), Unit: "samples", Setting: "batch_size", At: s.At}
		switch {
		case !given && c.Ours:
			return Seen{}
		case !given:
			return c.unset("batch_size")
		case n < 1:
			return Seen{} // a fault of the value, which another rule tells
		case c.Mel != nil && n > c.Mel.Rows:
			v.Kind, v.Limit, v.Basis = Risks, float64(c.Mel.Rows), Computed
			v.Cause = fmt.Sprintf("a batch of %s is more than the dataset's %s", number.Commas(n), number.Count(c.Mel.Rows, "row"))
			v.Cure = fmt.Sprintf("%s: %d or less", s.key(), c.Mel.Rows)
			return found(v)
		case n < leastBatch && (c.Mel == nil || c.Mel.Rows >= leastBatch):
			v.Kind, v.Limit, v.Basis = Limits, leastBatch, Suspected
			v.Cause = fmt.Sprintf("a batch of %d leaves a large GPU idle between steps", n)
			v.Cure = fmt.Sprintf("%s: %d, or as many as fit its memory", s.key(), leastBatch)
			return found(v)
		}
		return well(number.Count(n, "sample"))
	},
}
