package audio

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// heard is the bundled clip that is made audible again: 2.1 s of a synthetic voice.
const heard = "../testdata/corpus/en/wavs/en-0006.wav"

func newInverseOrFail(t testing.TB, c MelConfig) *Inverse {
	t.Helper()
	v, err := NewInverse(c)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestInverseRoundTrip: the mel of the sound made of a mel is near that mel. The bounds are what was measured and a tenth: mean
// difference in ln units over all values, and correlation. A power weighs like two magnitudes, so that its differences count
// twice; in the windows of 4096 samples of xtts-clone a voice does not stand still, and phases are harder to find.
func TestInverseRoundTrip(t *testing.T) {
	bounds := map[string]struct{ mean, correlation float64 }{
		"hifigan": {0.125, 0.995}, "vits": {0.117, 0.995}, "tacotron2": {0.132, 0.994}, "coqui-ap": {0.113, 0.995},
		"xtts-dvae": {0.161, 0.996}, "xtts-clone": {0.335, 0.990},
		"vocos": {0.279, 0.971}, "f5-tts": {0.194, 0.982}, "nemo": {0.131, 0.994}, "nemo-hifigan": {0.128, 0.995},
		"parallel-wavegan": {0.318, 0.969}, "espnet": {0.167, 0.989}, "styletts2": {0.233, 0.994},
	}
	pcm, _ := decodeFile(t, heard)
	for name, c := range variantConfigs() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && name != "hifigan" {
				t.Skip("one variant under -short")
			}
			m := newMelOrFail(t, c)
			mel := computeAll(m, pcm)
			back := newInverseOrFail(t, c).Mel(mel)
			again := computeAll(m, back)
			if len(again) != len(mel) {
				t.Fatalf("%d values of the mel made again, want %d", len(again), len(mel))
			}
			mean, correlation := likeness(name, mel, again)
			t.Logf("mean |d ln mel| %.4f, correlation %.4f", mean, correlation)
			if want := bounds[name]; !(mean <= want.mean && correlation >= want.correlation) {
				t.Errorf("mean |d ln mel| %.4f, correlation %.4f; want at most %.3f, at least %.3f", mean, correlation, want.mean, want.correlation)
			}
			// Phases move the peaks, not the loudness.
			if r := rms(back) / rms(pcm); !(r > 0.9 && r < 1.1) {
				t.Errorf("the sound is %.3f times as loud as the clip", r)
			}
		})
	}
}

// likeness compares two mels of a config of variantConfigs.
func likeness(name string, a, b []float32) (mean, correlation float64) {
	var d, sa, sb, saa, sbb, sab float64
	n := float64(len(a))
	for i := range a {
		x, y := toLog(name, i%80, float64(a[i])), toLog(name, i%80, float64(b[i]))
		d += math.Abs(x - y)
		sa, sb, saa, sbb, sab = sa+x, sb+y, saa+x*x, sbb+y*y, sab+x*y
	}
	return d / n, (sab - sa*sb/n) / math.Sqrt((saa-sa*sa/n)*(sbb-sb*sb/n))
}

func rms(pcm []float32) float64 {
	var sum float64
	for _, v := range pcm {
		sum += float64(v) * float64(v)
	}
	return math.Sqrt(sum / float64(len(pcm)))
}

// TestInverseOfLinear: the same for magnitudes, which have no bands to undo. The measure is the spectral convergence that the
// literature of phase retrieval gives: the norm of the difference as a part of the norm.
func TestInverseOfLinear(t *testing.T) {
	t.Parallel()
	pcm, _ := decodeFile(t, heard)
	for name, want := range map[string]float64{"hifigan": 0.037, "tacotron2": 0.046} {
		c := variantConfigs()[name]
		l := newFeature(t, "linear", c)
		linear := computeFeature(l, pcm)
		again := computeFeature(l, newInverseOrFail(t, c).Linear(linear))
		if len(again) != len(linear) {
			t.Fatalf("%s: %d values made again, want %d", name, len(again), len(linear))
		}
		var difference, whole float64
		for i, v := range linear {
			difference, whole = difference+math.Pow(float64(again[i]-v), 2), whole+math.Pow(float64(v), 2)
		}
		got := math.Sqrt(difference / whole)
		t.Logf("%s: spectral convergence %.4f", name, got)
		if !(got <= want) {
			t.Errorf("%s: spectral convergence %.4f, want at most %.3f", name, got, want)
		}
	}
}

// inverseDigests are SHA-256 over the float32 samples made of heard, the first 12 digits. One that changes says that the sound of
// the same mel became another; that is allowed, but never by chance.
var inverseDigests = map[string]string{
	"hifigan": "bfb4110c37ce", "vits": "c1279d3eee37", "tacotron2": "08c0c6aa3c07", "coqui-ap": "5f8f90ac3d81",
	"xtts-dvae": "a4a11e56aa41", "xtts-clone": "b0d19feaaa36", "linear": "e2530fddc90c",
	"vocos": "bba7010ce63e", "f5-tts": "bba7010ce63e", "nemo": "afa4b91c3f30", "nemo-hifigan": "133b3f58f3ff",
	"parallel-wavegan": "191ce0b53982", "espnet": "05a1d874611a", "styletts2": "06869fb88d49",
}

func TestGoldenInverse(t *testing.T) {
	t.Parallel()
	pcm, _ := decodeFile(t, heard)
	check := func(name string, samples []float32) {
		h := sha256.New()
		if err := binary.Write(h, binary.LittleEndian, samples); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%x", h.Sum(nil))[:12]; got != inverseDigests[name] {
			t.Errorf("%q: digest %q, want %q", name, got, inverseDigests[name])
		}
	}
	for name, c := range variantConfigs() {
		if testing.Short() && name != "hifigan" {
			continue
		}
		v, mel := newInverseOrFail(t, c), computeAll(newMelOrFail(t, c), pcm)
		v.Mel(mel[:10*80]) // nothing is left of the clip before
		check(name, v.Mel(mel))
	}
	c := variantConfigs()["vits"]
	check("linear", newInverseOrFail(t, c).Linear(computeFeature(newFeature(t, "linear", c), pcm)))
}

// TestInverseOfSilence: silence stays silence, also where the floor was rounded to 16 bits.
func TestInverseOfSilence(t *testing.T) {
	t.Parallel()
	round := map[string]func([]float32){
		"f32": func([]float32) {},
		"f16": func(v []float32) {
			b := make([]byte, 2*len(v))
			PutFloat16(b, v)
			Float16(v, b)
		},
		"bf16": func(v []float32) {
			b := make([]byte, 2*len(v))
			PutBFloat16(b, v)
			BFloat16(v, b)
		},
	}
	for name, c := range variantConfigs() {
		for dtype, round := range round {
			mel := computeAll(newMelOrFail(t, c), make([]float32, 8000))
			round(mel)
			// What vits adds to a power and what espnet raises it to stand over their floors: their silence comes back but for
			// rounding, to less than half a step of 16 bits.
			bound := 0.0
			if name == "vits" || name == "espnet" {
				bound = 0x1p-16
			}
			if got := greatest(newInverseOrFail(t, c).Mel(mel)); !(got <= bound) {
				t.Errorf("%s in %s: silence has a peak of %g, want at most %g", name, dtype, got, bound)
			}
		}
	}
	linear := computeFeature(newFeature(t, "linear", MelConfig{}), make([]float32, 8000))
	if got := greatest(newInverseOrFail(t, MelConfig{}).Linear(linear)); !(got <= 1e-7) {
		t.Errorf("silence of the column linear has a peak of %g", got)
	}
}

// TestInverseLength: the sound of n frames is long enough for n frames and no more, whatever the padding.
func TestInverseLength(t *testing.T) {
	all := map[string]MelConfig{"hop is win": {HopLength: 1024}}
	for name, c := range configs {
		all[name] = c
	}
	for name, c := range all {
		m, v := newMelOrFail(t, c), newInverseOrFail(t, c)
		for _, frames := range []int{0, 1, 2, 7, 30} {
			mel := make([]float32, frames*m.Width()) // ln 1 everywhere: loud
			pcm := v.Mel(mel)
			if frames == 0 && len(pcm) != 0 || frames > 0 && len(pcm) == 0 {
				t.Errorf("%s: %d samples of %d frames", name, len(pcm), frames)
			}
			if len(pcm) >= m.MinSamples() && m.Frames(int64(len(pcm))) != frames {
				t.Errorf("%s: %d samples of %d frames make %d frames", name, len(pcm), frames, m.Frames(int64(len(pcm))))
			}
			for i, x := range pcm {
				if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
					t.Fatalf("%s: sample %d of %d frames is %v", name, i, frames, x)
				}
			}
		}
	}
}

// TestInverseBetweenWindows: where one window ends as the next begins, samples lie under hardly any window. They must not come out
// as loud as what they are divided by is small.
func TestInverseBetweenWindows(t *testing.T) {
	pcm, _ := decodeFile(t, heard)
	c := MelConfig{HopLength: 1024}
	back := newInverseOrFail(t, c).Mel(computeAll(newMelOrFail(t, c), pcm))
	t.Logf("peak %g of a clip with %g", greatest(back), greatest(pcm))
	if got := greatest(back) / greatest(pcm); !(got < 1.5) {
		t.Errorf("the peak is %.1f times that of the clip", got)
	}
}

// TestBankInverse: bins make the bands that were asked for, none is negative, and where no band reads nothing is.
func TestBankInverse(t *testing.T) {
	pcm, _ := decodeFile(t, heard)
	for name, bound := range map[string]float64{"hifigan": 0.0002, "tacotron2": 0.0003, "xtts-dvae": 0.003} {
		c := variantConfigs()[name]
		v, mel := newInverseOrFail(t, c), computeAll(newMelOrFail(t, c), pcm)
		bands, bins := make([]float64, 80), make([]float64, 513)
		var off, n float64
		for f := range len(mel) / 80 {
			v.bands(bands, mel[f*80:])
			v.bank.bins(bins, bands)
			for i, want := range bands {
				if want > 0 {
					off += math.Abs(math.Log(v.bank.bands[i].sum(bins, 0) / want))
					n++
				}
			}
			for k, x := range bins {
				if x < 0 || v.bank.cover[k] == 0 && x != 0 {
					t.Fatalf("%s: frame %d, bin %d is %g", name, f, k, x)
				}
			}
		}
		if !(off/n <= bound) || n == 0 {
			t.Errorf("%s: bands of the bins are off by %.5f in the mean over %.0f bands, want at most %g", name, off/n, n, bound)
		}
	}
}

// TestInverseFFT: there and back again.
func TestInverseFFT(t *testing.T) {
	for n := MinNFFT; n <= MaxNFFT; n *= 2 {
		f := newRealFFT(n)
		want, pairs := make([]float64, n), make([]float64, n+2)
		for i := range want {
			want[i] = float64(i*i*7919%2003)/1001.5 - 1
		}
		for i := range f.re {
			f.re[i], f.im[i] = 0.5*want[2*i], 0.5*want[2*i+1]
		}
		f.transform()
		f.spectrum(pairs)
		var sum float64
		for _, x := range want {
			sum += x
		}
		if math.Abs(pairs[0]-sum) > 1e-9 {
			t.Errorf("n %d: bin 0 is %g, want the sum %g", n, pairs[0], sum)
		}
		f.inverse(pairs)
		for i, x := range want {
			got := f.re[i/2]
			if i%2 == 1 {
				got = f.im[i/2]
			}
			if math.Abs(got-x) > 1e-13 {
				t.Fatalf("n %d: sample %d comes back as %.17g, want %.17g", n, i, got, x)
			}
		}
	}
}

func TestNewInverseChecks(t *testing.T) {
	_, err := NewInverse(MelConfig{NFFT: 1000, HopLength: -1})
	if err == nil || !strings.HasPrefix(err.Error(), "inverse: n_fft 1000") || !strings.Contains(err.Error(), "hop_length -1") {
		t.Errorf("NewInverse of a bad config: %v, want both of its mistakes", err)
	}
}

// BenchmarkInverse: how much longer than its making the sound lasts.
func BenchmarkInverse(b *testing.B) {
	pcm, info := decodeFile(b, filepath.FromSlash(heard))
	v, mel := newInverseOrFail(b, MelConfig{}), computeAll(newMelOrFail(b, MelConfig{}), pcm)
	for b.Loop() {
		v.Mel(mel)
	}
	b.ReportMetric(float64(b.N*len(pcm))/float64(info.Rate)/b.Elapsed().Seconds(), "s/s")
}
