package audio

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"voxpack/audio/internal/audiotest"
)

// voice is the voiced part of mixed.wav.
func voice(t testing.TB) (pcm []float32, rate int) {
	t.Helper()
	mixed, info := decodeFile(t, filepath.Join(goldenDir, "mixed.wav"))
	return mixed[:26_000], info.Rate
}

func TestTrimGivesBackAPaddedClip(t *testing.T) {
	const rate = 22050
	loud := audiotest.Tone(20_000, rate, 300) // loud from the first sample to the last
	for i := range loud {
		loud[i] += 0.25
	}
	for _, before := range []int{0, 1, 511, 512, 5000, 12_345, 40_000} {
		for _, after := range []int{0, 1, 700, 8192, 33_333} {
			for _, margin := range []float64{0, 0.01, 0.2} {
				clip := slices.Concat(make([]float32, before), loud, make([]float32, after))
				out, done := apply(t, Process{TrimDB: 40, TrimMargin: margin}, rate, clip)
				kept := int(math.Ceil(margin*rate/512)) * 512
				if lead := before - done.CutStart; lead < min(before, kept+512) || lead > kept+1024 {
					t.Errorf("%d zeros before, margin %v: %d are left, want %d to %d", before, margin, lead, kept+512, kept+1024)
				}
				if tail := after - done.CutEnd; tail < min(after, kept+512) || tail > kept+1536 {
					t.Errorf("%d zeros after, margin %v: %d are left, want %d to %d", after, margin, tail, kept+512, kept+1536)
				}
				if !sameBits(out, clip[done.CutStart:len(clip)-done.CutEnd]) {
					t.Error("trimming changed samples")
				}
			}
		}
	}
}

func TestTrimmingTwiceIsTrimmingOnce(t *testing.T) {
	clips := map[string][]float32{}
	pcm, rate := voice(t)
	clips["voice"] = pcm
	clips["padded"] = slices.Concat(quieter(pcm[:9000], 9), pcm, quieter(pcm[:7777], 8))
	clips["swelling"] = slices.Clone(pcm)
	for i := range clips["swelling"] {
		clips["swelling"][i] *= float32(i) / 26_000
	}
	for id, clip := range realClips(t) {
		clips[id] = clip
	}
	cut := 0
	for name, clip := range clips {
		for _, db := range []float64{5, 10, 20, 30, 40, 60} {
			for _, margin := range []float64{1024.0 / 22050, 0.05, 0.25} {
				p := Process{TrimDB: db, TrimMargin: margin}
				once, done := apply(t, p, rate, clip)
				if _, again := apply(t, p, rate, once); again != (Processed{}) {
					t.Errorf("%s, %+v: the second pass cuts %+v after %+v", name, p, again, done)
				}
				cut += min(done.CutStart, 1) + min(done.CutEnd, 1)
			}
		}
	}
	if cut < 10 {
		t.Errorf("only %d ends were cut: the clips show nothing", cut)
	}
}

// The frame rule is librosa's; these are what librosa.effects.trim (0.11) gives for the same clips.
func TestTrimHasTheBoundsOfLibrosa(t *testing.T) {
	pcm, rate := voice(t)
	for _, c := range librosaBounds {
		clip := slices.Concat(make([]float32, c.before), pcm[:c.n], quieter(pcm[:c.after], 10))
		_, done := apply(t, Process{TrimDB: c.db}, rate, clip)
		if start, end := done.CutStart, len(clip)-done.CutEnd; start != c.start || end != c.end {
			t.Errorf("%+v: kept %d to %d", c, start, end)
		}
	}
}

func TestTrimKeepsAClipOfOneLevel(t *testing.T) {
	for _, n := range []int{1, 511, 512, 513, 1024, 2048, 5120, 30_000} {
		clip := make([]float32, n)
		for i := range clip {
			clip[i] = 0.1
		}
		if _, done := apply(t, Process{TrimDB: 10}, 16000, clip); done != (Processed{}) {
			t.Errorf("%d equal samples: cut %+v", n, done)
		}
	}
}

// Hops of 0.5, 1, 1, 0, 1, 0.5: the loudest frame is the one centred on the empty hop, and at half a decibel nothing but that hop
// is kept. There is no level to normalise then.
func TestTrimThatLeavesOnlySilenceIsARejection(t *testing.T) {
	var clip []float32
	for _, power := range []float64{0, 0.5, 1, 1, 0, 1, 0.5, 0} {
		for range trimHop {
			clip = append(clip, float32(math.Sqrt(power)))
		}
	}
	if out, _ := apply(t, Process{TrimDB: 0.5}, 22050, clip); len(out) != trimHop || slices.Max(out) != 0 {
		t.Fatalf("%d samples are left, want the empty hop alone", len(out))
	}
	for _, kind := range []string{"peak", "loudness"} {
		before := slices.Clone(clip)
		_, _, err := newProcessor(t, Process{TrimDB: 0.5, Normalize: kind}, 22050).Apply(clip)
		if !errors.Is(err, ErrSilent) || !sameBits(clip, before) {
			t.Errorf("%s: %v, want %v", kind, err, ErrSilent)
		}
	}
}

// realClips is empty without VOXPACK_CORPORA.
func realClips(t testing.TB) map[string][]float32 {
	t.Helper()
	clips := map[string][]float32{}
	corpora := os.Getenv("VOXPACK_CORPORA")
	if corpora == "" {
		t.Log("VOXPACK_CORPORA is not set: without real clips")
		return clips
	}
	paths, err := filepath.Glob(filepath.Join(corpora, "ljspeech-32", "wavs", "*.wav"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no clips in %s: %v", corpora, err)
	}
	for _, path := range paths {
		id := filepath.Base(path)
		clips[id[:len(id)-len(".wav")]], _ = decodeFile(t, path)
	}
	return clips
}

// before zeros, n samples of voice, after samples of it 60 dB lower, at a threshold of db.
var librosaBounds = []struct {
	before, n, after int
	db               float64
	start, end       int
}{
	{0, 26000, 0, 6, 512, 26000},
	{0, 26000, 0, 20, 0, 26000},
	{0, 26000, 0, 40, 0, 26000},
	{0, 26000, 0, 60, 0, 26000},
	{9000, 26000, 7000, 6, 9216, 35328},
	{9000, 26000, 7000, 20, 8192, 36352},
	{9000, 26000, 7000, 40, 8192, 36352},
	{9000, 26000, 7000, 60, 8192, 36352},
	{1, 511, 0, 6, 0, 512},
	{1, 511, 0, 20, 0, 512},
	{1, 511, 0, 40, 0, 512},
	{1, 511, 0, 60, 0, 512},
	{3000, 4096, 2048, 6, 3072, 7680},
	{3000, 4096, 2048, 20, 2048, 8192},
	{3000, 4096, 2048, 40, 2048, 8192},
	{3000, 4096, 2048, 60, 2048, 8192},
	{0, 2048, 10000, 6, 0, 3072},
	{0, 2048, 10000, 20, 0, 3072},
	{0, 2048, 10000, 40, 0, 3072},
	{0, 2048, 10000, 60, 0, 12048},
	{12345, 20000, 15000, 6, 12800, 25600},
	{12345, 20000, 15000, 20, 11776, 27136},
	{12345, 20000, 15000, 40, 11776, 28160},
	{12345, 20000, 15000, 60, 11776, 28160},
}
