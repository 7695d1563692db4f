//go:build !amd64

package codec

func convertQuickly([]float32, []byte) int { return 0 }

func vectorsFLAC() bool { return false }

func (s *flacStream) restoreQuickly([]int64, int, int, uint, *flacPredictor) int {
	panic("no vectors here")
}

func narrowQuickly([]byte, []int64) (int, uint64) { return 0, 0 }

func foldQuickly(*[64]byte, []byte) int { return 0 }

func lanesMD5() int { return 0 }

func digest([]uint32, []*byte, int) { panic("no vectors here") }

func vectorsMP3() bool { return false }

func (d *mp3Decoder) subbandsQuickly(*mp3Granule, int, int) int { panic("no vectors here") }

func matrixQuickly(*[64]float64, *[16][32]float64, *[32]float64) { panic("no vectors here") }

func weighQuickly(*[32]float64, *[16][64]float64, *[512]float64, int) { panic("no vectors here") }

func vectorsVorbis() bool { return false }

func (t *imdct) transformQuickly([]float32) { panic("no vectors here") }

func meanQuickly([]float32, []float64, int) (int, bool) { return 0, true }

func lapIn(sum, tail, u, slope *float64, h int) { panic("no vectors here") }

func lapOut(tail, u, slope *float64, h int) { panic("no vectors here") }
