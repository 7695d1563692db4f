package bundle

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"voxpack/diagnosis"
	"voxpack/internal/config"
	"voxpack/internal/perf"
)

// sample is a type whose members may be told.
type sample struct {
	Rows    int            `json:"rows"`
	Kind    string         `json:"kind"`
	ID      string         `json:"id"`
	Text    any            `json:"text"`
	Dataset string         `json:"dataset"`
	Kernel  string         `json:"kernel"`
	Stages  map[string]int `json:"stages"`
	List    []string       `json:"features"`
	Part    *struct {
		Deep bool `json:"deep"`
	} `json:"part"`
	hidden int
}

func contentOf(t *testing.T, members []Member, name string) string {
	t.Helper()
	i := slices.IndexFunc(members, func(m Member) bool { return m.Name == name })
	if i < 0 {
		t.Fatalf("no %s", name)
	}
	return string(members[i].Content)
}

// TestWhatPasses: known names, words, numbers and switches, and nothing else.
func TestWhatPasses(t *testing.T) {
	digest := strings.Repeat("0f", 32)
	for _, tt := range []struct{ name, in, want string }{
		{"numbers and switches under known names", `{"rows":3,"part":{"deep":true}}`, `{"part":{"deep":true},"rows":3}`},
		{"a number as it stands", `{"rows":18446744073709551615}`, `{"rows":18446744073709551615}`},
		{"a name that nobody knows", `{"alice":3}`, `{}`},
		{"a name in an unknown one", `{"alice":{"rows":3}}`, `{}`},
		{"a word", `{"kind":"build"}`, `{"kind":"build"}`},
		{"some words", `{"kind":"mel, f0 pcm"}`, `{"kind":"mel, f0 pcm"}`},
		{"a word among others", `{"kind":"build alice"}`, `{"kind":"(left out)"}`},
		{"a path", `{"kind":"/home/alice"}`, `{"kind":"(left out)"}`},
		{"a text of this machine", `{"kind":"AMD EPYC"}`, `{"kind":"AMD EPYC"}`},
		{"an id, whatever it is", `{"id":"mel"}`, `{}`},
		{"a text that is a word", `{"text":"mel"}`, `{}`},
		{"the figures of the step text", `{"text":{"rows":3}}`, `{"text":{"rows":3}}`},
		{"a digest", `{"dataset":"` + digest + `"}`, `{"dataset":"` + digest + `"}`},
		{"a digest that may be an id", `{"kind":"` + digest + `"}`, `{"kind":"(left out)"}`},
		{"a map by steps", `{"stages":{"mel":2,"alice":3}}`, `{"stages":{"mel":2}}`},
		{"a list of texts", `{"features":["pcm","alice","f0"]}`, `{"features":["pcm","f0"]}`},
		{"what follows the kernel's number", `{"kernel":"6.8.0-45-alice"}`, `{"kernel":"6.8.0"}`},
		{"a number as a text", `{"kind":"12345"}`, `{"kind":"(left out)"}`},
		{"nothing", `{"part":null,"kind":""}`, `{"kind":"","part":null}`},
	} {
		s := newScrubber([]string{"AMD EPYC", ""}, sample{hidden: 1})
		out, err := s.json(json.RawMessage(tt.in))
		var got bytes.Buffer
		if err == nil {
			err = json.Compact(&got, out)
		}
		if err != nil || got.String() != tt.want {
			t.Errorf("%s: %s gives %s (%v), want %s", tt.name, tt.in, &got, err, tt.want)
		}
		if lost := strings.Contains(tt.in, "alice"); lost && s.removed == 0 {
			t.Errorf("%s: nothing is counted", tt.name)
		}
	}
}

// FuzzScrub: whatever a record holds, no text passes that is not known.
func FuzzScrub(f *testing.F) {
	f.Add(`{"kind":"alice","stages":{"mel":[{"id":1}]},"text":["x"]}`)
	f.Add(`["alice",{"name":"GPU 0 to GPU 1"}]`)
	f.Fuzz(func(t *testing.T, in string) {
		s := newScrubber(nil, sample{})
		out, err := s.json(json.RawMessage(in))
		if err != nil {
			return
		}
		var v any
		if err := json.Unmarshal(out, &v); err != nil {
			t.Fatalf("%q gives %q: %v", in, out, err)
		}
		again, err := s.json(json.RawMessage(out))
		if err != nil || !bytes.Equal(again, out) && !bytes.Contains(out, []byte(left)) {
			t.Fatalf("%q gives %q, then %q (%v)", in, out, again, err)
		}
		if strings.Contains(in, "alice") && bytes.Contains(out, []byte("alice")) {
			t.Fatalf("%q gives %q", in, out)
		}
	})
}

// TestConfigMember: known keys by our names for them; sections, comments and values
// that are no number, switch or word are left out.
func TestConfigMember(t *testing.T) {
	src := "alice: # bob\n  batch_size: 16\n  num_mels: carol\n  mixed_precision: bf16-dave\n  use_amp: True\n  mel_variant: vits\n  dataset_path: /home/erin\n  token: frank\n"
	file, problems := config.ReadTrainer("x.yaml", []byte(src))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	members, err := Members(Facts{Version: "v1.2.3", Config: file})
	if err != nil {
		t.Fatal(err)
	}
	got := contentOf(t, members, "config.json")
	for _, secret := range []string{"alice", "bob", "carol", "dave", "erin", "frank", "home"} {
		if strings.Contains(got, secret) {
			t.Errorf("%s in %s", secret, got)
		}
	}
	for _, piece := range []string{`"value": "16"`, `"value": "true"`, `"value": "vits"`, `"name": "n_mels"`, `"line": 2`} {
		if !strings.Contains(got, piece) {
			t.Errorf("no %s in %s", piece, got)
		}
	}
}

func TestEnvironment(t *testing.T) {
	got := newScrubber(nil).environment([]string{"SECRET=alice", "CUDA_VISIBLE_DEVICES=0,1", "OMP_NUM_THREADS=8", "PYTORCH_ALLOC_CONF=expandable_segments:True",
		"TF_XLA_FLAGS=--tf_xla_auto_jit=2 --dump=/home/alice", "NVIDIA_VISIBLE_DEVICES=GPU-alice", "CUDA_DEVICE_ORDER=PCI_BUS_ID", "RANK", "HOME=/home/alice"})
	want := []variable{{"CUDA_DEVICE_ORDER", "PCI_BUS_ID"}, {"CUDA_VISIBLE_DEVICES", "0,1"}, {"NVIDIA_VISIBLE_DEVICES", left}, {"OMP_NUM_THREADS", "8"},
		{"PYTORCH_ALLOC_CONF", "expandable_segments:True"}, {"RANK", ""}, {"TF_XLA_FLAGS", left}}
	if !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestTheEnvironmentPassesTheScrubber: what environment found plain stays in the file.
func TestTheEnvironmentPassesTheScrubber(t *testing.T) {
	list := []string{"CUDA_VISIBLE_DEVICES=0,1", "PYTORCH_ALLOC_CONF=expandable_segments:True", "TF_XLA_FLAGS=--tf_xla_auto_jit=2", "CUDA_DEVICE_ORDER=PCI_BUS_ID"}
	members, err := Members(Facts{Environment: list})
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range list {
		if name, value, _ := strings.Cut(entry, "="); !strings.Contains(contentOf(t, members, "environment.json"), value) || !strings.Contains(contentOf(t, members, "environment.json"), name) {
			t.Errorf("no %s in %s", entry, contentOf(t, members, "environment.json"))
		}
	}
}

// TestFindingsAreToldByTheirRules: no sentence of a finding, which may hold a key or a
// path of the user's.
func TestFindingsAreToldByTheirRules(t *testing.T) {
	gain := 0.25
	v := diagnosis.Verdict{Rule: "config-spelling", Kind: diagnosis.Risks, Number: 1, Unit: "keys", Cause: "alice.batch_szie is not read", Cure: "write alice",
		Setting: "alice", Gain: &gain, Basis: diagnosis.Computed}
	odd := v
	odd.Rule = "alice"
	members, err := Members(Facts{Findings: []Finding{{State: "error", Line: 3, Verdict: v}, {State: "error", Verdict: odd}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"findings.json", "findings.txt"} {
		got := contentOf(t, members, name)
		if strings.Contains(got, "alice") || !strings.Contains(got, "config-spelling") || !strings.Contains(strings.Join(strings.Fields(got), " "), "gain") {
			t.Errorf("%s: %s", name, got)
		}
	}
	got := strings.Join(strings.Fields(contentOf(t, members, "findings.txt")), " ")
	if !strings.Contains(got, "found 1, limit 0 keys, gains up to 25 % of the step, line 3 ") || strings.Contains(got, "`") {
		t.Errorf("findings.txt: %s", got)
	}
	if got := contentOf(t, members, "findings.json"); strings.Contains(got, left) {
		t.Errorf("a sentence of the table does not pass: %s", got)
	}
}

// TestEveryRulePasses: the sentences and ids of all rules are known.
func TestEveryRulePasses(t *testing.T) {
	var list []Finding
	for _, r := range diagnosis.Rules() {
		list = append(list, Finding{State: "warning", Verdict: diagnosis.Verdict{Rule: r.ID, Kind: diagnosis.Limits, Unit: "ms", Basis: diagnosis.Measured}})
	}
	members, err := Members(Facts{Findings: list})
	if err != nil {
		t.Fatal(err)
	}
	if got := contentOf(t, members, "findings.json"); strings.Contains(got, left) || strings.Count(got, `"rule"`) != len(list) {
		t.Errorf("%s", got)
	}
}

// TestEqualMembersMakeEqualFiles: in a fixed order, without time stamps.
func TestEqualMembersMakeEqualFiles(t *testing.T) {
	dir := t.TempDir()
	var files [2][]byte
	for i := range files {
		record := perf.RunRecord{Kind: "feed", Settings: map[string]any{"batch_size": 2, "workers": 3, "seed": 4, "alice": 5}}
		members, err := Members(Facts{Version: "v1.2.3", Feed: &record, Store: sample{Rows: 2, Stages: map[string]int{"mel": 1, "text": 2}}})
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, string(rune('a'+i))+".zip")
		if err := Write(path, members); err != nil {
			t.Fatal(err)
		}
		if files[i], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("two bundles of the same facts differ")
	}
	z, err := zip.NewReader(bytes.NewReader(files[0]), int64(len(files[0])))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range z.File {
		names = append(names, f.Name)
		if !f.Modified.IsZero() && f.Modified.Year() > 1980 || len(f.Extra) > 0 || f.Comment != "" {
			t.Errorf("%s: %v, extra %x, comment %q", f.Name, f.Modified, f.Extra, f.Comment)
		}
	}
	if want := []string{"README.txt", "environment.json", "store.json", "feed.json", "findings.json", "findings.txt"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}

// TestList: what is listed is what is written.
func TestList(t *testing.T) {
	var b strings.Builder
	List(&b, "out of.zip", []Member{{"a.txt", make([]byte, 1500)}, {"b.txt", nil}})
	if want := "'out of.zip' would hold 2 files, 1.5 kB:\n  a.txt             1.5 kB\n  b.txt             0 bytes\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}
