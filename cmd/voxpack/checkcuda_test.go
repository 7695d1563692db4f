//go:build linux && (amd64 || arm64) && !nogpu

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"voxpack/gpufeed/fakecuda"
)

// TestCheckOverAFakeDriver: limits are held against the memory that a driver reports,
// of two GPUs and of one.
func TestCheckOverAFakeDriver(t *testing.T) {
	t.Parallel()
	cuda := fakecuda.Build(t)
	config := filepath.Join(t.TempDir(), "train.yaml")
	src := "data: {batch_size: 16, data_gpu: 0, model_gpu: 1, data_gpu_memory: 1, model_gpu_memory: 900000}\n"
	if err := os.WriteFile(config, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, devices string
		says          []string
	}{
		{"two GPUs", "2", []string{"ok      GPUs          data 0, model 1\n", "error   memory        model_gpu_memory allows 943.72 GB, and GPU 1 has\n", "2 GPUs\n"}},
		{"one GPU", "1", []string{"error   GPUs          model_gpu: there is no GPU 1 here; there is GPU 0\n", "1 GPU\n"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), program(t), "check", config)
			cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+cuda, "CUDA_VISIBLE_DEVICES=0,1", "FAKECUDA_DEVICES="+tt.devices)
			out, _ := cmd.Output() // findings end it with 1
			if cmd.ProcessState.ExitCode() != exitFindings {
				t.Errorf("exit code %d, want %d", cmd.ProcessState.ExitCode(), exitFindings)
			}
			for _, piece := range tt.says {
				if !strings.Contains(string(out), piece) {
					t.Errorf("no %q in\n%s", piece, out)
				}
			}
		})
	}
}
