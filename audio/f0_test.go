package audio

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"voxpack/audio/codec"
)

// agreement compares two tracks of f0 frame by frame.
type agreement struct {
	frames, alike, both, gross int
	missed, added              int       // voiced only in the reference; only in ours
	cents                      []float64 // ours over the reference, where both are voiced
}

func (a *agreement) add(got, want float64) {
	a.frames++
	switch {
	case got > 0 && want > 0:
		a.alike, a.both = a.alike+1, a.both+1
		if math.Abs(got/want-1) > 0.2 { // the usual definition of a gross error
			a.gross++
		}
		a.cents = append(a.cents, 1200*math.Log2(got/want))
	case want > 0:
		a.missed++
	case got > 0:
		a.added++
	default:
		a.alike++
	}
}

func (a *agreement) grossShare() float64 { return float64(a.gross) / float64(max(a.both, 1)) }
func (a *agreement) alikeShare() float64 { return float64(a.alike) / float64(a.frames) }

// median is the median of the cents, and of their magnitudes.
func (a *agreement) median() (bias, size float64) {
	slices.Sort(a.cents)
	bias = a.cents[len(a.cents)/2]
	sizes := slices.Clone(a.cents)
	for i, c := range sizes {
		sizes[i] = math.Abs(c)
	}
	slices.Sort(sizes)
	return bias, sizes[len(sizes)/2]
}

func (a *agreement) String() string {
	bias, size := a.median()
	return fmt.Sprintf("%d frames, gross errors %.2f %%, voicing alike %.1f %% (%d missed, %d added), median %.2f cents, bias %.2f",
		a.frames, 100*a.grossShare(), 100*a.alikeShare(), a.missed, a.added, size, bias)
}

// TestF0OfRealClipsAgreesWithTheReferences: two references, which agree with each other on the voicing of 76.0 % of the frames, have
// 5.7 % gross errors between them and differ by 48 cents in the median. Ours stands between them, nearer to each than they are to
// each other; where they agree within 5 %, or both hear no voice, they are taken for the truth.
func TestF0OfRealClipsAgreesWithTheReferences(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile(filepath.Join(featureDir, "f0-ljspeech-32.u16"))
	if err != nil {
		t.Fatal(err)
	}
	const step = 2 // of f0_reference.py
	read := func(n int) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i], b = float64(binary.LittleEndian.Uint16(b))/10, b[2:]
		}
		return v
	}
	c := newFeature(t, "f0", MelConfig{})
	var harvest, pyin, agreed agreement
	forSpeech(t, func(id string, pcm []float32) {
		f0 := computeFeature(c, pcm)
		n := (len(f0) + step - 1) / step
		if len(b) < 4*n {
			t.Fatalf("%s: the reference ends before its %d frames", id, n)
		}
		h, p := read(n), read(n)
		for i := range n {
			got := float64(f0[i*step])
			harvest.add(got, h[i])
			pyin.add(got, p[i])
			if (h[i] == 0 && p[i] == 0) || (h[i] > 0 && math.Abs(p[i]/h[i]-1) < 0.05) {
				agreed.add(got, h[i])
			}
		}
	})
	if len(b) != 0 {
		t.Errorf("%d bytes of the reference are left", len(b))
	}
	for _, c := range []struct {
		name                string
		a                   *agreement
		gross, alike, cents float64
	}{
		{"harvest", &harvest, 0.025, 0.81, 14},
		{"pyin", &pyin, 0.025, 0.8, 35},
		{"where both agree", &agreed, 0.004, 0.945, 9},
	} {
		t.Logf("%s: %v", c.name, c.a)
		if _, size := c.a.median(); c.a.grossShare() > c.gross || c.a.alikeShare() < c.alike || size > c.cents {
			t.Errorf("%s: %v; want at most %.1f %% gross errors, at least %.1f %% alike, at most %g cents",
				c.name, c.a, 100*c.gross, 100*c.alike, c.cents)
		}
	}
}

// sung is a voice with two formants that follows a track of f0, with white noise so many dB below.
func sung(rate, n int, snr float64, hz func(second float64) float64) []float32 {
	rng := rand.New(rand.NewPCG(11, 12))
	y, power, phase := make([]float64, n), 0.0, 0.0
	var colour []float64 // of each harmonic; computed now and then, as it changes slowly
	for i := range y {
		f := hz(float64(i) / float64(rate))
		if i%32 == 0 {
			colour = colour[:0]
			for k := 1.0; k*f < 0.45*float64(rate) && k < 40; k++ {
				low, high := (k*f-600)/130, (k*f-1400)/200
				colour = append(colour, (0.02+math.Exp(-low*low)+math.Exp(-high*high))/math.Sqrt(k))
			}
		}
		twice, before, sin := 2*math.Cos(phase), 0.0, math.Sin(phase)
		for _, c := range colour {
			y[i] += c * sin
			before, sin = sin, twice*sin-before // sin kx, sin (k+1)x
		}
		phase = math.Mod(phase+2*math.Pi*f/float64(rate), 2*math.Pi)
		power += y[i] * y[i] / float64(n)
	}
	pcm := make([]float32, n)
	for i, v := range y {
		pcm[i] = float32(0.1 * (v/math.Sqrt(power) + rng.NormFloat64()*math.Pow(10, -snr/20)))
	}
	return pcm
}

// TestF0OfAKnownVoice also holds the place of the frames: the glides run at 1,000 cents a second and more, so that a hop of delay
// would be a bias of 10 cents.
func TestF0OfAKnownVoice(t *testing.T) {
	t.Parallel()
	tracks := map[string]func(float64) float64{
		"glide up":   func(s float64) float64 { return 80 * math.Exp2(s*1.25) },
		"glide down": func(s float64) float64 { return 500 * math.Exp2(-s*1.25) },
		"vibrato":    func(s float64) float64 { return 220 * math.Exp2(0.05*math.Sin(2*math.Pi*5.5*s)) },
		"swings":     func(s float64) float64 { return 150 * math.Exp2(0.5*math.Sin(2*math.Pi*s)) },
		"low":        func(s float64) float64 { return 70 + 5*math.Sin(2*math.Pi*s) },
		"high":       func(s float64) float64 { return 520 + 50*math.Sin(2*math.Pi*s) },
	}
	for _, c := range []struct {
		config MelConfig
		snr    float64
		voiced float64 // share of the frames, at least
		cents  float64 // median, at most
	}{
		{MelConfig{}, 60, 0.995, 0.5},
		{MelConfig{}, 10, 0.995, 1.5},
		{MelConfig{}, 0, 0.9, 5},
		{MelConfig{Precision: Float64Precision}, 60, 0.995, 0.5},
		{configs["odd-hop"], 60, 0.995, 0.5},
		{shortWindow, 60, 0.995, 0.8},
		{MelConfig{SampleRate: 8000, NFFT: 256, HopLength: 80, WinLength: 256, NMels: 20, FMax: 4000}, 60, 0.99, 2},
		{MelConfig{SampleRate: 48000, NFFT: 2048, HopLength: 512, WinLength: 2048}, 60, 0.995, 0.5},
	} {
		mel := newMelOrFail(t, c.config)
		f := newFeature(t, "f0", c.config)
		rate := mel.Config().SampleRate
		var all agreement
		for name, hz := range tracks {
			var a agreement
			for i, v := range computeFeature(f, sung(rate, 2*rate, c.snr, hz)) {
				middle := i*mel.spec.hop - mel.spec.pad + mel.spec.nfft/2
				if reach := int(periodsSeen / 2 * float64(rate) / 60); middle < reach || middle > 2*rate-reach {
					continue // the window stays inside the clip there
				}
				a.add(float64(v), hz(float64(middle)/float64(rate)))
				all.add(float64(v), hz(float64(middle)/float64(rate)))
			}
			bias, _ := a.median()
			if a.gross > 0 || math.Abs(bias) > c.cents {
				t.Errorf("%s at %d Hz, %g dB: %v, want no gross error, bias at most %g", name, rate, c.snr, &a, c.cents)
			}
		}
		t.Logf("%d Hz, hop %d, %g dB: %v", rate, mel.Config().HopLength, c.snr, &all)
		if _, size := all.median(); all.alikeShare() < c.voiced || size > c.cents {
			t.Errorf("%d Hz, %g dB: %v, want %.1f %% voiced, median at most %g cents", rate, c.snr, &all, 100*c.voiced, c.cents)
		}
	}
}

func TestF0HearsNoVoiceWhereThereIsNone(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	c := newFeature(t, "f0", MelConfig{})
	for name, sample := range map[string]func(i int) float64{
		"silence":     func(int) float64 { return 0 },
		"DC":          func(int) float64 { return 0.3 },
		"white noise": func(int) float64 { return 0.1 * rng.NormFloat64() },
		"noise on DC": func(int) float64 { return 0.3 + 0.01*rng.NormFloat64() },
		"dither":      func(int) float64 { return math.Round(rng.NormFloat64()*0.4) / 32768 },
		"quiet hum":   func(i int) float64 { return math.Round(1.4*math.Sin(2*math.Pi*100*float64(i)/22050)) / 32768 },
		"ultrasound":  func(i int) float64 { return 0.5 * math.Sin(2*math.Pi*8000*float64(i)/22050) },
	} {
		pcm := make([]float32, 4*22050)
		for i := range pcm {
			pcm[i] = float32(sample(i))
		}
		voiced := 0
		f0 := computeFeature(c, pcm)
		for _, v := range f0 {
			if v != 0 {
				voiced++
			}
		}
		if voiced > 0 {
			t.Errorf("%s: %d of %d frames are voiced", name, voiced, len(f0))
		}
	}
	// A square wave of 100 samples is as voiced as can be, from the first frame to the last.
	pcm := make([]float32, 5000)
	for i := range pcm {
		pcm[i] = edgeSignals["full-scale square"](i)
	}
	for f, v := range computeFeature(c, pcm) {
		if math.Abs(float64(v)-220.5) > 0.1 {
			t.Errorf("square wave: frame %d = %g, want 220.5", f, v)
		}
	}
}

// TestF0NeedsNoLongerLook proves what pathAhead says.
func TestF0NeedsNoLongerLook(t *testing.T) {
	short, err := NewF0(MelConfig{}, F0Config{})
	if err != nil {
		t.Fatal(err)
	}
	long, _ := NewF0(MelConfig{}, F0Config{})
	long.path = newF0Path(MelConfig{}.WithDefaults(), F0Config{}.WithDefaults(), 2000)
	forSpeech(t, func(id string, pcm []float32) {
		a, b := computeFeature(short, pcm), computeFeature(long, pcm)
		for f := range a {
			if a[f] != b[f] {
				t.Errorf("%s: frame %d is %g, with a look at all of the clip %g", id, f, a[f], b[f])
			}
		}
	})
}

func TestF0DependsOnTheLevelOfNothing(t *testing.T) {
	pcm, _ := decodeFile(t, filepath.Join(goldenDir, "mixed.wav"))
	pcm = pcm[:25_000] // the voice; what follows is louder
	half := make([]float32, len(pcm))
	for i, v := range pcm {
		half[i] = v / 2
	}
	c := newFeature(t, "f0", MelConfig{})
	if a, b := computeFeature(c, pcm), computeFeature(c, half); !equal(a, b) {
		t.Error("a clip of half the level has another f0")
	}
}

// TestF0WindowStaysInsideTheClip: frames whose window would reach over an end hear what the first and the last whole window hold.
func TestF0WindowStaysInsideTheClip(t *testing.T) {
	pcm := sung(22050, 5000, 40, func(s float64) float64 { return 100 * math.Exp2(3*s) })
	f, err := NewF0(MelConfig{}, F0Config{})
	if err != nil {
		t.Fatal(err)
	}
	at := func(pcm []float32, middle int) []float64 {
		f.corr.analyse(pcm, middle)
		return slices.Clone(append(f.corr.value, f.corr.level))
	}
	half := len(f.corr.window) / 2
	for middle, same := range map[int]int{0: half, half - 1: half, len(pcm) - 1: len(pcm) - 1 - half, len(pcm) - half: len(pcm) - 1 - half} {
		if !slices.Equal(at(pcm, middle), at(pcm, same)) {
			t.Errorf("the window around sample %d is not that around %d", middle, same)
		}
	}
	if slices.Equal(at(pcm, half), at(pcm, half+1)) || slices.Equal(at(pcm, len(pcm)-1-half), at(pcm, len(pcm)-2-half)) {
		t.Error("the window stays where it should move")
	}
	// A short clip lies in the middle of the window, with silence on both sides.
	padded := append(append(make([]float32, half-150), pcm[:301]...), make([]float32, half-150)...)
	if a, b := at(pcm[:301], 7), at(padded, half); math.Abs(a[0]-b[0]) > 0.01 || math.Abs(a[len(a)-1]/b[len(b)-1]-1) > 0.01 {
		t.Errorf("a short clip gives %g at level %g, between silences %g at %g", a[0], a[len(a)-1], b[0], b[len(b)-1])
	}
}

func TestF0KeepsTheBestCandidates(t *testing.T) {
	for weakest := range maxCandidates {
		s := pathStep{n: 1}
		for i := range maxCandidates {
			score := 0.9
			if i == weakest {
				score = 0.5
			}
			if got := s.place(score); got != i+1 {
				t.Fatalf("candidate %d stands at %d", i, got)
			}
		}
		if got := s.place(0.5); got != 0 {
			t.Errorf("one more that is no better than the weakest stands at %d", got)
		}
		if got := s.place(0.6); got != weakest+1 || s.n != maxCandidates+1 {
			t.Errorf("a better one stands at %d of %d, want %d", got, s.n, weakest+1)
		}
	}
}

func TestF0Config(t *testing.T) {
	for _, c := range []struct {
		config F0Config
		want   string
	}{
		{F0Config{}, ""},
		{F0Config{Min: 20, Max: 1200}, ""},
		{F0Config{Min: 19}, "f0_min 19 is out of range 20..1200"},
		{F0Config{Min: math.NaN(), Max: -1}, "f0_min NaN is out of range 20..1200\nf0_max -1 is out of range 20..1200"},
		{F0Config{Max: 1201}, "f0_max 1201 is out of range 20..1200"},
		{F0Config{Min: 400}, "f0_max 600 is not an octave over f0_min 400"},
	} {
		f, err := NewF0(MelConfig{}, c.config)
		if got := strings.TrimPrefix(fmt.Sprint(err), "f0: "); (err == nil) != (c.want == "") || err != nil && got != c.want {
			t.Errorf("%+v: %v, want %q", c.config, err, c.want)
		}
		if err != nil {
			continue
		}
		// Whatever the range, nothing outside comes out.
		lo, hi := c.config.WithDefaults().Min, c.config.WithDefaults().Max
		for i, v := range computeFeature(f, sung(22050, 22050, 30, func(s float64) float64 { return 40 * math.Exp2(5*s) })) {
			if v != 0 && (float64(v) < lo*0.9999 || float64(v) > hi*1.0001) {
				t.Errorf("%+v: frame %d = %g", c.config, i, v)
			}
		}
	}
}

// TestF0AtTheEndsOfTheRates takes the least and the greatest rate that a clip may have, and both ends of the range.
func TestF0AtTheEndsOfTheRates(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rate int
		r    F0Config
		want float64 // 0: any that is in the range
	}{
		{codec.MinRate, F0Config{}, 0}, {codec.MinRate, F0Config{Min: MinF0, Max: MaxF0}, 0}, {codec.MinRate, F0Config{Min: MaxF0 / 2, Max: MaxF0}, 0},
		{4000, F0Config{}, 180}, {8000, F0Config{Min: MinF0, Max: MaxF0}, 180}, {8000, F0Config{Min: MaxF0 / 2, Max: MaxF0}, 0},
		{codec.MaxRate, F0Config{}, 180},
	} {
		f, err := NewF0(MelConfig{SampleRate: c.rate, NFFT: 4096, WinLength: 4096, HopLength: 4096 * c.rate / codec.MaxRate, PadMode: PadConstant,
			NMels: 10, FMax: float64(c.rate) / 2}, c.r)
		if err != nil {
			t.Fatal(err)
		}
		r := c.r.WithDefaults()
		for i, v := range computeFeature(f, sung(c.rate, c.rate/4, 60, func(float64) float64 { return 180 })) {
			got := float64(v)
			if c.want > 0 && math.Abs(got-c.want) > 1 || got != 0 && (got < r.Min || got > r.Max) {
				t.Errorf("%d Hz, %+v: frame %d = %g, want %g", c.rate, c.r, i, got, c.want)
				break
			}
		}
	}
}

func BenchmarkF0(b *testing.B) { benchmarkFeature(b, "f0") }
