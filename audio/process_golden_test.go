package audio

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"voxpack/audio/codec"
	"voxpack/audio/internal/audiotest"
)

const processDir = "../testdata/golden/process"

// processCases are the cases of testdata/process_reference.py.
var processCases = map[string]Process{
	"trim-20":        {TrimDB: 20},
	"trim-40-margin": {TrimDB: 40, TrimMargin: 0.1},
	"trim-60":        {TrimDB: 60, TrimMargin: 0.05},
	"peak":           {Normalize: "peak"},
	"peak-12":        {Normalize: "peak", PeakDB: -12},
	"loudness":       {Normalize: "loudness"},
	"loudness-held":  {Normalize: "loudness", LUFS: -9},
	"pre-emphasis":   {PreEmphasis: 0.97},
	"all":            everything,
}

// A processClip is PCM with its rate.
type processClip struct {
	pcm  []float32
	rate int
}

// processClips are the clips of the reference: of the two WAVs, as they are and in pieces.
func processClips(t testing.TB) map[string]processClip {
	clips := map[string]processClip{}
	for _, name := range []string{"mixed", "short-window"} {
		pcm, info := decodeFile(t, filepath.Join(goldenDir, name+".wav"))
		lower := func(n, shift int) []float32 { // whole steps of 16 bits, rounded down
			out := make([]float32, n)
			for i := range out {
				out[i] = float32(int(pcm[i]*32768)>>shift) / 32768
			}
			return out
		}
		// The shorter clip has fewer than 16,000 samples.
		head := min(16_000, len(pcm))
		clips[name] = processClip{pcm, info.Rate}
		clips[name+"-padded"] = processClip{slices.Concat(make([]float32, 9001), pcm[:head], make([]float32, 7777)), info.Rate}
		clips[name+"-quiet"] = processClip{slices.Concat(lower(6000, 8), lower(head, 3), lower(5000, 10)), info.Rate}
		clips[name+"-short"] = processClip{pcm[5000:5700], info.Rate}
	}
	return clips
}

func TestProcessHasTheValuesOfTheReference(t *testing.T) {
	checkReference(t, "reference.tsv", processClips(t))
}

func TestRealClipsHaveTheValuesOfTheReference(t *testing.T) {
	real := realClips(t)
	if len(real) == 0 {
		t.Skip("VOXPACK_CORPORA is not set: no real clips to compare")
	}
	clips := map[string]processClip{}
	for id, pcm := range real {
		clips[id] = processClip{pcm, 22050}
	}
	checkReference(t, "ljspeech-32.tsv", clips)
}

// checkReference: cuts are the same, gains within 1e-6 dB (what the tables of the recommendation leave open by their digits), sums within
// what rounding the samples to float32 explains.
func checkReference(t *testing.T, name string, clips map[string]processClip) {
	b, err := os.ReadFile(filepath.Join(processDir, name))
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	var worstGain, worstSum float64
	for line := range strings.Lines(string(b)) {
		var clip, which string
		var start, end int
		var gain, held, sum float64
		if _, err := fmt.Sscan(line, &clip, &which, &start, &end, &gain, &held, &sum); err != nil {
			t.Fatalf("%s: %q: %v", name, line, err)
		}
		process, ok := processCases[which]
		if c, there := clips[clip]; ok && there {
			lines++
			out, done := apply(t, process, c.rate, c.pcm)
			got := weighted(out)
			worstGain = max(worstGain, math.Abs(done.GainDB-gain), math.Abs(done.HeldBackDB-held))
			worstSum = max(worstSum, math.Abs(got-sum))
			if done.CutStart != start || done.CutEnd != end || !(math.Abs(done.GainDB-gain) < 1e-6) || !(math.Abs(done.HeldBackDB-held) < 1e-6) ||
				!(math.Abs(got-sum) < 2e-5) {
				t.Errorf("%+v, sum %.9f, want %s", done, got, line)
			}
			continue
		}
		t.Errorf("%s: unknown clip or case: %s", name, line)
	}
	t.Logf("%d lines, gain within %.1e dB, sums within %.1e", lines, worstGain, worstSum)
	if lines < len(clips) {
		t.Errorf("%d lines for %d clips", lines, len(clips))
	}
}

// weighted is the reference's sum, with weights that tell the samples apart.
func weighted(pcm []float32) float64 {
	sum := 0.0
	for i, v := range pcm {
		sum += float64(v) * (float64(i*7919%1009)/1009 - 0.5)
	}
	return sum
}

// TestGoldenProcessBits is the proof that the output does not depend on the machine and changes with ProcessVersion only.
func TestGoldenProcessBits(t *testing.T) {
	g := audiotest.ReadDigests(t, filepath.Join(processDir, "digests.txt"))
	for clip, c := range processClips(t) {
		for name, process := range processCases {
			out, done := apply(t, process, c.rate, c.pcm)
			g.Check(t, ProcessVersion, clip+"/"+name, out)
			g.Check(t, ProcessVersion, clip+"/"+name+"/done", []float64{float64(done.CutStart), float64(done.CutEnd), done.GainDB, done.HeldBackDB})
		}
		// float64 values apart: a changed last bit of theirs hardly ever shows in the samples.
		m, trim := newMeter(c.rate), newTrimmer(30, 0, c.rate)
		m.measure(c.pcm)
		trim.bounds(c.pcm)
		g.Check(t, ProcessVersion, clip+"/blocks", m.blocks)
		g.Check(t, ProcessVersion, clip+"/hops", trim.hops)
	}
	for _, rate := range []int{8000, 11025, 16000, 22050, 24000, 44100, 48000, 96000, codec.MaxRate} {
		m := newMeter(rate)
		g.Check(t, ProcessVersion, fmt.Sprintf("k-weighting-%d", rate), []float64{m.shelf.b0, m.shelf.b1, m.shelf.b2, m.shelf.a1, m.shelf.a2,
			m.highPass.b0, m.highPass.b1, m.highPass.b2, m.highPass.a1, m.highPass.a2})
	}
}
