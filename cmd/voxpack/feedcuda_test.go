//go:build !nogpu

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"voxpack/cmd/voxpack/internal/feedrun"
	"voxpack/compiler"
	"voxpack/gpufeed/fakecuda"
)

// TestFeedOverAFakeDriver runs the program as it is, over a libcuda.so.1 in C:
// what a fault of the driver becomes for who types the command, and that what
// was taken of it is given back.
func TestFeedOverAFakeDriver(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program over a driver in C; make test does")
	}
	t.Parallel()
	library := fakecuda.Build(t)
	dataset := builtDataset(t)
	records := filepath.Join(dataset, compiler.StoreName, feedrun.RecordsName)
	kept := names(records) // that of the build
	for _, tt := range []struct {
		name   string
		env    []string
		args   []string
		code   int
		stdout string
		stderr string
	}{
		{"auto takes the GPUs", nil, nil, 0, "device    GPU 0 (data), Fake GPU 0: ", ""},
		{"the samples stay on the data GPU", nil, []string{"--epochs", "5"}, 0, "cache     2.6 MB of 2.6 MB in use on GPU 0", ""},
		{"one GPU", []string{"FAKECUDA_DEVICES=1"}, nil, 0, "device    GPU 0 (model), Fake GPU 0: ", ""},
		{"no GPU: auto stays on the host", []string{"CUDA_VISIBLE_DEVICES="}, nil, 0, "device    host", "note: batches stay on the host: "},
		{"no GPU: cuda is an error", []string{"CUDA_VISIBLE_DEVICES="}, []string{"--device", "cuda"}, exitEnvironment, "", "voxpack: --device cuda: "},
		{"a GPU that is not there", nil, []string{"--model-gpu", "5"}, exitUsage, "", "--model-gpu 5: there is no such GPU; there are 0 to 1"},
		{"a limit below one batch", nil, []string{"--model-gpu", "0", "--model-gpu-memory", "1", "--batch-size", "5"}, exitEnvironment, "", "or raise --model-gpu-memory"},
		{"a device lost in the middle", []string{"FAKECUDA_ECC_COPY=9"}, []string{"--epochs", "50"}, exitEnvironment, ", failed", "CUDA_ERROR_ECC_UNCORRECTABLE"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			report := filepath.Join(t.TempDir(), "counters")
			cmd := exec.CommandContext(t.Context(), program(t), append([]string{"feed", dataset, "--batch-size", "2", "--record", "none"}, tt.args...)...)
			cmd.Env = append(os.Environ(), append([]string{"LD_LIBRARY_PATH=" + library, "FAKECUDA_REPORT=" + report, "CUDA_VISIBLE_DEVICES=0,1"}, tt.env...)...)
			var stdout, stderr strings.Builder
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			err := cmd.Run()
			var ended *exec.ExitError
			if err != nil && !errors.As(err, &ended) {
				t.Fatal(err)
			}
			if got := cmd.ProcessState.ExitCode(); got != tt.code {
				t.Errorf("exit code %d, want %d", got, tt.code)
			}
			if !strings.Contains(stdout.String(), tt.stdout) || !strings.Contains(stderr.String(), tt.stderr) {
				t.Errorf("printed %q and %q, want %q and %q in them", stdout.String(), stderr.String(), tt.stdout, tt.stderr)
			}
			if _, err := os.Stat(report); err != nil || tt.code == exitEnvironment && tt.stdout != "" {
				return // no driver was used, or what it had is lost with the device
			}
			for name, n := range fakecuda.Report(t, report) {
				if n != 0 && (strings.HasPrefix(name, "live_") || name == "contexts" || name == "pinned_ranges") {
					t.Errorf("%d %s were not given back", n, name)
				}
			}
		})
	}
	if now := names(records); !slices.Equal(now, kept) {
		t.Errorf("--record none kept a record: %q, there were %q", now, kept)
	}
}
