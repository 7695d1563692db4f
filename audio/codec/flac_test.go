package codec

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
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

const encodedDir = "../../testdata/audio"

func readEncoded(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(encodedDir, name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// sameAsWAV holds a FLAC file to the bits of the WAV file that it was made from.
func sameAsWAV(t *testing.T, name string, flac, wav []byte) {
	t.Helper()
	want, wantInfo, err := Decode(nil, bytes.NewReader(wav), int64(len(wav)))
	if err != nil {
		t.Fatal(err)
	}
	wantInfo.Format = "flac"
	got, info, err := Decode(nil, bytes.NewReader(flac), int64(len(flac)))
	if err != nil || info != wantInfo || !slices.Equal(got, want) {
		t.Errorf("%s: %d samples, %+v, %v; want the %d of its WAV, %+v", name, len(got), info, err, len(want), wantInfo)
	}
	if probed, err := Probe(bytes.NewReader(flac), int64(len(flac))); err != nil || probed != info {
		t.Errorf("%s: Probe: %+v, %v; want %+v", name, probed, err, info)
	}
}

func TestFLACHasTheBitsOfItsWAV(t *testing.T) {
	for _, name := range []string{"mono16", "stereo16", "mono24", "stereo24"} {
		flac, wav := readEncoded(t, name+".flac"), readEncoded(t, name+".wav")
		sameAsWAV(t, name, flac, wav)
		sameAsWAV(t, name+" with tags of others", slices.Concat([]byte("ID3\x04\x00\x00\x00\x00\x00\x05-----"), flac, []byte("TAG"), make([]byte, 125)), wav)
	}
}

// TestFLACOfTheReferenceEncoder runs the encoder, where it is installed, over every bundled clip and over real speech, with each
// of its ways to write a frame.
func TestFLACOfTheReferenceEncoder(t *testing.T) {
	t.Parallel()
	encoder, err := exec.LookPath("flac")
	if err != nil {
		t.Skip("flac is not installed: only the kept files were compared")
	}
	clips, _ := filepath.Glob("../../testdata/corpus/*/wavs/*.wav")
	if corpora := os.Getenv("VOXPACK_CORPORA"); corpora != "" {
		real, _ := filepath.Glob(filepath.Join(corpora, "ljspeech-32", "wavs", "*.wav"))
		clips = append(clips, real[:min(4, len(real))]...)
	}
	clips = append(clips, filepath.Join(encodedDir, "stereo16.wav"), filepath.Join(encodedDir, "stereo24.wav"))
	ways := [][]string{{"-0"}, {"-8"}, {"-5", "-b", "576"}, {"-8", "-e", "-p"}, {"-l", "32", "--lax", "-r", "0,8"}, {"--disable-fixed-subframes", "-l", "1"}}
	for i, clip := range clips {
		if testing.Short() && i >= len(ways) {
			break
		}
		wav, err := os.ReadFile(clip)
		if err != nil {
			t.Fatal(err)
		}
		way := ways[i%len(ways)]
		flac, err := exec.Command(encoder, append(way, "-s", "-c", "--ignore-chunk-sizes", clip)...).Output()
		if err != nil {
			t.Fatalf("flac %v %s: %v", way, clip, err)
		}
		sameAsWAV(t, strings.Join(way, " ")+" "+filepath.Base(clip), flac, wav)
	}
}

// A flacWriter writes what the encoder does not: every width, odd predictors, escapes.
type flacWriter struct {
	b    []byte
	bits uint // used in the last byte
}

func (w *flacWriter) put(v int64, n uint) {
	for n > 0 {
		if w.bits%8 == 0 {
			w.b = append(w.b, 0)
		}
		n--
		w.b[len(w.b)-1] |= byte(v>>n&1) << (7 - w.bits%8)
		w.bits++
	}
}

// flacFile is a FLAC file of frames whose bodies are written by hand.
func flacFile(rate, channels, bits int, samples int64, frames ...[]byte) []byte {
	var w flacWriter
	w.b, w.bits = []byte("fLaC\x80\x00\x00\x22"), 64
	for _, f := range []struct {
		v int64
		n uint
	}{{16, 16}, {65535, 16}, {0, 24}, {0, 24}, {int64(rate), 20}, {int64(channels - 1), 3}, {int64(bits - 1), 5}, {samples, 36}, {0, 64}, {0, 64}} {
		w.put(f.v, f.n)
	}
	return slices.Concat(append([][]byte{w.b}, frames...)...)
}

// flacFrameOf is a frame with the number n of size samples, as STREAMINFO says; body writes its subframes.
func flacFrameOf(n, size, channels int, body func(w *flacWriter)) []byte {
	var w flacWriter
	w.put(0x3ffe<<2, 16)
	w.put(7, 4) // its size in 16 bits at the end
	w.put(0, 4)
	w.put(int64(channels), 4)
	w.put(0, 4)
	w.put(int64(n), 8)
	w.put(int64(size-1), 16)
	w.put(int64(flacCRC8(w.b)), 8)
	body(&w)
	for w.bits%8 != 0 {
		w.put(0, 1)
	}
	return binary.BigEndian.AppendUint16(w.b, flacCRC16(w.b))
}

func constant(v int64, bits uint) func(*flacWriter) {
	return func(w *flacWriter) { w.put(0, 8); w.put(v, bits) }
}

func TestFLACFramesByHand(t *testing.T) {
	for _, c := range []struct {
		name string
		file []byte
		want []float32
	}{
		{"4 bits, verbatim", flacFile(8000, 1, 4, 3, flacFrameOf(0, 3, 0, func(w *flacWriter) { w.put(2, 8); w.put(0x7, 4); w.put(0x8, 4); w.put(0xf, 4) })), []float32{0.875, -1, -0.125}},
		{"32 bits never reach 1", flacFile(8000, 1, 32, 2, flacFrameOf(0, 2, 0, func(w *flacWriter) { w.put(2, 8); w.put(1<<31-1, 32); w.put(-1<<31, 32) })), []float32{belowOne, -1}},
		{"32 bits, side of 33", flacFile(8000, 2, 32, 1, flacFrameOf(0, 1, 8, func(w *flacWriter) { w.put(0, 8); w.put(1<<31-1, 32); w.put(0, 8); w.put(1<<32-1, 33) })), []float32{float32(-0.5 / (1 << 31))}},
		{"mid and side", flacFile(8000, 2, 16, 1, flacFrameOf(0, 1, 10, func(w *flacWriter) { constant(3, 16)(w); constant(-5, 17)(w) })), []float32{3.5 / 32768}},
		{"side and right", flacFile(8000, 2, 16, 1, flacFrameOf(0, 1, 9, func(w *flacWriter) { constant(-5, 17)(w); constant(3, 16)(w) })), []float32{0.5 / 32768}},
		{"wasted bits", flacFile(8000, 1, 16, 1, flacFrameOf(0, 1, 0, func(w *flacWriter) { w.put(1, 8); w.put(1, 3); w.put(-7, 13) })), []float32{-56.0 / 32768}},
		{"fixed predictor of order 2", flacFile(8000, 1, 16, 4, flacFrameOf(0, 4, 0, func(w *flacWriter) {
			w.put(10<<1, 8)
			w.put(100, 16)
			w.put(110, 16)
			w.put(0, 2+4+4) // one partition, no low bits
			w.put(1, 1)     // 0
			w.put(0b01, 2)  // -1
		})), []float32{100.0 / 32768, 110.0 / 32768, 120.0 / 32768, 129.0 / 32768}},
		{"predictor with a shift, escaped residual", flacFile(8000, 1, 16, 3, flacFrameOf(0, 3, 0, func(w *flacWriter) {
			w.put(32<<1, 8)
			w.put(1000, 16)
			w.put(2, 4)  // three bits of precision
			w.put(1, 5)  // shift
			w.put(3, 3)  // the coefficient: 1.5
			w.put(1, 2)  // parameters of five bits
			w.put(0, 4)  // one partition
			w.put(31, 5) // escaped
			w.put(6, 5)
			w.put(-7, 6)
			w.put(9, 6)
		})), []float32{1000.0 / 32768, 1493.0 / 32768, 2248.0 / 32768}},
		{"two frames of 65,536, length not said", flacFile(8000, 1, 16, 0, flacFrameOf(0, 65536, 0, constant(1, 16)), flacFrameOf(1, 65536, 0, constant(1, 16))), slices.Repeat([]float32{1.0 / 32768}, 131072)},
	} {
		got, _, err := Limits{}.DecodeBytes(nil, c.file)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v; want %v", c.name, got[:min(8, len(got))], err, c.want[:min(8, len(c.want))])
		}
	}
}

func TestBadFLACIsRejectedWithAReason(t *testing.T) {
	frame := flacFrameOf(0, 100, 0, constant(1, 16))
	with := func(f func(b []byte)) []byte {
		b := flacFile(22050, 1, 16, 200, frame, flacFrameOf(1, 100, 0, constant(1, 16)))
		f(b)
		return b
	}
	const second = 42 + 13
	summed := readEncoded(t, "mono16.flac")
	wrongSum := slices.Clone(summed)
	wrongSum[30] ^= 1
	flipped := slices.Clone(summed)
	flipped[len(summed)/2] ^= 4
	for _, c := range []struct {
		name string
		file []byte
		kind error
		want string
	}{
		{"only the magic", []byte("fLaC"), ErrLength, "ends after 4 bytes, within its metadata"},
		{"metadata cut", with(func([]byte) {})[:20], ErrLength, "34 bytes for a block of metadata, the file holds 12"},
		{"no STREAMINFO first", with(func(b []byte) { b[4] = 4 }), ErrHeader, "begins with a block of type 4"},
		{"rate of 7 Hz", flacFile(7, 1, 16, 1, frame), ErrHeader, "says 7 samples a second; 1,000 to"},
		{"3 bits", flacFile(22050, 1, 3, 1, frame), ErrHeader, "says 3 bits a sample"},
		{"no frames", flacFile(22050, 1, 16, 0), ErrEmpty, "has no samples"},
		{"fewer samples than said", flacFile(22050, 1, 16, 300, frame), ErrLength, "says 300 samples, the file ends after 100"},
		{"more samples than said", flacFile(22050, 1, 16, 100, frame, frame), ErrLength, "says 100 samples, but another frame follows them at byte 55"},
		{"the last frame too long", flacFile(22050, 1, 16, 90, frame), ErrLength, "says 90 samples, the file holds 100"},
		{"a frame twice", flacFile(22050, 1, 16, 200, frame, frame), ErrCorrupt, "FLAC frame 1 at byte 55: it has the number 0, and 1 was expected"},
		{"header checksum", with(func(b []byte) { b[second+4] ^= 3 }), ErrCorrupt, "FLAC frame 1 at byte 55: header checksum"},
		{"frame checksum", with(func(b []byte) { b[second+11] ^= 1 }), ErrCorrupt, "FLAC frame 1 at byte 55: checksum"},
		{"no sync", with(func(b []byte) { b[second] = 0 }), ErrCorrupt, "FLAC frame 1 at byte 55: no frame begins there (00f8)"},
		{"half a frame", with(func([]byte) {})[:second+10], ErrLength, "FLAC frame 1 at byte 55: the file ends within it"},
		{"half a header", with(func([]byte) {})[:second+4], ErrLength, "FLAC frame 1 at byte 55: the file ends within its header"},
		{"two channels in a stream of one", flacFile(22050, 1, 16, 100, flacFrameOf(0, 100, 1, func(w *flacWriter) { constant(1, 16)(w); constant(1, 16)(w) })), ErrUnsupported, "another rate, width or number of channels"},
		{"a sample too wide", flacFile(22050, 2, 16, 100, flacFrameOf(0, 100, 8, func(w *flacWriter) { constant(-1<<15, 16)(w); constant(1<<15, 17)(w) })), ErrCorrupt, "does not fit into 16 bits"},
		{"another MD5", wrongSum, ErrCorrupt, "FLAC samples have the MD5"},
		{"one bit flipped", flipped, ErrCorrupt, "FLAC frame"},
		{"claims a day", flacFile(22050, 1, 16, 86400*22050, frame), ErrTooLong, "more than 39,690,000 samples, 30m0s at 22,050 samples a second: cut it, or raise max_clip_minutes"},
	} {
		got, info, err := Decode([]float32{42}, bytes.NewReader(c.file), int64(len(c.file)))
		_, probeErr := Probe(bytes.NewReader(c.file), int64(len(c.file)))
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q of kind %q", c.name, err, c.want, c.kind)
		}
		if err == nil || probeErr == nil || probeErr.Error() != err.Error() || info != (Info{}) || len(got) != 1 || got[0] != 42 {
			t.Errorf("%s: %v, Probe says %v, %v", c.name, err, probeErr, got)
		}
	}
}

// TestATinyFLACOfHoursIsBounded: 13 bytes a frame stand for 65,536 samples.
func TestATinyFLACOfHoursIsBounded(t *testing.T) {
	var frames [][]byte
	for n := range 100 {
		frames = append(frames, flacFrameOf(n, 65536, 0, constant(0, 16)))
	}
	file := flacFile(8000, 1, 16, 0, frames...)
	limit := Limits{MaxClip: 10 * time.Second}
	var got []float32
	var err error
	before := testing.AllocsPerRun(1, func() { got, _, err = limit.DecodeBytes(nil, file) })
	if !errors.Is(err, ErrTooLong) || got != nil || before > 30 {
		t.Errorf("%d samples, %v, %v allocations", len(got), err, before)
	}
	if _, _, err = (Limits{MaxClip: time.Hour}).DecodeBytes(nil, file); err != nil {
		t.Error(err)
	}
}

// everyCut holds a format to this: of a file that ends early nothing is taken. Under -short it takes every byte of the header and the
// end, and one cut in 16 between.
func everyCut(t *testing.T, name string) {
	t.Helper()
	t.Parallel()
	file := readEncoded(t, name)
	for n := range file {
		if testing.Short() && n%16 != 0 && n > 512 && n < len(file)-512 {
			continue
		}
		pcm, _, err := Limits{}.DecodeBytes(nil, file[:n])
		if err == nil || pcm != nil {
			t.Errorf("%s cut after %d of %d bytes: %d samples, %v", name, n, len(file), len(pcm), err)
		}
	}
}

func TestFLACCutAnywhereIsRejected(t *testing.T) { everyCut(t, "mono16.flac") }

func BenchmarkFLAC(b *testing.B) {
	file := readEncoded(b, "mono16.flac")
	var pcm []float32
	for b.Loop() {
		var err error
		if pcm, _, err = (Limits{}).DecodeBytes(pcm, file); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(pcm))*float64(b.N)/b.Elapsed().Seconds()/1e6, "Msamples/s")
}

// TestFLACNumberedBySamplesWithoutTheBit: Flake up to 0.11 varied its blocks before there was a bit to say so.
func TestFLACNumberedBySamplesWithoutTheBit(t *testing.T) {
	block := func(number, size int) []byte { return flacFrameOf(number, size, 0, constant(3, 16)) }
	read := func(file []byte) error {
		pcm, _, err := Limits{}.DecodeBytes(nil, file)
		if err == nil && len(pcm) != 12 {
			err = fmt.Errorf("%d samples", len(pcm))
		}
		return err
	}
	old := flacFile(8000, 1, 16, 12, block(0, 4), block(4, 5), block(9, 3))
	if err := read(old); err != nil {
		t.Error(err)
	}
	for name, file := range map[string][]byte{
		"a frame is missing":           flacFile(8000, 1, 16, 7, block(0, 4), block(9, 3)),
		"the numbering changes":        flacFile(8000, 1, 16, 12, block(0, 4), block(4, 5), block(2, 3)),
		"all blocks are of one size":   append(slices.Concat(old[:8], old[10:12]), old[10:]...),
		"it was numbered by frames":    flacFile(8000, 1, 16, 12, block(0, 4), block(1, 5), block(9, 3)),
		"the second frame comes twice": flacFile(8000, 1, 16, 14, block(0, 4), block(4, 5), block(4, 5)),
	} {
		if err := read(file); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v, want ErrCorrupt", name, err)
		}
	}
}

func TestFLACWithoutItsHeaderIsToldFromAAC(t *testing.T) {
	file := readEncoded(t, "mono16.flac")
	at := bytes.Index(file, []byte{0xff, 0xf8})
	if _, _, err := (Limits{}).DecodeBytes(nil, file[at:]); !errors.Is(err, ErrHeader) || !strings.Contains(err.Error(), "FLAC file has no header: a frame begins at byte 0") {
		t.Errorf("got %v, want that its header is missing", err)
	}
	adts := append([]byte{0xff, 0xf9, 0x50, 0x80, 0x2b, 0xdf, 0xfc, 0x21}, make([]byte, 400)...) // its seventh byte is a FLAC frame's CRC-8
	if f, ok, err := FormatOf(bytes.NewReader(adts), int64(len(adts))); !ok || err != nil || f.Name != "aac" {
		t.Errorf("an AAC frame is %q, %v, %v", f.Name, ok, err)
	}
}

// TestVectorsRestoreFLACAsPortableCode: partitions of random bits with every order of predictor and every parameter, from every bit of a
// byte on, up to the end of the stream.
func TestVectorsRestoreFLACAsPortableCode(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for round := range 3000 {
		b := make([]byte, 8+random.IntN(400))
		for i := range b {
			b[i] = byte(random.Uint32()) & byte(random.Uint32()>>(round%9)) // runs of zeros of many lengths
		}
		order, k, skip := random.IntN(flacPast+1), uint(random.IntN(31)), uint(random.IntN(8))
		p := flacPredictor{order: order, shift: uint(random.IntN(16))}
		for i := range order {
			p.weights[i] = random.Int64N(1<<15) - 1<<14
		}
		first := make([]int64, flacPast+order+1+random.IntN(200))
		for i := range order {
			first[flacPast+i] = random.Int64N(1<<24) - 1<<23
		}
		restore := func() ([]int64, int, bool) {
			s, block := flacStream{msbReader: msbReader{b: b}}, slices.Clone(first)
			s.take(skip)
			s.restore(block, flacPast+order, len(block), k, &p)
			return block, s.at(), s.over
		}
		got, at, over := restore()
		audiotest.WithoutVectors(func() {
			want, wantAt, wantOver := restore()
			if over != wantOver || !over && (at != wantAt || !slices.Equal(got, want)) {
				t.Fatalf("order %d, k %d, %d bytes: bit %d, over %v, %v; want bit %d, over %v, %v", order, k, len(b), at, over, got, wantAt, wantOver, want)
			}
		})
	}
}

// TestNarrow16: what fits is written, and one sample of 17 bits anywhere is noticed, with and without vectors.
func TestNarrow16(t *testing.T) {
	test := func() {
		for _, n := range []int{1, 15, 16, 33, 64} {
			block, raw, want := make([]int64, n), make([]byte, 2*n), make([]byte, 2*n)
			for i := range block {
				block[i] = [4]int64{-1 << 15, 1<<15 - 1, -1, int64(i * 509)}[i%4]
				want[2*i], want[2*i+1] = byte(block[i]), byte(block[i]>>8)
			}
			if !narrow16(raw, block) || !bytes.Equal(raw, want) {
				t.Errorf("%d samples: %x, want %x", n, raw, want)
			}
			for i := range block {
				for _, wide := range []int64{1 << 15, -1<<15 - 1, 1 << 40, -1 << 62, math.MaxInt64, math.MinInt64} {
					other := slices.Clone(block)
					if other[i] = wide; narrow16(raw, other) {
						t.Errorf("%d samples: %d at %d is not noticed", n, wide, i)
					}
				}
			}
		}
	}
	test()
	audiotest.WithoutVectors(test)
}

// TestFLACKernelsAreGenerated: what lies in the repository is what the generator writes.
func TestFLACKernelsAreGenerated(t *testing.T) {
	audiotest.Generated(t, []string{"flac_amd64.s"}, "../internal/genvector", "-kernels", "flac", "-out", "flac_amd64.s")
}
