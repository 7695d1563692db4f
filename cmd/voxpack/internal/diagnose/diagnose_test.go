package diagnose

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/cmd/voxpack/internal/top"
	"voxpack/diagnosis"
	"voxpack/internal/perf"
	"voxpack/store"
)

// of is a finding of a gain in percent, -1 for none that is known.
func of(rule string, state state, percent float64, whole diagnosis.Whole) finding {
	v := diagnosis.Verdict{Rule: rule, Of: whole}
	if gain := percent / 100; percent >= 0 {
		v.Gain = &gain
	}
	return finding{checkFinding: checkFinding{State: state, Verdict: v}}
}

// TestTheOrderOfFindings: what shortens a step by gain, then errors, then the rest.
func TestTheOrderOfFindings(t *testing.T) {
	list := []finding{
		of("a build", stateWarning, 92, diagnosis.OfBuild), of("nothing", stateWarning, 0, diagnosis.OfStep), of("a little", stateWarning, 5, diagnosis.OfStep),
		of("unknown", stateWarning, -1, diagnosis.OfStep), of("an error", stateError, -1, diagnosis.OfStep), of("much", stateError, 40, diagnosis.OfStep),
	}
	slices.SortStableFunc(list, finding.compare)
	var order []string
	for _, f := range list {
		order = append(order, f.Rule)
	}
	if want := []string{"much", "a little", "an error", "nothing", "a build", "unknown"}; !slices.Equal(order, want) {
		t.Errorf("%q, want %q", order, want)
	}
}

// TestARuleIsSaidOnce: what an earlier feed found and is found again is said once, as
// it is now.
func TestARuleIsSaidOnce(t *testing.T) {
	d := &doctor{out: &diagnosed{}, seen: diagnosis.Observation{Store: &diagnosis.Store{}}}
	d.earlier = []finding{of("store-empty", stateWarning, -1, diagnosis.OfStep), of("kept", stateWarning, 10, diagnosis.OfStep)}
	d.conclude()
	if f := d.out.Findings; len(f) != 2 || f[0].Rule != "kept" || f[1].Rule != "store-empty" || f[1].State != stateError || d.out.Errors != 1 || d.out.Warnings != 1 {
		t.Errorf("%+v", d.out)
	}
}

// TestWhatRunningConsumersAdd: their findings, each rule once.
func TestWhatRunningConsumersAdd(t *testing.T) {
	v := diagnosis.Verdict{Rule: "kept", Kind: diagnosis.Limits, Basis: diagnosis.Measured}
	d := &doctor{out: &diagnosed{Live: liveFacts{Consumers: []top.Consumer{{Findings: []diagnosis.Verdict{v}}, {Findings: []diagnosis.Verdict{v}}}}}}
	d.conclude()
	if f := d.out.Findings; len(f) != 1 || f[0].Rule != "kept" || f[0].State != stateError || f[0].Run != "" {
		t.Errorf("%+v", f)
	}
}

// TestWhatARecordMayAdd: verdicts of rules that there are, of this dataset.
func TestWhatARecordMayAdd(t *testing.T) {
	root := store.Digest{1}
	good := `{"rule":"variation","kind":"limit","number":40,"limit":30,"unit":"%","cause":"x","cure":"","setting":"","gain":0.1,"basis":"measured"}`
	with := func(old, fresh string) string { return strings.Replace(good, old, fresh, 1) }
	for _, tt := range []struct {
		name, results string
		found         int
	}{
		{"of this dataset", `{"dataset":"` + root.String() + `","findings":[` + good + `,` + good + `]}`, 2},
		{"of another one", `{"dataset":"abc","findings":[` + good + `]}`, 0},
		{"of none", `{"findings":[` + good + `]}`, 0},
		{"a rule that there is not", `{"dataset":"` + root.String() + `","findings":[` + with("variation", "alice") + `]}`, 0},
		{"a kind that there is not", `{"dataset":"` + root.String() + `","findings":[` + with("limit", "alice") + `]}`, 0},
		{"a gain of twice the step", `{"dataset":"` + root.String() + `","findings":[` + with("0.1", "2") + `]}`, 0},
		{"no sentence", `{"dataset":"` + root.String() + `","findings":[` + with(`"x"`, `""`) + `]}`, 0},
	} {
		d := &doctor{root: root}
		facts, found := d.lastRun(perf.RunRecord{Kind: "feed", Results: json.RawMessage(tt.results)})
		if len(found) != tt.found || facts.Same != strings.Contains(tt.results, root.String()) {
			t.Errorf("%s: %+v, %+v", tt.name, facts, found)
		}
		for _, f := range found {
			if f.State != stateWarning || f.Run == "" {
				t.Errorf("%s: %+v, want a warning of that run", tt.name, f)
			}
		}
	}
}

// TestTheDiagnosisFits60Columns: of four GPUs far apart, a config with all kinds of
// findings, and a store that is damaged.
func TestTheDiagnosisFits60Columns(t *testing.T) {
	config := filepath.Join(t.TempDir(), "x.yaml")
	src := "data:\n  batch_size: 3\n  prefetch_buffer_size: 1\n  num_workers: 900\n  enable_xlaa: true\n  data_gpu: 3\n  model_gpu: 0\n  model_gpu_memory: 900000\n  use_tf_native_loading: false\n"
	if err := os.WriteFile(config, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	o := &DiagnoseOptions{Version: "voxpack v1.2.3", configFile: config, quick: true, topo: fourGPUs(t)}
	t.Chdir(t.TempDir())
	var page, said strings.Builder
	if err := RunDiagnose(t.Context(), o, nil, &page, &said); !errors.As(err, new(term.Findings)) {
		t.Fatalf("%v: %s", err, &said)
	}
	for line := range strings.Lines(page.String()) {
		if n := utf8.RuneCountInString(line) - 1; n > 60 && !strings.Contains(line, config) {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	for _, piece := range []string{"GPU 3 (data) and GPU 0 (model) are SYS", "x4 gen4 of x16 gen4", "[config-spelling]", "[far]", "warning", "error"} {
		if !strings.Contains(strings.Join(strings.Fields(page.String()), " "), piece) {
			t.Errorf("no %q in\n%s", piece, &page)
		}
	}
}

// FuzzDiagnoseRecord: whatever a record holds, it is passed over or printed, in lines
// of fields that are ours and of 60 columns, but for words that are longer.
func FuzzDiagnoseRecord(f *testing.F) {
	root := store.Digest{}
	f.Add(`{"dataset":"` + root.String() + `","samples_per_second":-1e300,"findings":[{"rule":"kept","kind":"limit","unit":"ms","cause":"a\nresult b","basis":"measured","gain":1}]}`)
	f.Add(`{"dataset":"` + root.String() + `","findings":[{"rule":"idle"}]}`)
	f.Add(`{"dataset":7}`)
	f.Fuzz(func(t *testing.T, results string) {
		d := &doctor{out: &diagnosed{Version: "voxpack 1"}}
		facts, found := d.lastRun(perf.RunRecord{Kind: "feed", Results: json.RawMessage(results)})
		d.out.Runs, d.earlier = []runFacts{facts}, found
		d.conclude()
		if _, err := json.Marshal(d.out); err != nil {
			t.Fatalf("%q: %v", results, err)
		}
		var page strings.Builder
		d.out.page(&page)
		for line := range strings.Lines(page.String()) {
			name, _, _ := strings.Cut(line, " ")
			if line != "\n" && !slices.Contains([]string{"", "voxpack", "machine", "runs", "live", "warning", "error", "result"}, name) {
				t.Fatalf("%q: a line %q", results, line)
			}
			if words := strings.Fields(line); utf8.RuneCountInString(line) > 61 && utf8.RuneCountInString(slices.MaxFunc(words, func(a, b string) int { return len(a) - len(b) })) < 20 {
				t.Fatalf("%q: %d columns: %q", results, utf8.RuneCountInString(line), line)
			}
		}
	})
}

// FuzzTimes: what --stages and --bytes take are finite numbers from 0.
func FuzzTimes(f *testing.F) {
	for _, seed := range []string{"load=20,train=10+140", "8.2 MB", "1e400", "train=NaN", "load=-1", "=", "copy=1+", "9e307GB"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		list, err := stages(text)
		for _, s := range list {
			if err == nil && !(s.MS >= s.FixedMS && s.FixedMS >= 0) {
				t.Fatalf("stages(%q) = %+v", text, list)
			}
		}
		if n, err := bytes(text); err == nil && !(n >= 0) {
			t.Fatalf("bytes(%q) = %v", text, n)
		}
	})
}
