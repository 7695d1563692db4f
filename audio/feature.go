package audio

import "strings"

// Versions of the stages of this package. A stage's version is part of every key made from it, so it changes with every change of
// the stage's output bits, and with nothing else. The golden digests in testdata/golden/mel hold each to its output.
const (
	DecodeVersion   = "decode/1"   // which files are read, conversion to float32, averaging of channels
	ResampleVersion = "resample/1" // filter design, table layout, order of sums, output length
	MelVersion      = "mel/1"      // tables, transform, order of sums, logarithm, of variant "hifigan"
)

// A Feature is one way to turn PCM into frames.
type Feature struct {
	Name    string                          // what the config calls it
	Version string                          // changes with its output
	New     func(c MelConfig) (*Mel, error) // one computer for one worker
}

// Features returns the table of features; the first one is the default. A new feature is a new row here and a file beside this one.
func Features() []Feature {
	return []Feature{
		{Name: "hifigan", Version: MelVersion, New: newHifigan},
	}
}

// FeatureByName finds a feature by its name in the config.
func FeatureByName(name string) (Feature, bool) {
	for _, f := range Features() {
		if f.Name == name {
			return f, true
		}
	}
	return Feature{}, false
}

func featureNames() string {
	var names []string
	for _, f := range Features() {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}
