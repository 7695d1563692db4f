package resample

import "golang.org/x/sys/cpu"

//go:generate go run ../internal/genvector -kernels resample -out kernels_amd64.s -stubs stubs_amd64.go -pkg resample

// resampleVectors says whether the kernels of kernels_amd64.s run here.
func resampleVectors() bool { return cpu.X86.HasAVX2 }

// sumRows makes dst[o] of row o of rows, taps long, and of the samples of x from at[o] - at[0] on.
func sumRows(dst, x, rows []float32, at []int32, taps int) {
	groups := len(dst) / rowSums
	if !resampleVectors() || groups*rowSums != len(dst) || groups == 0 {
		sumRowsPortable(dst, x, rows, at, taps)
		return
	}
	// What the kernel reads, checked once: at never falls.
	_, _ = x[int(at[len(dst)-1]-at[0])+taps-1], rows[len(dst)*taps-1]
	switch taps {
	case 8:
		sumRows8AVX2(&dst[0], &x[0], &rows[0], &at[0], groups, taps)
	case 16:
		sumRows16AVX2(&dst[0], &x[0], &rows[0], &at[0], groups, taps)
	default:
		sumRowsAVX2(&dst[0], &x[0], &rows[0], &at[0], groups, taps)
	}
}

// blendRows makes dst[o] of the samples of x from at[o] on and of a row between row[o] and the next,
// part[o] on the way.
func blendRows(dst, x, rows []float32, at, row []int32, part []float32, taps int) {
	groups := len(dst) / rowSums
	if !resampleVectors() || groups*rowSums != len(dst) || groups == 0 {
		blendRowsPortable(dst, x, rows, at, row, part, taps)
		return
	}
	_, _, _, _ = x[at[0]], x[int(at[len(dst)-1])+taps-1], row[len(dst)-1], part[len(dst)-1]
	switch taps {
	case 8:
		blendRows8AVX2(&dst[0], &x[0], &rows[0], &at[0], &row[0], &part[0], groups, taps)
	case 16:
		blendRows16AVX2(&dst[0], &x[0], &rows[0], &at[0], &row[0], &part[0], groups, taps)
	default:
		blendRowsAVX2(&dst[0], &x[0], &rows[0], &at[0], &row[0], &part[0], groups, taps)
	}
}

// planRows plans groups of 8 outputs.
func planRows(p *broadPlan, s *planStart, groups int) {
	if !resampleVectors() || groups == 0 {
		planRowsPortable(p, s, groups)
		return
	}
	_ = p.at[groups*rowSums-1]
	planRowsAVX2(&p.at[0], &p.row[0], &p.part[0], &s.phase[0], &s.at[0], &s.scale, groups, s.up, s.step, s.steps)
}

// spread takes n samples, a multiple of 8, into each lane of a; a lane's first sample is stride further
// than that of the lane before.
func spread(a, x []float32, stride, n int) {
	if !resampleVectors() {
		spreadPortable(a, x, stride, n)
		return
	}
	_, _ = a[(n-1)*point+lanes-1], x[(lanes-1)*stride+n-1]
	spreadAVX2(&a[0], &x[0], stride, n)
}

// collect is the way back from spread.
func collect(dst, a []float32, stride, n int) {
	if !resampleVectors() {
		collectPortable(dst, a, stride, n)
		return
	}
	_, _ = a[(n-1)*point+lanes-1], dst[(lanes-1)*stride+n-1]
	collectAVX2(&dst[0], &a[0], stride, n)
}

// forwardPass does one radix-4 pass over each of the blocks in a, as long as the twiddles say.
func forwardPass(a, twiddles []float32, blocks int) {
	if !resampleVectors() {
		forwardPassPortable(a, twiddles, blocks)
		return
	}
	quarter := len(twiddles) / 6
	_ = a[4*quarter*blocks*point-1]
	forwardPassAVX2(&a[0], &twiddles[0], quarter, blocks)
}

// inversePass undoes forwardPass but for a factor of 4.
func inversePass(a, twiddles []float32, blocks int) {
	if !resampleVectors() {
		inversePassPortable(a, twiddles, blocks)
		return
	}
	quarter := len(twiddles) / 6
	_ = a[4*quarter*blocks*point-1]
	inversePassAVX2(&a[0], &twiddles[0], quarter, blocks)
}

// fold ends the transform in a, filters, folds, and begins the way back in b.
func fold(b, a, response []float32) {
	if !resampleVectors() {
		foldPortable(b, a, response)
		return
	}
	n := len(response) / quarters
	_, _ = a[4*n*point-1], b[2*n*point-1]
	foldAVX2(&b[0], &a[0], &response[0], n)
}

// unfold ends the transform in b, repeats its bins, filters, and begins the way back in a.
func unfold(a, b, response []float32) {
	if !resampleVectors() {
		unfoldPortable(a, b, response)
		return
	}
	n := len(response) / quarters
	_, _ = a[4*n*point-1], b[2*n*point-1]
	unfoldAVX2(&a[0], &b[0], &response[0], n)
}
