package audio

// preEmphasise replaces pcm by y[n] = x[n] - a x[n-1]. The sample before the first is 0, as in torch pipelines: librosa
// extrapolates it from the first two instead, which changes the first value only.
func preEmphasise(pcm []float32, a float64) {
	last := 0.0
	for i, v := range pcm {
		x := float64(v)
		pcm[i] = float32(x - float64(a*last))
		last = x
	}
}
