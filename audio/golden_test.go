package audio

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "add golden digests for versions that have none")

const digestFile = "digests.txt"

// golden checks outputs against the digests in the repository. A line of the file is "version case digest". A digest of a version
// that stands there is never rewritten: a stage whose bits change needs a new version.
type golden struct {
	lines map[string]string // "version case" → digest
	added []string
}

func readGolden(t *testing.T) *golden {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(goldenDir, digestFile))
	if err != nil && !(*update && os.IsNotExist(err)) {
		t.Fatal(err)
	}
	g := &golden{lines: map[string]string{}}
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) == 3 {
			g.lines[f[0]+" "+f[1]] = f[2]
		}
	}
	return g
}

func (g *golden) check(t *testing.T, version, name string, values any) {
	t.Helper()
	h := sha256.New()
	if err := binary.Write(h, binary.LittleEndian, values); err != nil {
		t.Fatal(err)
	}
	key, got := version+" "+name, fmt.Sprintf("%x", h.Sum(nil))
	switch want, ok := g.lines[key]; {
	case !ok && *update:
		g.added = append(g.added, key+" "+got+"\n")
	case !ok:
		t.Errorf("no golden digest for %s: run go test ./audio -run Golden -update", key)
	case got != want:
		t.Errorf("%s: digest %s, want %s: the output changed, so its version must", key, got, want)
	}
}

func (g *golden) save(t *testing.T) {
	t.Helper()
	if len(g.added) == 0 {
		return
	}
	f, err := os.OpenFile(filepath.Join(goldenDir, digestFile), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(strings.Join(g.added, "")); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestGoldenBits is the proof that the output does not depend on the machine; run it also as a GOARCH=arm64 binary, whose compiler
// fuses products with sums wherever it may (for amd64 with GOAMD64=v3 it does so in fewer places). float64 values stand beside the
// float32 output because a changed last bit of theirs hardly ever shows in it.
func TestGoldenBits(t *testing.T) {
	g := readGolden(t)
	mixed, _ := decodeFile(t, filepath.Join(goldenDir, "mixed.wav"))
	short, _ := decodeFile(t, filepath.Join(goldenDir, "short-window.wav"))
	goldenDecode(t, g, mixed)
	for name, c := range map[string]struct {
		config MelConfig
		pcm    []float32
	}{
		"mixed":        {MelConfig{}, mixed},
		"short-window": {shortWindow, short},
		"n_fft-256":    {MelConfig{NFFT: 256, WinLength: 256, HopLength: 100, NMels: 20}, mixed},
		"n_fft-2048":   {MelConfig{NFFT: 2048, WinLength: 1200, HopLength: 300, FMin: 40, FMax: 11025}, mixed},
		"n_fft-4096":   {MelConfig{NFFT: 4096, NMels: 128}, mixed},
		"vits":         {variantConfigs()["vits"], mixed},
		"tacotron2":    {variantConfigs()["tacotron2"], mixed},
		"coqui-ap":     {variantConfigs()["coqui-ap"], mixed},
		"xtts-dvae":    {variantConfigs()["xtts-dvae"], mixed},
		"xtts-clone":   {variantConfigs()["xtts-clone"], mixed},
	} {
		g.check(t, MelVersion, name+"/f32", computeAll(newMelOrFail(t, c.config), c.pcm))
		c.config.Precision = Float64Precision
		m := newMelOrFail(t, c.config)
		g.check(t, MelVersion, name, computeAll(m, c.pcm))
		g.check(t, MelVersion, name+"/power", powers(m, c.pcm))
		// Tables apart, so that a failure tells where the bits went.
		g.check(t, MelVersion, name+"/window", m.engine.(*engine64).window)
		g.check(t, MelVersion, name+"/twiddles", append(slices.Clone(m.engine.(*engine64).fft.split), m.engine.(*engine64).fft.stages[0].twiddles...))
		var bank []float64
		for _, b := range m.spec.bands {
			bank = append(append(bank, float64(b.first)), b.weights...)
		}
		g.check(t, MelVersion, name+"/bank", bank)
	}
	for _, p := range pairsOfRates() {
		r, err := NewResampler(p[0], p[1])
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("%d-%d", p[0], p[1])
		g.check(t, ResampleVersion, name, r.Resample(nil, mixed[:20_000]))
		// Tables apart here too.
		g.check(t, ResampleVersion, name+"/response", r.sharp.response)
		if r.broad != nil {
			g.check(t, ResampleVersion, name+"/rows", r.broad.rows)
		}
	}
	goldenLog(t, g)
	g.save(t)
}

// powers gives power spectrum and band sums of every 7th frame in float64, before float32 can hide a changed bit.
func powers(m *Mel, pcm []float32) []float64 {
	var out []float64
	row := make([]float32, m.config.NMels)
	e := m.engine.(*engine64)
	for f := 0; f < m.Frames(int64(len(pcm))); f += 7 {
		e.frame(row, e.block(pcm, f*e.hop-e.pad)) // leaves the transform and the magnitudes
		bins := make([]float64, e.hi-e.lo)
		e.fft.power(bins, e.lo, e.hi)
		out = append(out, bins...)
		for i := range e.bands {
			out = append(out, e.bands[i].sum(e.bins, e.lo))
		}
	}
	return out
}

func goldenDecode(t *testing.T, g *golden, mixed []float32) {
	t.Helper()
	g.check(t, DecodeVersion, "mixed", mixed)
	var raw []byte
	for i := range 36_000 {
		raw = append(raw, byte(i*i>>3))
	}
	for _, bits := range []int{8, 16, 24, 32} {
		for _, channels := range []int{1, 2, 3} {
			b := wavFile{bits: bits, channels: channels, data: raw}.bytes()
			pcm, _, err := Decode(nil, bytes.NewReader(b), int64(len(b)))
			if err != nil {
				t.Fatal(err)
			}
			g.check(t, DecodeVersion, fmt.Sprintf("%d-bits-%d-channels", bits, channels), pcm)
		}
	}
}

// goldenLog covers the logarithm beyond the values that the clips happen to give it.
func goldenLog(t *testing.T, g *golden) {
	t.Helper()
	var logs, exps []float64
	for i := range 20_000 {
		x := math.Ldexp(1+float64(i*7919%20_000)/20_000, i%60-30)
		logs, exps = append(logs, detLog(x)), append(exps, detExp(float64(i-10_000)/16))
	}
	g.check(t, MelVersion, "detmath/log", logs)
	g.check(t, MelVersion, "detmath/exp", exps)
}
