package diagnosis

import "slices"

// WithFixed is the work with the part of each stage that does not grow with the
// batch, by what the stage took for batches of several sizes: where the straight line
// that is nearest to them meets a batch of nothing. Of one size nothing is known.
func (w Work) WithFixed(sizes []Work) Work {
	w.Stages = slices.Clone(w.Stages)
	for i, t := range w.Stages {
		var batches, times []float64
		for _, s := range sizes {
			if s.has(t.Stage) && s.Batch > 0 {
				batches, times = append(batches, float64(s.Batch)), append(times, s.stage(t.Stage).MS)
			}
		}
		if fixed, known := intercept(batches, times); known {
			w.Stages[i].FixedMS = min(max(fixed, 0), t.MS)
		}
	}
	return w
}

// intercept is where the line of least squares through points meets x = 0; false
// where all points have one x.
func intercept(x, y []float64) (float64, bool) {
	var meanX, meanY, xx, xy float64
	for i := range x {
		meanX, meanY = meanX+x[i]/float64(len(x)), meanY+y[i]/float64(len(x))
	}
	for i := range x {
		xx, xy = xx+(x[i]-meanX)*(x[i]-meanX), xy+(x[i]-meanX)*(y[i]-meanY)
	}
	if xx == 0 {
		return 0, false
	}
	return meanY - xy/xx*meanX, true
}
