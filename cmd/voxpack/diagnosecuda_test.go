//go:build linux && (amd64 || arm64) && !nogpu

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"voxpack/gpufeed/fakecuda"
	"voxpack/internal/schematest"
)

// diagnosedAs is what a test reads of diagnose --json.
type diagnosedAs struct {
	Devices *struct {
		Driver string
		CUDA   int
		NVML   bool
		GPUs   []struct{ Name string }
	}
	Store, Speed, Config *struct{}
	Live                 struct {
		GPUs []struct {
			Busy *int
			Used *int64 `json:"memory_used_bytes"`
		}
	}
	Findings []struct{ State, Rule, Cause string }
	Unseen   []struct{ What, Text string }
}

// diagnosedBy runs the program as it is, and holds what it prints to the schema.
func diagnosedBy(t *testing.T, cmd *exec.Cmd) (d diagnosedAs, code int) {
	t.Helper()
	out, err := cmd.Output()
	if code = cmd.ProcessState.ExitCode(); code > exitFindings {
		t.Fatalf("%v: %s", err, out)
	}
	if err := schematest.Check(filepath.Join("..", "..", "docs", "schema", "diagnose.json"), out); err != nil {
		t.Errorf("%v in\n%s", err, out)
	}
	if err := json.Unmarshal(out, &d); err != nil {
		t.Fatal(err)
	}
	return d, code
}

// TestDiagnoseOverAFakeDriver: over libraries in C of two GPUs; with a driver that
// does not serve the rest is told all the same.
func TestDiagnoseOverAFakeDriver(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program over a driver in C; make test does")
	}
	t.Parallel()
	dataset := builtDataset(t)
	cuda, nvml := fakecuda.Build(t), fakecuda.BuildNVML(t)
	old := fakecuda.Build(t, "cuMemcpyPeerAsync")
	for _, tt := range []struct {
		name   string
		paths  string // LD_LIBRARY_PATH
		env    []string
		gpus   int
		nvml   bool
		rules  []string
		causes string // a piece of the first finding
		unseen string // a piece of what could not be seen
	}{
		{"two GPUs", cuda + ":" + nvml, nil, 2, true, nil, "", ""},
		{"one GPU", cuda + ":" + nvml, []string{"FAKECUDA_DEVICES=1", "CUDA_VISIBLE_DEVICES=0"}, 1, true, nil, "", ""},
		{"no NVML", cuda, nil, 2, false, nil, "", "NVML does not answer"},
		{"NVML with another version than the driver", cuda + ":" + nvml, []string{"FAKENVML_INIT=18"}, 2, false, nil, "", "restart the machine"},
		{"no permission to ask NVML", cuda + ":" + nvml, []string{"FAKENVML_INIT=4"}, 2, false, nil, "", "may not read the device"},
		{"no peer access", cuda + ":" + nvml, []string{"FAKENVML_P2P=1"}, 2, true, []string{"no-peer"}, "cannot write to GPU 1", ""},
		{"a driver that lacks a function", old + ":" + nvml, nil, 0, false, []string{"driver"}, "the NVIDIA driver is too old", "no driver answers"},
		{"a driver of another version than its kernel module", cuda + ":" + nvml, []string{"FAKECUDA_INIT=803"}, 0, false, []string{"driver"}, "restart the machine", "no driver answers"},
		{"a driver without a GPU", cuda + ":" + nvml, []string{"FAKECUDA_INIT=100"}, 0, false, nil, "", "no GPU for it"},
		{"none", "", nil, 0, false, nil, "", "libcuda.so.1 not found"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			args := []string{"diagnose", dataset, "-q", "--json"}
			if tt.gpus > 0 {
				args = append(args, "--quick") // speed depends on no GPU
			}
			cmd := exec.CommandContext(t.Context(), program(t), args...)
			cmd.Env = append(os.Environ(), append([]string{"LD_LIBRARY_PATH=" + tt.paths, "CUDA_VISIBLE_DEVICES=0,1",
				"FAKENVML_UTIL=30;90", "FAKENVML_MEM_MB=100;200"}, tt.env...)...)
			got, code := diagnosedBy(t, cmd)
			if got.Devices == nil || len(got.Devices.GPUs) != tt.gpus || got.Devices.NVML != tt.nvml || (tt.gpus > 0) != (got.Devices.CUDA == 12090) {
				t.Errorf("devices %+v", got.Devices)
			}
			if got.Store == nil || (got.Speed == nil) != (tt.gpus > 0) {
				t.Error("the store or the speed is not told")
			}
			if n := len(got.Live.GPUs); tt.nvml && (n != tt.gpus || *got.Live.GPUs[n-1].Busy != []int{30, 90}[n-1] || *got.Live.GPUs[0].Used != 100<<20) || !tt.nvml && n > 0 {
				t.Errorf("now: %+v", got.Live.GPUs)
			}
			var rules []string
			for _, f := range got.Findings {
				if f.State == "error" {
					rules = append(rules, f.Rule)
				}
			}
			if !slices.Equal(rules, tt.rules) || len(rules) > 0 && !strings.Contains(got.Findings[0].Cause, tt.causes) || (code == exitFindings) != (len(rules) > 0) {
				t.Errorf("code %d, findings %+v, want %q", code, got.Findings, tt.rules)
			}
			seen := false
			for _, u := range got.Unseen {
				seen = seen || strings.Contains(u.Text, tt.unseen)
			}
			if !seen && tt.unseen != "" {
				t.Errorf("unseen %+v, want %q", got.Unseen, tt.unseen)
			}
		})
	}
}

// TestDiagnoseOverADriverThatWasNamed: one that does not serve ends the command; auto
// goes on without.
func TestDiagnoseOverADriverThatWasNamed(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), program(t), "diagnose", "--quick", "--device", "cuda")
	cmd.Dir, cmd.Env = t.TempDir(), append(os.Environ(), "LD_LIBRARY_PATH="+fakecuda.Build(t, "cuMemcpyPeerAsync"))
	out, err := cmd.CombinedOutput()
	if code := cmd.ProcessState.ExitCode(); code != exitEnvironment || !strings.Contains(string(out), "the NVIDIA driver is too old") {
		t.Errorf("code %d, %v: %s", code, err, out)
	}
}
