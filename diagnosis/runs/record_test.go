package runs

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"voxpack/diagnosis"
	"voxpack/internal/perf"
)

// feedRecord is a record as a feed leaves it, as far as it matters here.
const feedRecord = `{"format":1,"kind":"feed","version":"voxpack","started":"2026-11-21T02:17:54Z","seconds":3,
"settings":{"batch_size":32,"world":2,"workers":4,"step_ms":150},"results":{},
"stages":[
{"name":"fill","work":{"count":10,"mean_ms":40}},
{"name":"host to GPU 0","work":{"count":10,"mean_ms":5}},
{"name":"GPU 0 to GPU 1","work":{"count":10,"mean_ms":3}},
{"name":"consumer","work":{"count":10,"mean_ms":151}}]}`

func recordOf(t *testing.T, text string) perf.RunRecord {
	t.Helper()
	r, err := perf.ReadRecord(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestWorkOfAFeed(t *testing.T) {
	w, err := WorkOf(recordOf(t, feedRecord))
	if err != nil {
		t.Fatal(err)
	}
	want := []diagnosis.StageTime{{Stage: diagnosis.Load, MS: 40, Workers: 4}, {Stage: diagnosis.Copy, MS: 5, Workers: 1}, {Stage: diagnosis.Transfer, MS: 3, Workers: 1}, {Stage: diagnosis.Train, MS: 151, Workers: 1}}
	if w.Batch != 16 || len(w.Stages) != 4 || w.Stages[0] != want[0] || w.Stages[1] != want[1] || w.Stages[2] != want[2] || w.Stages[3] != want[3] {
		t.Errorf("%+v, want 16 samples and %+v", w, want)
	}
	if p, err := WorkOf(recordOf(t, strings.Replace(feedRecord, `"kind":"feed"`, `"kind":"profile"`, 1))); err != nil || len(p.Stages) != 4 || p.Batch != 16 {
		t.Errorf("a profile: %+v, %v, want the same", p, err)
	}
	w, err = WorkOf(recordOf(t, strings.Replace(feedRecord, `"step_ms":150`, `"step_ms":0`, 1)))
	if err != nil || len(w.Stages) != 3 || w.Stages[2].Stage != diagnosis.Transfer {
		t.Errorf("without a trainer: %+v, %v, want no stage of training", w, err)
	}
	w, err = WorkOf(recordOf(t, strings.Replace(feedRecord, `"step_ms":150`, `"attached":true`, 1)))
	if err != nil || len(w.Stages) != 4 || w.Stages[3].Stage != diagnosis.Train {
		t.Errorf("of a running trainer: %+v, %v, want its training", w, err)
	}
}

func TestRecordsThatSayNothingOfATraining(t *testing.T) {
	for name, change := range map[string][2]string{
		"a build":              {`"kind":"feed"`, `"kind":"build"`},
		"one stage too few":    {`"stages":[`, `"stages":[],"others":[`},
		"no batch size":        {`"batch_size":32,`, ``},
		"a batch size in text": {`"batch_size":32`, `"batch_size":"32"`},
		"half a worker":        {`"workers":4`, `"workers":0.5`},
		"a ring around earth":  {`"world":2`, `"world":1e300`},
		"a negative time":      {`"mean_ms":40`, `"mean_ms":-40`},
		"a time without end":   {`"mean_ms":40`, `"mean_ms":1e300`},
	} {
		if w, err := WorkOf(recordOf(t, strings.Replace(feedRecord, change[0], change[1], 1))); !errors.Is(err, ErrRecord) && !errors.Is(err, diagnosis.ErrWork) {
			t.Errorf("%s: %+v, %v, want an error", name, w, err)
		}
	}
}

// TestSettingsOfARecord: numbers as a file has them and as the program does, within
// bounds; a run with no time for its steps trained nothing, unless it was attached to.
func TestSettingsOfARecord(t *testing.T) {
	for _, tt := range []struct {
		value any
		want  float64 // -1: refused
	}{
		{4, 4}, {4., 4}, {json.Number("4"), 4}, {most, most}, {most + 1, -1}, {0, -1}, {math.NaN(), -1}, {json.Number("four"), -1}, {"4", -1}, {nil, -1}, {true, -1},
	} {
		got, err := setting(perf.RunRecord{Settings: map[string]any{"workers": tt.value}}, "workers", 1)
		if refused := errors.Is(err, ErrRecord); refused != (tt.want < 0) || !refused && got != tt.want {
			t.Errorf("%v: %v, %v, want %v", tt.value, got, err, tt.want)
		}
	}
	for _, tt := range []struct {
		settings map[string]any
		want     bool
	}{
		{nil, false}, {map[string]any{"step_ms": 0}, false}, {map[string]any{"step_ms": 0.5}, true}, {map[string]any{"attached": false}, false},
		{map[string]any{"attached": true}, true}, {map[string]any{"attached": "yes", "step_ms": -1}, false},
	} {
		if got := trained(perf.RunRecord{Settings: tt.settings}); got != tt.want {
			t.Errorf("%v: trained %v, want %v", tt.settings, got, tt.want)
		}
	}
}

// FuzzRecord: whatever a record says, it is an error or an estimate whose every
// step is a number.
func FuzzRecord(f *testing.F) {
	f.Add([]byte(feedRecord))
	f.Add([]byte(strings.Replace(feedRecord, "40", "1e308", 1)))
	f.Add([]byte(`{"format":1,"kind":"feed","started":"2026-11-21T02:17:54Z","stages":[{},{}],"settings":{"batch_size":1,"world":1,"workers":1}}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		r, err := perf.ReadRecord(bytes.NewReader(content))
		if err != nil {
			return
		}
		w, err := WorkOf(r)
		if err != nil {
			return
		}
		e, err := diagnosis.NewEstimate(w, []int{1, 64})
		if err != nil {
			return
		}
		for _, m := range e.Modes {
			if !(m.StepMS >= 0 && m.StepMS <= 5e9) || m.StepsPerSecond < 0 {
				t.Errorf("%+v", m)
			}
		}
		for _, v := range e.Findings {
			if v.Text() == "" || !(*v.Gain >= 0 && *v.Gain <= 1) {
				t.Errorf("%+v", v)
			}
		}
	})
}
