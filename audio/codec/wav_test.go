package codec

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// wavFile is a WAV file as a test writes it: right unless a field says otherwise.
type wavFile struct {
	tag, channels, bits int // default 1, 1, 16
	rate                int // default 22050
	align               int // default channels × bits / 8
	fmtSize             int // default 16; what its header claims
	extra               []byte
	data                []byte
	dataSize            int64 // what its header claims; -1: 0, 0: len(data)
	before, after       []byte
}

func (w wavFile) bytes() []byte {
	or := func(v, def int) int {
		if v == 0 {
			return def
		}
		return v
	}
	tag, channels, bits := or(w.tag, 1), or(w.channels, 1), or(w.bits, 16)
	le := binary.LittleEndian
	f := le.AppendUint16(nil, uint16(tag))
	f = le.AppendUint16(f, uint16(max(channels, 0)))
	f = le.AppendUint32(f, uint32(max(or(w.rate, 22050), 0)))
	f = le.AppendUint32(f, 0) // bytes a second: not used by anything
	f = le.AppendUint16(f, uint16(or(w.align, max(channels, 0)*bits/8)))
	f = le.AppendUint16(f, uint16(bits))
	f = append(f, w.extra...)
	size := uint32(len(w.data))
	if w.dataSize != 0 {
		size = uint32(max(w.dataSize, 0))
	}
	b := []byte("RIFF\x00\x00\x00\x00WAVE")
	b = append(b, w.before...)
	b = append(b, "fmt "...)
	b = append(le.AppendUint32(b, uint32(or(w.fmtSize, len(f)))), f...)
	b = append(le.AppendUint32(append(b, "data"...), size), w.data...)
	b = append(b, w.after...)
	le.PutUint32(b[4:], uint32(len(b)-8))
	return b
}

func chunk(id string, body string) []byte {
	b := binary.LittleEndian.AppendUint32([]byte(id), uint32(len(body)))
	b = append(b, body...)
	if len(body)%2 == 1 {
		b = append(b, 0)
	}
	return b
}

// extensible is the part of an extensible fmt chunk after its first 16 bytes.
func extensible(valid, tag uint16) []byte {
	b := binary.LittleEndian.AppendUint16([]byte{22, 0}, valid)
	b = binary.LittleEndian.AppendUint32(b, 4) // speaker: front centre
	return append(binary.LittleEndian.AppendUint16(b, tag), guidTail...)
}

func TestDecodeReadsEveryWidth(t *testing.T) {
	s16 := []byte{0, 0, 0xff, 0x7f, 0, 0x80, 1, 0}
	w16 := []float32{0, 32767.0 / 32768, -1, 1.0 / 32768}
	tests := []struct {
		name string
		file wavFile
		want []float32
	}{
		{"8 bits are unsigned", wavFile{bits: 8, data: []byte{128, 255, 0, 129}}, []float32{0, 127.0 / 128, -1, 1.0 / 128}},
		{"8 bits, odd size, no pad byte", wavFile{bits: 8, data: []byte{128, 255, 0}}, []float32{0, 127.0 / 128, -1}},
		{"8 bits, odd size, pad byte and a chunk", wavFile{bits: 8, data: []byte{192}, after: append([]byte{0}, chunk("LIST", "INFO")...)}, []float32{0.5}},
		{"16 bits", wavFile{data: s16}, w16},
		{"24 bits", wavFile{bits: 24, data: []byte{0, 0, 0, 0xff, 0xff, 0x7f, 0, 0, 0x80, 1, 0, 0}}, []float32{0, 8388607.0 / 8388608, -1, 1.0 / 8388608}},
		{"32 bits never reach 1", wavFile{bits: 32, data: []byte{0, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0x80, 0, 0, 0, 0x40}}, []float32{0, belowOne, -1, 0.5}},
		{"two channels are averaged", wavFile{channels: 2, data: []byte{0, 0x40, 0, 0, 0, 0x80, 0, 0x80, 0xff, 0x7f, 0xff, 0x7f}}, []float32{0.25, -1, 32767.0 / 32768}},
		{"three channels are rounded once", wavFile{channels: 3, data: []byte{1, 0, 0, 0, 0, 0}}, []float32{float32(1.0 / 3 / 32768)}},
		{"extensible PCM", wavFile{tag: tagExtensible, extra: extensible(16, tagPCM), data: s16}, w16},
		{"extensible, 20 valid bits of 24", wavFile{tag: tagExtensible, bits: 24, extra: extensible(20, tagPCM), data: []byte{0, 0, 0x40}}, []float32{0.5}},
		{"fmt chunk of 18 bytes", wavFile{extra: []byte{0, 0}, data: s16}, w16},
		{"chunks before the format", wavFile{before: append(chunk("JUNK", "odd"), chunk("bext", strings.Repeat("x", 602))...), data: s16}, w16},
		{"chunks after the samples", wavFile{data: s16, after: append(chunk("LIST", "INFOISFT"), chunk("id3 ", "x")...)}, w16},
		{"a last chunk cut short costs no sample", wavFile{data: s16, after: []byte("LIST\xff\x00\x00\x00INFO")}, w16},
		{"zeros after the samples", wavFile{data: s16, after: make([]byte, 4096)}, w16},
		{"ID3v1 after the samples", wavFile{data: s16, after: append([]byte("TAG"), make([]byte, 125)...)}, w16},
		{"a chunk, then zeros", wavFile{data: s16, after: append(chunk("LIST", "INFO"), make([]byte, 100)...)}, w16},
		{"24 bits, odd size, pad byte counted", wavFile{bits: 24, data: []byte{0, 0, 0x40, 0}}, []float32{0.5}},
		{"24 bits, three channels, pad byte counted", wavFile{bits: 24, channels: 3, data: []byte{0, 0, 0x40, 0, 0, 0x40, 0, 0, 0x40, 0}}, []float32{0.5}},
		{"a stream's length less the header", wavFile{data: s16, dataSize: 0xFFFFFFFF - 100}, w16},
		{"12 bits fill the upper ones of two bytes", wavFile{bits: 12, align: 2, data: []byte{0, 0x40, 0xf0, 0x7f}}, []float32{0.5, 2047.0 / 2048}},
		{"20 bits fill the upper ones of three bytes", wavFile{bits: 20, align: 3, data: []byte{0, 0, 0xc0, 0x10, 0, 0}}, []float32{-0.5, 1.0 / 524288}},
		{"5 bits fill the upper ones of a byte", wavFile{bits: 5, align: 1, data: []byte{128, 192, 8}}, []float32{0, 0.5, -15.0 / 16}},
		{"stray bytes, fewer than a chunk's head", wavFile{data: s16, after: []byte{0, 0, 0}}, w16},
	}
	for _, c := range tests {
		b := c.file.bytes()
		info, err := Probe(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Errorf("%s: Probe: %v", c.name, err)
			continue
		}
		got, decoded, err := Decode(nil, bytes.NewReader(b), int64(len(b)))
		if err != nil || decoded != info || int64(len(got)) != info.Samples {
			t.Errorf("%s: Decode: %v, %+v, %d samples, want %+v as by Probe", c.name, err, decoded, len(got), info)
			continue
		}
		if inMemory, same, err := (Limits{}).DecodeBytes(nil, b); err != nil || same != info || !slices.Equal(inMemory, got) {
			t.Errorf("%s: DecodeBytes: %v, %+v, %v, want %v as by Decode", c.name, err, same, inMemory, got)
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s: sample %d = %g, want %g", c.name, i, got[i], c.want[i])
			}
		}
	}
}

func TestBadFilesAreRejectedWithAReason(t *testing.T) {
	two := []byte{1, 0}
	good := wavFile{data: make([]byte, 20_000)}.bytes()
	tests := []struct {
		name string
		file []byte
		kind error
		want string // part of the message
	}{
		{"empty file", nil, ErrNotWAV, "it is empty"},
		{"eleven bytes", []byte("RIFF\x00\x00\x00\x00WAV"), ErrNotWAV, "11 bytes are too few"},
		{"text", []byte("fLaX\x00\x00\x00\x22 and more"), ErrNotWAV, `begins with "fLaX"`},
		{"Speex", []byte("OggS\x00\x02" + strings.Repeat("\x00", 20) + "\x01\x13Speex   \x01"), ErrForeign, "Speex needs ffmpeg, which is not installed"},
		{"AAC in MP4", []byte("\x00\x00\x00\x1cftypM4A \x00\x00\x00\x00"), ErrForeign, "MP4 of another kind than AAC-LC of one or two channels needs ffmpeg"},
		{"MPEG Layer II", []byte("\xff\xfd\x84\x80\x00\x00\x00\x00"), ErrForeign, "MPEG Layer I or II needs ffmpeg"},
		{"raw AAC", []byte("\xff\xf1\x50\x80\x02\x1f\xfc"), ErrForeign, "AAC of another kind than LC of one or two channels needs ffmpeg"},
		{"AVI", []byte("RIFF\x00\x00\x00\x00AVI LIST"), ErrNotWAV, `type "AVI "`},
		{"only the first header", good[:12], ErrHeader, "12 bytes has no fmt chunk"},
		{"cut in the fmt chunk", good[:30], ErrLength, `16 bytes for chunk "fmt ", the file holds 10`},
		{"cut in the data chunk's head", good[:40], ErrHeader, "no data chunk"},
		{"cut after the data chunk's head", good[:44], ErrLength, "20,000 bytes of samples, the file holds 0"},
		{"cut in the samples", good[:5044], ErrLength, "WAV header says 20,000 bytes of samples, the file holds 5,000"},
		{"claims more than there is", wavFile{data: make([]byte, 20_000), dataSize: 44_100}.bytes(), ErrLength, "WAV header says 44,100 bytes of samples, the file holds 20,000"},
		{"claims one sample more than there is", wavFile{data: make([]byte, 20_000), dataSize: 20_002}.bytes(), ErrLength, "20,002 bytes of samples, the file holds 20,000"},
		{"claims less than there is", wavFile{data: bytes.Repeat([]byte{1, 2}, 10_000), dataSize: 1_000}.bytes(), ErrLength, "19,000 bytes follow them that are neither a chunk nor a tag nor zeros"},
		{"claims less than there is, which is silence", wavFile{data: make([]byte, 20_000), dataSize: 1_000}.bytes(), ErrLength, "19,000 bytes follow them"},
		{"two bytes more than whole samples", wavFile{bits: 24, data: make([]byte, 8)}.bytes(), ErrLength, "not a multiple of the 3 bytes"},
		{"no samples", wavFile{}.bytes(), ErrEmpty, "has no samples"},
		{"half a sample", wavFile{data: []byte{1, 0, 2}}.bytes(), ErrLength, "not a multiple of the 2 bytes"},
		{"two data chunks", wavFile{data: two, after: chunk("data", "xx")}.bytes(), ErrHeader, "two data chunks"},
		{"two fmt chunks", wavFile{data: two, before: chunk("fmt ", strings.Repeat("x", 16))}.bytes(), ErrHeader, "two fmt chunks"},
		{"chunk before the samples longer than the file", wavFile{before: []byte("JUNK\xff\xff\xff\xff"), data: two}.bytes(), ErrLength, `4,294,967,295 bytes for chunk "JUNK"`},
		{"fmt chunk of 4 GiB", wavFile{fmtSize: math.MaxInt32, data: two}.bytes(), ErrLength, `2,147,483,647 bytes for chunk "fmt "`},
		{"fmt chunk of 14 bytes", append([]byte("RIFF\x00\x00\x00\x00WAVE"), chunk("fmt ", strings.Repeat("x", 14))...), ErrHeader, "of 14 bytes, of 16 at least"},
		{"no channel", wavFile{channels: -1, align: 2, data: two}.bytes(), ErrHeader, "0 channels"},
		{"65,535 channels", wavFile{channels: 65_535, align: 2, data: two}.bytes(), ErrHeader, "65,535 channels; 1 to 64"},
		{"rate 0", wavFile{rate: -1, data: two}.bytes(), ErrHeader, "says 0 samples a second"},
		{"rate of 4 GHz", wavFile{rate: math.MaxUint32, data: two}.bytes(), ErrHeader, "4,294,967,295 samples a second"},
		{"12 bits in one byte", wavFile{bits: 12, align: 1, data: two}.bytes(), ErrHeader, "1 bytes a sample of all channels; 1 channels of 16 bits take 2"},
		{"33 bits", wavFile{bits: 33, data: make([]byte, 8)}.bytes(), ErrUnsupported, "PCM of 33 bits"},
		{"64 bits", wavFile{bits: 64, data: make([]byte, 8)}.bytes(), ErrUnsupported, "PCM of 64 bits"},
		{"block alignment", wavFile{align: 4, data: make([]byte, 8)}.bytes(), ErrHeader, "4 bytes a sample of all channels; 1 channels of 16 bits take 2"},
		{"unknown format", wavFile{tag: 0x1234, data: two}.bytes(), ErrUnsupported, "format 0x1234 is not read yet"},
		{"extensible, other subformat", wavFile{tag: tagExtensible, extra: append(extensible(16, 1)[:23], 1), data: two}.bytes(), ErrUnsupported, "subformat"},
		{"extensible, too short", wavFile{tag: tagExtensible, extra: []byte{0, 0}, data: two}.bytes(), ErrHeader, "extensible fmt chunk of 18 bytes"},
		{"extensible, more valid bits than bits", wavFile{tag: tagExtensible, extra: extensible(24, 1), data: two}.bytes(), ErrHeader, "24 valid bits of 16"},
		{"RIFX", []byte("RIFX\x00\x00\x00\x20WAVEfmt "), ErrHeader, "WAV file of 16 bytes has no fmt chunk"},
		{"ADPCM", wavFile{tag: 2, bits: 4, align: 256, data: make([]byte, 256)}.bytes(), ErrUnsupported, "Microsoft ADPCM WAV with other coefficients"},
		{"GSM", wavFile{tag: 0x31, bits: 4, align: 65, data: make([]byte, 65)}.bytes(), ErrUnsupported, "GSM 6.10 WAV (4 bits) is not read yet"},
		{"float of 16 bits", wavFile{tag: tagFloat, data: two}.bytes(), ErrUnsupported, "floating-point PCM of 16 bits is not read: convert to 32 bits"},
		{"A-law of 16 bits", wavFile{tag: tagALaw, data: two}.bytes(), ErrUnsupported, "A-law of 16 bits is not read: convert to PCM"},
		{"extensible µ-law of 16 bits", wavFile{tag: tagExtensible, extra: extensible(16, tagMuLaw), data: two}.bytes(), ErrUnsupported, "µ-law of 16 bits"},
		{"half a float", wavFile{tag: tagFloat, bits: 32, data: make([]byte, 6)}.bytes(), ErrLength, "WAV header says 6 bytes of samples, which is not a multiple of the 4"},
		{"not a number", floatFile(32, 1, 0, math.NaN(), 1).bytes(), ErrCorrupt, "WAV sample 1 (0.000 s) is NaN, which no recording holds"},
		{"infinity", floatFile(64, 2, 0, 0, 0, math.Inf(-1)).bytes(), ErrCorrupt, "WAV sample 1 (0.000 s) of channel 2 of 2 is -Inf"},
		{"a number that makes infinite mels", floatFile(32, 1, 1e20, 0).bytes(), ErrCorrupt, "sample 0 (0.000 s) is 1e+20"},
		{"a number over float32", floatFile(64, 1, -1e300, 0).bytes(), ErrCorrupt, "sample 0 (0.000 s) is -1e+300"},
		{"a stream without samples", wavFile{dataSize: 0xFFFFFFFF}.bytes(), ErrEmpty, "has no samples"},
		{"a stream of half a sample", wavFile{data: []byte{1, 0, 0}, dataSize: 0xFFFFFFFF}.bytes(), ErrLength, "WAV file holds 3 bytes of samples, which is not a multiple of the 2"},
		{"length 0 and chunks after it", wavFile{after: append(chunk("LIST", "INFO"), chunk("fact", "\x00\x00\x00\x00")...)}.bytes(), ErrEmpty, "0 bytes of samples (24 bytes of other chunks follow it)"},
		{"2 GiB claimed, no stream", wavFile{data: two, dataSize: 0x7FFF0000}.bytes(), ErrLength, "2,147,418,112 bytes of samples, the file holds 2"},
		{"2^31 - 1 bytes claimed, no stream", wavFile{data: two, dataSize: math.MaxInt32}.bytes(), ErrLength, "2,147,483,647 bytes of samples, the file holds 2"},
		{"RF64 without ds64", rf64("RF64", wavFile{data: two, dataSize: unknownSize}.bytes()), ErrHeader, `size of chunk "data" stands in ds64, and there is none`},
		{"RF64 that claims too much", rf64("RF64", wavFile{before: ds64(1000), data: two, dataSize: unknownSize}.bytes()), ErrLength, "1,000 bytes of samples, the file holds 2"},
		{"RF64 that claims 2^63 bytes", rf64("RF64", wavFile{before: ds64(1 << 63), data: two, dataSize: unknownSize}.bytes()), ErrLength, `9223372036854775808 bytes for chunk "data"`},
		{"RF64 with a chunk that is not listed", rf64("RF64", wavFile{before: append(ds64(2), "JUNK\xff\xff\xff\xff"...), data: two}.bytes()), ErrHeader, `size of chunk "JUNK" stands in ds64, and it does not`},
		{"ds64 of 20 bytes", rf64("RF64", wavFile{before: chunk("ds64", strings.Repeat("\x00", 20)), data: two}.bytes()), ErrHeader, "ds64 chunk of 20 bytes, of 28 at least"},
		{"ds64 with a list that is not there", rf64("RF64", wavFile{before: chunk("ds64", strings.Repeat("\x00", 24)+"\x01\x00\x00\x00"), data: two}.bytes()), ErrHeader, "lists 1 long chunks in 28 bytes of ds64"},
		{"two ds64", rf64("RF64", wavFile{before: append(ds64(2), ds64(2)...), data: two}.bytes()), ErrHeader, "two ds64 chunks"},
		{"many empty chunks", wavFile{data: two, after: bytes.Repeat(chunk("junk", ""), maxChunks)}.bytes(), ErrHeader, "more than 4,096 chunks"},
	}
	for _, c := range tests {
		dst := []float32{42}
		_, probeErr := Probe(bytes.NewReader(c.file), int64(len(c.file)))
		got, info, err := Decode(dst, bytes.NewReader(c.file), int64(len(c.file)))
		if err == nil || probeErr == nil || err.Error() != probeErr.Error() {
			t.Errorf("%s: Decode says %v, Probe %v, want the same error", c.name, err, probeErr)
			continue
		}
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %q, want %q of kind %q", c.name, err, c.want, c.kind)
		}
		if _, _, inMemory := (Limits{}).DecodeBytes(nil, c.file); inMemory == nil || inMemory.Error() != err.Error() {
			t.Errorf("%s: DecodeBytes says %v, Decode %v", c.name, inMemory, err)
		}
		if len(got) != 1 || got[0] != 42 || info != (Info{}) {
			t.Errorf("%s: Decode returned %v, %+v beside its error, want what it was given", c.name, got, info)
		}
	}
}

// eagerReader fails when more than its budget is read.
type eagerReader struct {
	io.ReadSeeker
	budget int
}

func (r *eagerReader) Read(b []byte) (int, error) {
	if r.budget -= len(b); r.budget < 0 {
		return 0, errors.New("read more than allowed")
	}
	return r.ReadSeeker.Read(b)
}

func TestProbeReadsNoSamples(t *testing.T) {
	b := wavFile{data: make([]byte, 1<<20), after: chunk("LIST", strings.Repeat("x", 5000))}.bytes()
	if _, err := Probe(&eagerReader{bytes.NewReader(b), 256}, int64(len(b))); err != nil {
		t.Error(err)
	}
}

func TestAFileThatShrinksIsAnError(t *testing.T) {
	b := wavFile{data: make([]byte, 400_000)}.bytes()
	_, _, err := Decode(nil, bytes.NewReader(b[:270_000]), int64(len(b)))
	if !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), "WAV samples 131072 to 196607") {
		t.Errorf("got %v, want an unexpected EOF at samples 131072 to 196607", err)
	}
	if _, err = Probe(bytes.NewReader(b[:20]), int64(len(b))); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v, want an unexpected EOF", err)
	}
}

func TestDecodeUsesTheCapacityOfItsDestination(t *testing.T) {
	long := wavFile{data: make([]byte, 200_000)}.bytes()
	stereo := wavFile{channels: 2, bits: 24, data: make([]byte, 60_000)}.bytes()
	floats := wavFile{tag: tagFloat, bits: 32, data: make([]byte, 400_000)}.bytes()
	law := wavFile{tag: tagALaw, bits: 8, data: make([]byte, 100_000)}.bytes()
	dst := make([]float32, 0, 100_000)
	for _, b := range [][]byte{long, stereo, floats, law} {
		r := bytes.NewReader(b)
		got, _, err := Decode(dst, r, int64(len(b)))
		if err != nil || &got[:1][0] != &dst[:1][0] {
			t.Fatalf("Decode did not use its destination (%v)", err)
		}
		// The header's few objects and the read buffer; nothing that grows with the samples.
		if n := testing.AllocsPerRun(5, func() { dst, _, _ = Decode(dst, r, int64(len(b))) }); n > 30 {
			t.Errorf("Decode of %d bytes allocates %v times, want at most 30", len(b), n)
		}
	}
}

func TestDecodeOfRealClips(t *testing.T) {
	corpora := os.Getenv("VOXPACK_CORPORA")
	if corpora == "" {
		t.Skip("VOXPACK_CORPORA is not set: no real clips to read")
	}
	paths, err := filepath.Glob(filepath.Join(corpora, "ljspeech-32", "wavs", "*.wav"))
	if err != nil || len(paths) != 32 {
		t.Fatalf("%d clips, want 32 (%v)", len(paths), err)
	}
	for _, path := range paths {
		pcm, info := decodeFile(t, path)
		if want := (Info{Format: "wav", Rate: 22050, Channels: 1, Bits: 16, Samples: int64(len(pcm))}); info != want {
			t.Errorf("%s: %+v, want %+v", path, info, want)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	file := wavFile{data: make([]byte, 6.6*22050*2)}.bytes() // LJSpeech's mean length
	r := bytes.NewReader(file)
	var pcm []float32
	b.SetBytes(int64(len(file)))
	for b.Loop() {
		var err error
		if pcm, _, err = Decode(pcm, r, int64(len(file))); err != nil {
			b.Fatal(err)
		}
	}
}
