package diagnosis

import "fmt"

// leastClips: of fewer, one slow clip decides.
const leastClips = 20

var audioVariationRule = Rule{
	ID:      "audio-variation",
	Looks:   "how much the time of a clip varies, without what its length explains",
	Limit:   "the target `audio-variation`; of fewer than 20 clips nothing is said",
	Meaning: "some clips cost far more than others of their length: other formats or rates, slow reads",
	Setting: "the clips themselves",
	Gain:    "not known: it depends on why these clips are slow",
	check: func(o Observation) (Verdict, bool) {
		c := o.Compilation
		if c == nil || c.Rows < leastClips || c.Uneven <= o.Targets.Of(AudioVariationTarget) {
			return Verdict{}, false
		}
		return Verdict{
			Kind: Wastes, Number: c.Uneven, Limit: o.Targets.Of(AudioVariationTarget), Unit: "%", Of: OfBuild, Basis: Measured,
			Cause: fmt.Sprintf("the times of clips of one length vary by %.0f %% (target %g %%)", c.Uneven, o.Targets.Of(AudioVariationTarget)),
			Cure:  "look at the slowest clips: bring all to one format and one rate",
		}, true
	},
}
