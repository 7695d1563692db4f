//go:build !amd64

package audio

// vector32 is the vector code, which this machine does not have.
type vector32 struct{}

func convertQuickly([]float32, []byte) int { return 0 }

func newVector32(*engine32) *vector32 { return nil }

func (*vector32) rows(*engine32, []float32, []float32, int) {}
