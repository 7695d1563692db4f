package diagnosis

// Verdict is what a rule found: a number, its cause, and what to do about it.
// Programs decide by Rule, Kind and Setting; the sentences are for people.
type Verdict struct {
	Rule    string   `json:"rule"`
	Kind    Kind     `json:"kind"`
	Number  float64  `json:"number"`  // what was found, in Unit
	Limit   float64  `json:"limit"`   // what it was held against
	Unit    string   `json:"unit"`    // of both: "ms", "B", "%", ...
	Cause   string   `json:"cause"`   // a sentence without its full stop
	Cure    string   `json:"cure"`    // the same; "" where nothing can be done
	Setting string   `json:"setting"` // the flag or config key to change first; "" where none helps
	Gain    *float64 `json:"gain"`    // the part of the step's time that the cure takes away, 0 to 1; null is not known
	Of      Whole    `json:"gain_of,omitempty"`
	Basis   Basis    `json:"basis"`
	At      Position `json:"-"` // in the config that it is about
	Fixes   []Fix    `json:"-"` // of that config; none of what is only suspected, or has two answers
}

// Whole is what a gain is a part of.
type Whole string

// The wholes.
const (
	OfStep  Whole = ""      // a training's step
	OfBuild Whole = "build" // the time of a build
)

// Kind says what a finding costs.
type Kind string

// The kinds.
const (
	Limits Kind = "limit" // it makes steps longer
	Wastes Kind = "waste" // memory or work that brings nothing
	Risks  Kind = "risk"  // the training may be worse, or end
)

// Basis says how a verdict is known.
type Basis string

// The bases.
const (
	Measured  Basis = "measured"  // here, by a run, or read from this system
	Computed  Basis = "computed"  // from times or settings that were given
	Suspected Basis = "suspected" // a fact whose cost is known by experience only
)

// Text is the verdict in one line.
func (v Verdict) Text() string {
	if v.Cure == "" {
		return v.Cause
	}
	return v.Cause + "; " + v.Cure
}

// gain is for Verdict.Gain: a part of the step's time, which no cure makes
// negative or takes away whole.
func gain(part float64) *float64 {
	part = min(max(part, 0), 1)
	return &part
}
