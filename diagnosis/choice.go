package diagnosis

// Choice is one GPU or two, with batches loaded ahead in both.
type Choice struct {
	GPUs  int          `json:"gpus"`
	Why   ChoiceReason `json:"why"`
	OneMS float64      `json:"one_ms"` // the step of one GPU, without the data GPU's stages
	// The step of one GPU that preprocesses too, between its steps of training.
	OneAndPreprocessMS float64 `json:"one_and_preprocess_ms"`
	TwoMS              float64 `json:"two_ms"`
}

// ChoiceReason says why.
type ChoiceReason string

// The reasons.
const (
	Offloads ChoiceReason = "offloads" // two: the second takes preprocessing off the one that trains
	Overlaps ChoiceReason = "overlaps" // one: loading ahead brings the same, without a second GPU
	Slower   ChoiceReason = "slower"   // one: the stages of the second GPU are the longest
)

// fewPercent is the gain under which a second GPU is not worth it: less is lost
// in what runs vary by.
const fewPercent = 0.02

// choose compares the two. Preprocessing counts for one GPU as long as nobody
// says that it is there for the second GPU alone.
func (w Work) choose() Choice {
	c := Choice{GPUs: 1, OneMS: w.step(SingleAhead).StepMS, OneAndPreprocessMS: w.onOneGPU(), TwoMS: w.step(DualAsync).StepMS}
	switch {
	case c.TwoMS < c.OneAndPreprocessMS*(1-fewPercent):
		c.GPUs, c.Why = 2, Offloads
	case c.TwoMS > c.OneAndPreprocessMS*(1+fewPercent):
		c.Why = Slower
	default:
		c.Why = Overlaps
	}
	return c
}

// onOneGPU is the step of one GPU that preprocesses too. It does one thing after
// the other; loading and copying go on beside it.
func (w Work) onOneGPU() float64 {
	_, most := w.only(func(s Stage) bool { return s == Load || s == Copy }).longest()
	gpu := 0.0
	for _, t := range w.Stages {
		if t.Stage == Preprocess || t.Stage == Train {
			gpu += t.period()
		}
	}
	return max(most, gpu)
}
