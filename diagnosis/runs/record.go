package runs

import (
	"encoding/json"
	"errors"
	"fmt"

	"voxpack/diagnosis"
	"voxpack/internal/perf"
)

// ErrRecord is the error about a run record that does not say what is asked of it.
var ErrRecord = errors.New("does not tell")

// fed reports whether a record is of batches that somebody took: those of feed and
// of profile have the same stages and results.
func fed(r perf.RunRecord) bool { return r.Kind == "feed" || r.Kind == "profile" }

// feedStages are the stages of a feed by how many it has: the first fills on the
// host, the last is who takes the batches, and between them is a copy for each
// GPU of the way.
var feedStages = map[int][]diagnosis.Stage{
	2: {diagnosis.Load, diagnosis.Train},
	3: {diagnosis.Load, diagnosis.Copy, diagnosis.Train},
	4: {diagnosis.Load, diagnosis.Copy, diagnosis.Transfer, diagnosis.Train},
}

// WorkOf takes the stage times out of the record of a feed. A run without a
// trainer says nothing of training: that stage is left out then.
func WorkOf(r perf.RunRecord) (diagnosis.Work, error) {
	names, known := feedStages[len(r.Stages)]
	if !fed(r) || !known {
		return diagnosis.Work{}, fmt.Errorf("a record of kind %q with %d stages %w the times of a training's stages", r.Kind, len(r.Stages), ErrRecord)
	}
	batch, err := setting(r, "batch_size", 1)
	if err != nil {
		return diagnosis.Work{}, err
	}
	world, err := setting(r, "world", 1)
	if err != nil {
		return diagnosis.Work{}, err
	}
	fillers, err := setting(r, "workers", 1)
	if err != nil {
		return diagnosis.Work{}, err
	}
	w := diagnosis.Work{Batch: int(batch / world)}
	for i, s := range r.Stages {
		t := diagnosis.StageTime{Stage: names[i], MS: s.Work.MeanMS, Workers: 1}
		switch {
		case t.Stage == diagnosis.Load:
			t.Workers = int(fillers)
		case t.Stage == diagnosis.Train && !trained(r):
			continue
		}
		w.Stages = append(w.Stages, t)
	}
	return w, w.Check()
}

// trained reports whether somebody kept the batches of a feed for a while.
func trained(r perf.RunRecord) bool {
	if running, _ := r.Settings["attached"].(bool); running {
		return true
	}
	ms, err := setting(r, "step_ms", 0)
	return err == nil && ms > 0
}

// most is the largest setting that is believed.
const most = 1 << 20

// setting is a number among the settings of a record, from a least one on. A
// record that was not read from a file has it as the program does.
func setting(r perf.RunRecord, name string, least float64) (v float64, err error) {
	switch n := r.Settings[name].(type) {
	case json.Number:
		v, err = n.Float64()
	case int:
		v = float64(n)
	case float64:
		v = n
	default:
		err = ErrRecord
	}
	if err != nil || !(v >= least && v <= most) {
		return 0, fmt.Errorf("a record whose setting %s is %v %w what a batch is", name, r.Settings[name], ErrRecord)
	}
	return v, nil
}
