package show

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"voxpack/audio"
	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/cmd/voxpack/internal/settings"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler"
	"voxpack/compiler/intake"
	"voxpack/internal/atomicfile"
	"voxpack/internal/config"
	"voxpack/store"
)

// audible are the columns that can be heard.
var audible = []string{"mel", "linear", "pcm"}

// sound is a column as 16-bit samples, with what a listener should know of it.
type sound struct {
	rate  int    // Hz
	bytes []byte // little-endian
	notes []string
}

// newSound makes sound of a column. mel_norms come out of the config file, as
// the store has only their digest.
func newSound(d *store.Dataset, s *sample, configFile string) (*sound, error) {
	name := s.column.Name
	if !slices.Contains(audible, name) {
		here := slices.DeleteFunc(slices.Clone(audible), func(a string) bool { return d.Root.Schema.Index(a) < 0 })
		return nil, term.Usagef("column %s cannot be heard; of this dataset's columns, %s can", name, strings.Join(here, " and "))
	}
	if s.length == 0 {
		return nil, fmt.Errorf("row %s has nothing to hear", s.id)
	}
	c, err := compiler.MelOf(d.Root)
	if err != nil {
		return nil, err
	}
	w := &sound{rate: c.SampleRate}
	// The filter is not undone: the user hears what the trainer gets.
	if a := d.Root.Setting("pre_emphasis"); a != "" {
		w.note("it was stored with pre_emphasis %s, and so one hears it", a)
	}
	// Stored samples are 16 bits already and go out as they are.
	if name == "pcm" {
		w.bytes = s.bytes[:s.length*s.column.RowBytes()]
		return w, nil
	}
	// Without the norms the bands keep their scaled levels. That is told in a
	// note, and the sound is made all the same.
	if want := d.Root.Setting("mel_norms"); name == "mel" && want != "" {
		if c.Norms, err = findNorms(configFile, want); err != nil {
			w.note("%v; 1 stands for each, so that the colour of the sound is wrong: name the config of the build with --config", err)
		}
	}
	inverse, err := audio.NewInverse(c)
	if err != nil {
		return nil, err
	}
	if name == "mel" {
		w.note("an approximation: a mel has no phase, and nothing above %g Hz", c.FMax)
		w.take(inverse.Mel(s.floats()))
		return w, nil
	}
	w.note("an approximation: a magnitude has no phase")
	w.take(inverse.Linear(s.floats()))
	return w, nil
}

func (w *sound) note(format string, args ...any) {
	w.notes = append(w.notes, fmt.Sprintf(format, args...))
}

// take rounds samples to 16 bits. Phases that are not those of the recording
// make other peaks, which may pass full scale.
func (w *sound) take(pcm []float32) {
	var peak float32
	for _, v := range pcm {
		peak = max(peak, v, -v)
	}
	if peak > 1 {
		for i := range pcm {
			pcm[i] /= peak
		}
		w.note("the peak was %.2f times full scale, so all of it was made quieter by %.1f dB", peak, 20*math.Log10(float64(peak)))
	}
	w.bytes = make([]byte, 2*len(pcm))
	audio.PutInt16(w.bytes, pcm)
}

// encode writes a WAV file: the header of 44 bytes that every program knows,
// one channel of 16-bit samples. It goes out from the front to the end, since
// a player may wait at the other end of a pipe.
func (w *sound) encode(out io.Writer) error {
	const header, bytesASample = 44, 2
	b := make([]byte, 0, header+len(w.bytes))
	number := func(v int) { b = binary.LittleEndian.AppendUint32(b, uint32(v)) }
	b = append(b, "RIFF"...)
	number(header - 8 + len(w.bytes))
	b = append(b, "WAVEfmt "...)
	number(16)
	b = append(b, 1, 0, 1, 0) // PCM, one channel
	number(w.rate)
	number(w.rate * bytesASample)
	b = append(b, bytesASample, 0, 8*bytesASample, 0)
	b = append(b, "data"...)
	number(len(w.bytes))
	_, err := out.Write(append(b, w.bytes...))
	return err
}

// writeWAV writes a column as sound, and says what one hears.
func (o Options) writeWAV(d *store.Dataset, p locate.Place, s *sample) error {
	w, err := newSound(d, s, p.Config(o.Config))
	if err != nil {
		return err
	}
	if err := atomicfile.Replace(o.WAV, func(f *os.File) error { return w.encode(f) }); err != nil {
		return fmt.Errorf("write %s: %w", o.WAV, err)
	}
	for _, n := range w.notes {
		fmt.Fprintf(o.Stderr, "note: %s: %s\n", o.WAV, n)
	}
	return nil
}

// findNorms reads mel_norms by way of the config of a build. The digest in the
// snapshot tells whether they are those.
func findNorms(file, want string) ([]float32, error) {
	if file == "" {
		return nil, fmt.Errorf("mel_norms are not at hand, since the store has only their digest")
	}
	src, err := settings.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("mel_norms are not at hand: %w", err)
	}
	c, _ := config.Load(file, src, intake.FormatNames()) // what else is wrong in it does not matter here
	switch {
	case c.Mel.Norms == nil:
		return nil, fmt.Errorf("%s gives no mel_norms that can be read", file)
	case compiler.NormsSetting(c.Mel.Norms) != want:
		return nil, fmt.Errorf("the mel_norms of %s are not those of the build", file)
	}
	return c.Mel.Norms, nil
}
