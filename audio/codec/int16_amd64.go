package codec

import "golang.org/x/sys/cpu"

//go:generate go run ../internal/genvector -kernels int16 -out int16_amd64.s

// convertQuickly converts as many of the first samples as vectors can, and says how many these are.
func convertQuickly(dst []float32, raw []byte) int {
	n := len(dst) / 16
	if n == 0 || !cpu.X86.HasAVX2 {
		return 0
	}
	convert8(&dst[0], &raw[0], n)
	return 16 * n
}

// convert8 converts n times 16 samples; internal/genvector writes it.
//
//go:noescape
func convert8(dst *float32, src *byte, n int)
