package audio

import "strings"

// Versions of the stages of this package. A stage's version is part of every key made from it, so it changes with every change of
// the stage's output bits, and with nothing else. The golden digests in testdata/golden hold each to its output.
const (
	DecodeVersion   = "decode/1"   // which files are read, conversion to float32, averaging of channels
	ResampleVersion = "resample/2" // filter design, blocks, order of sums, output length
	MelVersion      = "mel/2"      // tables, transform, order of sums, logarithm, of every variant and precision
	LinearVersion   = "linear/1"   // tables, transform, epsilon, of either precision
	EnergyVersion   = "energy/1"   // window, order of sums
	PCMVersion      = "pcm/1"      // rounding to the stored type
)

// A Computer makes one feature of one clip after the other. It owns its scratch memory: one goroutine, one computer.
type Computer interface {
	Width() int                 // values a frame
	MinSamples() int            // of the shortest clip that gives a frame
	Frames(samples int64) int   // of a clip
	Compute(dst, pcm []float32) // as many frames, from the first on, as the clip has and dst has room for
}

// A Feature is a column that is made of a clip's samples.
type Feature struct {
	Name    string // of the column, the stage and the config
	Version string // changes with its output
	Samples bool   // a frame is a sample: its length has a column of its own; else its frames are the mel's
	New     func(c MelConfig) (Computer, error)
}

// Features returns the table of features. The first one, the mel, is in every dataset, the others where the config names them. A
// new feature is a new row here and a file beside this one.
func Features() []Feature {
	return []Feature{
		{Name: "mel", Version: MelVersion, New: func(c MelConfig) (Computer, error) { return NewMel(c) }},
		{Name: "linear", Version: LinearVersion, New: func(c MelConfig) (Computer, error) { return NewLinear(c) }},
		{Name: "energy", Version: EnergyVersion, New: func(c MelConfig) (Computer, error) { return NewEnergy(c) }},
		{Name: "pcm", Version: PCMVersion, Samples: true, New: func(c MelConfig) (Computer, error) { return NewPCM(c) }},
	}
}

func variantNames() string {
	var names []string
	for _, v := range variants {
		names = append(names, v.name)
	}
	return strings.Join(names, ", ")
}
