package diagnosis

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"voxpack/internal/number"
)

var configGPUsRule = Rule{
	ID:      "config-gpus",
	Looks:   "which GPUs the config names, which this machine has",
	Limit:   "two different ones that exist, or none",
	Meaning: "the training does not start; or a copy is made that brings nothing",
	Setting: "`data_gpu`, `model_gpu`",
	Gain:    "none in time: without it the training may not run",
	subject: "GPUs",
	audit: func(c *Config) Seen {
		data, atData, one := c.gpu("data_gpu")
		model, atModel, two := c.gpu("model_gpu")
		v := Verdict{Kind: Risks, Number: float64(data), Limit: float64(model), Unit: "GPU", Setting: "data_gpu", Basis: Computed, At: atData.At}
		switch {
		case !one && !two:
			return Seen{}
		case one != two && atData.Name != "" && atModel.Name != "":
			if one {
				return c.unset("model_gpu")
			}
			return c.unset("data_gpu")
		case one != two && !c.Ours:
			v.Kind, v.Basis = Wastes, Suspected
			v.Setting, v.At = atData.Name+atModel.Name, Position{max(atData.At.Line, atModel.At.Line), max(atData.At.Col, atModel.At.Col)}
			v.Cause = "only " + v.Setting + " is given: the trainer's default counts for the other"
			v.Cure = "give data_gpu and model_gpu, or none"
			return found(v)
		case one && two && data == model && !c.Ours:
			v.Kind, v.Cause = Wastes, fmt.Sprintf("GPU %d takes the batches and trains: each batch is copied once more for nothing", data)
			v.Cure = "take data_gpu away, or name another"
			return found(v)
		case c.GPUs == nil:
			return unknown(named(one, two, data, model) + ": no driver says whether they exist")
		}
		var list []Verdict
		for _, s := range []Setting{atData, atModel} {
			n, known := s.Whole()
			if _, there := c.GPUs[n]; there || !known {
				continue
			}
			v.Number, v.Limit, v.Setting, v.Basis, v.At = float64(n), float64(len(c.GPUs)), s.Name, Measured, s.At
			v.Cause = fmt.Sprintf("%s: there is no GPU %d here; %s", s.Name, n, c.have())
			v.Cure = "name one that there is, unless the training runs on another machine"
			list = append(list, v)
		}
		if list != nil {
			return found(list...)
		}
		return well(named(one, two, data, model))
	},
}

// gpu is a setting that is the number of a GPU. Of a dataset's own config -1 leaves
// the choice to voxpack, as if it were not there.
func (c *Config) gpu(name string) (int, Setting, bool) {
	n, s, known := c.number(name)
	if c.Ours && n < 0 {
		return 0, Setting{}, false
	}
	return n, s, known
}

// named says which GPUs a config names.
func named(one, two bool, data, model int) string {
	switch {
	case one && two && data == model:
		return fmt.Sprintf("GPU %d for data and model", data)
	case one && two:
		return fmt.Sprintf("data %d, model %d", data, model)
	case one:
		return fmt.Sprintf("data %d", data)
	}
	return fmt.Sprintf("model %d", model)
}

// have lists the GPUs of this machine.
func (c *Config) have() string {
	var names []string
	for _, n := range slices.Sorted(maps.Keys(c.GPUs)) {
		names = append(names, fmt.Sprint(n))
	}
	if names == nil {
		return "there is none"
	}
	if len(names) == 1 {
		return "there is GPU " + names[0] + " alone"
	}
	return "there are GPU " + strings.Join(names, ", ")
}

// capUnit is what trainers count memory limits in.
const capUnit = 1 << 20

var configCapsRule = Rule{
	ID:      "config-caps",
	Looks:   "the memory limits of both GPUs, in MiB, and their memory",
	Limit:   "the memory that the driver reports",
	Meaning: "the limit limits nothing, and the training may run out of memory",
	Setting: "`data_gpu_memory`, `model_gpu_memory`",
	Gain:    "none in time: it keeps a training from ending",
	subject: "memory",
	audit: func(c *Config) Seen {
		var list []Verdict
		var texts []string
		blind := false
		for _, role := range []string{"data_gpu", "model_gpu"} {
			limit, s, given := c.number(role + "_memory")
			if !given || limit <= 0 {
				continue
			}
			gpu, _, named := c.number(role)
			memory := c.GPUs[gpu]
			bytes := uint64(limit) * capUnit
			texts = append(texts, fmt.Sprintf("%s %s", s.Name, number.Size(int64(bytes))))
			switch {
			case !named || memory == 0:
				blind = true
			case bytes > memory:
				list = append(list, Verdict{
					Kind: Risks, Number: float64(bytes), Limit: float64(memory), Unit: "B", Setting: s.Name, Basis: Measured, At: s.At,
					Cause: fmt.Sprintf("%s allows %s, and GPU %d has %s", s.Name, number.Size(int64(bytes)), gpu, number.Size(int64(memory))),
					// A tenth is left for the driver and for what the framework keeps beside its pool.
					Cure: fmt.Sprintf("%s: %d or less", s.Name, memory/10*9/capUnit),
				})
			}
		}
		switch text := strings.Join(texts, ", "); {
		case list != nil:
			return found(list...)
		case texts == nil:
			return Seen{}
		case blind:
			return unknown(text + ": nothing tells the memory of that GPU")
		default:
			return well(text)
		}
	},
}

// usualBands are those of most vocoders, where the config names none.
const usualBands = 80

var configAheadRule = Rule{
	ID:      "config-gpu-prefetch-memory",
	Looks:   "the batches that are copied to the data GPU ahead, in the fixed shape and 32 bits",
	Limit:   "the memory limit of that GPU, else its memory",
	Meaning: "the training runs out of memory before its first step",
	Setting: "`prefetch_buffer_size`, `batch_size`",
	Gain:    "none in time: it keeps a training from ending",
	subject: "batches there",
	audit: func(c *Config) Seen {
		batch, _, one := c.number("batch_size")
		ahead, s, two := c.number("prefetch_buffer_size")
		frames, _, three := c.number("max_mel_frames")
		gpu, _, named := c.number("data_gpu")
		if on, _, _ := c.switched("prefetch_to_gpu"); !on || !one || !two || !three || min(batch, ahead, frames) < 1 {
			return Seen{}
		}
		bands, _, given := c.number("n_mels")
		if !given {
			bands = usualBands
		}
		limit, of := float64(c.GPUs[gpu]), fmt.Sprintf("GPU %d", gpu)
		if most, at, capped := c.number("data_gpu_memory"); capped && most > 0 {
			limit, of = float64(most)*capUnit, at.key()
		} else if !named {
			limit = 0
		}
		sample := float64(frames) * float64(max(1, bands)) * 4
		bytes := float64(ahead) * float64(batch) * sample
		text := fmt.Sprintf("%s of %s ahead are %s",
			count(ahead, "batch", "batches"), size(float64(batch)*sample), size(bytes))
		switch {
		case limit == 0:
			return unknown(text + ": nothing tells the memory of that GPU")
		case bytes <= limit:
			return well(text)
		}
		v := Verdict{
			Kind: Risks, Number: bytes, Limit: limit, Unit: "B", Setting: "prefetch_buffer_size", Basis: Computed, At: s.At,
			Cause: fmt.Sprintf("%s, and %s allows %s", text, of, number.Size(int64(limit))),
			Cure:  fmt.Sprintf("%s: %d, which is enough for batches of %d", s.key(), UsualDepth(batch), batch),
		}
		if usual := UsualDepth(batch); usual >= ahead || float64(usual)*float64(batch)*sample > limit {
			v.Setting, v.Cure = "batch_size", smaller(limit/(float64(ahead)*sample))
		}
		return found(v)
	},
}

// smaller is the cure where fewer batches do not help.
func smaller(fits float64) string {
	if fits < 1 {
		return "a smaller batch_size, and fewer batches ahead"
	}
	return fmt.Sprintf("batch_size: %.0f or less", math.Floor(fits))
}

// size is number.Size for a product that an int64 may not hold.
func size(bytes float64) string { return number.Size(int64(min(bytes, 1e18))) }

// count is number.Count for a noun whose plural has no rule.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%s %s", number.Commas(n), many)
}
