//go:build !amd64

package codec

func convertQuickly([]float32, []byte) int { return 0 }
