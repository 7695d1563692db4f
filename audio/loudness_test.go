package audio

import (
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"voxpack/audio/codec"
	"voxpack/audio/internal/audiotest"
)

// loudness is what the recommendation's measure says of pcm.
func loudness(rate int, pcm []float32) float64 {
	m := newMeter(rate)
	m.measure(pcm)
	return offsetLU + 10*math.Log10(m.gated(m.gate))
}

// level is a tone of 1 kHz with a peak of db dBFS, at a rate that is a multiple of 50 Hz: 20 of its cycles are a fiftieth of a second.
func level(seconds float64, rate int, db float64) []float32 {
	cycles := audiotest.Tone(rate/50, rate, 1000)
	scale(cycles, 2*math.Pow(10, db/20))
	x := make([]float32, int(seconds*float64(rate)))
	for at := 0; at < len(x); at += len(cycles) {
		copy(x[at:], cycles)
	}
	return x
}

// EBU Tech 3341, table 1, cases 1 to 5, which are for two equal channels: one alone is 10 log 2 = 3.01 LU below.
func TestMeterPassesTheCasesOfTech3341(t *testing.T) {
	type part struct{ seconds, db float64 }
	tests := []struct {
		name  string
		parts []part
		want  float64
	}{
		{"case 1", []part{{20, -23}}, -23},
		{"case 2", []part{{20, -33}}, -33},
		{"case 3: relative gate", []part{{10, -36}, {60, -23}, {10, -36}}, -23},
		{"case 4: both gates", []part{{10, -72}, {10, -36}, {60, -23}, {10, -36}, {10, -72}}, -23},
		{"case 5: nothing gated", []part{{20, -26}, {20.1, -20}, {20, -26}}, -23},
	}
	rates := []int{22050, 16000, 48000}
	if testing.Short() {
		rates = rates[:1]
	}
	for _, rate := range rates {
		for _, c := range tests {
			var clip []float32
			for _, p := range c.parts {
				clip = append(clip, level(p.seconds, rate, p.db)...)
			}
			got, want := loudness(rate, clip), c.want-10*math.Log10(2)
			t.Logf("%s at %d Hz: %.3f LUFS, want %.3f", c.name, rate, got, want)
			if math.Abs(got-want) > 0.1 {
				t.Errorf("%s at %d Hz: %.3f LUFS, want %.3f within 0.1", c.name, rate, got, want)
			}
		}
	}
}

// "If a 0 dB FS, 997 Hz sine wave is applied to the left, centre, or right channel input, the indicated loudness will equal -3.01
// LKFS" (BS.1770-4, annex 1): at 48 kHz, and as it is the same sound at every other rate.
func TestFullScaleToneReadsMinus3AtEveryRate(t *testing.T) {
	for _, rate := range []int{8000, 11025, 16000, 22050, 24000, 32000, 44100, 48000, 96000, 192000} {
		x := audiotest.Tone(5*rate, rate, 997)
		scale(x, 2)
		got := loudness(rate, x)
		t.Logf("%d Hz: %.4f LUFS", rate, got)
		// What is left is the bend of the bilinear transform between 997 Hz and the shelf, held at 1682 Hz: it goes with the square
		// of frequency over rate.
		if limit := 0.006 + 13e6/float64(rate*rate); math.Abs(got+3.01) > limit {
			t.Errorf("%d Hz: %.4f LUFS, want -3.01 within %v", rate, got, limit)
		}
	}
}

func TestKWeightingAt48kIsTheTable(t *testing.T) {
	m := newMeter(48000)
	for _, p := range [][2]biquad{{m.shelf, shelf48k}, {m.highPass, highPass48k}} {
		got, want := p[0], p[1]
		for i, d := range []float64{got.b0 - want.b0, got.b1 - want.b1, got.b2 - want.b2, got.a1 - want.a1, got.a2 - want.a2} {
			if math.Abs(d) > 1e-14 {
				t.Errorf("coefficient %d is off by %g", i, d)
			}
		}
	}
	for q, hz := range map[biquad]float64{shelf48k: shelfFrequency / 1e12, highPass48k: highPassFrequency / 1e12} {
		want := math.Atan(math.Sqrt((1+q.a1+q.a2)/(1-q.a1+q.a2))) * 48000 / math.Pi
		if math.Abs(hz/want-1) > 1e-12 {
			t.Errorf("natural frequency %v Hz, of the table %v", hz, want)
		}
	}
}

func TestKWeightingIsStableAtEveryRate(t *testing.T) {
	for _, rate := range []int{minLoudnessRate, 9999, 22050, 44100, 192000, codec.MaxRate} {
		m := newMeter(rate)
		for _, q := range []biquad{m.shelf, m.highPass} {
			if !(math.Abs(q.a2) < 1 && math.Abs(q.a1) < 1+q.a2) { // the triangle of stable filters
				t.Errorf("%d Hz: %+v", rate, q)
			}
		}
		var k kWeighting
		k.energy(&m, []float32{1})
		k.energy(&m, make([]float32, 5*rate))
		if k.y1 != 0 || k.w1 > 1e-60 { // flushed, not on its way through the denormal numbers
			t.Errorf("%d Hz: 5 s after a click the filters still hold %+v", rate, k)
		}
	}
}

func TestGainReachesTheTarget(t *testing.T) {
	clips := realClips(t)
	pcm, rate := voice(t)
	mixed, _ := decodeFile(t, filepath.Join(goldenDir, "mixed.wav"))
	clips["voice"], clips["mixed"] = pcm, mixed
	clips["one block"] = pcm[5000 : 5000+8820]
	clips["below one block"] = pcm[5000:5700]
	clips["padded"] = slices.Concat(make([]float32, 30_000), pcm, make([]float32, 30_000))
	for name, clip := range clips {
		for _, by := range []int{0, 5, 7} { // 7: around -65 LUFS, where pauses rise above the absolute gate
			for _, target := range []float64{-16, -23, -40, -60} {
				out, done := apply(t, Process{Normalize: "loudness", LUFS: target}, rate, quieter(clip, by))
				peak, _ := peakOf(out)
				got := loudness(rate, out)
				if done.HeldBackDB > 0 {
					if peak != fullScale || math.Abs(got+done.HeldBackDB-target) > 0.1 {
						t.Errorf("%s / 2^%d to %v: held back to %.3f LUFS, %+v, peak %v", name, by, target, got, done, peak)
					}
					continue
				}
				if math.Abs(got-target) > 0.001 || peak > fullScale {
					t.Errorf("%s / 2^%d: %.4f LUFS, want %v; %+v, peak %v", name, by, got, target, done, peak)
				}
			}
		}
	}
}

// A pause below the absolute gate, but within 10 LU of the rest: after the gain it counts, and the target has to hold there.
func TestPausesThatRiseAboveTheGateCount(t *testing.T) {
	const rate = 16000
	clip := slices.Concat(level(5, rate, -59), level(20, rate, -68), level(5, rate, -59))
	if was, want := loudness(rate, clip), -62.0; math.Abs(was-want) > 0.2 {
		t.Fatalf("%.3f LUFS, want about %v: the pause counts already", was, want)
	}
	out, done := apply(t, Process{Normalize: "loudness", LUFS: -23}, rate, clip)
	if got := loudness(rate, out); math.Abs(got+23) > 0.001 || done.GainDB < 40 {
		t.Errorf("%.4f LUFS after %v dB, want -23", got, done.GainDB)
	}
}

func TestClipBelowTheGateIsARejection(t *testing.T) {
	for _, clip := range [][]float32{level(2, 16000, -70), level(0.2, 16000, -70)} {
		_, _, err := newProcessor(t, Process{Normalize: "loudness"}, 16000).Apply(clip)
		if !errors.Is(err, ErrSilent) || !strings.Contains(err.Error(), "-70 LUFS") {
			t.Errorf("a clip of -73 LUFS: %v, want a rejection", err)
		}
		apply(t, Process{Normalize: "loudness"}, 16000, slices.Concat(clip, level(1, 16000, -60)))
	}
}

func TestGuardHoldsTheGainBack(t *testing.T) {
	clip, rate := voice(t)
	clip = quieter(clip, 2)
	clip[13_000] = 0.9 // a click in quiet speech
	out, done := apply(t, Process{Normalize: "loudness", LUFS: -10}, rate, clip)
	if want := 20 * math.Log10(fullScale/0.9); math.Abs(done.GainDB-want) > 1e-6 {
		t.Errorf("gain %v dB, want %v", done.GainDB, want)
	}
	_, free := apply(t, Process{Normalize: "loudness", LUFS: -40}, rate, clip)
	if want := free.GainDB + 30 - done.GainDB; math.Abs(done.HeldBackDB-want) > 1e-6 || want < 1 {
		t.Errorf("held back %v dB, want %v", done.HeldBackDB, want)
	}
	if out[13_000] != fullScale {
		t.Errorf("the click is at %v, want %v", out[13_000], fullScale)
	}
}

func TestLoudnessClipCutsWhatPassesFullScale(t *testing.T) {
	clip, rate := voice(t)
	clip = quieter(clip, 2)
	clip[13_000], clip[13_001] = 0.9, -0.9 // a click in quiet speech
	_, free := apply(t, Process{Normalize: "loudness", LUFS: -40}, rate, clip)
	out, done := apply(t, Process{Normalize: LoudnessClip, LUFS: -10}, rate, clip)
	if math.Abs(done.GainDB-free.GainDB-30) > 1e-6 || done.HeldBackDB != 0 {
		t.Errorf("%+v, want 30 dB more than %v, and nothing held back", done, free.GainDB)
	}
	cut := 0
	for i, v := range clip {
		want := float64(v) * math.Pow(10, done.GainDB/20)
		if math.Abs(want) > 1 {
			want = math.Copysign(1, want)
			cut++
		}
		if math.Abs(float64(out[i])-want) > 1e-6 {
			t.Fatalf("sample %d is %v, want %v", i, out[i], want)
		}
	}
	if done.Clipped != cut || cut < 2 {
		t.Errorf("%d samples clipped, want %d, and 2 at least", done.Clipped, cut)
	}
	if _, quiet := apply(t, Process{Normalize: LoudnessClip, LUFS: -40}, rate, clip); quiet != free {
		t.Errorf("without a sample beyond full scale: %+v, want what loudness does, %+v", quiet, free)
	}
}

// The last block is counted when it is whole, and not before.
func TestBlocksAreWhole(t *testing.T) {
	for _, rate := range []int{8000, 11025, 22050, 44099} {
		m := newMeter(rate)
		for _, c := range []struct{ steps, samplesMore, want int }{{1, 0, 1}, {3, rate/10 - 1, 1}, {4, 0, 1}, {4, rate/10 - 1, 1}, {5, 0, 2}, {66, 5, 63}} {
			m.measure(make([]float32, (c.steps*rate+9)/10+c.samplesMore))
			if len(m.blocks) != c.want {
				t.Errorf("%d Hz: %d blocks in %+v", rate, len(m.blocks), c)
			}
		}
	}
}
