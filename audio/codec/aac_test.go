package codec

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"voxpack/audio/internal/audiotest"
)

// TestAACIsWhatFfmpegDecodes: of ffmpeg's encoder, with noise and directions, and of the FDK's.
func TestAACIsWhatFfmpegDecodes(t *testing.T) {
	likeTheOther(t, "mono.m4a", 1, 22050, 9216, 1e-7)
	likeTheOther(t, "stereo.m4a", 2, 22050, 9216, 1e-7)
	likeTheOther(t, "high.aac", 2, 44100, 20480, 1e-7)
}

// TestAACOfEncoders: real speech of all rates, in MP4 and raw. A step of 16 bits is 3e-5.
func TestAACOfEncoders(t *testing.T) {
	needs(t, "ffmpeg")
	ways := []string{"-ar 22050", "-ar 48000 -ac 2 -b:a 64k", "-ar 8000 -b:a 8k", "-ar 16000 -aac_coder fast -aac_tns 0",
		"-ar 44100 -ac 2 -aac_ms 1 -aac_is 0 -aac_pns 0 -b:a 96k", "-ar 96000",
		"-ar 32000 -aac_pns 0 -q:a 2", "-ar 24000 -b:a 24k", "-ar 12000", "-ar 64000", "-ar 11025 -b:a 12k", "-ar 88200 -ac 2"}
	clips := clipsToEncode(t)
	for i, way := range few(ways) {
		encode := func(wav, out string) *exec.Cmd {
			args := append([]string{"-nostdin", "-v", "error", "-i", wav, "-c:a", "aac"}, strings.Fields(way)...)
			return exec.Command("ffmpeg", append(args, out)...)
		}
		likeDecoder(t, ffmpegFloats, []string{".m4a", ".aac"}[i%2], 1e-7, encode, clips[i%len(clips)])
	}
	if _, err := exec.LookPath("aac-enc"); err != nil {
		return
	}
	for i, way := range few([]string{"-v 1", "-v 4", "-r 16000", "-r 48000", "-a 0"}) {
		encode := func(wav, out string) *exec.Cmd {
			return exec.Command("aac-enc", slices.Concat(strings.Fields(way), []string{wav, out})...)
		}
		likeDecoder(t, ffmpegFloats, ".aac", 1e-7, encode, clips[i%len(clips)])
	}
}

func TestMP4CutAnywhereIsRejected(t *testing.T) { everyCut(t, "stereo.m4a") }

// TestADTSCutOrDamaged: within a frame, or where another begins than those before. Between frames a cut cannot be told.
func TestADTSCutOrDamaged(t *testing.T) {
	file := readEncoded(t, "high.aac")
	var ends []int
	if _, err := walkADTS(file, func(h adtsHeader, _, at int) error { ends = append(ends, at); return nil }); err != nil {
		t.Fatal(err)
	}
	for n := range file {
		if pcm, _, err := (Limits{}).DecodeBytes(nil, file[:n]); (err == nil) != (n > 0 && slices.Contains(ends, n)) {
			t.Errorf("cut after %d bytes: %d samples, %v", n, len(pcm), err)
		}
	}
	change := func(at int, mask byte) []byte {
		b := slices.Clone(file)
		b[at] ^= mask
		return b
	}
	for name, c := range map[string]struct {
		file []byte
		kind error
		want string
	}{
		"a frame without its header":       {change(ends[3], 1), ErrCorrupt, "AAC frame 3 at byte"},
		"a frame of another rate":          {change(ends[3]+2, 4), ErrUnsupported, "another rate"},
		"a frame longer than the file":     {change(ends[len(ends)-1]+3, 3), ErrLength, "the file holds"},
		"something else after it":          {append(slices.Clone(file), "and so on, and so on"...), ErrCorrupt, "no frame begins there"},
		"another kind of AAC on its way":   {change(ends[3]+2, 0xc0), ErrUnsupported, "another rate"},
		"a tag after it":                   {slices.Concat(file, id3v1()), nil, ""},
		"a tag before it":                  {slices.Concat(id3v2(false), file), nil, ""},
		"longer than the limit by a block": {file, ErrTooLong, "max_clip_minutes"},
	} {
		l := Limits{}
		if c.kind == ErrTooLong {
			l.MaxClip = 463 * time.Millisecond
		}
		if _, _, err := l.DecodeBytes(nil, c.file); !errors.Is(err, c.kind) || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q of kind %v", name, err, c.want, c.kind)
		}
	}
}

// TestAACForFfmpeg: SBR, in MP4 and raw; ALAC; a main profile; more channels than two.
func TestAACForFfmpeg(t *testing.T) {
	main, five := readEncoded(t, "high.aac"), readEncoded(t, "high.aac")
	for at := 0; at < len(main); {
		h, ok := readADTS(main[at:])
		if !ok {
			t.Fatal(at)
		}
		main[at+2] &^= 0xc0
		five[at+2], five[at+3] = five[at+2]|1, five[at+3]|0x40
		at += h.size
	}
	files := map[string][]byte{"main": main, "five channels": five}
	for _, name := range []string{"he.aac", "he.m4a", "alac.m4a"} {
		files[name] = readEncoded(t, name)
	}
	for name, file := range files {
		f, ok, err := FormatOf(bytes.NewReader(file), int64(len(file)))
		if !ok || err != nil || f.Version != "" {
			t.Errorf("%s is %q of version %q, %v", name, f.Name, f.Version, err)
		}
		if _, _, err := (Limits{}).DecodeBytes(nil, file); !errors.Is(err, ErrForeign) {
			t.Errorf("%s: %v, want that ffmpeg reads it", name, err)
		}
	}
}

// TestMP4NoteOnGaps: without an edit list iTunes' note says how many samples stand before the recording; with one, and where it is
// none, the file is ffmpeg's.
func TestMP4NoteOnGaps(t *testing.T) {
	file := readEncoded(t, "mono.m4a") // moov is its last box
	note := func(file []byte, text string) []byte {
		be := binary.BigEndian
		data := append(append(be.AppendUint32(nil, uint32(16+len(text))), "data\x00\x00\x00\x01\x00\x00\x00\x00"...), text...)
		name := append(be.AppendUint32(nil, 20), "name\x00\x00\x00\x00iTunSMPB"...)
		whole := slices.Concat(be.AppendUint32(nil, uint32(8+len(name)+len(data))), []byte("----"), name, data)
		file = append(slices.Clone(file), whole...)
		at := bytes.Index(file, []byte("moov")) - 4
		be.PutUint32(file[at:], be.Uint32(file[at:])+uint32(len(whole)))
		return file
	}
	bare := bytes.Replace(file, []byte("elst"), []byte("skip"), 1)
	all, info, err := Limits{}.DecodeBytes(nil, bare)
	if err != nil || info.Samples != 10240 {
		t.Fatalf("%+v, %v", info, err)
	}
	for text, skip := range map[string]int{" 00000000 00000840 000001CA 000000000000AC44 0": 2112, " 00000000 00000000 00000000": 0,
		" 00000000 00002800 0000": -1, " 00000000 0000ZZ00 0000": -1, " 0000": -1, "": -1} {
		got, info, err := Limits{}.DecodeBytes(nil, note(bare, text))
		if skip < 0 {
			if !errors.Is(err, ErrForeign) {
				t.Errorf("%q: %+v, %v; want that ffmpeg reads it", text, info, err)
			}
		} else if err != nil || !slices.Equal(got, all[skip:]) || info.Samples != int64(len(got)) {
			t.Errorf("%q: %d samples, %+v, %v; want %d", text, len(got), info, err, len(all)-skip)
		}
		if _, _, err := (Limits{}).DecodeBytes(nil, note(file, text)); !errors.Is(err, ErrForeign) {
			t.Errorf("%q beside an edit list: %v", text, err)
		}
	}
}

// aacBlock is a block of one channel: a long window of so many bands, and what put writes after its sections.
func aacBlock(bands int64, code int64, put func(w *flacWriter)) []byte {
	var w flacWriter
	w.put(0, 3+4)   // a single channel
	w.put(100, 8)   // gain: a factor of 1
	w.put(0, 1+2+1) // long, sines
	w.put(bands, 6)
	w.put(0, 1) // no prediction
	w.put(code, 4)
	w.put(bands, 5)
	put(&w)
	w.put(7, 3)
	return append(w.b, 0)
}

// TestAACPulses: they add to a line's value, away from zero; a zero goes down (4.6.3.3). No encoder at hand writes them.
func TestAACPulses(t *testing.T) {
	const unit = 0x1p-25
	for name, c := range map[string]struct {
		places [][2]int64 // from the line before, by how much
		want   [4]float64 // of the first lines, which are 1, 0, 0, 0 before
	}{
		"none":                   {nil, [4]float64{1, 0, 0, 0}},
		"to a value":             {[][2]int64{{0, 7}}, [4]float64{16, 0, 0, 0}},
		"to a zero":              {[][2]int64{{2, 8}}, [4]float64{1, 0, -16, 0}},
		"two, one after another": {[][2]int64{{0, 7}, {3, 1}}, [4]float64{16, 0, 0, -1}},
		"twice the same place":   {[][2]int64{{1, 5}, {0, 3}}, [4]float64{1, -16, 0, 0}},
		"to no coded band":       {[][2]int64{{0, 0}, {31, 9}}, [4]float64{1, 0, 0, 0}},
	} {
		block := aacBlock(1, 1, func(w *flacWriter) {
			w.put(0, 1) // the scale factor: no step
			if c.places == nil {
				w.put(0, 1)
			} else {
				w.put(1, 1)
				w.put(int64(len(c.places)-1), 2)
				w.put(0, 6)
				for _, p := range c.places {
					w.put(p[0], 5)
					w.put(p[1], 4)
				}
			}
			w.put(0, 1+1)
			w.put(0x10, 5) // 1, 0, 0, 0 in code 1
		})
		d := newAACDecoder(7, 1)
		if why := d.readBlock(&msbReader{b: block}); why != "" {
			t.Errorf("%s: %s", name, why)
			continue
		}
		for i, want := range c.want {
			if got := float64(d.work[0].lines[i]); got != want*unit {
				t.Errorf("%s: line %d is %g, want %g", name, i, got/unit, want)
			}
		}
		if !isZero(d.work[0].lines[4:]) {
			t.Errorf("%s: other lines are not zero", name)
		}
	}
}

// TestAACBlocksThatAreRefused, each by what is wrong with it.
func TestAACBlocksThatAreRefused(t *testing.T) {
	after := func(bits int64, n uint) func(*flacWriter) { return func(w *flacWriter) { w.put(bits, n) } }
	raw := func(bits ...int64) []byte { // of 8
		var w flacWriter
		for _, v := range bits {
			w.put(v, 8)
		}
		return w.b
	}
	for want, block := range map[string][]byte{
		"ends early":               {0},
		"is a reserved one":        aacBlock(1, 12, after(0, 9)),
		"more bands than there":    aacBlock(48, 0, after(0, 9)),
		"sections are longer":      nil, // below
		"gain control":             aacBlock(1, 0, after(1, 3)),
		"pulses have no place":     aacBlock(1, 0, after(1<<8|60, 9)),
		"higher order":             aacBlock(1, 0, after(0b01_01_0_000001_10000, 16)),
		aacForeign:                 raw(0x2<<5, 0, 0),
		aacForeign[:20]:            append(raw(0xde, 0x04, 0, 0), "libfaac 1.28, and a block of it"...),
		"scale factor of it is no": aacBlock(3, 1, after(1<<57-1, 57)),
	} {
		if want == "sections are longer" {
			var w flacWriter
			w.put(0, 7)
			w.put(100<<4, 12)
			w.put(1<<1, 7)
			w.put(2, 9) // a code of 0, two bands
			block = append(w.b, 0, 0)
		}
		if why := newAACDecoder(7, 1).readBlock(&msbReader{b: block}); !strings.Contains(why, want) {
			t.Errorf("%q, want %q", why, want)
		}
	}
}

// TestAACNoiseHasItsEnergy, whatever the numbers; two channels with a common band of it have the same noise (4.6.13).
func TestAACNoiseHasItsEnergy(t *testing.T) {
	d := newAACDecoder(7, 2)
	lines := make([]float32, 32)
	for range 5 {
		d.makeNoise(lines, 0.25)
		energy, sum := 0.0, 0.0
		for _, v := range lines {
			energy += float64(v) * float64(v)
			sum += float64(v)
		}
		if math.Abs(energy-0.0625) > 1e-7 || sum == 0 {
			t.Errorf("energy %g, want 1/16", energy)
		}
	}
	for _, ms := range []bool{false, true} {
		left, right := &d.work[0], &d.work[1]
		d.common, d.ms[0] = true, ms
		right.aacWindows = aacWindows{bands: d.bands[0], used: 1, groups: [8]int{1}, count: 1}
		left.aacWindows = right.aacWindows
		left.codes[0], right.codes[0] = aacNoise, aacNoise
		left.scales[0], right.scales[0] = 4, 8
		left.lines, right.lines = [1024]float32{1, 2, -3, 4}, [1024]float32{5, 5, 5, 5}
		d.unite()
		if want := map[bool]float32{false: 5, true: -6}[ms]; right.lines[2] != want || left.lines[2] != -3 {
			t.Errorf("common %v: right line %g, want %g", ms, right.lines[2], want)
		}
	}
}

// TestAACStereo: sum and difference, and bands of one channel with a direction: the lines of the left one, turned round by code 14, and
// once more by the mask (4.6.8).
func TestAACStereo(t *testing.T) {
	for _, c := range []struct {
		code    uint8
		ms, all bool
		scale   int
		want    [2]float32
	}{
		{1, false, false, 0, [2]float32{3, 1}}, {1, true, false, 0, [2]float32{4, 2}}, {1, false, true, 0, [2]float32{4, 2}},
		{15, false, false, 0, [2]float32{3, 3}}, {15, false, false, 4, [2]float32{3, 1.5}}, {14, false, false, 8, [2]float32{3, -0.75}},
		{15, true, false, 0, [2]float32{3, -3}}, {14, true, false, -4, [2]float32{3, 6}}, {15, false, true, 0, [2]float32{3, 3}},
	} {
		d := newAACDecoder(7, 2)
		d.common, d.ms[0], d.all = true, c.ms, c.all
		for i, v := range []float32{3, 1} {
			ch := &d.work[i]
			ch.aacWindows = aacWindows{bands: d.bands[0], used: 1, groups: [8]int{1}, count: 1}
			ch.codes[0], ch.lines[0] = 1, v
		}
		d.work[1].codes[0], d.work[1].scales[0] = c.code, c.scale
		d.unite()
		if got := [2]float32{d.work[0].lines[0], d.work[1].lines[0]}; got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestAACTablesAreSound: codes leave no codeword over, bands end at the last line, squares of a slope and its mirror add up to 1.
func TestAACTablesAreSound(t *testing.T) {
	s := aacShared()
	for i, b := range s.books {
		room := 0.0
		seen := map[uint32]bool{}
		for _, w := range b.words {
			room += math.Ldexp(1, -int(w&31))
			seen[w>>14] = true
		}
		if want := []int{81, 81, 81, 81, 81, 81, 64, 64, 169, 169, 289, 121}[i]; room != 1 || len(seen) != want {
			t.Errorf("code %d: %d symbols, want %d, in %g of the room", i+1, len(seen), want, room)
		}
	}
	for i, both := range s.bands {
		if both[0].at[len(both[0].at)-1] != 1024 || both[1].at[len(both[1].at)-1] != 128 {
			t.Errorf("rate %d: bands end at %v", i, both)
		}
	}
	// By numpy's i0, to what its series has.
	for i, want := range [2][2]float64{{0.00029256153, 0.17882238}, {4.37957e-05, 0.11390933}} {
		slope := s.slopes[1][i]
		for k, v := range want {
			if got := slope[k*len(slope)/4]; math.Abs(got-v) > 1e-6*v {
				t.Errorf("slope %d at %d quarters is %g, want %g", i, k, got, v)
			}
		}
	}
	for _, shape := range s.slopes {
		for _, slope := range shape {
			for i, v := range slope {
				if m := slope[len(slope)-1-i]; math.Abs(v*v+m*m-1) > 1e-12 {
					t.Fatalf("%g and %g at %d of %d", v, m, i, len(slope))
				}
			}
		}
	}
}

// TestAACFilters: a filter up and a filter down are mirrors, and the weights of reflections are those of the lattice (4.6.9.3).
func TestAACFilters(t *testing.T) {
	f := aacFilter{from: 3, to: 9, order: 2}
	f.extend(0, 0.5)
	f.extend(1, -0.25)
	if f.weights != [12]float64{0.375, -0.25} {
		t.Fatalf("weights %v", f.weights)
	}
	up, down := [1024]float32{2: 7, 3: 1, 9: 7}, [1024]float32{2: 7, 8: 1, 9: 7}
	f.apply(&up)
	f.down = true
	f.apply(&down)
	// y[n] = x[n] - 0.375 y[n-1] + 0.25 y[n-2]
	if want := []float32{7, 1, -0.375, 0.390625, -0.240234375}; !slices.Equal(up[2:7], want) || up[9] != 7 {
		t.Errorf("%v, want %v", up[2:10], want)
	}
	slices.Reverse(down[3:9])
	if !slices.Equal(up[3:9], down[3:9]) || down[9] != 7 || down[2] != 7 {
		t.Errorf("%v and %v", up[2:10], down[2:10])
	}
}

func FuzzAAC(f *testing.F) {
	f.Add(readEncoded(f, "stereo.m4a"))
	f.Add(readEncoded(f, "mono.m4a"))
	f.Add(readEncoded(f, "high.aac"))
	f.Add(readEncoded(f, "he.aac")[:600])
	fuzzDecoder(f, "aac")
}

// FuzzAACBlock gets past headers and tables: blocks of any rate, one after another of one decoder.
func FuzzAACBlock(f *testing.F) {
	file := readEncoded(f, "high.aac")
	if _, err := walkADTS(file, func(h adtsHeader, _, at int) error { f.Add(uint8(9), file[at+h.body:at+h.size]); return nil }); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, kind uint8, b []byte) {
		decode := func() (pcm []float32) {
			d := newAACDecoder(int(kind>>1)%len(aacRates), 1+int(kind&1))
			for range 2 {
				block := make([]float32, aacFrame)
				if size, why := d.decode(block, b); why != "" {
					return pcm
				} else if size < 1 || size > len(b) {
					t.Fatalf("%d bytes of %d", size, len(b))
				}
				pcm = append(pcm, block...)
			}
			return pcm
		}
		pcm := decode()
		for i, v := range pcm {
			if !(v >= -1 && v < 1) {
				t.Fatalf("sample %d = %g", i, v)
			}
		}
		audiotest.WithoutVectors(func() {
			if !sameBits(decode(), pcm) {
				t.Fatal("portable code has other samples")
			}
		})
	})
}

func BenchmarkAAC(b *testing.B) {
	file := readEncoded(b, "mono.m4a")
	var pcm []float32
	for b.Loop() {
		var err error
		if pcm, _, err = (Limits{}).DecodeBytes(pcm, file); err != nil {
			b.Fatal(err)
		}
	}
}
