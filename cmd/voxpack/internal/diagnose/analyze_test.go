package diagnose

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"voxpack/compiler"
	"voxpack/diagnosis"
	"voxpack/internal/perf"
)

// compressed are 32 clips at another rate than the dataset's, as MP3.
func compressed() (*rowsFacts, *diagnosis.Compilation) {
	t := &compiler.Timing{Total: 32, Put: 500 * time.Microsecond}
	for i := range 32 {
		seconds := 6.4 + float64(i%4)/3
		sound := time.Duration(seconds * 2300 * float64(time.Microsecond))
		t.Rows = append(t.Rows, compiler.RowTime{ID: "LJ001-00" + string(rune('1'+i/9)) + string(rune('1'+i%9)), Kind: "mp3", Seconds: seconds, Cold: 170 * time.Microsecond, Steps: map[string]time.Duration{
			"text": 30 * time.Microsecond, "tokens": 5 * time.Microsecond, "read": 60 * time.Microsecond, "decode": sound, "resample": 500 * time.Microsecond,
			"mel": 180 * time.Microsecond, "write": 50 * time.Microsecond}})
	}
	return rowsOf(t, (&compiler.Config{}).TimeSteps())
}

// analyzed is the analysis of the page: those clips, and a feed that keeps up.
func analyzed() *analysis {
	rows, compilation := compressed()
	trainer := &trainerFacts{Own: 150, Step: perf.Summary{MeanMS: 150.2}, Replayed: 150.1, Idle: 0.0002, Queues: []queueFacts{{"host ring", 1}}}
	supply := &diagnosis.Supply{Step: 150, Period: 0.14, Whole: 150.2, Replayed: 150.1, Ready: 1, Idle: trainer.Idle, Depth: 4, Fillers: 2, Cores: 2}
	trainer.Headspace = supply.Headspace()
	return &analysis{Rows: rows, Feed: &feedFacts{Batch: 16, Bytes: 4_608_000, Between: perf.Summary{MeanMS: 0.14, StdMS: 0.02}, Samples: 114_300, Trainer: trainer},
		Findings: diagnosis.Find(diagnosis.Observation{Compilation: compilation, Supply: supply})}
}

// TestPartsOfAllCores: of four cores that the machine tells of, whatever this process
// may use of them, half worked and this process had one.
func TestPartsOfAllCores(t *testing.T) {
	before := look{at: time.Unix(0, 0), machine: perf.Load{Known: true, Cores: 4}}
	after := look{at: time.Unix(1, 0), own: time.Second, machine: perf.Load{Known: true, Cores: 4, All: 400, Busy: 200}}
	if l := after.since(before); l == nil || *l != (loadFacts{25, 25}) {
		t.Errorf("%+v, want 25 %% of this process and 25 %% of others", l)
	}
	h := hostWatch{took: time.Second, used: time.Second, first: before.machine, last: after.machine}
	if f := h.facts(10); f.FeederCPU == nil || *f.FeederCPU != 25 || *f.CPU != 50 {
		t.Errorf("%+v, want 25 %% of 50 %%", f)
	}
	if l := (look{at: time.Unix(1, 0)}).since(before); l != nil {
		t.Errorf("of a machine that does not tell: %+v", l)
	}
}

// TestTheStepsOfRowsAddUp: means, shares, and what a whole dataset takes.
func TestTheStepsOfRowsAddUp(t *testing.T) {
	f, c := compressed()
	share, sum := 0.0, 0.0
	for _, s := range f.Steps {
		share, sum = share+s.Share, sum+s.MS
	}
	near := func(what string, got, want float64) {
		if got < want*0.999 || got > want*1.001 {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	near("the sum of shares", share, 1)
	near("text + audio + write", f.Text.MS+f.Audio.MS+f.Write.MS, sum)
	near("text", f.Text.MS, 0.035)
	near("write, with its part of a shard's put", f.Write.MS, 0.55)
	near("text in all", f.Text.Total, 0.035*32/1000)
	near("read, of the first run", f.Steps[slices.IndexFunc(f.Steps, func(s stepFacts) bool { return s.Step == "read" })].MS, 0.17)
	if f.Timed != 32 || c.Rows != 32 || f.Audio.Uneven > 1 || f.Audio.Variation < 1 {
		t.Errorf("%+v: want 32 rows whose times are those of their lengths", f.Audio)
	}
}

// TestTheSlowestClipsAreNamed: by time for a second of sound, three at most.
func TestTheSlowestClipsAreNamed(t *testing.T) {
	timing := &compiler.Timing{Total: 5}
	for i, ms := range []int{5, 90, 7, 6, 8} {
		seconds := 1.0
		if i == 1 {
			seconds = 30 // long, and so not slow
		}
		timing.Rows = append(timing.Rows, compiler.RowTime{ID: string(rune('a' + i)), Kind: "flac", Seconds: seconds, Steps: map[string]time.Duration{"decode": time.Duration(ms) * time.Millisecond}})
	}
	f, _ := rowsOf(timing, (&compiler.Config{}).TimeSteps())
	var ids []string
	for _, s := range f.Slowest {
		ids = append(ids, s.ID)
	}
	if want := []string{"e", "c", "d"}; !slices.Equal(ids, want) {
		t.Errorf("slowest are %q, want %q", ids, want)
	}
}

// TestThePageAnalyzesTheseClips: the output on the pages is that of this analysis.
func TestThePageAnalyzesTheseClips(t *testing.T) {
	var out strings.Builder
	analyzed().page(&out)
	for line := range strings.Lines(out.String()) {
		if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 60 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	for _, language := range []string{"en", "fa"} {
		src, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", language, "diagnosis.md"))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(src), "```text\n"+out.String()+"```\n") {
			t.Errorf("docs/%s/diagnosis.md does not show\n%s", language, &out)
		}
	}
}
