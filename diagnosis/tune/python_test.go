package tune

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"voxpack/internal/perf"
)

// pythons is what python/voxpack/settings would set.
type pythons struct {
	Torch, TensorFlow map[string]string
	Growth, Allocator string
}

// askPython asks about machines by their GPUs.
func askPython(t *testing.T, cores int, machines [][]GPU) []pythons {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	args := []string{"-B", "testdata/settings.py", "../../python/voxpack", strconv.Itoa(cores)}
	for _, gpus := range machines {
		var list []string
		for _, g := range gpus {
			list = append(list, strconv.Itoa(g.Major)+"."+strconv.Itoa(g.Minor))
		}
		args = append(args, strings.Join(list, ","))
	}
	cmd := exec.Command(python, args...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")} // no variable of a trainer
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	got := make([]pythons, len(machines))
	lines := json.NewDecoder(bytes.NewReader(out))
	for i := range got {
		if err := lines.Decode(&got[i]); err != nil {
			t.Fatal(err)
		}
	}
	return got
}

// TestPythonSetsTheSame: where tune and voxpack.settings speak of the same thing, a
// trainer that follows one finds nothing that the other would change.
func TestPythonSetsTheSame(t *testing.T) {
	names := []string{"no GPU", "before tensor cores", "the first with them", "bfloat16", "the oldest decides", "two new ones"}
	machines := [][]GPU{
		nil, {{Major: 6, Minor: 1}}, {{Major: 7, Minor: 0}}, {{Major: 8, Minor: 0}},
		{{Major: 9, Minor: 0}, {Number: 1, Major: 7, Minor: 5}}, {{Major: 9, Minor: 0}, {Number: 1, Major: 10, Minor: 0}},
	}
	for i, python := range askPython(t, 6, machines) {
		name, gpus := names[i], machines[i]
		a := New(Facts{Cores: perf.Cores{Allowed: 6}, Processes: 1, GPUs: gpus}, AnyFramework)
		if got := valueOf(a, "OMP_NUM_THREADS"); got != python.Torch["threads"] {
			t.Errorf("%s: OMP_NUM_THREADS=%s, Python sets %s threads", name, got, python.Torch["threads"])
		}
		const device = "cuda"
		if gpus == nil { // Python knows that there is none; tune only that it sees none
			for _, name := range []string{"autocast", "policy", "mixed_precision"} {
				if got := valueOf(a, name); got != "" {
					t.Errorf("%s: %s %s, want nothing", name, name, got)
				}
			}
			continue
		}
		want := map[string]string{"off": "float32", "float16 on " + device: "mixed_float16", "bfloat16 on " + device: "mixed_bfloat16"}[python.Torch["autocast"]]
		if got := valueOf(a, "autocast"); got != want {
			t.Errorf("%s: autocast %s, Python sets %s", name, got, python.Torch["autocast"])
		}
		if got := valueOf(a, "policy"); got != python.TensorFlow["policy"] {
			t.Errorf("%s: policy %s, Python sets %s", name, got, python.TensorFlow["policy"])
		}
		if got := valueOf(a, "mixed_precision"); got != strconv.FormatBool(python.TensorFlow["policy"] != "float32") {
			t.Errorf("%s: mixed_precision %s, Python sets the policy %s", name, got, python.TensorFlow["policy"])
		}
		if got := valueOf(a, "enable_xla"); got != "true" || python.TensorFlow["xla"] != "autoclustering" {
			t.Errorf("%s: enable_xla %s, Python sets %q", name, got, python.TensorFlow["xla"])
		}
		if got := valueOf(a, python.Growth); got != "true" || python.TensorFlow["memory_growth[0]"] != "True" {
			t.Errorf("%s: %s=%s, Python sets %s", name, python.Growth, got, python.TensorFlow["memory_growth[0]"])
		}
		allocator := item(a, "PYTORCH_ALLOC_CONF")
		if allocator.Value != "expandable_segments:"+python.Torch["expandable_segments"] || allocator.Older != python.Allocator {
			t.Errorf("%s: %+v, Python sets %s in %s", name, allocator, python.Torch["expandable_segments"], python.Allocator)
		}
	}
}

// item is that of a name, in the environment or among the settings.
func item(a Advice, name string) Item {
	for _, i := range append(append([]Item{}, a.Environment...), a.Settings...) {
		if i.Name == name {
			return i
		}
	}
	return Item{}
}

// valueOf is the value of one item as text, "" where there is none.
func valueOf(a Advice, name string) string {
	switch v := item(a, name).Value.(type) {
	case string:
		return v
	case int:
		return strconv.Itoa(v)
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

func TestTheTablesAreComplete(t *testing.T) {
	for _, v := range variables {
		if v.name == "" || v.why == "" || v.rule == "" || v.source == "" || v.basis == "" || v.value == nil {
			t.Errorf("%+v: a column is empty", v)
		}
	}
	for _, s := range settings {
		if s.name == "" || s.place == "" || s.rule == "" || s.source == "" || s.find == nil {
			t.Errorf("%+v: a column is empty", s)
		}
		if (s.place == InFlag) != (s.flag != "") && s.place == InFlag || strings.HasPrefix(s.flag, "-") != (s.flag != "") {
			t.Errorf("%s: flag %q", s.name, s.flag)
		}
	}
}
