package clip

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"voxpack/audio"
	"voxpack/audio/codec"
	"voxpack/compiler/intake"
	"voxpack/internal/exectest"
	"voxpack/store"
)

// ramp is a WAV file of n samples 0, 1, 2, … in each of its channels, whose header
// claims a length of its own in bytes.
func ramp(rate, channels, n, claim int) []byte {
	b := wavOf(rate, channels, claim)
	for i := range n {
		for range channels {
			b = binary.LittleEndian.AppendUint16(b, uint16(int16(i)))
		}
	}
	return b
}

// audioFile is a file of testdata/audio.
func audioFile(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "testdata", "audio", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// bothWays probes and reads a file of some bytes, and holds the two to one answer:
// planning must not keep a row that the work then refuses, nor the other way round.
func bothWays(t *testing.T, name string, b []byte, rate int, part *intake.Audio) (samples []float32, info codec.Info, err error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	placeFile(t, file, b)
	at, r := lookAt(t, file, part), newTestReader(t, rate)
	p, probed := r.Probe(t.Context(), at)
	samples, info, notes, err := r.Read(t.Context(), at)
	if (probed == nil) != (err == nil) || err == nil && p.Samples != int64(len(samples)) || err != nil && probed.Error() != err.Error() {
		t.Errorf("%s: Probe tells %d samples, %v; Read has %d, %v", name, p.Samples, probed, len(samples), err)
	}
	if err == nil && !slices.Equal(p.Notes, notes) {
		t.Errorf("%s: Probe notes %v, Read %v", name, p.Notes, notes)
	}
	r.Claims = true
	claim, claimed := r.Probe(t.Context(), at)
	if !claim.Claimed && (claimed == nil) != (err == nil) || err == nil && (claim.Info != info || claim.Samples != p.Samples || !slices.Equal(claim.Notes, notes)) {
		t.Errorf("%s: it claims %+v, %v; Read has %d samples, %v", name, claim, claimed, len(samples), err)
	}
	return samples, info, err
}

// TestAHeaderIsHeldToItsFile: a length that the file does not hold is a refusal of
// its bytes, one that a stream leaves open goes to the end of the file with a note,
// and no claim takes memory.
func TestAHeaderIsHeldToItsFile(t *testing.T) {
	const n, whole = 1000, 2000 // samples, bytes
	for _, c := range []struct {
		name  string
		claim int // bytes of samples that the header claims
		tail  string
		want  int // samples; 0: refused
		open  bool
	}{
		{"what is there", whole, "", n, false},
		{"further chunks after the samples", whole, "LIST\x04\x00\x00\x00abcd", n, false},
		{"one sample more than there is", whole + 2, "", 0, false},
		{"two GiB", 1<<31 - 2, "", 0, false},
		{"nothing, as a stream does", 0, "", n, true},
		{"all that 32 bits can say, as a stream does", 1<<32 - 1, "", n, true},
		{"less than there is, and the rest is no chunk", whole - 200, "", 0, false},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got, info, err := bothWays(t, "a.wav", append(ramp(8000, 1, n, c.claim), c.tail...), 8000, nil)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 8<<20 {
			t.Errorf("%s: it took %d bytes of memory", c.name, took)
		}
		var refused *Refusal
		if c.want == 0 {
			if !errors.As(err, &refused) || !errors.Is(err, codec.ErrLength) && !errors.Is(err, codec.ErrHeader) {
				t.Errorf("a header of %s: %d samples, %v; want a refusal for its header", c.name, len(got), err)
			}
			continue
		}
		if err != nil || len(got) != c.want || info.Open != c.open {
			t.Errorf("a header of %s: %d samples, open %v, %v; want %d, %v", c.name, len(got), info.Open, err, c.want, c.open)
		}
		for i, v := range got {
			if want := float32(i) / 32768; v != want {
				t.Fatalf("a header of %s: sample %d is %v, want %v", c.name, i, v, want)
			}
		}
	}
}

// TestDamageIsARefusalAndNeverAGap: compressed files that are cut anywhere between
// their first frame and their end, and those that hold nothing.
func TestDamageIsARefusalAndNeverAGap(t *testing.T) {
	for _, name := range []string{"mono16.wav", "mono24.flac", "mono.mp3", "stereo.ogg"} {
		b := audioFile(t, name)
		if got, _, err := bothWays(t, name, b, 8000, nil); err != nil || len(got) == 0 {
			t.Fatalf("%s: %d samples, %v", name, len(got), err)
		}
		for _, left := range []int{len(b) * 9 / 10, len(b) / 2, 40, 1} {
			_, _, err := bothWays(t, name, b[:left], 8000, nil)
			var refused *Refusal
			if !errors.As(err, &refused) || intake.IsMachine(err) {
				t.Errorf("%s cut to %d of %d bytes: %v, want a refusal", name, left, len(b), err)
			}
		}
	}
	for what, b := range map[string][]byte{"no byte": nil, "text": []byte("It was a text."), "zeros": make([]byte, 3000), "a header alone": wavOf(8000, 1, 0)} {
		var refused *Refusal
		if _, _, err := bothWays(t, "a.wav", b, 8000, nil); !errors.As(err, &refused) {
			t.Errorf("a file of %s: %v, want a refusal", what, err)
		}
	}
}

// TestANameThatMisleadsIsRefused: a .wav, .flac or .mp3 has to be what it is called,
// in any case of its letters; other names only help to find a file. Probe says so,
// which a row's clip goes through before all else.
func TestANameThatMisleadsIsRefused(t *testing.T) {
	sphere := "NIST_1A\n   1024\nsample_rate -i 8000\nsample_n_bytes -i 1\nend_head\n"
	sphere += strings.Repeat(" ", 1024-len(sphere)) + strings.Repeat("a", 9000)
	for _, c := range []struct {
		holds, name string
		taken       bool
	}{
		{"mono16.wav", "a.wav", true},
		{"mono16.wav", "a.WAV", true},
		{"mono16.wav", "a.flac", false},
		{"mono16.wav", "a.MP3", false},
		{"mono24.flac", "a.wav", false},
		{"mono24.flac", "a.flac", true},
		{"mono.mp3", "a.Wav", false},
		{"mono.mp3", "a.mp3", true},
		{"mono.ogg", "a.mp3", false},
		{"mono.ogg", "a.oga", true},
		{"mono.mp3", "a.ogg", true},
		{"mono24.flac", "a.opus", true},
		{sphere, "a.wav", true}, // as the LDC names it
		{sphere, "a.flac", false},
	} {
		file := filepath.Join(t.TempDir(), c.name)
		holds := []byte(c.holds)
		if c.holds != sphere {
			holds = audioFile(t, c.holds)
		}
		placeFile(t, file, holds)
		_, err := newTestReader(t, 8000).Probe(t.Context(), lookAt(t, file, nil))
		var refused *Refusal
		if c.taken != (err == nil) || err != nil && !errors.As(err, &refused) {
			t.Errorf("%s under the name %s: %v, taken: %v", c.holds, c.name, err, c.taken)
		}
	}
}

// TestALimitIsOfDecodedLength, at the file's own rate, and inclusive; a file is
// refused for it by its kind, so that another limit asks again.
func TestALimitIsOfDecodedLength(t *testing.T) {
	for _, c := range []struct {
		samples int
		kept    bool
	}{{8000, true}, {8001, false}, {7999, true}} {
		file := filepath.Join(t.TempDir(), "a.wav")
		placeFile(t, file, ramp(8000, 1, c.samples, 2*c.samples))
		r, err := NewReader(Config{Rate: 16000, Limits: codec.Limits{MaxClip: time.Second}}, NewDecoders())
		if err != nil {
			t.Fatal(err)
		}
		for _, length := range []time.Duration{0, time.Second / 2} { // a part is as long as it is, not as its file
			at := lookAt(t, file, &intake.Audio{Length: length})
			samples, _, _, err := r.Read(t.Context(), at)
			kept := c.kept || length > 0
			if kept != (err == nil) || err != nil && !errors.Is(err, codec.ErrTooLong) {
				t.Errorf("%d samples at 8 kHz, a part of %v, 1 s allowed: %d samples, %v", c.samples, length, len(samples), err)
			}
		}
	}
}

// TestStoredSamplesAreThoseOfTheFile: a clip that nothing is done to is handed on as
// it lies there, of which floats give the bits of Read; else the samples come.
func TestStoredSamplesAreThoseOfTheFile(t *testing.T) {
	for _, c := range []struct {
		name   string
		rate   int
		do     audio.Process
		part   *intake.Audio
		stored bool
	}{
		{"mono16.wav", 0, audio.Process{}, nil, true},
		{"mono16.wav", 0, audio.Process{PreEmphasis: 0.9}, nil, false},
		{"mono16.wav", 16000, audio.Process{}, nil, false},
		{"stereo16.wav", 0, audio.Process{}, nil, false},
		{"mono24.wav", 0, audio.Process{}, nil, false},
		{"mono16.flac", 0, audio.Process{}, nil, false},
		{"mono16.wav", 0, audio.Process{}, &intake.Audio{From: 10 * time.Millisecond}, false},
	} {
		file := filepath.Join(t.TempDir(), c.name)
		b := audioFile(t, c.name)
		placeFile(t, file, b)
		info, err := codec.Probe(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		if c.rate == 0 {
			c.rate = info.Rate
		}
		r, err := NewReader(Config{Rate: c.rate, Process: c.do}, NewDecoders())
		if err != nil {
			t.Fatal(err)
		}
		at := lookAt(t, file, c.part)
		samples, _, _, err := r.Read(t.Context(), at)
		if err != nil {
			t.Fatal(err)
		}
		want := slices.Clone(samples)
		if whole := c.part == nil; whole && r.Sum() != store.Sum(b) {
			t.Errorf("%s: Sum is not the digest of the file", c.name)
		}
		stored, got, told, err := r.ReadStored(t.Context(), at)
		if err != nil || told.Rate != info.Rate {
			t.Fatalf("%s: ReadStored: %+v, %v", c.name, told, err)
		}
		if (stored != nil) != c.stored && c.part == nil {
			t.Errorf("%s at %d Hz, %+v: stored %d bytes, want stored: %v", c.name, c.rate, c.do, len(stored), c.stored)
		}
		if stored != nil {
			got = make([]float32, len(stored)/2)
			codec.Int16(got, stored)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s at %d Hz, %+v, %+v: ReadStored gives other samples than Read", c.name, c.rate, c.do, c.part)
		}
	}
}

// TestTheVersionOfADecoderIsInTheKeyByName: WAV is covered by the stage; FLAC and MP3
// have a decoder of ours alone; all other names may meet ffmpeg.
func TestTheVersionOfADecoderIsInTheKeyByName(t *testing.T) {
	d := NewDecoders()
	versions := map[string]string{}
	for _, name := range []string{"a.wav", "a.flac", "a.mp3", "a.ogg"} {
		versions[name] = d.Version(name)
		if other := d.Version("sub/B" + strings.ToUpper(filepath.Ext(name))); other != versions[name] {
			t.Errorf("%s: %q, in another folder and case %q", name, versions[name], other)
		}
	}
	if versions["a.wav"] != "" {
		t.Errorf("of WAV: %q, want nothing", versions["a.wav"])
	}
	seen := map[string]string{}
	for name, v := range versions {
		if twin, twice := seen[v]; twice {
			t.Errorf("%s and %s have one version, %q", name, twin, v)
		}
		seen[v] = name
	}
	if a, b := d.Version("a.ogg"), d.Version("a.opus"); a != b {
		t.Errorf("names that say nothing of the format: %q and %q, want one", a, b)
	}
	if err := d.Fault(); err != nil {
		t.Error(err)
	}
}

// TestAnotherFfmpegIsAnotherKey: what it may decode is asked anew once there is one, or
// none; a file of the extensions that we read ourselves never depends on it. One that is
// there and does not run is a fault of the machine: its rows would be refused for it.
func TestAnotherFfmpegIsAnotherKey(t *testing.T) {
	program := func(script string) (path string) {
		if path = t.TempDir(); script != "" {
			exectest.Write(t, filepath.Join(path, "ffmpeg"), "#!/bin/sh\n"+script)
		}
		return path
	}
	versions := map[string]string{}
	for name, c := range map[string]struct {
		script string
		fault  bool
	}{
		"none":    {"", false},
		"one":     {"echo ffmpeg version 6.1 Copyright", false},
		"another": {"echo ffmpeg version 7.0 Copyright", false},
		"broken":  {"exit 3", true},
	} {
		t.Setenv("PATH", program(c.script))
		d := NewDecoders()
		if err := d.Fault(); err != nil {
			t.Errorf("%s: a fault before any file asks: %v", name, err)
		}
		ours := d.Version("a.flac") + d.Version("a.mp3") + d.Version("a.wav")
		if err := d.Fault(); err != nil {
			t.Errorf("%s: a fault for files that are read without it: %v", name, err)
		}
		opus := d.Version("a.opus")
		if err := d.Fault(); c.fault != (err != nil) || err != nil && !intake.IsMachine(err) {
			t.Errorf("%s: fault %v, want one of the machine: %v", name, err, c.fault)
		}
		if c.fault {
			continue
		}
		for other, v := range versions {
			if v == opus {
				t.Errorf("with %s and with %s ffmpeg a.opus is decoded by %q", name, other, v)
			}
		}
		versions[name] = opus
		if last, ok := versions["ours"]; ok && last != ours {
			t.Errorf("with %s ffmpeg what we read ourselves is decoded by %q, else by %q", name, ours, last)
		}
		versions["ours"] = ours
	}
}

// TestAIFFIsProbedByItsHeader, also where that says that only ffmpeg reads the samples.
func TestAIFFIsProbedByItsHeader(t *testing.T) {
	tool, err := exec.LookPath("ffmpeg")
	if err != nil {
		t.Skip(err)
	}
	for coding, bits := range map[string]int{"pcm_s16be": 16, "pcm_s16le": 16, "pcm_f32be": 32, "adpcm_ima_qt": 0} {
		file := filepath.Join(t.TempDir(), "a.aiff")
		if said, err := exec.Command(tool, "-nostdin", "-v", "error", "-i", filepath.Join("..", "..", "testdata", "audio", "mono16.wav"), "-c:a", coding, file).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", coding, err, said)
		}
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		samples, info, err := bothWays(t, "a.aiff", b, 22050, nil)
		if err != nil || info.Format != "aiff" || info.Bits != bits || len(samples) < 8820 {
			t.Errorf("%s: %d samples, %+v, %v", coding, len(samples), info, err)
		}
		_, info, err = bothWays(t, "a.aiff", b, 22050, &intake.Audio{From: 100 * time.Millisecond, Length: 50 * time.Millisecond})
		if (err == nil) != (bits != 0) || err == nil && info.Samples != 1103 { // 2205 to 3307.5, rounded
			t.Errorf("%s, a part: %+v, %v", coding, info, err)
		}
	}
}
