//go:build linux && (amd64 || arm64) && !nogpu

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"testing"

	"voxpack/gpufeed/fakecuda"
)

// TestProfileOverAFakeDriver runs the program as it is, over libraries in C of two
// GPUs: it says that they are fakes, and what NVML tells of them, or that it does
// not.
func TestProfileOverAFakeDriver(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program over a driver in C; make test does")
	}
	t.Parallel()
	dataset := builtDataset(t)
	cuda, nvml := fakecuda.Build(t), fakecuda.BuildNVML(t)
	for _, tt := range []struct {
		name string
		env  []string
		gpus int
		nvml bool

		shared float64 // percent that another process takes of the busiest
	}{
		{"two GPUs", nil, 2, true, 90},
		{"one GPU", []string{"FAKECUDA_DEVICES=1", "CUDA_VISIBLE_DEVICES=0"}, 1, true, 30},
		{"two GPUs that nobody else uses", []string{"FAKENVML_UTIL=0,30;10,90"}, 2, true, 0},
		{"NVML with another version than the driver", []string{"FAKENVML_INIT=18"}, 2, false, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), program(t), "profile", dataset, "--batch-size", "2", "--step-ms", "5", "--num-steps", "50", "-q", "--json")
			cmd.Env = append(os.Environ(), append([]string{"LD_LIBRARY_PATH=" + cuda + ":" + nvml, "CUDA_VISIBLE_DEVICES=0,1",
				"FAKENVML_UTIL=30;90", "FAKENVML_MEM_MB=100;200"}, tt.env...)...)
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			var got struct {
				Measured string
				Devices  []struct {
					Utilisation *float64
					UtilStd     *float64 `json:"utilisation_std"`
					MeanMB      *float64 `json:"memory_mean_mb"`
				}
				Unseen   []struct{ What string }
				Findings []struct {
					Rule   string
					Number float64
				}
			}
			if err := json.Unmarshal(out, &got); err != nil {
				t.Fatal(err)
			}
			if got.Measured != "fake" || len(got.Devices) != tt.gpus {
				t.Fatalf("measured on %q, %d GPUs, want fake, %d", got.Measured, len(got.Devices), tt.gpus)
			}
			for i, d := range got.Devices {
				if seen := d.Utilisation != nil && d.UtilStd != nil && d.MeanMB != nil; seen != tt.nvml {
					t.Errorf("GPU %d: %s", i, out)
				} else if seen && (*d.Utilisation != []float64{30, 90}[i] || *d.UtilStd != 0) {
					t.Errorf("GPU %d: busy %v ± %v %%", i, *d.Utilisation, *d.UtilStd)
				}
			}
			var busy float64 // that another process makes a GPU, by the finding
			for _, f := range got.Findings {
				if f.Rule == "gpu-shared" {
					busy = f.Number
				}
			}
			if busy != tt.shared {
				t.Errorf("another process is seen at %v %%, want %v: %+v", busy, tt.shared, got.Findings)
			}
			if unseen := len(got.Unseen) > 0 && got.Unseen[0].What == "nvml"; unseen == tt.nvml {
				t.Errorf("unseen %+v", got.Unseen)
			}
		})
	}
}
