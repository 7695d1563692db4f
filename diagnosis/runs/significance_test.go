package runs

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"voxpack/diagnosis"
)

// TestQuantilesAreStudents: figures of any table of Student's t for 97.5 %, and in
// between those of fewer degrees of freedom.
func TestQuantilesAreStudents(t *testing.T) {
	for _, tt := range []struct{ freedom, want float64 }{
		{0, 12.706}, {0.99, 12.706}, {1, 12.706}, {1.99, 12.706}, {2, 4.303}, {4, 2.776}, {4.9, 2.776}, {10, 2.228}, {29, 2.045}, {30, 1.96}, {1e9, 1.96},
	} {
		if got := quantile(tt.freedom); got != tt.want {
			t.Errorf("quantile(%v) = %v, want %v", tt.freedom, got, tt.want)
		}
	}
	for n := 2.; n < 40; n++ {
		if quantile(n) > quantile(n-1) {
			t.Errorf("%v degrees of freedom have %v, one less %v: more runs say more", n, quantile(n), quantile(n-1))
		}
	}
}

// TestNoiseOfSingleRuns: a tenth of the larger one, in points at least two, and of
// steps and their inverse what the steps within the runs leave open.
func TestNoiseOfSingleRuns(t *testing.T) {
	run := func(values map[string]float64) Figures { return Figures{Values: values, StepStd: 50, Steps: 100} }
	for _, tt := range []struct {
		name, metric, unit string
		a, b, want         float64
	}{
		{"the larger one counts", MetricTotal, "s", 30, 50, 5},
		{"on either side", MetricTotal, "s", 50, 30, 5},
		{"points near 0", MetricStall, "%", 1, 3, fewPoints},
		{"a tenth of many points", MetricTrain, "%", 40, 80, 8},
		{"steps whose mean is known to 5 %", MetricStep, "ms", 100, 100, 1.96 * math.Hypot(0.05, 0.05) * 100},
		{"samples are their inverse", MetricSamples, "samples/s", 200, 100, 1.96 * math.Hypot(0.05, 0.05) * 200},
		{"of memory steps say nothing", MetricGrowth, "MB", 100, 100, 10},
	} {
		a, b := run(map[string]float64{MetricStep: 100, tt.metric: tt.a}), run(map[string]float64{MetricStep: 100, tt.metric: tt.b})
		half, repeated := noise([]Figures{a}, []Figures{b}, Metric{Name: tt.metric, Unit: tt.unit})
		if repeated || math.Abs(half-tt.want) > 1e-9 {
			t.Errorf("%s: noise %v, %v, want %v of runs that nobody repeated", tt.name, half, repeated, tt.want)
		}
	}
	for name, f := range map[string]Figures{"no step": {}, "steps of no time": {Steps: 9, StepStd: 1, Values: map[string]float64{MetricStep: 1e-12}},
		"no steps": {StepStd: 1, Values: map[string]float64{MetricStep: 5}}} {
		if got := f.stepError(); got != 0 {
			t.Errorf("%s: an error of %v, want none that is known", name, got)
		}
	}
}

// TestSettingsThatDiffer: by name, and "" where a group has none or its own runs differ.
func TestSettingsThatDiffer(t *testing.T) {
	with := func(settings ...any) Figures {
		f := figuresOf(t, trainedRecord(100, 1, 16, 90))
		f.Settings = map[string]any{"same": 1}
		for i := 0; i < len(settings); i += 2 {
			f.Settings[settings[i].(string)] = settings[i+1]
		}
		return f
	}
	c, err := Compare([][]Figures{{with("workers", 4, "mode", "dual", "seed", 1), with("workers", 4, "mode", "dual", "seed", 2)}, {with("workers", 8)}, {with("workers", 4, "mode", "dual")}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range c.Settings {
		got = append(got, fmt.Sprintf("%s=%q", s.Name, s.Values))
	}
	if want := `mode=["dual" "" "dual"], workers=["4" "8" "4"]`; strings.Join(got, ", ") != want {
		t.Errorf("%s, want %s; seeds that differ within a group are no setting of it", strings.Join(got, ", "), want)
	}
	if _, known := c.Of("nothing"); known || len(c.Results) != 2 || c.Results[1].Group != 2 {
		t.Errorf("a metric that no run has is known, or results %+v", c.Results)
	}
}

// TestTargetsOfRoles: a data GPU may be too idle and too busy, one that trains only too
// idle, and one of another role neither.
func TestTargetsOfRoles(t *testing.T) {
	for _, tt := range []struct {
		role string
		busy float64
		want string // of targets
	}{
		{"data", 49, diagnosis.DataGPULeast}, {"data", 50, ""}, {"data", 80, ""}, {"data", 81, diagnosis.DataGPUMost},
		{"model", 79, diagnosis.ModelGPULeast}, {"model", 80, ""}, {"model", 100, ""}, {"other", 0, ""},
	} {
		f := figuresOf(t, strings.Replace(trainedRecord(100, 1, 16, tt.busy), `"role":"model"`, `"role":"`+tt.role+`"`, 1))
		found := misses(3, []Figures{f}, nil)
		if len(found) > 1 || (len(found) == 1) != (tt.want != "") || len(found) == 1 && (found[0].Target != tt.want || found[0].Group != 3 || found[0].Number != tt.busy || found[0].Unit != "%") {
			t.Errorf("a %s GPU that is busy for %v %%: %+v, want %q", tt.role, tt.busy, found, tt.want)
		}
	}
}

// TestFiguresOfARecord: what a run did not measure is no figure, and none is made up.
func TestFiguresOfARecord(t *testing.T) {
	whole := strings.Replace(trainedRecord(100, 1, 16, 90), `"results":{`, `"results":{"host":{"swapped_mb":30},"phases":[{"phase":"load","share":0.2}],`, 1)
	for _, tt := range []struct {
		name, from, to string
		metric         string
		want           float64 // -1: none
	}{
		{"swap is a rate", "", "", MetricSwapped, 3},
		{"of a time that is not known it is none", `"seconds":10,`, `"seconds":0,`, MetricSwapped, -1},
		{"counters that began anew", `:30}`, `:-30}`, MetricSwapped, 0},
		{"a phase", "", "", MetricLoad, 20},
		{"phases beyond any number of them", `"phases":[`, `"phases":[` + strings.Repeat(`{"phase":"nap","share":0},`, mostPhases), MetricLoad, -1},
		{"one batch makes no step", `"batches":101`, `"batches":1`, MetricStep, -1},
		{"nor does a step of no time", `"mean_ms":100`, `"mean_ms":1e-12`, MetricStall, -1},
		{"a stall in percent", "", "", MetricStall, 1},
		{"a GPU without NVML", `"utilisation":90`, `"utilisation":null`, utilisation(1), -1},
		{"whose memory is known", `"utilisation":90`, `"utilisation":null`, memory(1), 9000},
		{"growth that nobody measured", "", "", MetricGrowth, -1},
	} {
		if got, measured := figuresOf(t, strings.Replace(whole, tt.from, tt.to, 1)).Values[tt.metric]; measured != (tt.want >= 0) || measured && math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%s: %s is %v, %v, want %v", tt.name, tt.metric, got, measured, tt.want)
		}
	}
	if f, err := FiguresOf(recordOf(t, strings.Replace(whole, `"std_ms":1,`, `"std_ms":-1,`, 1))); err == nil {
		t.Errorf("steps that deviate by less than nothing: %+v, want an error", f)
	}
}
