//go:build !amd64

package audio

// vector32 is the vector code, which this machine does not have.
type vector32 struct{}

// Float32View is a column's stored bytes as values, for features that are computed in their place;
// false where the machine stores numbers in another way or the bytes lie across words.
func Float32View([]byte) ([]float32, bool) { return nil, false }

func newVector32(*engine32) *vector32 { return nil }

func (*vector32) rows(*engine32, []float32, clip, int) {}
