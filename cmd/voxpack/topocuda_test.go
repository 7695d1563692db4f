//go:build linux && (amd64 || arm64) && !nogpu

package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"voxpack/gpufeed/fakecuda"
)

// TestTopoOverAFakeDriver runs the program as it is, over libraries in C of two
// GPUs that stand at no place of this machine's.
func TestTopoOverAFakeDriver(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program over a driver in C; make test does")
	}
	t.Parallel()
	cuda, nvml := fakecuda.Build(t), fakecuda.BuildNVML(t)
	for _, tt := range []struct {
		name string
		env  []string
		says []string
	}{
		{"NVLink", []string{"FAKENVML_NVLINK=0"}, []string{"GPU 0     Fake GPU 0, 0000:01:00.0", "0    X   NV\n", "P2P       yes, between all", "best pair GPU 0 and GPU 1: NVLink, they write to each other"}},
		{"two sockets", []string{"FAKENVML_ANCESTOR=50"}, []string{"0    X  SYS\n", "best pair GPU 0 and GPU 1: SYS"}},
		{"no peer access", []string{"FAKENVML_P2P=1"}, []string{"P2P       no, between all", "measured  GPU 0 (data) cannot write to GPU 1 (model): each"}},
		{"one GPU", []string{"FAKECUDA_DEVICES=1"}, []string{"GPU 0     Fake GPU 0"}},
		{"NVML with another version than the driver", []string{"FAKENVML_INIT=18"}, []string{"P2P       yes, between all", "NVML does not answer: NVLink"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), program(t), "topo")
			cmd.Env = append(os.Environ(), append([]string{"LD_LIBRARY_PATH=" + cuda + ":" + nvml, "CUDA_VISIBLE_DEVICES=0,1"}, tt.env...)...)
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			for _, piece := range tt.says {
				if !strings.Contains(string(out), piece) {
					t.Errorf("no %q in\n%s", piece, out)
				}
			}
		})
	}
}
