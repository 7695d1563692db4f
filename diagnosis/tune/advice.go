package tune

import (
	"fmt"

	"voxpack/diagnosis"
)

// Basis says how a value is known: diagnosis.Measured and diagnosis.Computed, and
// two more.
type Basis = diagnosis.Basis

// The bases besides measured and computed.
const (
	Table Basis = "table" // of its maker; Item.Source names it
	Given Basis = "given" // by the config, and kept
)

// Place is where an item is set.
type Place string

// The places.
const (
	InEnvironment Place = "environment"
	InConfig      Place = "config"    // a key of voxpack.yaml
	InFlag        Place = "flag"      // of feed and serve alone
	InFramework   Place = "framework" // voxpack.settings(…) in Python sets it
)

// Framework is what a trainer is written with.
type Framework string

// The frameworks. AnyFramework is all of them, and of an item that it belongs to none.
const (
	AnyFramework Framework = ""
	Torch        Framework = "torch"
	TensorFlow   Framework = "tensorflow"
	JAX          Framework = "jax"
)

// Item is one setting or variable.
type Item struct {
	Name      string    `json:"name"`
	Older     string    `json:"older"` // the name of a variable before; "": none
	Place     Place     `json:"place"`
	Flag      string    `json:"flag"`      // of feed and serve; "": none
	Framework Framework `json:"framework"` // that it is for; "": any
	Value     any       `json:"value"`     // string, int or bool
	Basis     Basis     `json:"basis"`
	Why       string    `json:"why"`    // a sentence without its full stop
	Rule      string    `json:"rule"`   // how values of it are found
	Source    string    `json:"source"` // where the rule comes from
}

// Gap is something that could not be seen.
type Gap string

// The gaps.
const (
	NoGPU        Gap = "gpus"       // and so nothing is said of them
	NoCapability Gap = "capability" // and so no mixed precision
	NoPair       Gap = "pair"       // how GPUs hang together
	NoMemory     Gap = "memory"     // of the host
	NoDataset    Gap = "dataset"    // sizes of batches and shapes
	NoLengths    Gap = "lengths"    // of rows that were refused as too long
	NoOrder      Gap = "order"      // CUDA_VISIBLE_DEVICES has numbers: CUDA_DEVICE_ORDER stays
	NoKeep       Gap = "variables"  // a variable has what cannot be kept, and stays as it is
	NoModel      Gap = "model"      // what the model takes of the memory, always
)

// Advice is what to set.
type Advice struct {
	Environment []Item
	Settings    []Item
	Kept        []string // variables of which nothing is said, by NoKeep
	Unseen      []Gap
}

// New works out the advice for a framework.
func New(f Facts, framework Framework) Advice {
	a := Advice{Environment: []Item{}, Settings: []Item{}}
	for _, v := range variables {
		if !v.fits(&f, framework) {
			continue
		}
		if item, ok := v.item(&f); ok {
			a.Environment = append(a.Environment, item)
		} else {
			a.Kept = append(a.Kept, item.Name)
		}
	}
	a.Unseen = f.gaps(len(a.Kept) > 0)
	p := newPlan(&f)
	for _, s := range settings {
		if !wanted(s.framework, framework) {
			continue
		}
		if value, basis, why, ok := s.find(p); ok {
			a.Settings = append(a.Settings, Item{Name: s.name, Place: s.place, Flag: s.flag, Framework: s.framework, Value: value, Basis: basis,
				Why: why, Rule: s.rule, Source: s.source})
		}
	}
	return a
}

// wanted: an item of no framework is for all of them.
func wanted(item, asked Framework) bool {
	return item == AnyFramework || asked == AnyFramework || item == asked
}

// gaps are what the facts lack; odd: of a variable too.
func (f *Facts) gaps(odd bool) []Gap {
	list := []Gap{}
	add := func(missing bool, gap Gap) {
		if missing {
			list = append(list, gap)
		}
	}
	_, _, known := f.capability()
	add(len(f.GPUs) == 0, NoGPU)
	add(len(f.GPUs) > 0 && !known, NoCapability)
	add(len(f.GPUs) > 1 && f.Pair == nil, NoPair)
	add(f.KeepOrder, NoOrder)
	add(odd, NoKeep)
	add(f.Memory == 0, NoMemory)
	add(f.Dataset == nil, NoDataset)
	add(f.Dataset != nil && f.Dataset.Untold > 0, NoLengths)
	add(true, NoModel)
	return list
}

// Step is one thing to do when memory runs out.
type Step struct {
	Name string `json:"name"`
	What string `json:"what"`
	Why  string `json:"why"`
}

// steps are in the order in which they cost least: the first two a reserve, the
// third time, the last what is trained.
var steps = []Step{
	{"prefetch_buffer_size and pipeline_buffer_size", fmt.Sprintf("%d and %d", diagnosis.LeastAhead, diagnosis.LeastPipeline),
		"fewer batches wait in memory; with less, steps that vary wait"},
	{"memory caps", "lower --data-gpu-memory and --model-gpu-memory; raise a trainer's own cap (memory_mb of voxpack.settings) only if the error names that limit",
		"what the feed takes, the model has not"},
	{"gradient checkpointing", "torch.utils.checkpoint, or tf.recompute_grad", "activations are computed again in place of being kept: slower steps"},
	{"batch_size", "halve it", "it is what is trained on, so it comes last"},
}

// OutOfMemory lists what to reduce when memory runs out, in this order.
func OutOfMemory() []Step { return append([]Step(nil), steps...) }
