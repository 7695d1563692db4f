package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"voxpack/internal/schematest"
)

// torchAnswers is a torch of which one setting is as wanted and others are not, and
// the command python -m voxpack tune --verify over it.
const torchAnswers = `
import sys
from types import SimpleNamespace as Has
from unittest.mock import MagicMock

sys.path.insert(0, "../../python")
sys.modules["numpy"] = MagicMock()  # which this part of the package does not need
from voxpack.settings.cores import usable
from voxpack.settings.page import main

no = lambda *_: False
sys.modules["torch"] = Has(
    __version__="0", get_num_threads=usable, set_num_threads=no, get_num_interop_threads=lambda: 99, set_num_interop_threads=no,
    get_float32_matmul_precision=lambda: "high", set_float32_matmul_precision=no, _C=Has(),
    cuda=Has(is_available=no, is_initialized=no, device_count=lambda: 0),
    backends=Has(cudnn=Has(benchmark=False), cuda=Has(matmul=Has(fp32_precision="tf32"), is_built=no)))
sys.exit(main(sys.argv[1:] + ["--framework", "torch", "--verify", "--json"]))
`

// TestReadbackKeepsItsSchema: what the Python package prints is what its schema says,
// with GPUs and without, and with differences of a config.
func TestReadbackKeepsItsSchema(t *testing.T) {
	if testing.Short() {
		t.Skip("starts Python with each framework")
	}
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	config := filepath.Join(t.TempDir(), "train.yaml")
	if err := os.WriteFile(config, []byte("data:\n  batch_size: 8\n  pad_to_fixed_length: false\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		args []string
		code int
	}{
		{"no GPU", []string{"--device", "host"}, 0},
		{"two GPUs that torch does not see", []string{"--device", "sim"}, 1},
		{"a config", []string{"--device", "host", "--config", config}, 1},
	} {
		cmd := exec.CommandContext(t.Context(), python, append([]string{"-B", "-c", torchAnswers}, tt.args...)...)
		cmd.Env = append(os.Environ(), "OMP_NUM_THREADS=", "LOCAL_WORLD_SIZE=")
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		exit := &exec.ExitError{}
		if code := cmd.ProcessState.ExitCode(); code != tt.code || err != nil && !errors.As(err, &exit) {
			t.Errorf("%s: exit code %d, %v, want %d: %s", tt.name, code, err, tt.code, out)
		}
		if err := schematest.Check("../../docs/schema/tune-verify.json", out); err != nil {
			t.Errorf("%s: %v\n%s", tt.name, err, out)
		}
	}
}
