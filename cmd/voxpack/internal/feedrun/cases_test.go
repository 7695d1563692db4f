package feedrun

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"voxpack/diagnosis"
	"voxpack/gpufeed"
	"voxpack/gpufeed/datatest"
	"voxpack/store"
)

var update = flag.Bool("update", false, "write docs/diagnosis-cases.md anew")

// plantedCase is a feed with something wrong in it. It runs in virtual time, where
// filling takes what the rig says, copies what the links say and a step --step-ms.
type plantedCase struct {
	name  string // what is planted
	how   string // by what
	args  string
	rig   rig
	alter func(*Options) // what only a config says
	gpus  []gpuAt        // where they are: data GPU, model GPU; nil: not known
	data  string         // a name of caseData; "": plain
	sweep []int          // batch sizes that are measured before it, as profile --sweep does

	first string // the rule of the first finding
	also  string // that of the next one, where two are planted

	// The same feed without the cause, for the gain; "": the cause costs no time, or
	// its gain is not known before somebody measures it.
	removed plantedRun
}

// plantedRun is what differs in a feed.
type plantedRun struct {
	args string
	rig  rig
	data string
}

// caseData are the datasets of cases: 64 rows of 400 frames of 80 bands.
var caseData = map[string]struct {
	dtype       store.DType
	frames, len int
}{
	"plain":   {store.Float16, 400, 400},
	"f32":     {store.Float32, 400, 400},
	"padded":  {store.Float16, 400, 80},
	"fitting": {store.Float16, 80, 80},
}

// caseSets builds them.
func caseSets(t *testing.T) map[string]*store.Dataset {
	t.Helper()
	sets := map[string]*store.Dataset{}
	for name, c := range caseData {
		schema := store.Schema{
			{Name: "tokens", DType: store.Int32, Shape: []int{8}}, {Name: "mel", DType: c.dtype, Shape: []int{c.frames, 80}},
			{Name: "text_len", DType: store.Int32}, {Name: "mel_len", DType: store.Int32},
		}
		clips := make([]datatest.Clip, 64)
		for i := range clips {
			clips[i] = datatest.Clip{ID: fmt.Sprintf("r%02d", i), Content: uint64(i), Scalars: map[string]int32{"text_len": 8, "mel_len": int32(c.len)}}
		}
		sets[name] = datatest.NewLab(t).Clips(16, schema, clips)[0]
	}
	return sets
}

// fillsAt is a filler that writes rate bytes a second.
func fillsAt(rate float64) func(gpufeed.Fill) time.Duration {
	return func(f gpufeed.Fill) time.Duration { return time.Duration(float64(f.Bytes) / rate * 1e9) }
}

const soundFill = 2e9 // bytes a second of a worker

// soundArgs come before those of a case: simulated GPUs, batches of 4 rows (258 kB),
// eight workers on eight cores, a step of 2 ms.
const soundArgs = "--device sim --mode direct --batch-size 4 --workers 8 --steps 200 --step-ms 2"

// report runs a feed and returns its report.
func (c plantedCase) report(t *testing.T, sets map[string]*store.Dataset) *Report {
	t.Helper()
	f, o := c.run(t, sets, 0)
	if c.sweep == nil {
		return f
	}
	sizes := []diagnosis.Work{*o.Work}
	for _, batch := range c.sweep {
		_, other := c.run(t, sets, batch)
		sizes = append(sizes, *other.Work)
	}
	w := o.Work.WithFixed(sizes)
	o.Work = &w
	f.Findings = diagnosis.Find(o)
	return f
}

// run runs a feed, with batches of another size where one is given.
func (c plantedCase) run(t *testing.T, sets map[string]*store.Dataset, batch int) (f *Report, observed diagnosis.Observation) {
	t.Helper()
	name := c.data
	if name == "" {
		name = "plain"
	}
	if c.rig.cores == 0 {
		c.rig.cores = 8
	}
	if c.rig.fill == nil {
		c.rig.fill = fillsAt(soundFill)
	}
	if c.rig.machine == nil {
		c.rig.machine = &machine{memory: 64e9}
	}
	if c.gpus != nil {
		c.rig.place = placeOf(t, c.gpus...)
	}
	synctest.Test(t, func(t *testing.T) {
		o := optionsOf(t, append(strings.Fields("-q --record none "+soundArgs), strings.Fields(c.args)...)...)
		if batch > 0 {
			o = o.Sized(batch)
		}
		o.planted.rig = c.rig
		if c.alter != nil {
			c.alter(o)
		}
		r := &run{options: o, started: time.Now(), said: said{out: io.Discard, quiet: true}}
		if err := r.open(context.Background(), sets[name]); err != nil {
			t.Fatal(err)
		}
		failed := r.deliver(context.Background())
		f = newReport(r)
		f.end(r, failed, false)
		observed = r.observe(r.feed.Stats())
		if err := r.close(); failed != nil || err != nil {
			t.Fatal(failed, err)
		}
	})
	return f, observed
}

// TestPlantedCauses: the first finding of a feed names what was planted in it, and
// its gain is what taking that away brings.
func TestPlantedCauses(t *testing.T) {
	sets := caseSets(t)
	var page strings.Builder
	page.WriteString(pageHead)
	for _, c := range plantedCases {
		f := c.report(t, sets)
		var rules []string
		for _, v := range f.Findings {
			rules = append(rules, v.Rule)
		}
		want := slices.DeleteFunc([]string{c.first, c.also}, func(s string) bool { return s == "" })
		if !slices.Equal(rules[:min(len(rules), len(want))], want) || c.first == "" && len(rules) > 0 {
			t.Errorf("%s: findings by %q, want %q first\n%s", c.name, rules, want, texts(f.Findings))
			continue
		}
		stated, brought := "–", "–"
		if len(f.Findings) > 0 && f.Findings[0].Gain != nil {
			stated = percent(*f.Findings[0].Gain)
		}
		if c.removed.args != "" {
			cured := c.removed.of(c).report(t, sets)
			gain := 1 - cured.perSample()/f.perSample()
			brought = percent(gain)
			if g := f.Findings[0].Gain; g == nil || math.Abs(*g-gain) > 0.2*gain {
				t.Errorf("%s: %s says a gain of %s, and taking the cause away brings %s", c.name, c.first, stated, brought)
			}
		}
		fmt.Fprintf(&page, "| %s | %s | %s | %s | %s |\n", c.name, c.how, rulesText(want), stated, brought)
	}
	wantConfigs(t, &page)
	checkPage(t, page.String())
}

// of is a case without its cause.
func (r plantedRun) of(c plantedCase) plantedCase {
	return plantedCase{args: r.args, rig: r.rig, data: r.data}
}

// perSample is what a sample costs in steady steps, in ms.
func (f *Report) perSample() float64 {
	return f.Step.Mean * float64(f.Batches) / float64(f.Samples)
}

func percent(part float64) string { return fmt.Sprintf("%.0f %%", 100*part) }

func texts(found []diagnosis.Verdict) string {
	var b strings.Builder
	for _, v := range found {
		gain := -1.0
		if v.Gain != nil {
			gain = *v.Gain
		}
		fmt.Fprintf(&b, "  %s (%.3f): %s\n", v.Rule, gain, v.Text())
	}
	return b.String()
}

func rulesText(rules []string) string {
	if len(rules) == 0 {
		return "none"
	}
	return "`" + strings.Join(rules, "`, then `") + "`"
}

const pageHead = `# Planted causes

What a feed's report says of a training in which something was planted. The test of the package ` + "`cmd/voxpack/internal/feedrun`" + `
makes this page (` + "`-update`" + `): it runs each feed on simulated GPUs in virtual time, where filling, copying and training take
exactly what was planted, and compares the stated gain with what the same feed does without the cause. The stated gain may
differ from the one brought by 20 % of that. A finding has no gain (–) where the cause costs no time or nobody measured it; a gain of
0 % is measured: a trainer that varies by itself does not wait for data. Where GPUs are comes from a made-up sysfs, because
simulated ones are nowhere.

| planted | how | first finding | gain stated | gain brought |
|---|---|---|---|---|
`

// checkPage holds docs/diagnosis-cases.md to what the cases are.
func checkPage(t *testing.T, want string) {
	t.Helper()
	path := filepath.Join("..", "..", "..", "..", "docs", "diagnosis-cases.md")
	page, err := os.ReadFile(path)
	const others = "\n## What analyze says\n" // whose cases the package diagnose writes
	got, analyze, _ := strings.Cut(string(page), others)
	if *update && !t.Failed() {
		if err := os.WriteFile(path, []byte(want+others+analyze), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if err != nil || !samePage(got, want) {
		t.Errorf("docs/diagnosis-cases.md is stale (%v): run go test ./cmd/voxpack/internal/feedrun -run PlantedCauses -update", err)
	}
}

var percents = regexp.MustCompile(`\d+ % \|`)

// samePage compares pages but for a few points of percent: which worker gets
// which batch is the scheduler's, in virtual time too.
func samePage(a, b string) bool {
	if percents.ReplaceAllString(a, "") != percents.ReplaceAllString(b, "") {
		return false
	}
	second := percents.FindAllString(b, -1)
	for i, first := range percents.FindAllString(a, -1) {
		var x, y int
		fmt.Sscan(first, &x)
		fmt.Sscan(second[i], &y)
		if max(x-y, y-x) > 5 {
			return false
		}
	}
	return true
}
