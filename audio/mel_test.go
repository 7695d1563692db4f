package audio

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"voxpack/audio/codec"
	"voxpack/audio/internal/audiotest"
)

const goldenDir = "../testdata/golden/mel"

// Bounds of the log-mel against the float64 reference, in ln units. The output is float32 of magnitude up to 12, whose half unit
// is 4.8e-7; the rest is room for other machines' reference.
const (
	maxError  = 2e-6
	meanError = 3e-7
)

var shortWindow = MelConfig{SampleRate: 16000, NFFT: 512, HopLength: 160, WinLength: 400, NMels: 40, FMin: 50, FMax: 7600}

func decodeFile(t testing.TB, path string) ([]float32, codec.Info) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	pcm, info, err := codec.Decode(nil, bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return pcm, info
}

func newMelOrFail(t testing.TB, c MelConfig) *Mel {
	t.Helper()
	m, err := NewMel(c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func computeAll(m *Mel, pcm []float32) []float32 {
	dst := make([]float32, m.Frames(int64(len(pcm)))*m.Config().NMels)
	m.Compute(dst, pcm)
	return dst
}

func readFloat64s(t testing.TB, name string) []float64 {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(goldenDir, name))
	if err != nil {
		t.Fatal(err)
	}
	v := make([]float64, len(b)/8)
	for i := range v {
		v[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return v
}

// deviation gathers |got - want|.
type deviation struct {
	max, sum float64
	over8    float64 // the greatest where want is over -8
	over6    float64 // the same for -6
	n        int
}

func (d *deviation) add(got []float32, want []float64) {
	for i, v := range got {
		d.addOne(math.Abs(float64(v)-want[i]), want[i])
	}
}

func (d *deviation) addOne(e, want float64) {
	d.max, d.sum, d.n = max(d.max, e), d.sum+e, d.n+1
	if want > -8 {
		d.over8 = max(d.over8, e)
	}
	if want > -6 {
		d.over6 = max(d.over6, e)
	}
}

func (d *deviation) log(t *testing.T, of string) {
	t.Helper()
	t.Logf("%s, %d values: max %.2e, mean %.2e, over -8: %.2e, over -6: %.2e", of, d.n, d.max, d.sum/float64(d.n), d.over8, d.over6)
}

// checkSpeech holds float32 to what one transform in float32 can reach on speech: noise of the loud bands stands in the quiet ones,
// so that the greatest deviation (1.1e-3) says little and the two bounds over a level say much.
// The bounds are for bands up to 8,000 Hz that end at 1e-5. What is quieter shows more of the noise: half as much again for bands up to
// 11,025 Hz and for floors that no band reaches.
func (d *deviation) checkSpeech(t *testing.T, c MelConfig) {
	t.Helper()
	c, more := c.WithDefaults(), 1.0
	switch c.Variant {
	case "vocos", "f5-tts", "styletts2", "nemo", "nemo-hifigan", "parallel-wavegan", "espnet":
		if v, _ := variantByName(c.Variant); c.FMax > 8000 || v.floor < 1e-8 {
			more = 1.5
		}
	}
	if mean := d.sum / float64(d.n); !(d.max <= more*1.5e-3) || !(mean <= more*9.5e-7) || !(d.over8 <= more*1e-4) || !(d.over6 <= 2.5e-5) {
		t.Errorf("deviation max %.2e, mean %.2e, over -8 %.2e, over -6 %.2e; want at most %g x (1.5e-3, 9.5e-7, 1e-4) and 2.5e-5",
			d.max, mean, d.over8, d.over6, more)
	}
}

func (d *deviation) check(t *testing.T) {
	t.Helper()
	mean := d.sum / float64(d.n)
	t.Logf("%d values: max %.2e, mean %.2e", d.n, d.max, mean)
	if !(d.max <= maxError) || !(mean <= meanError) {
		t.Errorf("deviation max %.2e, mean %.2e, want at most %.0e and %.0e", d.max, mean, maxError, meanError)
	}
}

func TestMelIsWithinBoundsOfTheReference(t *testing.T) {
	for name, config := range map[string]MelConfig{"mixed": {}, "short-window": shortWindow} {
		t.Run(name, func(t *testing.T) {
			config.Precision = Float64Precision
			pcm, _ := decodeFile(t, filepath.Join(goldenDir, name+".wav"))
			got, want := computeAll(newMelOrFail(t, config), pcm), readFloat64s(t, name+".f64")
			if len(got) != len(want) {
				t.Fatalf("%d values, want %d", len(got), len(want))
			}
			var d deviation
			d.add(got, want)
			d.check(t)
		})
	}
}

func TestMelOfRealClipsIsWithinBoundsOfTheReference(t *testing.T) {
	exact := realDeviation(t, MelConfig{Precision: Float64Precision})
	exact.check(t)
	d := realDeviation(t, MelConfig{})
	d.log(t, "float32")
	d.checkSpeech(t, MelConfig{})
}

func realDeviation(t *testing.T, c MelConfig) (d deviation) {
	t.Helper()
	corpora := os.Getenv("VOXPACK_CORPORA")
	if corpora == "" {
		t.Skip("VOXPACK_CORPORA is not set: no real clips to compare")
	}
	index, err := os.ReadFile(filepath.Join(goldenDir, "ljspeech-32.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	const step = 16 // of mel_reference.py
	m, want := newMelOrFail(t, c), readFloat64s(t, "ljspeech-32.f64")
	n := m.Config().NMels
	for line := range strings.Lines(string(index)) {
		var id string
		var samples, frames, first, rows int
		if _, err := fmt.Sscan(line, &id, &samples, &frames, &first, &rows); err != nil {
			t.Fatal(err)
		}
		pcm, info := decodeFile(t, filepath.Join(corpora, "ljspeech-32", "wavs", id+".wav"))
		if got := m.Frames(info.Samples); len(pcm) != samples || got != frames {
			t.Errorf("%s: %d samples, %d frames, want %d, %d", id, len(pcm), got, samples, frames)
			continue
		}
		mel := computeAll(m, pcm)
		for r := range rows {
			d.add(mel[r*step*n:][:n], want[(first+r)*n:][:n])
		}
	}
	if d.n != len(want) {
		t.Errorf("compared %d values, want %d", d.n, len(want))
	}
	return d
}

func TestFramesAndShortestClip(t *testing.T) {
	m := newMelOrFail(t, MelConfig{})
	if got := m.MinSamples(); got != 385 {
		t.Errorf("MinSamples() = %d, want 385", got)
	}
	for _, c := range []struct {
		samples int64
		want    int
	}{{-1, 0}, {0, 0}, {1, 0}, {383, 0}, {384, 0}, {385, 1}, {511, 1}, {512, 2}, {1023, 3}, {1024, 4}, {204800, 800}, {212893, 831}} {
		if got := m.Frames(c.samples); got != c.want {
			t.Errorf("Frames(%d) = %d, want %d", c.samples, got, c.want)
		}
	}
	// hop = n_fft: nothing is reflected, and a clip must fill one transform.
	m = newMelOrFail(t, MelConfig{HopLength: 1024})
	if got := [...]int{m.MinSamples(), m.Frames(1023), m.Frames(1024), m.Frames(2048)}; got != [...]int{1024, 0, 1, 2} {
		t.Errorf("with hop = n_fft: %v, want [1024 0 1 2]", got)
	}
	// An odd difference of n_fft and hop: the reflection rounds down, as the source's int() does.
	m = newMelOrFail(t, MelConfig{HopLength: 255})
	if got, want := m.Frames(10_000), 1+(10_000+2*384-1024)/255; got != want {
		t.Errorf("with hop 255: %d frames, want %d", got, want)
	}
}

func TestMelOfEdgeClips(t *testing.T) {
	m := newMelOrFail(t, MelConfig{})
	n := m.Config().NMels
	signals := map[string]func(i int) float32{
		"silence": func(int) float32 { return 0 },
		"DC":      func(int) float32 { return 0.5 },
		"full-scale square": func(i int) float32 {
			if i/50%2 == 0 {
				return (1 - 0x1p-24)
			}
			return -1
		},
		"alternating full scale": func(i int) float32 { return float32(1 - i%2*2) },
		"least denormal":         func(int) float32 { return 0x1p-149 },
	}
	for name, signal := range signals {
		for _, length := range []int{1, 383, 384, 385, 1023, 1024, 5000} {
			pcm := make([]float32, length)
			for i := range pcm {
				pcm[i] = signal(i)
			}
			for i, v := range computeAll(m, pcm) {
				if !(v >= -11.513 && v < 10) {
					t.Errorf("%s of %d samples: frame %d band %d = %g", name, length, i/n, i%n, v)
					break
				}
			}
		}
	}
	// Silence leaves √1e-9 in every bin; a band's weights sum to about 1 over the bin width of 21.5 Hz.
	for i, v := range computeAll(m, make([]float32, 1024)) {
		if want := math.Log(math.Sqrt(1e-9) / (22050.0 / 1024)); math.Abs(float64(max(v, -11.4))-max(want, -11.4)) > 0.2 && v != float32(math.Log(1e-5)) {
			t.Errorf("silence: band %d = %g, want the floor or about %g", i%n, v, want)
		}
	}
}

func TestReflectionLeavesOutTheEdgeSample(t *testing.T) {
	m := newMelOrFail(t, MelConfig{})
	pcm := make([]float32, 2000)
	for i := range pcm {
		pcm[i] = float32(i)
	}
	e := newEngine64(m.spec)
	head, tail := e.block(pcm, -384)[:386:386], 0
	for i, want := range map[int]float32{0: 384, 383: 1, 384: 0, 385: 1} {
		if head[i] != want {
			t.Errorf("padded sample %d = %g, want %g", i, head[i], want)
		}
	}
	tail = 2000 + 384 - 1024
	end := e.block(pcm, tail)
	for i, want := range map[int]float32{2000 - tail: 1998, 1999 - tail: 1999, 1023: 1999 - 384} {
		if end[i] != want {
			t.Errorf("padded sample %d = %g, want %g", tail+i, end[i], want)
		}
	}
}

func TestComputeFillsOnlyTheRowsThereIsRoomFor(t *testing.T) {
	m := newMelOrFail(t, MelConfig{})
	pcm, _ := decodeFile(t, filepath.Join(goldenDir, "mixed.wav"))
	whole := computeAll(m, pcm)
	part := make([]float32, 10*80+7)
	part[805] = 42
	m.Compute(part, pcm)
	for i, v := range part[:800] {
		if v != whole[i] {
			t.Fatalf("value %d = %g in a short destination, want %g", i, v, whole[i])
		}
	}
	if part[805] != 42 {
		t.Errorf("a value after the last whole row was written: %g", part[805])
	}
}

func TestComputeDependsOnNothingButTheClip(t *testing.T) {
	pcm, _ := decodeFile(t, filepath.Join(goldenDir, "mixed.wav"))
	used := newMelOrFail(t, MelConfig{})
	computeAll(used, pcm)
	computeAll(used, pcm[:700])
	got, want := computeAll(used, pcm[5000:9000]), computeAll(newMelOrFail(t, MelConfig{}), pcm[5000:9000])
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("value %d = %g after other clips, want %g", i, got[i], want[i])
		}
	}
}

func TestComputeDoesNotAllocate(t *testing.T) {
	m := newMelOrFail(t, MelConfig{})
	pcm, dst := make([]float32, 5000), make([]float32, 19*80)
	if got := testing.AllocsPerRun(10, func() { m.Compute(dst, pcm) }); got != 0 {
		t.Errorf("Compute allocates %v times, want 0", got)
	}
}

// BenchmarkMel is one core from samples to a log-mel in its place: by the widest vectors of the machine, by the code that runs where
// there are none, and in float64.
func BenchmarkMel(b *testing.B) {
	for _, c := range []struct {
		name     string
		portable bool
		config   MelConfig
	}{{"f32", false, MelConfig{}}, {"f32-portable", true, MelConfig{}}, {"f64", false, MelConfig{Precision: Float64Precision}}} {
		b.Run(c.name, func(b *testing.B) {
			m := newMelOrFail(b, c.config)
			if c.portable {
				audiotest.WithoutVectors(func() { m = newMelOrFail(b, c.config) })
			}
			pcm, _ := decodeFile(b, filepath.Join(goldenDir, "mixed.wav"))
			dst := make([]float32, m.Frames(int64(len(pcm)))*80)
			for b.Loop() {
				m.Compute(dst, pcm)
			}
			b.ReportMetric(float64(b.N*len(dst)/80)/b.Elapsed().Seconds(), "frames/s")
		})
	}
}
