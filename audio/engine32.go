package audio

// engine32 computes frames in float32: by vectors, as many frames at once as a register has lanes,
// where the machine can, else one frame after the other. Both give the same bits.
type engine32 struct {
	spectral
	plan    *plan32
	window  []float32 // nfft values, halved
	weights []float32 // of all bands
	spans   []span32
	vector  *vector32 // nil: this machine has no kernel
	block   []float32 // a frame that reaches over an end of the clip

	// Of the portable code.
	both, single []bins32 // the plan's
	bank         bank32
	points       []float32
	bin          []float32
}

// newEngine32 rounds window and weights of the float64 tables to float32, once.
func newEngine32(s spectral) *engine32 {
	e := &engine32{spectral: s, plan: newPlan32(s.nfft, s.lo, s.hi), block: make([]float32, s.nfft)}
	for _, w := range s.window() {
		e.window = append(e.window, float32(w))
	}
	for _, b := range s.bands {
		e.spans = append(e.spans, span32{int32(b.first - s.lo), int32(len(e.weights)), int32(len(b.weights))})
		for _, w := range b.weights {
			e.weights = append(e.weights, float32(w))
		}
	}
	if e.vector = newVector32(e); e.vector == nil {
		e.both, e.single, e.bank = bins32s(e.plan.both), bins32s(e.plan.single), newBank32(e.weights, e.spans)
		e.points, e.bin = make([]float32, s.nfft), make([]float32, e.plan.bins)
	}
	return e
}

func (e *engine32) rows(dst, pcm []float32, n int) {
	if e.vector != nil {
		e.vector.rows(e, dst, clip{pcm: pcm}, n)
		return
	}
	w := e.width()
	for f := range n {
		block, start := e.block, f*e.hop-e.pad
		if start >= 0 && start+e.nfft <= len(pcm) {
			block = pcm[start:][:e.nfft]
		} else {
			e.read(block, clip{pcm: pcm}, start)
		}
		e.frame(dst[f*w:][:w], block)
	}
}

// frame is the portable code for one block of nfft samples.
func (e *engine32) frame(dst, block []float32) {
	e.plan.run(e.points, block, e.window)
	e.spectrum(e.bin, e.points)
	bin := e.bin[:e.hi-e.lo]
	if e.bands == nil {
		copy(dst, bin)
		return
	}
	e.bank.sum(dst, bin)
	if e.floor > 0 {
		log32(dst, float32(e.floor), float32(e.add))
	}
}
