package fakecuda

import (
	"os"
	"path/filepath"
	"testing"
)

// TestSignatures compiles the library against NVIDIA's own cuda.h, where a
// machine has one: a signature or a value that differs is an error then.
func TestSignatures(t *testing.T) {
	include := os.Getenv("VOXPACK_CUDA_INCLUDE")
	if include == "" {
		include = "/usr/local/cuda/include"
	}
	if _, err := os.Stat(filepath.Join(include, "cuda.h")); err != nil {
		t.Skipf("NOTICE: signatures were not compared with cuda.h (VOXPACK_CUDA_INCLUDE): %v", err)
	}
	err := withSources(func(dir string) error {
		return cc(dir, "-fsyntax-only", "-DFAKECUDA_HEADER=<cuda.h>", "-I"+include)
	})
	if err != nil {
		t.Error(err)
	}
}
