package runs

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"voxpack/diagnosis"
	"voxpack/internal/perf"
)

// trainedRecord is the record of a feed with a trainer, with its step in ms, its
// batch size and how busy the GPU was that trained.
func trainedRecord(step, std float64, batch int, busy float64) string {
	return fmt.Sprintf(`{"format":1,"kind":"feed","version":"voxpack","started":"2026-11-21T02:17:54Z","seconds":3,
"settings":{"batch_size":%d,"world":1,"workers":4,"step_ms":%v},
"results":{"batches":101,"seconds":%v,"samples_per_second":%v,"step":{"mean_ms":%v,"std_ms":%v,"variation":%v},"stall":{"fraction":0.01},
"devices":[{"gpu":1,"role":"model","utilisation":%v,"memory_mb":9000}]}}`,
		batch, step, step/10, 1000/step*float64(batch), step, std, 100*std/step, busy)
}

func figuresOf(t *testing.T, text string) Figures {
	t.Helper()
	f, err := FiguresOf(recordOf(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// group is runs of one thing, by their steps.
func group(t *testing.T, steps ...float64) (list []Figures) {
	for _, step := range steps {
		list = append(list, figuresOf(t, trainedRecord(step, step/100, 16, 90)))
	}
	return list
}

func TestOutcomes(t *testing.T) {
	for _, tt := range []struct {
		name    string
		a, b    []float64 // steps
		outcome Outcome
		basis   diagnosis.Basis
	}{
		{"one run each, a tenth", []float64{100}, []float64{95}, RanSame, diagnosis.Suspected},
		{"one run each, a third", []float64{100}, []float64{70}, RanFaster, diagnosis.Suspected},
		{"one run each, twice the step", []float64{100}, []float64{200}, RanSlower, diagnosis.Suspected},
		{"repeated, far over what they vary by", []float64{100, 101, 99}, []float64{95, 94, 96}, RanFaster, diagnosis.Measured},
		{"repeated, within what they vary by", []float64{100, 110, 90}, []float64{95, 105, 85}, RanSame, diagnosis.Measured},
		{"one side repeated", []float64{100, 101, 99}, []float64{80}, RanFaster, diagnosis.Measured},
		{"the same", []float64{100, 100}, []float64{100, 100}, RanSame, diagnosis.Measured},
	} {
		c, err := Compare([][]Figures{group(t, tt.a...), group(t, tt.b...)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if r := c.Results[0]; len(c.Results) != 1 || r.Group != 1 || r.Outcome != tt.outcome || r.Basis != tt.basis {
			t.Errorf("%s: %+v, want %s, %s", tt.name, c.Results, tt.outcome, tt.basis)
		}
	}
}

// TestNoiseIsWelchs compares with a case worked out by hand: means 100 and 90,
// both with a standard deviation of 1, three runs each: 4 degrees of freedom, a
// standard error of sqrt(2/3), t of 2.776.
func TestNoiseIsWelchs(t *testing.T) {
	step := metrics[0]
	half, repeated := noise(group(t, 99, 100, 101), group(t, 89, 90, 91), step)
	if want := 2.776 * math.Sqrt(2./3); !repeated || math.Abs(half-want) > 1e-9 {
		t.Errorf("noise %v, %v, want %v", half, repeated, want)
	}
	// One side alone: the deviation of the other, with one more run in the mean.
	half, repeated = noise(group(t, 99, 100, 101), group(t, 90), step)
	if want := 4.303 * math.Sqrt(4./3); !repeated || math.Abs(half-want) > 1e-9 {
		t.Errorf("noise %v, %v, want %v", half, repeated, want)
	}
	// Single runs whose steps vary a lot say less than those that vary little.
	wild := figuresOf(t, trainedRecord(100, 400, 16, 90))
	half, repeated = noise([]Figures{wild}, []Figures{wild}, step)
	if want := 1.96 * math.Sqrt2 * 40; repeated || math.Abs(half-want) > 1e-9 {
		t.Errorf("noise %v, %v, want %v", half, repeated, want)
	}
}

func TestWhatIsCompared(t *testing.T) {
	a := figuresOf(t, trainedRecord(100, 40, 16, 50))
	b := figuresOf(t, trainedRecord(120, 1, 32, 90))
	c, err := Compare([][]Figures{{a}, {b}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range c.Metrics {
		names = append(names, m.Name)
	}
	if got, want := strings.Join(names, ", "), "step, samples, stall, variation, total, GPU 1 busy, GPU 1 memory"; got != want {
		t.Errorf("metrics %s, want %s", got, want)
	}
	if r := c.Results[0]; r.Outcome != RanFaster || math.Abs(r.Change-(32/.12/160-1)) > 1e-9 {
		t.Errorf("%+v, want faster by its samples, though its step is longer", r)
	}
	if len(c.Settings) != 2 || c.Settings[0].Name != "batch_size" || c.Settings[0].Values[1] != "32" {
		t.Errorf("settings %+v, want batch_size and step_ms", c.Settings)
	}
	want := []Miss{{0, diagnosis.VariationTarget, MetricVariation, 40, 30, "%"}, {0, diagnosis.ModelGPULeast, "GPU 1 busy", 50, 80, "%"}}
	if len(c.Misses) != 2 || c.Misses[0] != want[0] || c.Misses[1] != want[1] {
		t.Errorf("misses %+v, want %+v", c.Misses, want)
	}
	if c, _ := Compare([][]Figures{{a}, {b}}, diagnosis.Targets{diagnosis.VariationTarget: 50, diagnosis.ModelGPULeast: 40}); len(c.Misses) != 0 {
		t.Errorf("misses %+v of targets that are met", c.Misses)
	}
	if d := c.Metrics[3].Differences[0]; c.Metrics[3].Name != MetricVariation || math.Abs(d.Change-(100./120-40)/100) > 1e-9 {
		t.Errorf("variation: %+v, want the difference in points", d)
	}
	if d := c.Metrics[2].Differences[0]; d.Change != 0 || d.Significant || d.Noise != 0.02 {
		t.Errorf("stall: %+v, want 2 points of noise", d)
	}
	a.Trained = false
	if c, _ := Compare([][]Figures{{a}, {b}}, nil); len(c.Misses) != 0 {
		t.Errorf("misses %+v where nobody trained", c.Misses)
	}
	delete(b.Values, MetricStep)
	if c, _ := Compare([][]Figures{{a}, {b}}, nil); c.Metrics[0].Values[1] != nil || c.Metrics[0].Differences[0] != nil {
		t.Errorf("%+v, want no difference from what was not measured", c.Metrics[0])
	}
}

func TestRunsThatCannotBeCompared(t *testing.T) {
	whole := trainedRecord(100, 1, 16, 90)
	for name, change := range map[string][2]string{
		"a build":               {`"kind":"feed"`, `"kind":"build"`},
		"no batch":              {`"batches":101`, `"batches":0`},
		"batches in text":       {`"batches":101`, `"batches":"many"`},
		"a negative rate":       {`"samples_per_second":160`, `"samples_per_second":-160`},
		"a rate without end":    {`"samples_per_second":160`, `"samples_per_second":1e300`},
		"a GPU of another kind": {`"gpu":1`, `"gpu":-1`},
		"too many GPUs":         {`"devices":[`, `"devices":[` + strings.Repeat(`{"gpu":0},`, 64)},
	} {
		if f, err := FiguresOf(recordOf(t, strings.Replace(whole, change[0], change[1], 1))); !errors.Is(err, ErrRecord) {
			t.Errorf("%s: %+v, %v, want ErrRecord", name, f, err)
		}
	}
	if _, err := Compare([][]Figures{group(t, 100)}, nil); !errors.Is(err, ErrCompare) {
		t.Errorf("one group: %v, want ErrCompare", err)
	}
	if _, err := Compare([][]Figures{group(t, 100), nil}, nil); !errors.Is(err, ErrCompare) {
		t.Errorf("an empty group: %v, want ErrCompare", err)
	}
}

// FuzzCompare: whatever two records say, they are an error or figures that are
// numbers.
func FuzzCompare(f *testing.F) {
	f.Add([]byte(trainedRecord(100, 1, 16, 90)), []byte(trainedRecord(1e-300, 1e15, 1, 0)))
	f.Add([]byte(strings.ReplaceAll(trainedRecord(100, 1, 16, 90), `"mean_ms":100`, `"mean_ms":1e-300`)), []byte(trainedRecord(100, 1, 16, 90)))
	f.Add([]byte(feedRecord), []byte(trainedRecord(0, 0, 0, 0)))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		var groups [][]Figures
		for _, content := range [][]byte{a, b, a} {
			r, err := perf.ReadRecord(bytes.NewReader(content))
			if err != nil {
				return
			}
			figures, err := FiguresOf(r)
			if err != nil {
				return
			}
			groups = append(groups, []Figures{figures})
		}
		groups[2] = append(groups[2], groups[1]...)
		c, err := Compare(groups, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range c.Metrics {
			for _, d := range m.Differences {
				if d != nil && (math.IsNaN(d.Change) || math.IsNaN(d.Noise) || math.IsInf(d.Change, 0) || math.IsInf(d.Noise, 0)) {
					t.Errorf("%s: %+v", m.Name, d)
				}
			}
		}
	})
}

// TestProfilesAreComparedByTheirPhasesToo, and by the host; and held to their targets.
func TestProfilesAreComparedByTheirPhasesToo(t *testing.T) {
	profile := func(load, train float64, host string) Figures {
		text := strings.Replace(trainedRecord(100, 1, 16, 90), `"kind":"feed"`, `"kind":"profile"`, 1)
		phases := fmt.Sprintf(`"results":{"host":{%s},"phases":[{"phase":"load","share":%v},{"phase":"transfer","share":0.01},{"phase":"train","share":%v},{"phase":"nap","share":1}],`, host, load, train)
		return figuresOf(t, strings.Replace(text, `"results":{`, phases, 1))
	}
	const busy, idle = `"feeder_cpu":41,"cpu":90,"swapped_mb":35,"growth_mb":60`, `"feeder_cpu":39,"cpu":50,"swapped_mb":0,"growth_mb":-3`
	c, err := Compare([][]Figures{{profile(0.25, 0.45, busy)}, {profile(0.05, 0.9, idle)}, {profile(0.05, 0.9, `"cpu":null`)}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, m := range c.Metrics {
		got[m.Name] = *m.Values[0]
	}
	if got["load"] != 25 || got["transfer"] != 1 || got["train"] != 45 || len(got) != len(metrics)+2 {
		t.Errorf("metrics of A: %v", got)
	}
	var missed []string
	for _, m := range c.Misses {
		missed = append(missed, fmt.Sprint(m.Group, m.Target))
	}
	if want := "0load-most 0train-least 0feeder-cpu-most 0host-cpu-most 0swap-most 0growth-most"; strings.Join(missed, " ") != want {
		t.Errorf("missed %q, want %s", missed, want)
	}
	if last := c.Misses[len(c.Misses)-1]; last.Unit != "MB" || last.Limit != 50 || last.Number != 60 {
		t.Errorf("%+v, want 60 MB of 50", last)
	}
	if m, _ := c.Of(MetricGrowth); *m.Values[1] != 0 || m.Values[2] != nil {
		t.Errorf("growth %v, want 0 of memory that shrank, and none where it is not known", m.Values)
	}
}
