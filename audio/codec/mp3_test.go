package codec

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"voxpack/audio/internal/audiotest"
)

func TestMP3IsWhatFfmpegDecodes(t *testing.T) {
	likeTheOther(t, "mono.mp3", 1, 22050, 8820, 2e-7)
	likeTheOther(t, "vbr.mp3", 2, 22050, 8930, 2e-7)
	likeTheOther(t, "high.mp3", 2, 44100, 17860, 2e-7)
	likeTheOther(t, "low.mp3", 1, 22050, 10368, 2e-7)
	likeTheOther(t, "wide.mp3", 1, 32000, 12800, 2e-7)
	// Without a note of the delay nothing is left out: 18 frames of 576.
	likeTheOther(t, "untagged.mp3", 1, 22050, 10368, 2e-7)
	// Granules that switch their window, of each type, and keep the two lowest subbands out of it.
	likeTheOther(t, "mixed.mp3", 1, 44100, 9216, 2e-7)
}

func TestMP3TellsWhatItLeavesOut(t *testing.T) {
	for name, want := range map[string]int64{"mono.mp3": 18*576 - 8820, "high.mp3": 17*1152 - 17860, "untagged.mp3": 0} {
		if _, info, err := (Limits{}).DecodeBytes(nil, readEncoded(t, name)); err != nil || info.Trimmed != want {
			t.Errorf("%s: %+v, %v; want %d samples left out", name, info, err, want)
		}
	}
}

func TestMP3CutAnywhereIsRejected(t *testing.T) { everyCut(t, "mono.mp3") }

// lame encodes with options.
func lame(options string) func(wav, out string) *exec.Cmd {
	return func(wav, out string) *exec.Cmd {
		return exec.Command("lame", append(strings.Fields(options), "--quiet", wav, out)...)
	}
}

// mp3Ways cover every version and rate, joint stereo, short blocks and bit rates at which frames are padded.
var mp3Ways = []string{
	"-b 32", "-V 2", "-b 64 -m m", "--resample 16 -b 24", "--resample 44.1 -b 64", "--resample 48 -b 96", "--resample 32 -b 40",
	"--resample 8 -b 16", "--resample 11.025 -b 24", "--resample 12 -V 3", "-p -b 48", "--allshort -b 64", "--resample 24 -b 32",
}

var mp3StereoWays = []string{
	"-m j -b 64", "-m s -b 128", "-m j --resample 44.1 -b 96", "-m j --allshort -b 64", "-m f -b 56 --resample 32", "-m d -b 64",
}

func TestMP3OfTheReferenceEncoder(t *testing.T) {
	t.Parallel()
	needs(t, "lame", "ffmpeg")
	for i, way := range few(mp3Ways) {
		if !strings.Contains(way, "resample 24") { // ffmpeg 5.1 gives other samples than lame and mpg123 there, in blocks that switch
			likeDecoder(t, ffmpegFloats, ".mp3", 2e-7, lame(way), clipsToEncode(t)[i%8])
		}
	}
	for _, way := range few(mp3StereoWays) {
		likeDecoder(t, ffmpegFloats, ".mp3", 2e-7, lame(way), filepath.Join(encodedDir, "stereo16.wav"))
	}
}

func mpg123Floats(file string) *exec.Cmd {
	return exec.Command("mpg123", "-q", "-e", "f32", "-s", file)
}

func TestMP3IsWhatMpg123Decodes(t *testing.T) {
	t.Parallel()
	needs(t, "lame", "mpg123")
	for i, way := range few(mp3Ways) {
		likeDecoder(t, mpg123Floats, ".mp3", 1e-6, lame(way), clipsToEncode(t)[(i+3)%8])
	}
	for _, way := range few(mp3StereoWays) {
		likeDecoder(t, mpg123Floats, ".mp3", 1e-6, lame(way), filepath.Join(encodedDir, "stereo16.wav"))
	}
}

// TestMP3IntensityStereo: no encoder at hand writes it, so that the frames of a joint file are told to be of that kind. The sound
// is nonsense, and the decoders have to make the same of it. In MPEG-1 they do, all three. In MPEG-2 they differ in what they
// take for no direction (we go by 13818-3: the greatest value) and in the uppermost band (see direction), so that there most frames
// have to be as one of the others has them.
func TestMP3IntensityStereo(t *testing.T) {
	t.Parallel()
	needs(t, "lame", "mpg123", "ffmpeg")
	out := filepath.Join(t.TempDir(), "clip.mp3")
	for _, way := range []string{"-m j --resample 44.1 -b 96 -t", "-m j -b 64 -t"} {
		for _, bits := range []byte{0x10, 0x30} {
			if b, err := lame(way)(filepath.Join(encodedDir, "stereo16.wav"), out).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, b)
			}
			file, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			f, err := readMP3(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, at := range f.frames {
				file[at+3] = file[at+3]&0x0f | 0x40 | bits
			}
			if err := os.WriteFile(out, file, 0o666); err != nil {
				t.Fatal(err)
			}
			got, info, err := Limits{}.DecodeBytes(nil, file)
			if err != nil {
				t.Fatal(err)
			}
			others := [2][]float32{floatsOf(t, mpg123Floats(out), info.Channels), floatsOf(t, ffmpegFloats(out), info.Channels)}
			same, least := 0, 1.0
			if info.Rate < 32000 {
				least = 0.75
			}
			for i := 0; i < len(got); i += 576 {
				_, one := differenceOf(got[i:i+576], others[0][i:])
				_, two := differenceOf(got[i:i+576], others[1][i:])
				if min(one, two) < 3e-6 {
					same++
				}
			}
			if frames := len(got) / 576; float64(same) < least*float64(frames) {
				t.Errorf("%s, mode extension %#x: %d granules of %d are as one of the others has them", way, bits, same, frames)
			}
		}
	}
}

// TestMP3IntensityOfTheLastBand: it has no position of its own, and that of the band before it only if that is one.
func TestMP3IntensityOfTheLastBand(t *testing.T) {
	root := math.Sqrt(math.Sqrt2)
	for _, c := range []struct {
		name        string
		version     int
		used        int // bands of the right channel that have values, so that they are none of intensity
		position    uint8
		legal       bool
		left, right float64
	}{
		{"MPEG-1, the position before it", 0, 20, 6, true, 1, 0},
		{"MPEG-1, no position before it", 0, 20, 7, false, 1, 0},
		{"MPEG-1, the band before it is none", 0, 21, 6, true, 0.5, 0.5},
		{"MPEG-2, the position before it", 1, 20, 3, true, 1 / (root * root), 1},
		{"MPEG-2, no position before it", 1, 20, 7, false, 1, 0},
		{"MPEG-2, the band before it is none", 1, 21, 3, true, 1, 1},
	} {
		d := newMP3Decoder(mp3Header{version: c.version, rate: []int{44100, 22050}[c.version], channels: 2, intensity: true})
		g := mp3Granule{bands: d.long, longs: 22, top: 576}
		for i := range g.legal {
			g.legal[i] = true
		}
		g.scales[20], g.legal[20] = c.position, c.legal
		at := 0
		for band, width := range d.long {
			for i := at; i < at+width; i++ {
				d.lines[0][i] = 1
				if band < c.used {
					d.lines[1][i] = 1
				}
			}
			at += width
		}
		left, right := g, g
		d.stereo(&left, &right)
		if got := [2]float64{d.lines[0][575], d.lines[1][575]}; math.Abs(got[0]-c.left) > 1e-12 || math.Abs(got[1]-c.right) > 1e-12 {
			t.Errorf("%s: %.4f, want %.4f and %.4f", c.name, got, c.left, c.right)
		}
	}
}

func TestBadMP3IsRejectedWithAReason(t *testing.T) {
	good := readEncoded(t, "mono.mp3")
	f, err := readMP3(good)
	if err != nil {
		t.Fatal(err)
	}
	untagged := good[f.frames[0]:]
	with := func(at int, v byte) []byte {
		b := slices.Clone(good)
		b[f.frames[3]+at] = v
		return b
	}
	for _, c := range []struct {
		name string
		file []byte
		kind error
		want string
	}{
		{"tags only", []byte("ID3\x04\x00\x00\x00\x00\x00\x00\xff\xf3"), ErrNotWAV, ""},
		{"a frame left out", slices.Concat(good[:f.frames[7]], good[f.frames[8]:]), ErrLength, "MP3 header says 18 frames, the file holds 17"},
		{"a frame twice", slices.Concat(good, good[f.frames[17]:]), ErrLength, "MP3 header says 18 frames, the file holds 19"},
		{"only the info frame", good[:f.frames[0]], ErrLength, "the file holds 0"},
		{"bytes between frames", slices.Concat(good[:f.frames[3]], []byte{0}, good[f.frames[3]:]), ErrCorrupt, "MP3 frame 4 at byte"},
		{"another rate on the way", with(2, good[f.frames[3]+2]&0xf3|0x08), ErrUnsupported, ""},
		{"free bit rate", with(2, good[f.frames[3]+2]&0x0f), ErrUnsupported, "free bit rates are not read"},
		{"reservoir of another file", slices.Concat(good[f.frames[6]:]), ErrCorrupt, "needs bytes of frames before it that are not there"},
		{"bytes after it, and no count", slices.Concat(untagged, []byte("and more")), ErrCorrupt, "no frame begins there, so the file is damaged or something else follows the recording"},
		{"bytes before it, and no count", slices.Concat([]byte("and more"), untagged), ErrCorrupt, "MP3 file has 8 bytes of something else at byte 0, before its first frame"},
		{"many zeros after it, and no count", slices.Concat(untagged, make([]byte, 100_000), []byte("TAG"), make([]byte, 125)), ErrCorrupt, "no frame begins there"},
		{"another recording after it", slices.Concat(good, []byte("and more"), good), ErrCorrupt, "no frame begins there"},
		{"another recording with a tag", slices.Concat(good, id3("title"), good), ErrCorrupt, "no frame begins there"},
		{"two recordings with tags, and no count", slices.Concat(id3("one"), untagged, id3("two"), untagged), ErrCorrupt, "no frame begins there"},
	} {
		_, _, err := Limits{}.DecodeBytes(nil, c.file)
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q of kind %q", c.name, err, c.want, c.kind)
		}
	}
}

// id3 is an ID3v2 tag around a text.
func id3(text string) []byte {
	return append([]byte{'I', 'D', '3', 4, 0, 0, 0, 0, 0, byte(len(text))}, text...)
}

// TestMP3AmongOtherBytes: what taggers and players leave around a recording costs none of it. Bytes of no known kind are passed
// where the info frame's count shows that every frame is there.
func TestMP3AmongOtherBytes(t *testing.T) {
	counted := readEncoded(t, "mono.mp3")
	found, err := readMP3(counted)
	if err != nil {
		t.Fatal(err)
	}
	plain := counted[found.frames[0]:]
	zeros, junk, ones := make([]byte, 300), []byte("no frame, no tag"), bytes.Repeat([]byte{0xff}, 100)
	v1 := append([]byte("TAG"), make([]byte, 125)...)
	ape := func(flags byte, n int) []byte {
		return append([]byte{'A', 'P', 'E', 'T', 'A', 'G', 'E', 'X', 0xd0, 7, 0, 0, byte(n + 32), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, flags}, make([]byte, 8)...)
	}
	ape1 := append([]byte("items"), ape(0, 5)...)
	ape2 := slices.Concat(ape(0xa0, 5), []byte("items"), ape(0x80, 5))
	lyrics1, lyrics2 := []byte("LYRICSBEGINla la laLYRICSEND"), []byte("LYRICSBEGINla la la000019LYRICS200")
	foot := []byte{'3', 'D', 'I', 4, 0, 0x10, 0, 0, 0, 4}
	footed := slices.Concat([]byte{'I', 'D', '3', 4, 0, 0x10, 0, 0, 0, 4}, []byte("text"), foot)
	for _, c := range []struct {
		name          string
		before, after []byte
		counted       bool // only with an info frame
	}{
		{"zeros before", zeros, nil, false},
		{"two ID3v2 tags and zeros before", slices.Concat(id3("one"), id3("two"), zeros), nil, false},
		{"junk before", junk, nil, true},
		{"a tag of a size too small before", append(id3("title"), junk...), nil, true},
		{"ID3v1 after", nil, v1, false},
		{"zeros after", nil, zeros, false},
		{"APE of version 1 after", nil, ape1, false},
		{"APE of version 2 and ID3v1 after", nil, append(ape2, v1...), false},
		{"Lyrics3 of version 1 and ID3v1 after", nil, append(lyrics1, v1...), false},
		{"Lyrics3 of version 2 and ID3v1 after", nil, append(lyrics2, v1...), false},
		{"APE, Lyrics3, zeros and ID3v1 after", nil, slices.Concat(zeros, ape2, lyrics2, v1), false},
		{"ID3v2 after", nil, id3("title"), false},
		{"ID3v2 with a footer after", nil, footed, false},
		{"ID3v1, then ID3v2 after", nil, append(v1, id3("title")...), false},
		{"ID3v2, then ID3v1 after", nil, append(id3("title"), v1...), false},
		{"text after", nil, junk, true},
		{"ones after", nil, ones, true},
	} {
		for _, stream := range [][]byte{counted, plain} {
			if c.counted && &stream[0] == &plain[0] {
				continue
			}
			want, _, err := Limits{}.DecodeBytes(nil, stream)
			if err != nil {
				t.Fatal(err)
			}
			file := slices.Concat(c.before, stream, c.after)
			got, info, err := Limits{}.DecodeBytes(nil, file)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s, %d bytes: %d samples of %d, %v", c.name, len(file), len(got), len(want), err)
			}
			if probed, err := Probe(bytes.NewReader(file), int64(len(file))); err != nil || probed != info {
				t.Errorf("%s: Probe: %+v, %v; want %+v", c.name, probed, err, info)
			}
		}
	}
}

// TestMP3AdviceHelps does what the rejection of an MP3 among other bytes says.
func TestMP3AdviceHelps(t *testing.T) {
	t.Parallel()
	needs(t, "ffmpeg")
	untagged, junk := readEncoded(t, "untagged.mp3"), []byte("no frame, no tag, no zero")
	want, _, err := Limits{}.DecodeBytes(nil, untagged)
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string][]byte{"before": slices.Concat(junk, untagged), "after": slices.Concat(untagged, junk)} {
		if _, _, err := (Limits{}).DecodeBytes(nil, file); err == nil || !strings.Contains(err.Error(), "convert it with ffmpeg -i IN.mp3 OUT.flac") {
			t.Errorf("junk %s: %v, want the advice", name, err)
		}
		in, out := filepath.Join(t.TempDir(), "in.mp3"), filepath.Join(t.TempDir(), "out.flac")
		if err := os.WriteFile(in, file, 0o666); err != nil {
			t.Fatal(err)
		}
		if said, err := exec.Command("ffmpeg", "-v", "error", "-nostdin", "-i", in, out).CombinedOutput(); err != nil {
			t.Fatalf("junk %s: %v: %s", name, err, said)
		}
		converted, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := Limits{}.DecodeBytes(nil, converted)
		if err != nil || len(got) != len(want) {
			t.Errorf("junk %s: %d samples of %d, %v", name, len(got), len(want), err)
			continue
		}
		if _, peak := differenceOf(got, want); peak > 2e-6 {
			t.Errorf("junk %s: off by %g", name, peak)
		}
	}
}

func TestATinyMP3OfHoursIsBounded(t *testing.T) {
	// MPEG-2.5 at 8 kHz and 8 kbit/s: 72 bytes for 576 samples of silence.
	frame := append([]byte{0xff, 0xe3, 0x18, 0xc0}, make([]byte, 68)...)
	if _, info, err := (Limits{}).DecodeBytes(nil, bytes.Repeat(frame, 100)); err != nil || info.Samples != 57600 || info.Rate != 8000 {
		t.Fatalf("%+v, %v", info, err)
	}
	if _, _, err := (Limits{MaxClip: time.Second}).DecodeBytes(nil, bytes.Repeat(frame, 100)); !errors.Is(err, ErrTooLong) {
		t.Errorf("got %v, want ErrTooLong", err)
	}
}

func TestMP3CodesAreComplete(t *testing.T) {
	for i, code := range mp3Codes {
		if code == "" {
			continue
		}
		b := newMP3Book(code)
		seen := map[uint16]bool{}
		for j := 0; j < len(code); j += 3 {
			seen[hexDigit(code[j])<<4|hexDigit(code[j+1])] = true
		}
		if len(b.words) != 1<<b.width || len(seen) != len(code)/3 {
			t.Errorf("code %d: %d words of %d bits, %d symbols in %d places", i, len(b.words), b.width, len(seen), len(code)/3)
		}
	}
}

func BenchmarkMP3(b *testing.B) {
	file := readEncoded(b, "mono.mp3")
	var pcm []float32
	for b.Loop() {
		var err error
		if pcm, _, err = (Limits{}).DecodeBytes(pcm, file); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(pcm))*float64(b.N)/b.Elapsed().Seconds()/1e6, "Msamples/s")
}

// sameBits tells NaN from NaN, and -0 from 0.
func sameBits[F float32 | float64](a, b []F) bool {
	return slices.EqualFunc(a, b, func(a, b F) bool { return math.Float64bits(float64(a)) == math.Float64bits(float64(b)) })
}

// TestVectorsDecodeAsPortableCode: with and without, every file has the same bits.
func TestVectorsDecodeAsPortableCode(t *testing.T) {
	for _, name := range []string{"mono.mp3", "vbr.mp3", "high.mp3", "untagged.mp3", "low.mp3", "wide.mp3", "mixed.mp3",
		"mono.ogg", "stereo.ogg", "high.ogg", "mono16.flac", "stereo16.flac", "mono24.flac", "stereo24.flac"} {
		file := readEncoded(t, name)
		decode := func() []float32 {
			pcm, _, err := Limits{}.DecodeBytes(nil, file)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return pcm
		}
		got, want := decode(), []float32(nil)
		audiotest.WithoutVectors(func() { want = decode() })
		audiotest.WithoutWideVectors(func() {
			if !sameBits(decode(), want) {
				t.Errorf("%s: vectors of AVX2 have other bits than portable code", name)
			}
		})
		if !sameBits(got, want) {
			t.Errorf("%s: vectors have other bits than portable code", name)
		}
	}
}

// TestMP3KernelsAreGenerated: what lies in the repository is what the generator writes.
func TestMP3KernelsAreGenerated(t *testing.T) {
	audiotest.Generated(t, []string{"mp3_amd64.s"}, "../internal/genvector", "-kernels", "mp3", "-out", "mp3_amd64.s")
}

// TestVectorsTransformSubbandsAsPortableCode: granules of every kind of block and of every number of subbands that hold something, one
// after the other, with what each leaves for the next.
func TestVectorsTransformSubbandsAsPortableCode(t *testing.T) {
	run := func() (all []float64) {
		r := rand.New(rand.NewPCG(8, 8))
		d := newMP3Decoder(mp3Header{rate: 44100, channels: 1})
		for range 200 {
			g := &mp3Granule{blockType: r.IntN(4), top: r.IntN(577), mixed: r.IntN(4) == 0}
			g.bands, g.longs = d.bandsOf(g.blockType, g.mixed)
			for i := range d.lines[0] {
				d.lines[0][i] = 0
				if i < g.top {
					d.lines[0][i] = r.NormFloat64()
				}
			}
			d.hybrid(g, 0)
			pcm := make([]float32, 576)
			d.synthesise(pcm)
			for _, v := range pcm {
				all = append(all, float64(v))
			}
			for _, rows := range [][18][32]float64{d.steps[0], d.overlap[0]} {
				for _, row := range rows {
					all = append(all, row[:]...)
				}
			}
		}
		return all
	}
	got, narrow := run(), []float64(nil)
	audiotest.WithoutWideVectors(func() { narrow = run() })
	audiotest.WithoutVectors(func() {
		if want := run(); !slices.Equal(got, want) || !slices.Equal(narrow, want) { // 0 may be -0, which no sum with another tells
			t.Error("vectors have other bits than portable code")
		}
	})
}

// TestReadPairsAndQuads holds the quick ways of reading to the slow ones, up to the end of a stream.
func TestReadPairsAndQuads(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for round := range 20_000 {
		b := make([]byte, r.IntN(40))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		quick, slow := &msbReader{b: b}, &msbReader{b: b}
		skip := uint(r.IntN(min(8*len(b), 50) + 1))
		quick.take(skip)
		slow.take(skip)
		table := [18]int{1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 32, 33, 32, 33, 1}[round%18]
		book, got, want := &mp3Shared().books[table], make([]int16, 2*r.IntN(30)), []int16(nil)
		if table < 32 {
			got = got[:book.readPairs(quick, got)]
			for range len(got) / 2 {
				xy := book.read(slow)
				want = append(want, readMP3Value(slow, int(xy>>4), 0), readMP3Value(slow, int(xy&15), 0))
			}
		} else {
			got, want = make([]int16, 4), make([]int16, 4)
			book.readQuad(quick, (*[4]int16)(got))
			quad := book.read(slow)
			for k := range want {
				want[k] = readMP3Value(slow, int(quad>>(3-k)&1), 0)
			}
		}
		if quick.over != slow.over || !quick.over && (!slices.Equal(got, want) || quick.at() != slow.at()) {
			t.Fatalf("table %d, %x from bit %d: %d up to bit %d, over %v; want %d up to %d, over %v", table, b, skip, got, quick.at(), quick.over, want, slow.at(), slow.over)
		}
	}
}

// TestReadPair holds the quick way of reading a pair to the slow one, which the end of a stream takes.
func TestReadPair(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for table := 1; table < 32; table++ {
		book, linBits := &mp3Shared().books[table], mp3LinBits[table]
		if len(book.words) == 0 {
			continue
		}
		for range 2000 {
			b := make([]byte, 16)
			binary.BigEndian.PutUint64(b, r.Uint64())
			quick, slow := &msbReader{b: b}, &msbReader{b: b[:7]} // 56 bits: the longest pair has 47, and nothing is ahead of them
			skip := uint(r.IntN(9))
			quick.take(skip)
			slow.take(skip)
			x, y := book.readPair(quick, linBits)
			xy := book.read(slow)
			wantX := readMP3Value(slow, int(xy>>4), linBits)
			wantY := readMP3Value(slow, int(xy&15), linBits)
			if x != wantX || y != wantY || quick.at() != slow.at() || slow.over {
				t.Fatalf("table %d, %x from bit %d: %d, %d up to bit %d; want %d, %d up to %d", table, b[:8], skip, x, y, quick.at(), wantX, wantY, slow.at())
			}
		}
	}
}
