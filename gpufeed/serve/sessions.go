package serve

import "voxpack/internal/perf"

// Sessions answers sessions: what a feeder does for its consumers.
type Sessions struct {
	Type string `json:"type"`
	Feeder
	Sessions []Session `json:"sessions"` // by id
}

// Feeder is the process that serves.
type Feeder struct {
	PID     int    `json:"pid"`
	Version string `json:"version"`
	Now     uint64 `json:"now"`         // ns of CLOCK_MONOTONIC, as all times of sessions and steps
	Cores   int    `json:"cores"`       // that it may use
	Memory  uint64 `json:"memory"`      // bytes that its consumers have
	Most    uint64 `json:"most_memory"` // that they may have
}

// Session is one consumer that has started, and its feed.
type Session struct {
	ID        int    `json:"id"`  // among all of this feeder
	PID       int    `json:"pid"` // 0: not known
	Started   uint64 `json:"started"`
	Rank      int    `json:"rank"`
	World     int    `json:"world"`
	Batch     int    `json:"batch"`   // samples over all ranks
	Samples   int    `json:"samples"` // of this rank's batch
	Transport string `json:"transport"`
	GPU       *GPU   `json:"gpu,omitempty"` // with device: where batches lie
	Setup     Setup  `json:"setup"`

	State     string `json:"state"`     // running, ended (no batch follows) or failed
	Published uint64 `json:"published"` // batches so far
	Taken     uint64 `json:"taken"`
	Returned  uint64 `json:"returned"`
	Slots     int    `json:"slots"`     // that published batches lie in
	Preparing int    `json:"preparing"` // batches that are filled or copied now
	Ready     int    `json:"ready"`     // that are done and not taken
	Held      int    `json:"held"`      // that the consumer has

	Stages  []perf.StageSummary `json:"stages"`  // fill, each copy, consumer: here who publishes
	Late    []float64           `json:"late_ms"` // of each stage but the last: how long published batches were late by it, in all
	Fillers []Filler            `json:"fillers"`
	Devices []Used              `json:"devices"`
	KeptMS  float64             `json:"kept_ms"` // how long a slot was away, mean
	Real    float64             `json:"real"`    // the part of the frames that is not padding; 0: not known
	Staged  bool                `json:"staged"`  // copies between GPUs go through the host
	Lost    int64               `json:"lost"`    // corrupt samples that were left out

	HasSteps bool `json:"has_steps"` // it has a step log
}

// Setup is what a session was started with.
type Setup struct {
	Rows       int    `json:"rows"` // of its selection
	Split      string `json:"split"`
	Seed       uint64 `json:"seed"`
	Shuffle    string `json:"shuffle"`
	Tail       string `json:"tail"`
	Epochs     int    `json:"epochs"` // 0: without end
	Buckets    int    `json:"buckets"`
	Segment    int    `json:"segment"`
	Reference  string `json:"reference"`
	Checks     string `json:"checks"`
	Depth      int    `json:"depth"` // batches ahead
	BatchBytes int    `json:"batch_bytes"`
	Dual       bool   `json:"dual"` // by way of a data GPU
}

// Filler is what one goroutine that fills batches did.
type Filler struct {
	Batches int64   `json:"batches"`
	MeanMS  float64 `json:"mean_ms"`
}

// Used is how a GPU of a session was used. -1 is not known.
type Used struct {
	GPU         int     `json:"gpu"`  // the feeder's ordinal
	Role        string  `json:"role"` // data or model
	Name        string  `json:"name"`
	Bus         string  `json:"bus"`
	Taken       int64   `json:"taken"`       // bytes of its memory that the session has
	Utilisation float64 `json:"utilisation"` // mean percent
	Memory      int64   `json:"memory"`      // the most bytes in use, by all processes
}

// StepsOf answers steps.
type StepsOf struct {
	Type    string `json:"type"`
	Session int    `json:"session"`
	StepLog
}
