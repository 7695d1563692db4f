//go:build linux && amd64 && !nogpu

package cuda

import (
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"voxpack/gpufeed/driver"
	"voxpack/gpufeed/fakecuda"
)

// newer are the functions that drivers before CUDA 12.8 and 12.9 lack.
var newer = []string{"cuMemcpyBatchAsync", "cuEventElapsedTime_v2"}

// realDrivers are NVIDIA's own libraries in the folder VOXPACK_DRIVERS, which
// make driver-names fills.
func realDrivers(t *testing.T, name string) (files []string) {
	t.Helper()
	folder := os.Getenv("VOXPACK_DRIVERS")
	if folder == "" {
		t.Skip("NOTICE: VOXPACK_DRIVERS is not set: names are not compared with NVIDIA's libraries (make driver-names)")
	}
	files, err := filepath.Glob(filepath.Join(folder, name+".so.*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no %s in VOXPACK_DRIVERS=%s: %v", name, folder, err)
	}
	return files
}

// exports are the functions that a library has.
func exports(t *testing.T, file string) map[string]bool {
	t.Helper()
	f, err := elf.Open(file)
	must(t, err)
	defer f.Close()
	names := map[string]bool{}
	for _, s := range had[[]elf.Symbol](t)(f.DynamicSymbols()) {
		if s.Section != elf.SHN_UNDEF {
			names[s.Name] = true
		}
	}
	return names
}

// bound are the names that files look up: in quotes, or as Python's attributes.
func bound(t *testing.T, prefix string, files ...string) (names []string) {
	t.Helper()
	looked := regexp.MustCompile(`(startswith\()?(?:"|\.)(` + prefix + `[A-Z]\w*)["(]`)
	for _, file := range files {
		text := had[[]byte](t)(os.ReadFile(filepath.Join("..", "..", file)))
		found := looked.FindAllSubmatch(text, -1)
		if len(found) == 0 {
			t.Errorf("%s binds no %s function", file, prefix)
		}
		for _, m := range found {
			if len(m[1]) == 0 { // else the beginning of some
				names = append(names, string(m[2]))
			}
		}
	}
	return names
}

// TestRealDriversExportWhatIsBound: every function that the program, the Python
// package and the checks for a GPU look up is in NVIDIA's own libraries, of the
// first version that serves to a late one.
func TestRealDriversExportWhatIsBound(t *testing.T) {
	for _, tt := range []struct {
		library, prefix string
		files           []string
	}{
		{"libcuda", "cu", []string{"gpufeed/cuda/library.go", "python/voxpack/cuda.py",
			"bench/gpu/nvidia.py", "bench/gpu/raw.py", "bench/gpu/streams.py", "bench/gpu/consumer.py", "bench/gpu/kernels.py"}},
		{"libnvidia-ml", "nvml", []string{"gpufeed/nvml/library.go", "bench/gpu/nvidia.py"}},
	} {
		names := bound(t, tt.prefix, tt.files...)
		slices.Sort(names)
		names = slices.Compact(names)
		for _, file := range realDrivers(t, tt.library) {
			has := exports(t, file)
			for _, name := range names {
				if !has[name] && !slices.Contains(newer, name) {
					t.Errorf("%s has no %s", filepath.Base(file), name)
				}
			}
			t.Logf("%s: %d names", filepath.Base(file), len(names))
		}
	}
}

// TestRealDriversLoad: each of NVIDIA's libraries starts in a process without a
// GPU, and says in words that there is none.
func TestRealDriversLoad(t *testing.T) {
	if file := fakecuda.Child(); file != "" {
		_, err := Load(file)
		e := refusal(t, err)
		fmt.Printf("code %d, no driver: %v\n", e.Code, errors.Is(err, driver.ErrNoDriver))
		return
	}
	for _, file := range realDrivers(t, "libcuda") {
		out := fakecuda.Run(t, file, nil, "TestRealDriversLoad")
		var code int
		if _, err := fmt.Sscanf(out, "code %d, no driver: true", &code); err != nil || code != 100 && code != 0 {
			t.Errorf("%s: %q, want code 100", filepath.Base(file), out)
		}
	}
}
