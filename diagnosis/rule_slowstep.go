package diagnosis

import "fmt"

// mostOfRow: a step that takes more than this part of a row's time bounds a build
// whatever becomes of the others.
const mostOfRow = 0.5

var slowStepRule = Rule{
	ID:      "slow-step",
	Looks:   "the time of each step of a build for a row",
	Limit:   "half of the row's time: all other steps together are faster",
	Meaning: "one step, which need not be there, is most of a build",
	Setting: "that of the step: `sample_rate`, `features`, `trim_silence`, `normalize_audio`",
	Gain:    "the step's part of the build, of a read without what reading from memory takes; a training gains nothing",
	check: func(o Observation) (Verdict, bool) {
		if o.Compilation == nil {
			return Verdict{}, false
		}
		whole := o.Compilation.whole()
		for _, s := range o.Compilation.Steps {
			cure := cureOfStep(s.Name)
			spared := s.MS - s.Left
			if s.MS <= mostOfRow*whole || cure.text == "" || spared < s.Left {
				continue
			}
			return Verdict{
				Kind: Limits, Number: s.MS, Limit: mostOfRow * whole, Unit: "ms", Setting: cure.setting, Gain: gain(spared / whole), Of: OfBuild, Basis: Measured,
				Cause: fmt.Sprintf("%s takes %.3g of the %.3g ms that a build needs for a row", s.Name, s.MS, whole),
				Cure:  cure.text,
			}, true
		}
		return Verdict{}, false
	},
}

type stepCure struct{ setting, text string }

// cureOfStep is what spares a step of a build. Text, mel and write have none: they
// are what a build is for, and of plain WAV the write is most. A step that is not in the table is a further feature.
func cureOfStep(name string) stepCure {
	cure, known := map[string]stepCure{
		"text": {}, "mel": {}, "write": {},
		"tokens":   {"tokenizer", "phonemes are what costs: a build keeps them, so that only new texts pay"},
		"read":     {"", "keep the clips on a faster disk, or close to this machine"},
		"decode":   {"", "convert the clips to WAV once"},
		"resample": {"sample_rate", "sample_rate: that of the clips, or bring them to this rate once"},
		"process":  {"trim_silence", "take trim_silence or normalize_audio away, or process the clips once"},
	}[name]
	if !known {
		return stepCure{"features", fmt.Sprintf("take %s out of features if the model does not read it", name)}
	}
	return cure
}
