package diagnosis

import (
	"encoding/json"
	"errors"
	"fmt"

	"voxpack/internal/perf"
)

// ErrRecord is the error about a run record that does not say what is asked of it.
var ErrRecord = errors.New("does not tell")

// feedStages are the stages of a feed by how many it has: the first fills on the
// host, the last is who takes the batches, and between them is a copy for each
// GPU of the way.
var feedStages = map[int][]Stage{
	2: {Load, Train},
	3: {Load, Copy, Train},
	4: {Load, Copy, Transfer, Train},
}

// WorkOf takes the stage times out of the record of a feed. A run without a
// trainer says nothing of training: that stage is left out then.
func WorkOf(r perf.RunRecord) (Work, error) {
	names, known := feedStages[len(r.Stages)]
	if r.Kind != "feed" || !known {
		return Work{}, fmt.Errorf("a record of kind %q with %d stages %w the times of a training's stages", r.Kind, len(r.Stages), ErrRecord)
	}
	batch, err := setting(r, "batch_size", 1)
	if err != nil {
		return Work{}, err
	}
	world, err := setting(r, "world", 1)
	if err != nil {
		return Work{}, err
	}
	fillers, err := setting(r, "workers", 1)
	if err != nil {
		return Work{}, err
	}
	w := Work{Batch: int(batch / world)}
	for i, s := range r.Stages {
		t := StageTime{Stage: names[i], MS: s.Work.MeanMS, Workers: 1}
		switch {
		case t.Stage == Load:
			t.Workers = int(fillers)
		case t.Stage == Train && !trained(r):
			continue
		}
		w.Stages = append(w.Stages, t)
	}
	return w, w.check()
}

// trained reports whether somebody kept the batches of a feed for a while.
func trained(r perf.RunRecord) bool {
	ms, err := setting(r, "step_ms", 0)
	return err == nil && ms > 0
}

// most is the largest setting that is believed.
const most = 1 << 20

// setting is a number among the settings of a record, from a least one on.
func setting(r perf.RunRecord, name string, least float64) (float64, error) {
	n, _ := r.Settings[name].(json.Number)
	v, err := n.Float64()
	if err != nil || !(v >= least && v <= most) {
		return 0, fmt.Errorf("a record whose setting %s is %q %w what a batch is", name, n, ErrRecord)
	}
	return v, nil
}
