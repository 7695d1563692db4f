package audio

import (
	"fmt"
	"strings"
)

// Versions of the stages of this package. A stage's version is part of every key made from it, so it
// changes with every change of the stage's output bits, and with nothing else. The golden digests in
// testdata/golden hold each to its output. Packages codec and resample have theirs.
const (
	MelVersion    = "mel/2"    // tables, transform, order of sums, logarithm, of every variant and precision
	LinearVersion = "linear/1" // tables, transform, epsilon, of either precision
	EnergyVersion = "energy/1" // window, order of sums
	F0Version     = "f0/1"     // correlogram, path and their figures
	PCMVersion    = "pcm/1"    // rounding to the stored type
)

// A Computer makes one feature of one clip after the other. It owns its scratch memory: one goroutine,
// one computer.
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
	Width   func(c MelConfig) int // values a frame

	Reads    []string                 // config keys whose values change its output, sample_rate left out
	Settings func(c MelConfig) string // those values, in one form: equal for equal output
}

// Features returns the table of features. The first one, the mel, is in every dataset, the others where
// the config names them. A new feature is a new row here and a file beside this one.
func Features() []Feature {
	return []Feature{
		{Name: "mel", Version: MelVersion, New: func(c MelConfig) (Computer, error) { return NewMel(c) },
			Width: func(c MelConfig) int { return c.NMels }, Reads: append([]string{"n_mels", "fmin", "fmax", "mel_norms"}, framingKeys...), Settings: melSettings},
		{Name: "linear", Version: LinearVersion, New: func(c MelConfig) (Computer, error) { return NewLinear(c) },
			Width: func(c MelConfig) int { return c.NFFT/2 + 1 }, Reads: framingKeys, Settings: framingSettings},
		{Name: "energy", Version: EnergyVersion, New: func(c MelConfig) (Computer, error) { return NewEnergy(c) },
			Width: func(MelConfig) int { return 1 }, Reads: windowKeys, Settings: windowSettings},
		{Name: "f0", Version: F0Version, New: func(c MelConfig) (Computer, error) { return NewF0(c, F0Config{}) },
			Width: func(MelConfig) int { return 1 }, Reads: []string{"n_fft", "hop_length", "mel_variant"}, Settings: placeSettings},
		{Name: "pcm", Version: PCMVersion, Samples: true, New: func(c MelConfig) (Computer, error) { return NewPCM(c) },
			Width: func(MelConfig) int { return 1 }, Settings: func(MelConfig) string { return "" }},
	}
}

// windowKeys are the config keys of windowSettings, framingKeys those of framingSettings. A variant
// decides the padding.
var (
	windowKeys  = []string{"n_fft", "hop_length", "win_length", "mel_variant", "pad_mode"}
	framingKeys = append([]string{"precision"}, windowKeys...)
)

// windowSettings is what the windowed samples of each frame are, beside the clip's.
func windowSettings(c MelConfig) string {
	s := c.spectral()
	text := fmt.Sprintf("n_fft %d hop %d win %d pad %d %s", s.nfft, s.hop, s.win, s.pad, s.mode) + s.skipped()
	if s.symmetric {
		text += " symmetric"
	}
	return text
}

// framingSettings is what a spectrum is made by.
func framingSettings(c MelConfig) string { return windowSettings(c) + " " + c.Precision }

// placeSettings is where the middles of the frames lie, for a feature with a window of its own.
func placeSettings(c MelConfig) string {
	s := c.spectral()
	return fmt.Sprintf("n_fft %d hop %d pad %d", s.nfft, s.hop, s.pad) + s.skipped()
}

// skipped is what settings say of skip. What came later says nothing where it is off, so that older
// keys stay.
func (f framing) skipped() string {
	if f.skip == 0 {
		return ""
	}
	return fmt.Sprintf(" skip %d", f.skip)
}

// melSettings is what a mel is made by, beside the samples.
func melSettings(c MelConfig) string {
	return fmt.Sprintf("%s rate %d %s bands %d from %v to %v norms %v", c.Variant, c.SampleRate, framingSettings(c), c.NMels, c.FMin, c.FMax, c.Norms)
}

func variantNames() string {
	var names []string
	for _, v := range variants {
		names = append(names, v.name)
	}
	return strings.Join(names, ", ")
}
