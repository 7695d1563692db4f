package diagnose

import (
	"context"
	"fmt"
	"time"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/cmd/voxpack/internal/top"
	"voxpack/diagnosis"
	"voxpack/gpufeed/serve"
	"voxpack/store"
)

// liveFacts are this moment: who uses the machine, and whether a feeder serves the dataset.
type liveFacts struct {
	Load      *loadFacts       `json:"load"`      // while diagnose looked; null: not known
	GPUs      []gpuNow         `json:"gpus"`      // of which NVML tells
	Feeder    diagnosis.Answer `json:"feeder"`    // does one of this user serve the dataset
	Consumers []top.Consumer   `json:"consumers"` // of it, as top prints them
}

// gpuNow is how a GPU is used.
type gpuNow struct {
	GPU  int    `json:"gpu"`
	Busy *int   `json:"busy"` // percent of the last moment; null: not known
	Used *int64 `json:"memory_used_bytes"`
}

// leastLook is how long a look at the machine's load has to be.
const leastLook = 100 * time.Millisecond

// live looks at this moment: what NVML was asked for already, and what a running
// feeder says of its consumers.
func (d *doctor) live(ctx context.Context, before look) {
	l := liveFacts{Consumers: []top.Consumer{}, Load: lookNow().since(before), GPUs: []gpuNow{}, Feeder: diagnosis.NotKnown}
	for _, g := range d.devs.GPUs {
		now := gpuNow{GPU: g.Number}
		if g.Busy >= 0 {
			now.Busy = &g.Busy
		}
		if g.Used >= 0 {
			now.Used = &g.Used
		}
		if now.Busy != nil || now.Used != nil {
			l.GPUs = append(l.GPUs, now)
		}
	}
	if l.Load == nil {
		d.miss(livePart, "how busy the machine is: the system does not tell")
	}
	d.feeder(ctx, &l)
	d.out.Live = l
}

// feeder asks the feeder of the dataset what it does now. Who watches is no consumer.
func (d *doctor) feeder(ctx context.Context, l *liveFacts) {
	if d.snap == (store.Digest{}) {
		return
	}
	socket, err := serve.Address(d.snap)
	if err != nil {
		d.miss(livePart, "whether a feeder serves this dataset: %v", err)
		return
	}
	f, running := top.Once(ctx, socket)
	switch {
	case !running:
		l.Feeder = diagnosis.No
	case f.Error != "":
		d.miss(livePart, "what the feeder of this dataset does: %s", f.Error)
		l.Feeder = diagnosis.Yes
	default:
		l.Feeder, l.Consumers = diagnosis.Yes, f.Consumers
	}
}

// mostConsumers is how many consumers the page names; top shows all.
const mostConsumers = 4

// page is a feeder in words.
func (l liveFacts) page(field func(string, string, ...any)) {
	if l.Feeder == diagnosis.No {
		field("live", "no feeder serves this build of the dataset")
		return
	}
	field("live", "a feeder serves this dataset to %s", term.Count(len(l.Consumers), "consumer"))
	for _, c := range l.Consumers[:min(len(l.Consumers), mostConsumers)] {
		text := fmt.Sprintf("consumer %d: took %s × %s", c.Number, term.Commas(c.Batches), term.Count(c.Batch, "sample"))
		if c.Steps != nil && c.Steps.Count > 0 {
			text += ", a step takes " + term.Milliseconds(c.Steps.MeanMS)
		}
		lines(field, "", text)
	}
}
