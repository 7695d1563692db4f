package audio

import (
	"encoding/binary"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"voxpack/audio/codec"
)

// everything is a Process with every step on.
var everything = Process{TrimDB: 35, TrimMargin: 0.05, Normalize: "loudness", LUFS: -27, PreEmphasis: 0.95}

func newProcessor(t testing.TB, p Process, rate int) *Processor {
	t.Helper()
	processor, err := NewProcessor(p, rate)
	if err != nil {
		t.Fatal(err)
	}
	return processor
}

// apply leaves pcm as it is.
func apply(t testing.TB, p Process, rate int, pcm []float32) ([]float32, Processed) {
	t.Helper()
	out, done, err := newProcessor(t, p, rate).Apply(slices.Clone(pcm))
	if err != nil {
		t.Fatal(err)
	}
	return out, done
}

func TestProcessCheckReportsEveryProblem(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	tests := []struct {
		name    string
		process Process
		rate    int
		want    []string // a part of each error of Check, in order
		more    string   // what NewProcessor says besides
	}{
		{"zero is good", Process{}, 22050, nil, ""},
		{"everything is good", everything, 22050, nil, ""},
		{"limits are good", Process{TrimDB: 120, TrimMargin: 10, Normalize: "peak", PeakDB: -60, LUFS: -60, PreEmphasis: 1}, codec.MaxRate, nil, ""},
		{"unknown target", Process{Normalize: "rms"}, 22050, []string{`normalize_to "rms" is not known (normalize_audio); known: peak, loudness`}, ""},
		{"all at once", Process{TrimDB: -1, TrimMargin: -0.1, Normalize: "x", PeakDB: 1, LUFS: 3, PreEmphasis: 1.1}, 22050,
			[]string{"trim_db -1", "trim_margin -0.1", "normalize_to", "peak_db 1", "loudness_lufs 3", "pre_emphasis 1.1"}, ""},
		{"not a number", Process{nan, nan, "", nan, nan, nan}, 22050,
			[]string{"trim_db NaN", "trim_margin NaN", "peak_db NaN", "loudness_lufs NaN", "pre_emphasis NaN"}, ""},
		{"infinite", Process{inf, inf, "", inf, -inf, inf}, 22050,
			[]string{"trim_db +Inf", "trim_margin", "peak_db", "loudness_lufs -Inf", "pre_emphasis"}, ""},
		{"too quiet a target", Process{Normalize: "loudness", LUFS: -60.1}, 22050, []string{"loudness_lufs -60.1 is out of range -60..-5 LUFS"}, ""},
		{"no such rate", Process{TrimDB: 30}, 0, nil, "sample_rate 0 is out of range"},
		{"peak at a low rate is good", Process{Normalize: "peak"}, 1000, nil, ""},
		{"loudness at a low rate", Process{Normalize: "loudness"}, 7999, nil, "needs a sample_rate of 8000 at least, not 7999"},
	}
	for _, c := range tests {
		errs := c.process.Check()
		if len(errs) != len(c.want) {
			t.Errorf("%s: %d problems, want %d: %v", c.name, len(errs), len(c.want), errs)
			continue
		}
		for i, want := range c.want {
			if got := errs[i].Error(); !strings.Contains(got, want) {
				t.Errorf("%s: problem %d is %q, want %q in it", c.name, i, got, want)
			}
		}
		_, err := NewProcessor(c.process, c.rate)
		if good := c.want == nil && c.more == ""; (err == nil) != good {
			t.Errorf("%s: NewProcessor gives %v", c.name, err)
		}
		if err != nil && !strings.Contains(err.Error(), c.more) {
			t.Errorf("%s: NewProcessor gives %q, want %q in it", c.name, err, c.more)
		}
	}
}

func TestCanonicalCoversWhatMattersAndNothingElse(t *testing.T) {
	if got := (Process{}).Canonical(); got != "" || (Process{}).On() {
		t.Errorf("zero: %q, want nothing", got)
	}
	same := map[string][2]Process{
		"settings of what is off":   {Process{}, Process{TrimMargin: 1, PeakDB: -3, LUFS: -20}},
		"peak, default said":        {Process{Normalize: "peak"}, Process{Normalize: "peak", PeakDB: -0.45, LUFS: -3}},
		"loudness, default said":    {Process{Normalize: "loudness"}, Process{Normalize: "loudness", LUFS: -23, PeakDB: -9}},
		"a margin without trimming": {Process{PreEmphasis: 0.9}, Process{PreEmphasis: 0.9, TrimMargin: 2}},
	}
	for name, p := range same {
		if a, b := p[0].Canonical(), p[1].Canonical(); a != b {
			t.Errorf("%s: %q and %q, want the same", name, a, b)
		}
	}
	seen := map[string]Process{}
	for _, p := range []Process{{}, {TrimDB: 30}, {TrimDB: 31}, {TrimDB: 30, TrimMargin: 0.1}, {Normalize: "peak"}, {Normalize: "peak", PeakDB: -1},
		{Normalize: "loudness"}, {Normalize: "loudness", LUFS: -1.0 / 3}, {PreEmphasis: 0.97}, {PreEmphasis: math.Nextafter(0.97, 1)}, everything} {
		c := p.Canonical()
		if other, ok := seen[c]; ok {
			t.Errorf("%+v and %+v are both %q", p, other, c)
		}
		if seen[c] = p; p.On() != (c != "") {
			t.Errorf("%+v: On %t, canonical %q", p, p.On(), c)
		}
	}
}

// extremes are clips that break a careless division, logarithm or filter.
func extremes() map[string][]float32 {
	const n = 30_000
	fill := func(f func(i int) float32) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = f(i)
		}
		return x
	}
	constant := func(v float32) []float32 { return fill(func(int) float32 { return v }) }
	square := func(half int, v float32) []float32 {
		return fill(func(i int) float32 { return v * float32(1-2*(i/half%2)) })
	}
	click := constant(0)
	click[n/2] = -1
	return map[string][]float32{
		"silence":              constant(0),
		"negative zero":        constant(float32(math.Copysign(0, -1))),
		"DC":                   constant(0.5),
		"full-scale DC":        constant(-1),
		"full-scale square":    square(50, 1),
		"alternating":          square(1, 1),
		"over full scale":      square(7, 40),
		"of integer units":     square(7, 32768),
		"greatest sample":      square(3, maxSample),
		"denormals":            square(3, math.SmallestNonzeroFloat32),
		"below 24 bits":        square(3, silentPeak/2),
		"lowest step, 24 bits": square(3, silentPeak),
		"lowest step, 16 bits": square(20, 1.0/32768),
		"one sample":           {0.25},
		"one lowest step":      {silentPeak},
		"two samples":          {1, -1},
		"click":                click,
		"click, then nothing":  append([]float32{1}, make([]float32, n)...),
		"short of a block":     square(9, 0.1)[:8819],
	}
}

func TestExtremesGiveSamplesOrARejection(t *testing.T) {
	rejected := []string{"silence", "negative zero", "denormals", "below 24 bits"}
	for _, p := range []Process{
		{TrimDB: 30}, {TrimDB: 120, TrimMargin: 0.3}, {TrimDB: 1e-300}, {Normalize: "peak"}, {Normalize: "peak", PeakDB: -1e-9}, {Normalize: "loudness"},
		{Normalize: "loudness", LUFS: -5}, {Normalize: "loudness", LUFS: -60}, {PreEmphasis: 1}, everything,
	} {
		for name, pcm := range extremes() {
			before := slices.Clone(pcm)
			out, done, err := newProcessor(t, p, 22050).Apply(pcm)
			if err != nil {
				if !errors.Is(err, ErrSilent) || !strings.HasPrefix(err.Error(), "clip is silent: ") {
					t.Errorf("%+v: %s: %v", p, name, err)
				}
				if quiet := p.Normalize == "loudness" && strings.HasPrefix(name, "lowest step"); !quiet && !slices.Contains(rejected, name) &&
					name != "one lowest step" {
					t.Errorf("%+v: %s is rejected: %v", p, name, err)
				}
				if !sameBits(pcm, before) || out != nil || done != (Processed{}) {
					t.Errorf("%+v: %s: a rejected clip was touched", p, name)
				}
				continue
			}
			if slices.Contains(rejected, name) && (p.TrimDB != 0 || p.Normalize != "") {
				t.Errorf("%+v: %s is kept, want a rejection", p, name)
			}
			checkOutput(t, p, before, out, done)
		}
	}
}

// checkOutput holds for every clip that is kept.
func checkOutput(t *testing.T, p Process, before, out []float32, done Processed) {
	t.Helper()
	if len(out) == 0 || len(out)+done.CutStart+done.CutEnd != len(before) || done.CutStart < 0 || done.CutEnd < 0 {
		t.Errorf("%+v: %d samples of %d, cut %+v", p, len(out), len(before), done)
	}
	for i, v := range out {
		if x := float64(v); math.IsNaN(x) || math.IsInf(x, 0) {
			t.Fatalf("%+v: sample %d is %v", p, i, v)
		}
		if p.Normalize != "" && p.PreEmphasis == 0 && math.Abs(float64(v)) > fullScale {
			t.Fatalf("%+v: sample %d is %v, over full scale", p, i, v)
		}
	}
	if math.IsNaN(done.GainDB) || math.IsInf(done.GainDB, 0) || !(done.HeldBackDB >= 0) || math.IsInf(done.HeldBackDB, 0) {
		t.Errorf("%+v: %+v", p, done)
	}
}

func TestValuesThatAreNoSamplesAreRejected(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), maxSample * 2} {
		for _, p := range []Process{{TrimDB: 30}, {Normalize: "peak"}, {Normalize: "loudness"}, {PreEmphasis: 0.5}} {
			if _, _, err := newProcessor(t, p, 16000).Apply([]float32{0.5, float32(v), 0.5}); !errors.Is(err, ErrNotSample) {
				t.Errorf("%+v: %v: error %v, want %v", p, v, err, ErrNotSample)
			}
		}
	}
	if _, _, err := newProcessor(t, everything, 16000).Apply(nil); !errors.Is(err, codec.ErrEmpty) {
		t.Errorf("no samples: error %v, want %v", err, codec.ErrEmpty)
	}
}

func TestPeakReachesItsTarget(t *testing.T) {
	mixed, info := decodeFile(t, filepath.Join(goldenDir, "mixed.wav"))
	for _, pcm := range [][]float32{mixed, mixed[:5000], quieter(mixed[:26000], 6), {0.001}, {-1}} {
		for _, db := range []float64{0, -0.45, -1, -12, -60} {
			out, done := apply(t, Process{Normalize: "peak", PeakDB: db}, info.Rate, pcm)
			if db == 0 {
				db = -0.45
			}
			got, _ := peakOf(out)
			if d := 20*math.Log10(got) - db; math.Abs(d) > 1e-6 {
				t.Errorf("peak %.8f dBFS, want %v", 20*math.Log10(got), db)
			}
			was, _ := peakOf(pcm)
			if want := db - 20*math.Log10(was); math.Abs(done.GainDB-want) > 1e-9 || done.HeldBackDB != 0 {
				t.Errorf("%+v, want a gain of %v dB", done, want)
			}
		}
	}
}

// quieter is pcm divided by 2^by, which is exact.
func quieter(pcm []float32, by int) []float32 {
	out := slices.Clone(pcm)
	scale(out, math.Ldexp(1, -by))
	return out
}

// The order is part of the meaning: each step by itself, in this order, is the whole.
func TestApplyIsTrimThenNormaliseThenPreEmphasis(t *testing.T) {
	mixed, info := decodeFile(t, filepath.Join(goldenDir, "mixed.wav"))
	clip := slices.Concat(make([]float32, 9000), mixed[:26000], make([]float32, 7000))
	want, wantDone := apply(t, everything, info.Rate, clip)
	a, cut := apply(t, Process{TrimDB: everything.TrimDB, TrimMargin: everything.TrimMargin}, info.Rate, clip)
	b, gain := apply(t, Process{Normalize: everything.Normalize, LUFS: everything.LUFS}, info.Rate, a)
	c, _ := apply(t, Process{PreEmphasis: everything.PreEmphasis}, info.Rate, b)
	cut.GainDB, cut.HeldBackDB = gain.GainDB, gain.HeldBackDB
	if !sameBits(c, want) || cut != wantDone {
		t.Errorf("step by step %+v, at once %+v, or other samples", cut, wantDone)
	}
	if cut.CutStart == 0 || cut.CutEnd == 0 || cut.GainDB == 0 {
		t.Errorf("%+v: the clip does not exercise every step", cut)
	}
}

// What came before must not show, and nothing may be allocated once the scratch has grown.
func TestProcessorForgetsAndKeepsItsMemory(t *testing.T) {
	mixed, info := decodeFile(t, filepath.Join(goldenDir, "mixed.wav"))
	p := newProcessor(t, everything, info.Rate)
	want, wantDone := apply(t, everything, info.Rate, mixed[:20000])
	buffer := make([]float32, len(mixed))
	run := func(pcm []float32) ([]float32, Processed) {
		out, done, err := p.Apply(buffer[:copy(buffer, pcm)])
		if err != nil {
			t.Fatal(err)
		}
		return out, done
	}
	for range 2 {
		if got, done := run(mixed[:20000]); !sameBits(got, want) || done != wantDone {
			t.Error("the result depends on the clips before")
		}
		run(mixed)
		run(mixed[:100])
	}
	if n := testing.AllocsPerRun(10, func() { run(mixed); run(mixed[:20000]) }); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

func FuzzProcess(f *testing.F) {
	var seed []byte
	for i := range 5000 {
		seed = binary.LittleEndian.AppendUint32(seed, math.Float32bits(float32(math.Sin(float64(i*i)/3e4))*float32(i%1700)/1700))
	}
	f.Add(seed, uint32(22050), 30.0, 0.01, uint8(2), -23.0, 0.97)
	f.Add(seed[:4000], uint32(8000), 0.001, 0.0, uint8(1), -0.1, 0.0)
	f.Add([]byte{0, 0, 0, 1, 0, 0, 128, 127}, uint32(768000), 120.0, 10.0, uint8(2), -5.0, 1.0)
	f.Fuzz(func(t *testing.T, b []byte, rate uint32, trim, margin float64, kind uint8, level, a float64) {
		p := Process{TrimDB: trim, TrimMargin: margin, Normalize: []string{"", "peak", "loudness"}[kind%3], PeakDB: level, LUFS: level, PreEmphasis: a}
		if level > -5 { // in no range of LUFS
			p.LUFS = 0
		}
		processor, err := NewProcessor(p, int(rate%(codec.MaxRate+1)))
		if err != nil {
			return
		}
		pcm := make([]float32, min(len(b)/4, 1<<16))
		for i := range pcm {
			pcm[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		}
		before := slices.Clone(pcm)
		out, done, err := processor.Apply(pcm)
		if err != nil {
			if !sameBits(pcm, before) || !(errors.Is(err, ErrSilent) || errors.Is(err, ErrNotSample) || errors.Is(err, codec.ErrEmpty)) {
				t.Fatalf("%v, or a rejected clip was touched", err)
			}
			return
		}
		checkOutput(t, p, before, out, done)
	})
}

func sameBits(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) })
}

// A clip of 6.6 s at 22,050 Hz, the mean of LJSpeech, out of the voice of mixed.wav.
func BenchmarkProcess(b *testing.B) {
	mixed, info := decodeFile(b, filepath.Join(goldenDir, "mixed.wav"))
	clip := make([]float32, 145_000)
	for i := range clip {
		clip[i] = mixed[i%26_000]
	}
	buffer := make([]float32, len(clip))
	for _, c := range []struct {
		name    string
		process Process
	}{
		{"copy-only", Process{}},
		{"trim", Process{TrimDB: 40}},
		{"peak", Process{Normalize: "peak"}},
		{"loudness", Process{Normalize: "loudness"}},
		{"pre-emphasis", Process{PreEmphasis: 0.97}},
		{"all", everything},
	} {
		b.Run(c.name, func(b *testing.B) {
			p := newProcessor(b, c.process, info.Rate)
			b.ReportAllocs()
			for b.Loop() {
				copy(buffer, clip)
				if _, _, err := p.Apply(buffer); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(clip))*float64(b.N)/b.Elapsed().Seconds(), "samples/s")
		})
	}
}
