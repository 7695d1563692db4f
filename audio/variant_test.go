package audio

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"voxpack/audio/internal/audiotest"
)

// testNorms are numbers that float32 holds exactly; mel_reference.py has the same.
func testNorms() []float32 {
	norms := make([]float32, 80)
	for i := range norms {
		norms[i] = 1 + float32(i)/32
	}
	return norms
}

// variantConfigs are the configs of mel_reference.py by its names.
func variantConfigs() map[string]MelConfig {
	return map[string]MelConfig{
		"hifigan":    {},
		"vits":       {Variant: "vits"},
		"tacotron2":  {Variant: "tacotron2"},
		"coqui-ap":   {Variant: "coqui-ap"},
		"xtts-dvae":  {Variant: "xtts-dvae", Norms: testNorms()},
		"xtts-clone": {Variant: "xtts-dvae", NFFT: 4096, HopLength: 1024, WinLength: 4096, Norms: testNorms()},

		"vocos":            {Variant: "vocos", FMax: 11025},
		"f5-tts":           {Variant: "f5-tts", FMax: 11025},
		"nemo":             {Variant: "nemo", PadMode: PadConstant},
		"nemo-hifigan":     {Variant: "nemo-hifigan", PadMode: PadConstant},
		"parallel-wavegan": {Variant: "parallel-wavegan", FMin: 80, FMax: 7600},
		"espnet":           {Variant: "espnet", FMin: 80, FMax: 7600},
		"styletts2":        {Variant: "styletts2", NFFT: 2048, HopLength: 300, WinLength: 1200, FMax: 11025},
	}
}

// toLog undoes what a variant does to the logarithm, so that all variants are held to bounds in ln units. Values that the variant
// has clipped stay at the clip.
func toLog(variant string, band int, v float64) float64 {
	switch {
	case variant == "coqui-ap":
		return (v - 2.4) * math.Ln10 / 1.6
	case strings.HasPrefix(variant, "xtts-"):
		return v * (1 + float64(band)/32)
	case variant == "parallel-wavegan" || variant == "espnet":
		return v * math.Ln10
	case variant == "styletts2":
		return 4 * (v - 1)
	}
	return v
}

// areas are what brings the ln mels of a config to those of bands of area 1, whose levels the bounds are for.
func areas(c MelConfig) []float64 {
	c = c.WithDefaults()
	v, _ := variantByName(c.Variant)
	shift := make([]float64, c.NMels)
	if edges := v.edges(c); v.raw {
		for i := range shift {
			shift[i] = math.Log(2 / (edges[i+2] - edges[i]))
		}
	}
	return shift
}

// A reference is a line of variants.tsv: some frames of a clip by a variant.
type reference struct {
	variant, clip string
	samples       int
	mode          string
	frames, step  int
	want          []float64 // of frames 0, step, …
}

func readReferences(t *testing.T) []reference {
	t.Helper()
	index, err := os.ReadFile(filepath.Join(goldenDir, "variants.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	values := readFloat64s(t, "variants.f64")
	var refs []reference
	used := 0
	for line := range strings.Lines(string(index)) {
		var r reference
		var first, rows int
		if _, err := fmt.Sscan(line, &r.variant, &r.clip, &r.samples, &r.mode, &r.frames, &r.step, &first, &rows); err != nil {
			t.Fatalf("variants.tsv: %q: %v", line, err)
		}
		r.want = values[first*80:][:rows*80]
		used += rows * 80
		refs = append(refs, r)
	}
	if used != len(values) {
		t.Errorf("variants.tsv tells of %d values, variants.f64 holds %d", used, len(values))
	}
	return refs
}

// clips gives the clips of references and keeps what it has read; a real one is nil where there are none.
type clips map[string][]float32

func (c clips) of(t *testing.T, r reference) []float32 {
	t.Helper()
	name, first, last := r.clip+".wav", 0, r.samples
	dir := goldenDir
	if parts := strings.Split(r.clip, ":"); len(parts) == 3 {
		at, err := strconv.Atoi(parts[2])
		if err != nil {
			t.Fatal(err)
		}
		name, first, last = "edges.wav", at, at+r.samples
	} else if id, real := strings.CutPrefix(name, "ljspeech-32/"); real {
		if dir = os.Getenv("VOXPACK_CORPORA"); dir == "" {
			return nil
		}
		dir, name = filepath.Join(dir, "ljspeech-32", "wavs"), id
	}
	pcm, ok := c[name]
	if !ok {
		pcm, _ = decodeFile(t, filepath.Join(dir, name))
		c[name] = pcm
	}
	return pcm[first:last]
}

// transformNoise is what one transform in float32 adds to a value, as a part of the clip's peak: a loud bin leaves about 2^-24 of itself in
// every other bin of its frame, so that what is far below the peak carries a greater relative error. Measured on the clips of
// variants.tsv: 1.7e-7 for magnitudes, 1.5e-6 for the root of a power (whose bands weigh by the root of what magnitudes are weighed by), and
// 2e-6 for that of styletts2, whose bands go up to 11,025 Hz.
func transformNoise(c MelConfig, ln, peak float64) float64 {
	if c.Variant == "styletts2" {
		return 5e-6 * peak / math.Exp(ln/2)
	}
	if v, _ := variantByName(c.Variant); v.power {
		return 3e-6 * peak / math.Exp(ln/2)
	}
	return 4e-7 * peak / math.Exp(ln)
}

func greatest(pcm []float32) (peak float64) {
	for _, v := range pcm {
		peak = max(peak, math.Abs(float64(v)))
	}
	return peak
}

// compare holds the rows of a clip to its reference, both in ln units, and gathers the deviations.
func (r *reference) compare(t *testing.T, c MelConfig, pcm []float32, d *deviation) {
	t.Helper()
	m := newMelOrFail(t, c)
	if got := m.Frames(int64(r.samples)); got != r.frames {
		t.Errorf("%s, %d samples, %s: %d frames, want %d", r.clip, r.samples, r.mode, got, r.frames)
		return
	}
	mel, peak, shift := computeAll(m, pcm), greatest(pcm), areas(c)
	for i, v := range r.want {
		frame, band := i/80*r.step, i%80
		got, want := toLog(r.variant, band, float64(mel[frame*80+band])), toLog(r.variant, band, v)
		e, limit := math.Abs(got-want), maxError
		if c.Precision == Float32Precision {
			limit += transformNoise(c, want+shift[band], peak)
		}
		if !(e <= limit) {
			t.Errorf("%s, %d samples, %s: frame %d band %d is ln %g, want %g; they differ by %.1e, want at most %.1e",
				r.clip, r.samples, r.mode, frame, band, got, want, e, limit)
		}
		d.addOne(e, want+shift[band])
	}
}

// TestVariantsAreWithinBoundsOfTheReference: float64 deviates by no more than the rounding of its float32 result; float32 by the noise
// of its transform besides. Over the levels -8 and -6 that noise is small on speech. The log of a power moves twice as far as that
// of a magnitude for the same noise, but e^-8 of a power is a magnitude of e^-4, so that the same bounds hold with room to spare.
func TestVariantsAreWithinBoundsOfTheReference(t *testing.T) {
	refs, all := readReferences(t), clips{}
	for name, config := range variantConfigs() {
		for _, precision := range []string{Float32Precision, Float64Precision} {
			t.Run(name+"/"+precision, func(t *testing.T) {
				config.Precision = precision
				var made, real deviation
				for _, r := range refs {
					pcm := all.of(t, r)
					if r.variant != name || pcm == nil {
						continue
					}
					d := &made
					if strings.HasPrefix(r.clip, "ljspeech-32/") {
						d = &real
					}
					config.PadMode = r.mode
					r.compare(t, config, pcm, d)
				}
				made.log(t, "made clips")
				// A tone or a square of full scale leaves 2 parts in 10 million of itself in quiet bands, speech far less; one that
				// begins after silence has quiet bands beside loud ones at every frequency.
				over6 := 2.5e-5
				if strings.HasPrefix(name, "nemo") {
					over6 = 5e-5
				}
				if made.n == 0 || made.over8 > 2e-4 || made.over6 > over6 {
					t.Errorf("made clips: %d values, over -8 %.2e, over -6 %.2e; want some, at most 2e-4, %.1e", made.n, made.over8, made.over6, over6)
				}
				if real.n > 0 {
					real.log(t, "real clips")
					real.checkSpeech(t, config)
				}
			})
		}
	}
}

// TestFloat32OfEveryFrameIsNearFloat64 takes what the test above holds to the reference as one itself, for all frames of all clips.
func TestFloat32OfEveryFrameIsNearFloat64(t *testing.T) {
	corpora := os.Getenv("VOXPACK_CORPORA")
	if corpora == "" {
		t.Skip("VOXPACK_CORPORA is not set: no real clips to compare")
	}
	files, err := filepath.Glob(filepath.Join(corpora, "ljspeech-32", "wavs", "*.wav"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no clips of ljspeech-32: %v", err)
	}
	if testing.Short() {
		files = files[:4]
	}
	for name, config := range variantConfigs() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fast := newMelOrFail(t, config)
			config.Precision = Float64Precision
			exact := newMelOrFail(t, config)
			var d deviation
			shift := areas(config)
			for _, file := range files {
				pcm, _ := decodeFile(t, file)
				got, want := computeAll(fast, pcm), computeAll(exact, pcm)
				for i, v := range want {
					ln := toLog(name, i%80, float64(v))
					d.addOne(math.Abs(toLog(name, i%80, float64(got[i]))-ln), ln+shift[i%80])
				}
			}
			d.log(t, "all frames")
			d.checkSpeech(t, config)
		})
	}
}

func TestEveryVariantHasAReference(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range readReferences(t) {
		seen[variantConfigs()[r.variant].WithDefaults().Variant] = true
	}
	for _, v := range variants {
		if !seen[v.name] {
			t.Errorf("variant %q has no line in variants.tsv", v.name)
		}
	}
}

func TestNormsDivideTheBands(t *testing.T) {
	pcm, _ := decodeFile(t, filepath.Join(goldenDir, "mixed.wav"))
	norms := testNorms()
	plain := computeAll(newMelOrFail(t, MelConfig{Variant: "xtts-dvae"}), pcm)
	m := newMelOrFail(t, MelConfig{Variant: "xtts-dvae", Norms: norms})
	clear(norms) // the computer has numbers of its own
	norms = testNorms()
	for i, v := range computeAll(m, pcm) {
		if want := plain[i] / norms[i%80]; v != want {
			t.Fatalf("frame %d band %d is %g, want %g / %g = %g", i/80, i%80, v, plain[i], norms[i%80], want)
		}
	}
}

func TestFinishTouchesNoRowThatWasNotComputed(t *testing.T) {
	pcm := make([]float32, 1024) // 5 frames
	for _, name := range []string{"coqui-ap", "xtts-dvae"} {
		m := newMelOrFail(t, variantConfigs()[name])
		dst := make([]float32, 7*80+5)
		for i := range dst {
			dst[i] = 42
		}
		m.Compute(dst, pcm)
		for i, v := range dst {
			if (v == 42) != (i >= 5*80) {
				t.Errorf("%s: value %d is %g, of 5 rows and what stands after them as 42", name, i, v)
				break
			}
		}
	}
}

func TestCoquiClipsAtFour(t *testing.T) {
	m := newMelOrFail(t, MelConfig{Variant: "coqui-ap"})
	loud := make([]float32, 4096)
	for i := range loud {
		loud[i] = 1000 * float32(i%5-2) // beyond full scale, as float files may be
	}
	for what, want := range map[string]float32{"silence": -4, "far beyond full scale": 4} {
		pcm := loud
		if what == "silence" {
			pcm = make([]float32, 4096)
		}
		got := computeAll(m, pcm)
		row := got[3*80:][:80]
		for band, v := range row {
			if v < -4 || v > 4 || what == "silence" && v != want {
				t.Errorf("%s: band %d = %g, want %g", what, band, v, want)
			}
		}
		if !slices.Contains(row, want) {
			t.Errorf("%s: no band is %g: %v", what, want, row)
		}
	}
}

// TestVariantsArePortable: the vectors and the portable code give one result, finished or not, in every variant and precision.
func TestVariantsArePortable(t *testing.T) {
	pcm, _ := decodeFile(t, filepath.Join(goldenDir, "mixed.wav"))
	for name, config := range variantConfigs() {
		for _, config.Precision = range []string{Float32Precision, Float64Precision} {
			var want []float32
			audiotest.WithoutVectors(func() { want = computeAll(newMelOrFail(t, config), pcm) })
			if got := computeAll(newMelOrFail(t, config), pcm); !slices.Equal(got, want) {
				t.Errorf("%s, %s: the vectors give other values than the portable code", name, config.Precision)
			}
		}
	}
}

// TestWriteMelsForPeers writes what testdata/mel_peers.py compares: the mels of the clips that clips.txt in a folder lists, one file a
// variant and precision, all clips one after the other, in little-endian float32.
func TestWriteMelsForPeers(t *testing.T) {
	folder := os.Getenv("VOXPACK_WRITE_MELS")
	if folder == "" {
		t.Skip("VOXPACK_WRITE_MELS is not set: testdata/mel_peers.py sets it")
	}
	list, err := os.ReadFile(filepath.Join(folder, "clips.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for name, config := range variantConfigs() {
		for _, config.Precision = range []string{Float32Precision, Float64Precision} {
			m := newMelOrFail(t, config)
			var out []byte
			for path := range strings.Lines(string(list)) {
				pcm, _ := decodeFile(t, strings.TrimSuffix(path, "\n"))
				mel := computeAll(m, pcm)
				at := len(out)
				out = append(out, make([]byte, 4*len(mel))...)
				PutFloat32(out[at:], mel)
			}
			if err := os.WriteFile(filepath.Join(folder, name+"."+config.Precision), out, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// BenchmarkMelVariants: what bands of another kind and the finish cost beside the default variant.
func BenchmarkMelVariants(b *testing.B) {
	pcm, _ := decodeFile(b, filepath.Join(goldenDir, "mixed.wav"))
	for name, config := range variantConfigs() {
		b.Run(name, func(b *testing.B) {
			m := newMelOrFail(b, config)
			dst := make([]float32, m.Frames(int64(len(pcm)))*80)
			for b.Loop() {
				m.Compute(dst, pcm)
			}
			b.ReportMetric(float64(b.N*len(dst)/80)/b.Elapsed().Seconds(), "frames/s")
		})
	}
}
