package report

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler"
)

// gathered builds a dataset and makes its figures.
func gathered(t *testing.T, opts compiler.Options) (*Figures, *set) {
	t.Helper()
	if _, err := compiler.Build(t.Context(), opts); err != nil {
		t.Fatal(err)
	}
	p, err := locate.Find(opts.Dataset)
	if err != nil {
		t.Fatal(err)
	}
	d, err := p.OpenDataset()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Store.Close() })
	progress := term.StartProgress(io.Discard, true)
	defer progress.End()
	f, s, err := gather(t.Context(), d, p, progress)
	if err != nil {
		t.Fatal(err)
	}
	return f, s
}

// TestPlantedOutliersAreFound: of clips of noise, each check finds the one that was
// spoilt for it, and no other.
func TestPlantedOutliersAreFound(t *testing.T) {
	const rate, samples = 22050, 22050
	dir := t.TempDir()
	var metadata string
	plant := func(id, text string, sample func(i int, noise float64) float64) {
		random := rand.New(rand.NewPCG(uint64(len(metadata)), 1))
		b := make([]byte, 0, 44+2*samples)
		b = append(b, "RIFF"...)
		b = binary.LittleEndian.AppendUint32(b, 36+2*samples)
		b = append(b, "WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00"...)
		b = binary.LittleEndian.AppendUint32(b, rate)
		b = binary.LittleEndian.AppendUint32(b, 2*rate)
		b = append(b, "\x02\x00\x10\x00data"...)
		b = binary.LittleEndian.AppendUint32(b, 2*samples)
		for i := range samples {
			v := max(-1, min(1, sample(i, 2*random.Float64()-1)))
			b = binary.LittleEndian.AppendUint16(b, uint16(int16(math.Round(32767*v))))
		}
		path := filepath.Join(dir, "wavs", id+".wav")
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, b, 0o666)); err != nil {
			t.Fatal(err)
		}
		metadata += id + "|" + text + "\n"
	}
	usual := func(_ int, noise float64) float64 { return 0.3 * noise }
	for i := range 20 {
		plant(fmt.Sprintf("usual-%02d", i), fmt.Sprintf("A usual text %02d", i), usual)
	}
	plant("clipped", "A clipped text.", func(_ int, noise float64) float64 { return 40 * noise })
	plant("silent", "A silent text..", func(i int, noise float64) float64 { return 0.3 * noise * float64((samples+samples/4-i)/samples) })
	plant("offset", "An offset text.", func(_ int, noise float64) float64 { return 0.3*noise + 0.05 })
	plant("narrow", "A narrow text..", func(i int, _ float64) float64 {
		return 0.3 * (math.Sin(2*math.Pi*440*float64(i)/rate) + math.Sin(2*math.Pi*3500*float64(i)/rate))
	})
	plant("fast", "A text that is far too long for one second of sound.", usual)
	plant("same", "A usual text 07", usual)
	if err := os.WriteFile(filepath.Join(dir, "metadata.csv"), []byte(metadata), 0o666); err != nil {
		t.Fatal(err)
	}
	opts := compiler.Options{Dataset: dir, Now: time.Now}
	opts.Config.Features, opts.Config.Language = []string{"pcm"}, "en"
	f, _ := gathered(t, opts)
	want := map[string]string{"pace": "fast", "clipping": "clipped", "silence": "silent", "offset": "offset", "bandwidth": "narrow", "equal-text": "usual-07 same"}
	for _, c := range f.Outliers {
		var ids []string
		for _, o := range c.First {
			ids = append(ids, o.ID)
			if o.Like != "" {
				ids = append(ids, o.Like)
			}
		}
		slices.Sort(ids)
		slices.Reverse(ids)
		if got := fmt.Sprint(ids); got != "["+want[c.Check]+"]" || c.Looked != 26 {
			t.Errorf("%s finds %s of %d rows, want %s", c.Check, got, c.Looked, want[c.Check])
		}
	}
	if len(f.Outliers) != len(checks) {
		t.Errorf("%d checks were made, want %d", len(f.Outliers), len(checks))
	}
}
