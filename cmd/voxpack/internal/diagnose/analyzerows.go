package diagnose

import (
	"cmp"
	"fmt"
	"os"
	"slices"

	"voxpack/compiler"
	"voxpack/compiler/action"
	"voxpack/compiler/clip"
	"voxpack/diagnosis"
)

// rowsFacts is what the steps of a build take of a sample of rows, on one core.
type rowsFacts struct {
	Total   int         `json:"total"` // rows of the metadata
	Timed   int         `json:"timed"`
	Refused int         `json:"rejected"` // rows of the sample that a build would reject
	Why     string      `json:"rejected_first"`
	Seed    uint64      `json:"seed"`
	Seconds float64     `json:"seconds"` // of sound, of a timed row
	Text    partFacts   `json:"text"`
	Audio   audioFacts  `json:"audio"`
	Write   partFacts   `json:"write"`
	Steps   []stepFacts `json:"steps"`
	Slowest []slowFacts `json:"slowest"` // clips, by time for a second of sound
}

// partFacts is the time of a part of a build.
type partFacts struct {
	MS    float64 `json:"ms"`      // a row, mean
	Total float64 `json:"total_s"` // for all rows of the metadata, on one core
}

type audioFacts struct {
	partFacts
	Variation float64 `json:"variation"` // percent
	Uneven    float64 `json:"uneven"`    // what of it the lengths of clips do not explain
}

type stepFacts struct {
	Step  string  `json:"step"`
	MS    float64 `json:"ms"`    // a row, mean; 0: no row needed it
	Share float64 `json:"share"` // of a row's time
}

type slowFacts struct {
	ID      string  `json:"id"`
	Kind    string  `json:"kind"` // extension of the file
	MS      float64 `json:"ms"`
	Seconds float64 `json:"seconds"`
}

// mostSlow is how many of the slowest clips are named.
const mostSlow = 3

// soundSteps are the steps of a row's sound: all but text and write.
func soundSteps(steps []string) []string {
	return slices.DeleteFunc(slices.Clone(steps), func(s string) bool {
		return s == action.NameText || s == action.NameTokens || s == compiler.StepWrite
	})
}

// rowsOf sums up a timing.
func rowsOf(t *compiler.Timing, steps []string) (*rowsFacts, *diagnosis.Compilation) {
	f := &rowsFacts{Total: t.Total, Timed: len(t.Rows), Refused: len(t.Refused), Slowest: []slowFacts{}}
	if f.Refused > 0 {
		f.Why = t.Refused[0].String()
	}
	c := &diagnosis.Compilation{}
	n, whole := float64(len(t.Rows)), 0.0
	means := map[string]float64{}
	for _, step := range steps {
		left := 0.0
		for _, r := range t.Rows {
			took := r.Steps[step]
			if step == clip.StepRead {
				left += 1000 * took.Seconds() / n
				took = max(took, r.Cold)
			}
			means[step] += 1000 * took.Seconds() / n
		}
		if step == compiler.StepWrite {
			means[step] += 1000 * t.Put.Seconds()
		}
		c.Steps = append(c.Steps, diagnosis.CompileStep{Name: step, MS: means[step], Left: left})
		whole += means[step]
	}
	for _, s := range c.Steps {
		f.Steps = append(f.Steps, stepFacts{s.Name, s.MS, s.MS / max(whole, 1e-9)})
	}
	part := func(ms float64) partFacts { return partFacts{ms, ms * float64(t.Total) / 1000} }
	f.Text, f.Write = part(means[action.NameText]+means[action.NameTokens]), part(means[compiler.StepWrite])
	for _, r := range t.Rows {
		ms := 0.0
		for _, step := range soundSteps(steps) {
			ms += 1000 * r.Steps[step].Seconds()
		}
		f.Seconds += r.Seconds / n
		f.Slowest = append(f.Slowest, slowFacts{r.ID, r.Kind, ms, r.Seconds})
	}
	slices.SortStableFunc(f.Slowest, func(a, b slowFacts) int { return cmp.Compare(b.pace(), a.pace()) })
	c.Rows = f.Timed
	c.Variation, c.Uneven = spread(f.Slowest)
	f.Audio = audioFacts{part(whole - f.Text.MS - f.Write.MS), c.Variation, c.Uneven}
	f.Slowest = f.Slowest[:min(len(f.Slowest), mostSlow)]
	return f, c
}

// spread is the variation of clips' times, the slowest first, and what of it their
// lengths do not explain. For the latter one clip in ten is left out: a busy
// machine makes some slow by itself.
func spread(clips []slowFacts) (variation, uneven float64) {
	var lengths, times []float64
	for _, s := range clips {
		lengths, times = append(lengths, s.Seconds), append(times, s.MS)
	}
	out := (len(clips) + 9) / 10
	variation, _ = diagnosis.Spread(lengths, times)
	_, uneven = diagnosis.Spread(lengths[out:], times[out:])
	return variation, uneven
}

// pace is the time for a second of sound. A clip that is shorter than that counts
// as one: opening a file takes its time whatever is in it.
func (s slowFacts) pace() float64 { return s.MS / max(s.Seconds, 1) }

// scratchFolder is a folder for a store that nobody keeps.
func scratchFolder() (dir string, remove func(), err error) {
	if dir, err = os.MkdirTemp("", "voxpack-analyze-"); err != nil {
		return "", nil, fmt.Errorf("the time of writing is measured in a temporary folder: %w", err)
	}
	return dir, func() { os.RemoveAll(dir) }, nil
}
