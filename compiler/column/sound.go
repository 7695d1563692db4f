package column

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"

	"voxpack/audio"
	"voxpack/compiler/column/array"
	"voxpack/compiler/kind"
	"voxpack/internal/number"
	"voxpack/store"
)

// Sound is a feature of the row's clip that the column is made of, in place of Config.From: a mel of other
// bands, or the averages of a feature over the frames of each phone.
type Sound struct {
	Feature    string   // of package audio, with a value or some for each frame
	NMels      int      // 0: as the dataset's mel; so nil in the next two
	FMin, FMax *float64 // Hz
	By         string   // the column of durations to average over; "": a step for each frame
	Mel        audio.MelConfig
}

const averageVersion = "average/1"

// offBy is how many frames durations may add up to beside those of the clip: aligners round its end.
const offBy = 2

// Resolve says of columns that are made of sound, in a dataset with such a mel, what they are: shape and length.
func Resolve(list []Config, mel audio.MelConfig) []Config {
	list = slices.Clone(list)
	for i := range list {
		c := &list[i]
		if c.Sound == nil {
			continue
		}
		s := *c.Sound
		s.Mel = mel
		if s.NMels > 0 {
			s.Mel.NMels = s.NMels
		}
		if s.FMin != nil {
			s.Mel.FMin = *s.FMin
		}
		if s.FMax != nil {
			s.Mel.FMax = *s.FMax
		}
		c.Sound, c.Length, c.Steps, c.Shape = &s, Frames, 0, nil
		if f, ok := s.feature(); ok && f.Width(s.Mel) > 1 {
			c.Shape = []int{f.Width(s.Mel)}
		}
		if at := IndexOf(list, s.By); s.By != "" && at >= 0 {
			if c.Length, c.Steps = list[at].Length, list[at].Steps; c.Length == Own {
				c.Length = Length(list[at].LengthName())
			}
		}
	}
	return list
}

// IndexOf is where the column of a name stands, -1: nowhere.
func IndexOf(list []Config, name string) int {
	return slices.IndexFunc(list, func(c Config) bool { return c.Name == name })
}

// feature is what is computed of the samples; false: no feature that columns are made of.
func (s *Sound) feature() (audio.Feature, bool) {
	for _, f := range audio.Features() {
		if f.Name == s.Feature && !f.Samples {
			return f, true
		}
	}
	return audio.Feature{}, false
}

// Computer computes the feature. One goroutine, one computer.
func (s *Sound) Computer() (audio.Computer, error) {
	f, _ := s.feature()
	return f.New(s.Mel)
}

// version is that of the stage, reads what its output depends on beside the samples and the durations.
func (s *Sound) version() string {
	f, _ := s.feature()
	if s.By != "" {
		return f.Version + " " + averageVersion
	}
	return f.Version
}

func (s *Sound) reads() string {
	f, _ := s.feature()
	return f.Name + " " + f.Settings(s.Mel)
}

// setting is what a root says of the feature, so that others can compute it too.
func (s *Sound) setting() string {
	text := ", feature " + s.Feature
	if s.Feature == "mel" {
		text += fmt.Sprintf(", n_mels %d, fmin %s, fmax %s", s.Mel.NMels, strconv.FormatFloat(s.Mel.FMin, 'g', -1, 64), strconv.FormatFloat(s.Mel.FMax, 'g', -1, 64))
	}
	if s.By != "" {
		text += ", by " + s.By
	}
	return text
}

func (c Config) checkSound(bad func(part, format string, args ...any)) {
	s := c.Sound
	if c.From != "" || c.Field != "" || c.Run != nil {
		bad("feature", "a column is imported (from), computed by a program (run) or made of a feature, one of them")
	}
	if _, ok := s.feature(); !ok {
		bad("feature", "%q: want mel, linear, energy or f0", s.Feature)
		return
	}
	if bands := s.NMels != 0 || s.FMin != nil || s.FMax != nil; bands && s.Feature != "mel" {
		bad("feature", "n_mels, fmin and fmax are for feature: mel alone")
	} else if err := s.Mel.Check(); bands && len(err) > 0 {
		bad("feature", "%v", err[0])
	}
	if !slices.Contains([]store.DType{store.Float32, store.Float16, store.BFloat16}, c.DType) {
		bad("dtype", "a feature has fractions: want f32, f16 or bf16")
	}
}

// CheckSounds lists what is wrong with the durations that columns are averaged by.
func CheckSounds(list []Config) (errs []error) {
	for _, c := range list {
		if c.Sound == nil || c.Sound.By == "" {
			continue
		}
		what, at := "", IndexOf(list, c.Sound.By)
		switch {
		case at < 0:
			what = fmt.Sprintf("there is no column %s of your own", c.Sound.By)
		case list[at].From == "":
			what = fmt.Sprintf("%s is not imported (from): durations are", c.Sound.By)
		case list[at].Length == Whole || len(list[at].Shape) > 0 || list[at].DType != store.Int32 && list[at].DType != store.Int16:
			what = fmt.Sprintf("%s has no list of whole numbers of frames", c.Sound.By)
		}
		if what != "" {
			errs = append(errs, &PartError{Column: c.Name, Part: "by", What: what})
		}
	}
	return errs
}

// Averages are the means of a feature over the frames of each duration, of none 0. In f0 what has no voice is
// between its neighbours that have one, in a straight line, and at both ends as the nearest: the rule of
// FastSpeech 2's preparation. A clip without any voice has 0.
func (s *Sound) Averages(frames []float32, width int, durations *array.Array) (*array.Array, error) {
	if s.Feature == "f0" {
		bridge(frames)
	}
	whole, err := durations.Convert(array.Int32)
	if err != nil {
		return nil, &Bad{kind.BadValue, err}
	}
	n, have, sum := len(whole.Data)/4, len(frames)/width, 0
	out := &array.Array{DType: array.Float32, Shape: []int{n}, Data: make([]byte, 0, n*width*4)}
	if width > 1 {
		out.Shape = append(out.Shape, width)
	}
	for i := range n {
		d := int(int32(binary.LittleEndian.Uint32(whole.Data[4*i:])))
		if d < 0 {
			return nil, badf(kind.BadValue, "the duration %d is %d frames", i, d)
		}
		from, to := min(sum, have), min(sum+d, have)
		for band := range width {
			mean := 0.0
			for at := from; at < to; at++ {
				mean += float64(frames[at*width+band])
			}
			out.Data = binary.LittleEndian.AppendUint32(out.Data, math.Float32bits(float32(mean/float64(max(1, to-from)))))
		}
		sum += d
	}
	if sum < have-offBy || sum > have+offBy {
		return nil, badf(kind.ValueLength, "durations add up to %s, the row has %d", number.Count(sum, "frame"), have)
	}
	return out, nil
}

// bridge fills what is 0 in a straight line between what is not, and before and after it with the nearest.
func bridge(f0 []float32) {
	last := -1 // the frame with a voice before
	for i, v := range f0 {
		if v == 0 {
			continue
		}
		for at := last + 1; at < i; at++ {
			if f0[at] = v; last >= 0 {
				f0[at] = f0[last] + float32(float64(v-f0[last])*float64(at-last)/float64(i-last))
			}
		}
		last = i
	}
	for at := last + 1; at < len(f0) && last >= 0; at++ {
		f0[at] = f0[last]
	}
}
