//go:build linux && (amd64 || arm64) && !nogpu

package nvml

import (
	"path/filepath"
	"testing"

	"voxpack/gpufeed/fakecuda"
)

const (
	bus0 = "0000:01:00.0"
	bus1 = "0000:02:00.0"
)

// fake loads the library in C with an environment of names and values.
func fake(t testing.TB, env ...string) *NVML {
	t.Helper()
	dir := fakecuda.BuildNVML(t)
	for i := 0; i < len(env); i += 2 {
		t.Setenv("FAKENVML_"+env[i], env[i+1])
	}
	n, err := Load(filepath.Join(dir, "libnvidia-ml.so.1"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := n.Close(); err != nil {
			t.Error(err)
		}
	})
	return n
}

func device(t testing.TB, n *NVML, bus string) Device {
	t.Helper()
	d, err := n.Device(bus)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
