package fakecuda

import (
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

//go:embed nvml.c
var nvmlSource []byte

// BuildNVML compiles the libnvidia-ml.so.1 of nvml.c, whose first lines list
// what the environment can ask of it, and gives the folder where it lies until
// the test ends. Its devices stand where those of the libcuda.so.1 do. Each
// build is a library of its own to the dynamic loader. Without Linux or a C
// compiler the test is skipped.
func BuildNVML(t testing.TB) (dir string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skipf("NOTICE: no libnvidia-ml.so.1 on %s", runtime.GOOS)
	}
	compiler, err := exec.LookPath("cc")
	if err != nil {
		t.Skipf("NOTICE: no C compiler, NVML is not tested: %v", err)
	}
	dir = t.TempDir()
	source := filepath.Join(dir, "nvml.c")
	if err := os.WriteFile(source, nvmlSource, 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(compiler, "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-pthread",
		"-o", filepath.Join(dir, "libnvidia-ml.so.1"), source)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	return dir
}
