package codec

import "golang.org/x/sys/cpu"

//go:generate go run ../internal/genvector -kernels int16 -out int16_amd64.s
//go:generate go run ../internal/genvector -kernels mp3 -out mp3_amd64.s

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

// vectorsMP3 reports whether the vector code of the transforms runs here. It has the bits of the portable
// one; internal/genvector writes it and says what each function does.
func vectorsMP3() bool { return cpu.X86.HasAVX2 }

//go:noescape
func cosines16(dst *[32]float64, table *[16][32]float64, x *[32]float64)

//go:noescape
func cosines18(dst *[20]float64, table *[18][20]float64, x *[18]float64)

//go:noescape
func weigh(sum *[32]float64, ring *[16][64]float64, window *[512]float64, slot int)
