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
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"voxpack/audio/internal/audiotest"
)

// differenceOf is how far a decoder is from another one's samples: both in units of full scale.
func differenceOf(got, want []float32) (rms, peak float64) {
	var sum float64
	for i := range got {
		d := math.Abs(float64(got[i]) - float64(want[i]))
		sum, peak = sum+d*d, max(peak, d)
	}
	return math.Sqrt(sum / float64(len(got))), peak
}

// likeTheOther holds a lossy file to what ffmpeg decoded from it, which stands beside it, and to the length of what was encoded.
func likeTheOther(t *testing.T, name string, channels, rate, samples int, most float64) {
	t.Helper()
	file := readEncoded(t, name)
	got, info, err := Decode(nil, bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if info.Channels != channels || info.Rate != rate || len(got) != samples || info.Samples != int64(samples) {
		t.Errorf("%s: %+v and %d samples; want %d channels at %d Hz, %d samples", name, info, len(got), channels, rate, samples)
	}
	want, _, err := Limits{}.DecodeBytes(nil, readEncoded(t, name+".flac"))
	if err != nil {
		t.Fatal(err)
	}
	n := min(len(got), len(want))
	rms, peak := differenceOf(got[:n], want[:n])
	t.Logf("%s: against ffmpeg rms %.2g, at most %.2g", name, rms, peak)
	// What stands there has 24 bits, a step of 1.2e-7, and ffmpeg computes in float32.
	if rms > most || peak > 10*most {
		t.Errorf("%s: differs from ffmpeg by rms %g, at most %g", name, rms, peak)
	}
	if probed, err := Probe(bytes.NewReader(file), int64(len(file))); err != nil || probed != info {
		t.Errorf("%s: Probe: %+v, %v; want %+v", name, probed, err, info)
	}
}

func TestVorbisIsWhatFfmpegDecodes(t *testing.T) {
	likeTheOther(t, "mono.ogg", 1, 22050, 8820, 1e-7)
	likeTheOther(t, "stereo.ogg", 2, 22050, 8930, 1e-7)
	likeTheOther(t, "high.ogg", 2, 44100, 17860, 1e-7)
}

func TestVorbisCutAnywhereIsRejected(t *testing.T) { everyCut(t, "mono.ogg") }

func TestIMDCTIsItsDefinition(t *testing.T) {
	for _, n := range []int{64, 256, 2048} {
		x := make([]float32, n/2)
		for i := range x {
			x[i] = float32(math.Sin(float64(i*i))) / float32(i+1)
		}
		y := make([]float64, n)
		transform := newIMDCT(n)
		transform.transformHalf(x)
		transform.unfold(y)
		for i, got := range y {
			var want float64
			for k, v := range x {
				want += float64(v) * math.Cos(2*math.Pi/float64(n)*(float64(i)+0.5+float64(n)/4)*(float64(k)+0.5))
			}
			if math.Abs(got-want) > 1e-13*float64(n) {
				t.Fatalf("n = %d: y[%d] = %g, want %g", n, i, got, want)
			}
		}
	}
}

// ffmpegFloats is a decoder that likeDecoder compares with: interleaved float32 to the standard output.
func ffmpegFloats(file string) *exec.Cmd {
	return exec.Command("ffmpeg", "-nostdin", "-v", "error", "-i", file, "-f", "f32le", "-")
}

// floatsOf runs another decoder and takes the mean of the channels.
func floatsOf(t *testing.T, cmd *exec.Cmd, channels int) []float32 {
	t.Helper()
	raw, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	pcm := make([]float32, len(raw)/4/channels)
	for i := range pcm {
		var sum float64
		for ch := range channels {
			sum += float64(math.Float32frombits(binary.LittleEndian.Uint32(raw[4*(i*channels+ch):])))
		}
		pcm[i] = max(-1, min(float32(sum/float64(channels)), belowOne))
	}
	return pcm
}

// likeDecoder runs a clip through an encoder and through another decoder and compares as likeTheOther does; within is the rms that
// is allowed.
func likeDecoder(t *testing.T, other func(file string) *exec.Cmd, extension string, within float64, encode func(wav, out string) *exec.Cmd, clip string) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "clip"+extension)
	if b, err := encode(clip, out).CombinedOutput(); err != nil {
		t.Fatalf("%v: %v: %s", encode(clip, out).Args, err, b)
	}
	file, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	got, info, err := Limits{}.DecodeBytes(nil, file)
	if err != nil {
		t.Errorf("%v: %v", encode(clip, out).Args, err)
		return
	}
	want := floatsOf(t, other(out), info.Channels)
	n := min(len(got), len(want))
	rms, peak := differenceOf(got[:n], want[:n])
	t.Logf("%s %v: %d samples, the other %d; rms %.2g, at most %.2g", filepath.Base(clip), encode("", "").Args[1:], len(got), len(want), rms, peak)
	// Of a file of one page ffmpeg drops a block or leaves one that is no part of it.
	if rms > within || max(len(got), len(want))-n > 2304 {
		t.Errorf("%s: %d samples, the other %d; rms %g, at most %g", filepath.Base(clip), len(got), len(want), rms, within)
	}
}

// clipsToEncode are the shortest clips of real speech, or of the bundled corpus where there are none.
func clipsToEncode(t *testing.T) []string {
	t.Helper()
	pattern := "../../testdata/corpus/*/wavs/*.wav"
	if corpora := os.Getenv("VOXPACK_CORPORA"); corpora != "" {
		pattern = filepath.Join(corpora, "ljspeech-32", "wavs", "*.wav")
	}
	clips, err := filepath.Glob(pattern)
	if err != nil || len(clips) < 8 {
		t.Fatalf("%s: %d clips, %v", pattern, len(clips), err)
	}
	size := func(path string) int64 {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	slices.SortFunc(clips, func(a, b string) int { return int(size(a) - size(b)) })
	return clips
}

// few is the first of the ways to do something, all of them without -short.
func few[T any](ways []T) []T {
	if testing.Short() {
		return ways[:1]
	}
	return ways
}

func needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("%s is not installed: only the kept files were compared", p)
		}
	}
}

func TestVorbisOfTheReferenceEncoder(t *testing.T) {
	t.Parallel()
	needs(t, "oggenc", "ffmpeg")
	for i, q := range few([]string{"1", "-1", "4", "8", "10"}) {
		clip := clipsToEncode(t)[i]
		likeDecoder(t, ffmpegFloats, ".ogg", 1e-7, func(wav, out string) *exec.Cmd { return exec.Command("oggenc", "-Q", "-q", q, "-o", out, wav) }, clip)
		sameLength(t, clip, q)
	}
	if testing.Short() {
		return
	}
	likeDecoder(t, ffmpegFloats, ".ogg", 1e-7, func(wav, out string) *exec.Cmd {
		return exec.Command("oggenc", "-Q", "-q", "2", "--resample", "48000", "-o", out, wav)
	}, clipsToEncode(t)[5])
	likeDecoder(t, ffmpegFloats, ".ogg", 1e-7, func(wav, out string) *exec.Cmd { return exec.Command("oggenc", "-Q", "-q", "5", "-o", out, wav) }, filepath.Join(encodedDir, "stereo16.wav"))
	// Another encoder, with six channels and several packets a page.
	likeDecoder(t, ffmpegFloats, ".ogg", 1e-7, func(wav, out string) *exec.Cmd {
		return exec.Command("ffmpeg", "-nostdin", "-v", "error", "-i", wav, "-ac", "6", "-c:a", "libvorbis", "-page_duration", "200000", out)
	}, clipsToEncode(t)[6])
}

// sameLength holds what comes back out of Vorbis to the length of what went in.
func sameLength(t *testing.T, clip, quality string) {
	t.Helper()
	wav, err := os.ReadFile(clip)
	if err != nil {
		t.Fatal(err)
	}
	ogg, err := exec.Command("oggenc", "-Q", "-q", quality, "-o", "-", clip).Output()
	if err != nil {
		t.Fatal(err)
	}
	want, err := Probe(bytes.NewReader(wav), int64(len(wav)))
	got, gotErr := Probe(bytes.NewReader(ogg), int64(len(ogg)))
	if err != nil || gotErr != nil || got.Samples != want.Samples {
		t.Errorf("%s: %+v, %v; want %d samples (%v)", clip, got, gotErr, want.Samples, err)
	}
}

// oggFile writes packets as Ogg pages, several packets a page, the checksums right.
func oggFile(packets [][]byte, granule int64) []byte {
	var file []byte
	page := func(number int, flags byte, granule int64, packets [][]byte) {
		b := binary.LittleEndian.AppendUint64([]byte{'O', 'g', 'g', 'S', 0, flags}, uint64(granule))
		b = binary.LittleEndian.AppendUint32(append(b, 1, 0, 0, 0), uint32(number))
		b = append(b, 0, 0, 0, 0, 0)
		var body []byte
		for _, p := range packets {
			for n := len(p); ; n -= 255 {
				b = append(b, byte(min(n, 255)))
				if n < 255 {
					break
				}
			}
			body = append(body, p...)
		}
		b[26] = byte(len(b) - 27)
		b = append(b, body...)
		binary.LittleEndian.PutUint32(b[22:], oggCRC(b))
		file = append(file, b...)
	}
	for i, p := range packets {
		p = p[:min(len(p), 60000)]
		switch last := i == len(packets)-1; {
		case i == 0:
			page(i, 2, 0, [][]byte{p})
		case last:
			page(i, 4, granule, [][]byte{p})
		case i == 3: // the first block completes no sample
			page(i, 0, 0, [][]byte{p})
		default:
			page(i, 0, -1, [][]byte{p})
		}
	}
	return file
}

// packetsOf takes a file apart.
func packetsOf(t testing.TB, file []byte) [][]byte {
	t.Helper()
	o := oggReader{b: file}
	var packets [][]byte
	for {
		p, err := o.next()
		if err != nil {
			t.Fatal(err)
		}
		if p.data == nil {
			return packets
		}
		packets = append(packets, slices.Clone(p.data))
	}
}

func TestBadVorbisIsRejectedWithAReason(t *testing.T) {
	good := readEncoded(t, "mono.ogg")
	packets := packetsOf(t, good)
	with := func(at int, f func(b []byte) []byte) []byte {
		changed := slices.Clone(packets)
		changed[at] = f(slices.Clone(changed[at]))
		return oggFile(changed, 8820)
	}
	if _, info, err := (Limits{}).DecodeBytes(nil, oggFile(packets, 8820)); err != nil || info.Samples != 8820 {
		t.Fatalf("the file put together again: %+v, %v", info, err)
	}
	flipped := slices.Clone(good)
	flipped[len(good)-20] ^= 1
	for _, c := range []struct {
		name string
		file []byte
		kind error
		want string
	}{
		{"one bit flipped", flipped, ErrCorrupt, "checksum"},
		{"two files in one", slices.Concat(good, good), ErrUnsupported, "another stream at byte 6,283"},
		{"bytes after the stream", slices.Concat(good, []byte("and more")), ErrCorrupt, "followed by 8 bytes that are not a page"},
		{"a tag after the stream", slices.Concat(good, []byte("TAG"), make([]byte, 125)), nil, ""},
		{"a page left out", func() []byte {
			o := oggReader{b: good}
			for o.page < 2 {
				o.next()
			}
			second := o.pageAt
			o.lacing, o.body, o.packet = nil, nil, nil
			o.next()
			return slices.Concat(good[:second], good[o.at:])
		}(), ErrLength, "Ogg page"},
		{"only headers", oggFile(packets[:3], 0), ErrEmpty, "Vorbis file has no samples"},
		{"two headers", oggFile(packets[:2], 0), ErrHeader, "Vorbis header 3 of 3 is not there"},
		{"no channel", with(0, func(b []byte) []byte { b[11] = 0; return b }), ErrHeader, "says 0 channels"},
		{"rate of 0", with(0, func(b []byte) []byte { clear(b[12:16]); return b }), ErrHeader, "says 0 samples a second"},
		{"blocks of 1", with(0, func(b []byte) []byte { b[28] = 0; return b }), ErrHeader, "blocks of 1 and 1 samples"},
		{"version II", with(0, func(b []byte) []byte { b[7] = 2; return b }), ErrHeader, "another version than I"},
		{"setup cut", with(2, func(b []byte) []byte { return b[:len(b)/2] }), ErrHeader, "Vorbis setup: "},
		{"a header among the packets", with(5, func(b []byte) []byte { b[0] |= 1; return b }), ErrCorrupt, "Vorbis packet 2 in the page at byte"},
		{"ends after its packets", oggFile(packets, 1_000_000), ErrLength, "Vorbis stream ends at sample 1,000,000, its packets hold"},
	} {
		_, info, err := Limits{}.DecodeBytes(nil, c.file)
		if c.kind == nil {
			if err != nil || info.Samples != 8820 {
				t.Errorf("%s: %+v, %v", c.name, info, err)
			}
			continue
		}
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q of kind %q", c.name, err, c.want, c.kind)
		}
	}
}

func TestATinyVorbisOfHoursIsBounded(t *testing.T) {
	packets := packetsOf(t, readEncoded(t, "mono.ogg"))
	for range 3000 {
		packets = append(packets, []byte{2}) // a long block of silence
	}
	_, _, err := Limits{MaxClip: time.Second}.DecodeBytes(nil, oggFile(packets, 3000*512))
	if !errors.Is(err, ErrTooLong) {
		t.Errorf("got %v, want ErrTooLong", err)
	}
}

func BenchmarkVorbis(b *testing.B) {
	file := readEncoded(b, "mono.ogg")
	var pcm []float32
	for b.Loop() {
		var err error
		if pcm, _, err = (Limits{}).DecodeBytes(pcm, file); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(pcm))*float64(b.N)/b.Elapsed().Seconds()/1e6, "Msamples/s")
}

// TestOggWithBytesBetweenPages: broken taggers leave some, and the numbers of the pages show that none is lost.
func TestOggWithBytesBetweenPages(t *testing.T) {
	file := readEncoded(t, "mono.ogg")
	want, _, err := Limits{}.DecodeBytes(nil, file)
	if err != nil {
		t.Fatal(err)
	}
	var pages [][]byte
	for rest := file; len(rest) > 0; {
		n := len(rest)
		if next := bytes.Index(rest[4:], []byte("OggS\x00")); next >= 0 {
			n = 4 + next
		}
		pages, rest = append(pages, rest[:n]), rest[n:]
	}
	got, _, err := Limits{}.DecodeBytes(nil, slices.Concat(pages[0], make([]byte, 700), pages[1], []byte("no page"), slices.Concat(pages[2:]...)))
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%d samples of %d, %v", len(got), len(want), err)
	}
	for name, file := range map[string][]byte{
		"a page is lost there":     slices.Concat(pages[0], pages[1], []byte("no page"), slices.Concat(pages[3:]...)),
		"no page comes any more":   slices.Concat(pages[0], pages[1], make([]byte, 700)),
		"nothing is a page so far": slices.Concat(pages[0], pages[1], make([]byte, oggSearch), slices.Concat(pages[2:]...)),
	} {
		if _, _, err := (Limits{}).DecodeBytes(nil, file); !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrLength) {
			t.Errorf("%s: %v, want that it is damaged", name, err)
		}
	}
}

// TestVectorsOverlapAsPortableCode: blocks of every pair of sizes in a random order, short and long neighbours, spectra with zeros,
// silence and values beyond what a sample holds; samples and what is left for the next block have the same bits.
func TestVectorsOverlapAsPortableCode(t *testing.T) {
	for _, sizes := range [][2]int{{64, 64}, {64, 128}, {256, 2048}, {128, 512}, {512, 1024}, {2048, 4096}, {64, 8192}} {
		for channels := 1; channels <= 2; channels++ {
			run := func() (pcm []float32, tails []float64) {
				random := rand.New(rand.NewPCG(uint64(sizes[1]), uint64(channels)))
				s := vorbisStream{channels: channels, sizes: sizes, out: output{keep: true, rate: 8000}}
				s.prepare()
				for range 12 {
					size, before, after := random.IntN(2), random.IntN(2), random.IntN(2)
					for ch := range s.work.spectra {
						s.work.spectra[ch] = s.work.spectra[ch][:sizes[size]/2]
						for i := range s.work.spectra[ch] {
							s.work.spectra[ch][i] = float32(random.NormFloat64() * float64(random.IntN(3)) * 0.02)
						}
						if random.IntN(5) == 0 {
							clear(s.work.spectra[ch])
						}
					}
					dst, err := s.roomFor(sizes[size])
					if err != nil || !s.overlap(dst, size, before, after) {
						t.Fatalf("sizes %v: %v, or no numbers", sizes, err)
					}
					s.packets++
				}
				for _, tail := range s.work.tails {
					tails = append(tails, tail[:s.work.tail]...)
				}
				return s.out.pcm, tails
			}
			got, gotTails := run()
			audiotest.WithoutVectors(func() {
				want, wantTails := run()
				// A silent block leaves 0 or -0, which is the same in any sum that begins with 0.
				if !sameBits(got, want) || !slices.Equal(gotTails, wantTails) {
					t.Errorf("blocks of %v, %d channels: vectors give other samples", sizes, channels)
				}
			})
		}
	}
}

// TestMeanOf: 1, -1 and all that lies beyond are held, and a number that is none is told wherever it stands.
func TestMeanOf(t *testing.T) {
	test := func() {
		for n := range 14 {
			sum, dst := make([]float64, n), make([]float32, n)
			for i := range sum {
				sum[i] = [7]float64{2, -2, 0.5, math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 1.99999999}[i%7]
			}
			want := []float32{belowOne, -1, 0.25, belowOne, -1, float32(math.Copysign(0, -1)), belowOne}
			if !meanOf(dst, sum, 2) || !sameBits(dst, append(want, want...)[:n]) {
				t.Errorf("the mean of %v is %v", sum, dst)
			}
			for i := range sum {
				other := slices.Clone(sum)
				if other[i] = math.NaN(); meanOf(dst, other, 2) || meanOf(nil, other, 2) {
					t.Errorf("no number at %d of %d is not told", i, n)
				}
			}
		}
	}
	test()
	audiotest.WithoutVectors(test)
}

// TestVorbisSetupsAreKept: the last headers are not read again, and no other header or number of channels has their setup.
func TestVorbisSetupsAreKept(t *testing.T) {
	headers := map[string][]byte{}
	for _, name := range []string{"mono.ogg", "high.ogg"} {
		o := oggReader{b: readEncoded(t, name)}
		for range 3 {
			p, err := o.next()
			if err != nil {
				t.Fatal(err)
			}
			headers[name] = slices.Clone(p.data[7:])
		}
	}
	setup := func(header []byte, channels int) *vorbisSetup {
		s, why := sharedVorbisSetup(header, channels)
		if want, other := readVorbisSetup(&lsbReader{b: header}, channels); why != other || !reflect.DeepEqual(s, want) {
			t.Fatalf("%d channels: %q, want %q, or another setup", channels, why, other)
		}
		return s
	}
	mono := setup(headers["mono.ogg"], 1)
	if setup(headers["high.ogg"], 2) == mono || setup(slices.Clone(headers["mono.ogg"]), 1) != mono || setup(headers["mono.ogg"], 2) == mono {
		t.Error("a setup is read again, or is that of another header")
	}
	cut := headers["mono.ogg"][:len(headers["mono.ogg"])-9]
	if s := setup(cut, 1); s != nil {
		t.Error("a header that is cut has a setup")
	}
	for i := range keptSetups {
		setup(append(slices.Clone(headers["mono.ogg"]), byte(i)), 1)
	}
	if setup(headers["mono.ogg"], 1) == mono {
		t.Error("more setups are kept than there is room for")
	}
}

// TestVorbisKernelsAreGenerated: what lies in the repository is what the generator writes.
func TestVorbisKernelsAreGenerated(t *testing.T) {
	audiotest.Generated(t, []string{"vorbis_amd64.s"}, "../internal/genvector", "-kernels", "vorbis", "-out", "vorbis_amd64.s")
}
