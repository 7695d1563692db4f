//go:build !amd64

package codec

func convertQuickly([]float32, []byte) int { return 0 }

func vectorsMP3() bool { return false }

func cosines16(*[32]float64, *[16][32]float64, *[32]float64) { panic("no vectors here") }

func cosines18(*[20]float64, *[18][20]float64, *[18]float64) { panic("no vectors here") }

func weigh(*[32]float64, *[16][64]float64, *[512]float64, int) { panic("no vectors here") }
