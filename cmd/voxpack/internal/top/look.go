package top

import (
	"time"

	"voxpack/diagnosis"
	"voxpack/internal/perf"
)

// Look is what was seen at one time. It is the JSON of top, one object a line.
type Look struct {
	At      time.Time `json:"at"`
	Feeders []Feeder  `json:"feeders"`
	GPUs    []GPU     `json:"gpus"` // of this machine, as far as NVML tells
}

// Feeder is a process that serves a dataset.
type Feeder struct {
	Socket    string     `json:"socket"`
	Error     string     `json:"error"` // why it did not answer; "" where it did, and all below is known
	PID       int        `json:"pid"`
	Version   string     `json:"version"`
	Dataset   string     `json:"dataset"` // root digest
	Consumers []Consumer `json:"consumers"`
}

// Consumer is a process that takes batches, or one of its ranks. Counters are of
// all that it took so far.
type Consumer struct {
	Number  int    `json:"number"` // of its session: from 1, never used again by this feeder
	PID     int    `json:"pid"`    // 0: not known
	Name    string `json:"name"`   // of the process; "" is not known
	Rank    int    `json:"rank"`
	World   int    `json:"world"`
	Batch   int    `json:"batch"`  // samples, over all ranks
	Device  string `json:"device"` // where its batches lie: "host", "GPU 0"
	Batches int64  `json:"batches"`
	Samples int64  `json:"samples"`
	Bytes   int64  `json:"bytes"`

	Steps    *Steps              `json:"steps"` // null: the consumer notes none
	Ring     Ring                `json:"ring"`
	Stages   []perf.StageSummary `json:"stages"`   // of the feeder, over all batches
	Findings []diagnosis.Verdict `json:"findings"` // by gain
}

// Steps are the steps since the look before, or the last one where none has ended
// since.
type Steps struct {
	Count  int64   `json:"count"`
	MeanMS float64 `json:"mean_ms"`
	P99MS  float64 `json:"p99_ms"`
	// What a step was spent on, as parts of it; null is not known.
	Load  *float64 `json:"load"`  // waiting for a batch that was not ready
	Copy  *float64 `json:"copy"`  // waiting for a copy, or for its form
	Train *float64 `json:"train"` // in steps that the trainer marks
}

// stall is the part of a step in which the trainer waited; -1 is not known.
func (s *Steps) stall() float64 {
	if s == nil || s.Load == nil || s.Copy == nil {
		return -1
	}
	return min(1, *s.Load+*s.Copy)
}

// Ring is where a consumer's batches are now.
type Ring struct {
	Slots     int `json:"slots"`
	Preparing int `json:"preparing"`
	Ready     int `json:"ready"`
	Training  int `json:"training"`
}

// GPU is what NVML tells of a device; null is not known.
type GPU struct {
	Bus    string   `json:"bus"`
	Name   string   `json:"name"`
	Busy   *float64 `json:"utilisation"` // percent of the time in which some kernel ran
	Used   *int64   `json:"memory_used_bytes"`
	Memory *int64   `json:"memory_bytes"`
}

// consumerID names a consumer over all looks: a feeder that came back has
// another PID, and counts from 1 again.
type consumerID struct {
	socket      string
	pid, number int
}

// eachConsumer goes over the consumers of a look, in its order.
func (l Look) eachConsumer(do func(consumerID, Feeder, Consumer)) {
	for _, f := range l.Feeders {
		for _, c := range f.Consumers {
			do(consumerID{f.Socket, f.PID, c.Number}, f, c)
		}
	}
}

// consumer finds a consumer of a look.
func (l Look) consumer(id consumerID) (c Consumer, found bool) {
	l.eachConsumer(func(at consumerID, _ Feeder, one Consumer) {
		if at == id {
			c, found = one, true
		}
	})
	return c, found
}
