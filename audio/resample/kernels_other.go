//go:build !amd64

package resample

func sumRows(dst, x, rows []float32, at []int32, taps int) { sumRowsPortable(dst, x, rows, at, taps) }

func blendRows(dst, x, rows []float32, at, row []int32, part []float32, taps int) {
	blendRowsPortable(dst, x, rows, at, row, part, taps)
}

func planRows(p *broadPlan, s *planStart, groups int) { planRowsPortable(p, s, groups) }

func spread(a, x []float32, stride, n int)    { spreadPortable(a, x, stride, n) }
func collect(dst, a []float32, stride, n int) { collectPortable(dst, a, stride, n) }

func forwardPass(a, twiddles []float32, blocks int) { forwardPassPortable(a, twiddles, blocks) }
func inversePass(a, twiddles []float32, blocks int) { inversePassPortable(a, twiddles, blocks) }
func fold(b, a, response []float32)                 { foldPortable(b, a, response) }
func unfold(a, b, response []float32)               { unfoldPortable(a, b, response) }
