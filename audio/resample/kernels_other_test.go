//go:build !amd64

package resample

import "testing"

// compareKernels has nothing to compare: the portable kernels are the only ones.
func compareKernels(*testing.T, *Resampler, []float32) {}
