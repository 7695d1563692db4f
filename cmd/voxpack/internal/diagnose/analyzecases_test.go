package diagnose

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler"
	"voxpack/diagnosis"
	"voxpack/gpufeed"
	"voxpack/gpufeed/datatest"
	"voxpack/gpufeed/plan"
	"voxpack/store"
)

// supplyCase is a feed with something wrong in it, as analyze measures it: in virtual
// time, where a fill takes what is planted and a step what --step-ms says.
type supplyCase struct {
	name, how string
	feed      supplyFeed
	rule      string // of the finding; "": none
	setting   string
	cured     func(*supplyFeed) // the same feed after the cure; nil: no gain is stated
}

// supplyFeed is a feed and its machine.
type supplyFeed struct {
	dtype        store.DType
	frames, real int // of a mel: in its shape, and in the clip
	fillers      int
	cores        int // 0: supplyCores
	depth        int
	batch        int
	fixed        bool                           // the ring does not grow
	bytes        float64                        // that a filler writes in a second
	late         func(seq uint64) time.Duration // further time of a fill; nil: none
	step         float64                        // ms
}

const supplyCores = 8

// soundSupply fills a batch of 4 rows in 1 ms with each of eight workers.
var soundSupply = supplyFeed{dtype: store.Float16, frames: 400, real: 400, fillers: supplyCores, depth: 8, batch: 4, bytes: 256e6, step: 2}

// with is the sound feed, changed.
func (f supplyFeed) with(change func(*supplyFeed)) supplyFeed {
	change(&f)
	return f
}

// seventh is a pause of every seventh fill.
func seventh(ms float64) func(uint64) time.Duration {
	return func(seq uint64) time.Duration {
		if seq%7 != 0 {
			return 0
		}
		return time.Duration(ms * float64(time.Millisecond))
	}
}

var supplyCases = []supplyCase{
	{name: "nothing", how: "–", feed: soundSupply},
	{name: "one worker on 8 cores", how: "`--workers 1`, fills of 8 ms", feed: soundSupply.with(func(f *supplyFeed) { f.fillers, f.bytes = 1, 32e6 }),
		rule: "idle", setting: "--workers", cured: func(f *supplyFeed) { f.fillers = supplyCores }},
	{name: "half of the workers", how: "`--workers 4`, fills of 26 ms", feed: soundSupply.with(func(f *supplyFeed) { f.fillers, f.bytes = 4, 10e6 }),
		rule: "idle", setting: "--workers", cured: func(f *supplyFeed) { f.fillers = supplyCores }},
	{name: "an f32 mel", how: "`mel_dtype: f32`, workers that fill 0.01 GB/s",
		feed: soundSupply.with(func(f *supplyFeed) { f.dtype, f.bytes = store.Float32, 10e6 }),
		rule: "idle", setting: "mel_dtype", cured: func(f *supplyFeed) { f.dtype = store.Float16 }},
	{name: "maxima far too large", how: "a fifth of 400 frames is sound, workers that fill 0.01 GB/s",
		feed: soundSupply.with(func(f *supplyFeed) { f.real, f.bytes, f.step = 80, 10e6, 0.2 }),
		rule: "idle", setting: "max_mel_frames", cured: func(f *supplyFeed) { f.frames = 80 }},
	{name: "a slow disk", how: "workers that fill 0.01 GB/s, nothing to spare", feed: soundSupply.with(func(f *supplyFeed) { f.bytes = 10e6 }), rule: "idle"},
	{name: "a slow disk and many workers", how: "16 workers on 16 cores that fill 0.005 GB/s, nothing to spare",
		feed: soundSupply.with(func(f *supplyFeed) { f.bytes, f.fillers, f.cores, f.depth = 5e6, 16, 16, 16 }), rule: "idle"},
	{name: "pauses that the ring does not bear", how: "`--prefetch-buffer-size 2`, every seventh fill takes 9 ms more",
		feed: soundSupply.with(func(f *supplyFeed) { f.depth, f.fixed, f.late = 2, true, seventh(9) }),
		rule: "idle", setting: "--prefetch-buffer-size", cured: func(f *supplyFeed) { f.depth = 5 }},
	{name: "small batches", how: "`--batch-size 1`, a fill takes 1 ms whatever is in it",
		feed: soundSupply.with(func(f *supplyFeed) {
			f.batch, f.step, f.fillers, f.late = 1, 0.5, 1, func(uint64) time.Duration { return time.Millisecond }
		}),
		rule: "idle", setting: "--workers", cured: func(f *supplyFeed) { f.fillers = supplyCores }},
}

// measured runs the feed as analyze does.
func (f supplyFeed) measured(t *testing.T) (s *diagnosis.Supply) {
	t.Helper()
	schema := store.Schema{
		{Name: "tokens", DType: store.Int32, Shape: []int{8}}, {Name: "mel", DType: f.dtype, Shape: []int{f.frames, 80}},
		{Name: "text_len", DType: store.Int32}, {Name: "mel_len", DType: store.Int32},
	}
	clips := make([]datatest.Clip, 64)
	for i := range clips {
		clips[i] = datatest.Clip{ID: fmt.Sprintf("r%02d", i), Content: uint64(i), Scalars: map[string]int32{"text_len": 8, "mel_len": int32(f.real)}}
	}
	d := datatest.NewLab(t).Clips(16, schema, clips)[0]
	synctest.Test(t, func(t *testing.T) {
		set, err := plan.Select(d, plan.Selection{})
		if err != nil {
			t.Fatal(err)
		}
		c := gpufeed.Config{Depth: f.depth, Fillers: f.fillers, Planted: func(fill gpufeed.Fill) time.Duration {
			took := time.Duration(float64(fill.Bytes) / f.bytes * 1e9)
			if f.late != nil {
				took += f.late(fill.Seq)
			}
			return took
		}}
		c.Plan.Batch, c.Plan.World = f.batch, 1
		if f.fixed {
			c.MaxDepth = f.depth
		}
		progress := term.StartProgress(io.Discard, true)
		defer progress.End()
		m := &measurement{set: set, config: c, most: time.Hour, bar: progress}
		facts := &feedFacts{}
		if err := m.free(t.Context(), facts); err != nil {
			t.Fatal(err)
		}
		if facts.Trainer, err = m.trained(t.Context(), f.step); err != nil {
			t.Fatal(err)
		}
		facts.Trainer.Load = nil // of the machine that runs the test
		s = m.supply(facts, cmp.Or(f.cores, supplyCores))
	})
	return s
}

// buildCase is a sample of rows with something wrong in it. The times of its steps are
// in ms; what they are without the cause is in cured.
type buildCase struct {
	name, how string
	row       buildRow
	uneven    bool // every third clip is five times as slow
	rule      string
	setting   string
	cured     func(*buildRow) // nil: no gain is stated
}

// buildRow is what the steps of a row take.
type buildRow struct{ read, cold, decode, resample, mel, f0, write float64 }

var soundRow = buildRow{read: 0.06, cold: 0.06, decode: 0.05, mel: 0.2, write: 0.3}

func (r buildRow) with(change func(*buildRow)) buildRow {
	change(&r)
	return r
}

var buildCases = []buildCase{
	{name: "nothing", how: "–", row: soundRow},
	{name: "slow decoding", how: "decoding takes 9 ms of a row", row: soundRow.with(func(r *buildRow) { r.decode = 9 }),
		rule: "slow-step", cured: func(r *buildRow) { r.decode = 0.05 }},
	{name: "slow resampling", how: "resampling takes 2 ms of a row", row: soundRow.with(func(r *buildRow) { r.resample = 2 }),
		rule: "slow-step", setting: "sample_rate", cured: func(r *buildRow) { r.resample = 0 }},
	{name: "an expensive feature", how: "`features: [f0]` takes 4 ms of a row", row: soundRow.with(func(r *buildRow) { r.f0 = 4 }),
		rule: "slow-step", setting: "features", cured: func(r *buildRow) { r.f0 = 0 }},
	{name: "cold files", how: "a read takes 1.5 ms, from memory 0.3", row: soundRow.with(func(r *buildRow) { r.read, r.cold = 0.3, 1.5 }),
		rule: "slow-step", cured: func(r *buildRow) { r.cold = r.read }},
	{name: "reads that memory makes no faster", how: "a read takes 1.5 ms, from memory 1.4", row: soundRow.with(func(r *buildRow) { r.read, r.cold = 1.4, 1.5 })},
	{name: "clips that cost five times as much", how: "every third of 30, of one length", row: soundRow, uneven: true, rule: "audio-variation"},
}

// timing is what a sample of 30 such rows took, the time of a row in ms with it.
func (r buildRow) timing(uneven bool) (*compiler.Timing, float64) {
	ms := func(v float64) time.Duration { return time.Duration(v * float64(time.Millisecond)) }
	t := &compiler.Timing{Total: 30}
	for i := range t.Total {
		times := 1.0
		if uneven && i%3 == 0 {
			times = 5
		}
		t.Rows = append(t.Rows, compiler.RowTime{ID: fmt.Sprint(i), Kind: "wav", Seconds: 5, Cold: ms(r.cold), Steps: map[string]time.Duration{
			"read": ms(r.read), "decode": ms(times * r.decode), "resample": ms(r.resample), "mel": ms(times * r.mel), "f0": ms(r.f0), "write": ms(r.write)}})
	}
	return t, r.cold + r.decode + r.resample + r.mel + r.f0 + r.write
}

// verdict is the finding of a case, false where none is wanted or it is another one.
func verdictOf(t *testing.T, name, rule, setting string, found []diagnosis.Verdict) (diagnosis.Verdict, bool) {
	t.Helper()
	switch {
	case rule == "" && len(found) == 0:
	case rule == "" || len(found) != 1 || found[0].Rule != rule || found[0].Setting != setting:
		t.Errorf("%s: %+v, want %q by %q", name, found, rule, setting)
	default:
		return found[0], true
	}
	return diagnosis.Verdict{}, false
}

// caseLine is a line of the page. brought is what the cure brings; nil: none is stated.
func caseLine(t *testing.T, name, how string, v diagnosis.Verdict, brought *float64) string {
	t.Helper()
	rule, stated, came := "none", "–", "–"
	if v.Rule != "" {
		rule = "`" + v.Rule + "`"
	}
	switch {
	case (v.Gain == nil) != (brought == nil):
		t.Errorf("%s: states a gain: %v, want %v", name, v.Gain != nil, brought != nil)
	case brought != nil:
		stated, came = fmt.Sprintf("%.0f %%", 100**v.Gain), fmt.Sprintf("%.0f %%", 100**brought)
		if math.Abs(*v.Gain-*brought) > 0.2**brought {
			t.Errorf("%s: states %s, brought %s", name, stated, came)
		}
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s |\n", name, how, rule, stated, came)
}

// TestGainsOfAnalyze: what analyze states for a training or a build is within 20 % of
// what the cure brings, or nothing is stated.
func TestGainsOfAnalyze(t *testing.T) {
	page := casesHead
	for _, c := range supplyCases {
		s := c.feed.measured(t)
		v, ok := verdictOf(t, c.name, c.rule, c.setting, diagnosis.Find(diagnosis.Observation{Supply: s}))
		var brought *float64
		if ok && c.cured != nil {
			part := 1 - c.feed.with(c.cured).measured(t).Whole/s.Whole
			brought = &part
		}
		page += caseLine(t, c.name, c.how, v, brought)
	}
	page += buildsHead
	for _, c := range buildCases {
		timing, whole := c.row.timing(c.uneven)
		_, compilation := rowsOf(timing, []string{"text", "tokens", "read", "decode", "resample", "process", "mel", "f0", "write"})
		v, ok := verdictOf(t, c.name, c.rule, c.setting, diagnosis.Find(diagnosis.Observation{Compilation: compilation}))
		var brought *float64
		if ok && c.cured != nil {
			_, left := c.row.with(c.cured).timing(false)
			part := 1 - left/whole
			brought = &part
		}
		page += caseLine(t, c.name, c.how, v, brought)
	}
	checkCases(t, page)
}

const casesHead = `
## What analyze says
` + casesText

const casesText = `
The same of ` + "`voxpack analyze --step-ms`" + `, by the package ` + "`cmd/voxpack/internal/diagnose`" + `: a short feed in virtual time, where a fill
takes what is planted, and the same feed with the cure.

| planted | how | finding | gain stated | gain brought |
|---|---|---|---|---|
`

const buildsHead = `
Of a build, whose gain is a part of the build, the times of a row's steps are planted:

| planted | how | finding | gain stated | gain brought |
|---|---|---|---|---|
`

var update = flag.Bool("update", false, "write the part of analyze in docs/diagnosis-cases.md anew")

// checkCases holds the part of the page to what the cases are. Which worker gets which
// batch is the scheduler's, so that the figures may differ a little.
func checkCases(t *testing.T, want string) {
	t.Helper()
	path := filepath.Join("..", "..", "..", "..", "docs", "diagnosis-cases.md")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	title, _ := strings.CutSuffix(casesHead, casesText)
	feeds, got, _ := strings.Cut(string(page), title)
	if *update && !t.Failed() {
		if err := os.WriteFile(path, []byte(feeds+want), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	figures := regexp.MustCompile(`\d+ %`)
	if figures.ReplaceAllString(title+got, "") != figures.ReplaceAllString(want, "") {
		t.Errorf("docs/diagnosis-cases.md is stale: run go test ./cmd/voxpack/internal/diagnose -run GainsOfAnalyze -update")
	}
}
