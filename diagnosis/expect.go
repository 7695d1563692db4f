package diagnosis

import "slices"

// Expected is how busy the GPU that trains can be, by the times of stages and by
// how a config lets them follow each other.
type Expected struct {
	Mode    Mode     `json:"mode"`
	StepMS  *float64 `json:"step_ms"`     // null: not known
	Busy    *float64 `json:"utilisation"` // of the GPU that trains, 0 to 1, at most; null: not known
	Data    *float64 `json:"data_gpu_utilisation"`
	Bound   Stage    `json:"bound"`   // "": not known
	Missing []Stage  `json:"missing"` // stages that would have to be measured
}

// Expect works out what times of stages lead to with a config. Without those of
// load and train nothing can be said; a stage of the data GPU that is missing makes
// the figure a bound.
func Expect(c *Config, w Work) (Expected, error) {
	e := Expected{Mode: c.Mode(), Missing: []Stage{}}
	want := []Stage{Load, Train}
	if c.dual() {
		want = []Stage{Load, Preprocess, Transfer, Train}
	}
	ms := map[Stage]float64{}
	for _, t := range w.Stages {
		ms[t.Stage] = t.MS
	}
	for _, s := range want {
		if _, given := ms[s]; !given {
			e.Missing = append(e.Missing, s)
		}
	}
	if slices.Contains(e.Missing, Load) || slices.Contains(e.Missing, Train) {
		return e, nil
	}
	if err := w.Check(); err != nil {
		return e, err
	}
	m := w.step(e.Mode)
	e.StepMS, e.Bound = &m.StepMS, m.Bound
	if m.StepMS > 0 {
		e.Busy = gain(ms[Train] / m.StepMS)
		if t, given := ms[Preprocess]; given && c.dual() {
			e.Data = gain(t / m.StepMS)
		}
	}
	return e, nil
}
