package codec

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// aiffChunk is a chunk of an AIFF file.
func aiffChunk(id string, body []byte) []byte {
	b := binary.BigEndian.AppendUint32([]byte(id), uint32(len(body)))
	b = append(b, body...)
	return append(b, make([]byte, len(body)%2)...)
}

// An aiffFile is written as the specification has it; 22,254.545 Hz is the rate of its example, 0x400dadddd0000000000 as 80 bits.
type aiffFile struct {
	kind                   string // "": AIFF
	channels, bits, frames int
	rate                   string // 10 bytes
	offset                 int
	data                   []byte
}

const (
	rate8000  = "\x40\x0b\xfa\x00\x00\x00\x00\x00\x00\x00"
	rate44100 = "\x40\x0e\xac\x44\x00\x00\x00\x00\x00\x00"
)

func (a aiffFile) bytes() []byte {
	comm := binary.BigEndian.AppendUint16(nil, uint16(a.channels))
	comm = binary.BigEndian.AppendUint32(comm, uint32(a.frames))
	comm = binary.BigEndian.AppendUint16(comm, uint16(a.bits))
	if a.rate == "" {
		a.rate = rate8000
	}
	comm = append(comm, a.rate...)
	form := "AIFF"
	if a.kind != "" {
		form, comm = "AIFC", append(append(comm, a.kind...), 0, 0)
	}
	ssnd := binary.BigEndian.AppendUint32(nil, uint32(a.offset))
	ssnd = append(append(append(ssnd, 0, 0, 0, 0), make([]byte, a.offset)...), a.data...)
	return aiffChunk("FORM", slices.Concat([]byte(form), aiffChunk("COMM", comm), aiffChunk("NAME", []byte("odd")), aiffChunk("SSND", ssnd)))
}

// sphereFile is a header of 1,024 bytes with fields in lines, then samples.
func sphereFile(fields string, data ...byte) []byte {
	b := []byte("NIST_1A\n   1024\n" + fields + "end_head\n")
	return append(append(b, bytes.Repeat([]byte(" "), 1024-len(b))...), data...)
}

// TestStoredSamplesOfEachKind: what is read of a few bytes, by the definitions.
func TestStoredSamplesOfEachKind(t *testing.T) {
	f32, f64 := binary.BigEndian.AppendUint32(nil, math.Float32bits(-0.75)), binary.BigEndian.AppendUint64(nil, math.Float64bits(1.5))
	pcm := "sample_rate -i 8000\nsample_n_bytes -i 2\n"
	for name, c := range map[string]struct {
		file []byte
		want []float32
		rate int
	}{
		"AIFF of 8 bits":                      {aiffFile{channels: 1, bits: 8, frames: 3, data: []byte{0x80, 0, 0x40}}.bytes(), []float32{-1, 0, 0.5}, 8000},
		"AIFF of 16 bits":                     {aiffFile{channels: 1, bits: 16, frames: 2, data: []byte{0x80, 0, 0x40, 1}}.bytes(), []float32{-1, 0x4001 / 32768.}, 8000},
		"AIFF of 12 bits":                     {aiffFile{channels: 1, bits: 12, frames: 1, data: []byte{0x40, 0x10}}.bytes(), []float32{0x401 / 2048.}, 8000},
		"AIFF of 20 bits":                     {aiffFile{channels: 1, bits: 20, frames: 1, data: []byte{0xc0, 0, 0x10}}.bytes(), []float32{-0x3ffff / 524288.}, 8000},
		"AIFF of 32 bits":                     {aiffFile{channels: 1, bits: 32, frames: 1, data: []byte{0x20, 0, 0, 0}}.bytes(), []float32{0.25}, 8000},
		"AIFF of two channels":                {aiffFile{channels: 2, bits: 16, frames: 1, data: []byte{0x40, 0, 0x20, 0}}.bytes(), []float32{0.375}, 8000},
		"AIFF with an offset, at 44,100 Hz":   {aiffFile{channels: 1, bits: 16, frames: 1, offset: 6, rate: rate44100, data: []byte{0x40, 0}}.bytes(), []float32{0.5}, 44100},
		"AIFF-C NONE":                         {aiffFile{kind: "NONE", channels: 1, bits: 16, frames: 1, data: []byte{0x40, 0}}.bytes(), []float32{0.5}, 8000},
		"AIFF-C sowt":                         {aiffFile{kind: "sowt", channels: 1, bits: 16, frames: 1, data: []byte{0, 0x40}}.bytes(), []float32{0.5}, 8000},
		"AIFF-C raw":                          {aiffFile{kind: "raw ", channels: 1, bits: 8, frames: 2, data: []byte{0, 0x80}}.bytes(), []float32{-1, 0}, 8000},
		"AIFF-C in24":                         {aiffFile{kind: "in24", channels: 1, bits: 24, frames: 1, data: []byte{0xe0, 0, 0}}.bytes(), []float32{-0.25}, 8000},
		"AIFF-C fl32":                         {aiffFile{kind: "fl32", channels: 1, bits: 32, frames: 1, data: f32}.bytes(), []float32{-0.75}, 8000},
		"AIFF-C FL64 beyond full scale":       {aiffFile{kind: "FL64", channels: 1, bits: 64, frames: 1, data: f64}.bytes(), []float32{1.5}, 8000},
		"AIFF-C ulaw":                         {aiffFile{kind: "ulaw", channels: 1, bits: 16, frames: 2, data: []byte{0xff, 0}}.bytes(), []float32{0, -32124 / 32768.}, 8000},
		"AIFF of an open length":              {bytes.Replace(aiffFile{channels: 1, bits: 8, data: []byte{0x40}}.bytes(), []byte("SSND\x00\x00\x00\x09"), []byte("SSND\x00\x00\x00\x00"), 1), []float32{0.5, 0}, 8000},
		"SPHERE, low byte first":              {sphereFile(pcm+"sample_byte_format -s2 01\nsample_count -i 2\n", 0, 0x40, 0, 0x80), []float32{0.5, -1}, 8000},
		"SPHERE, high byte first":             {sphereFile(pcm+"sample_byte_format -s2 10\nsample_count -i 1\nsample_coding -s3 pcm\n", 0x40, 0), []float32{0.5}, 8000},
		"SPHERE without a count":              {sphereFile(pcm+"sample_byte_format -s2 01\nspeaker_id -s4 a  b\n", 0, 0x40), []float32{0.5}, 8000},
		"SPHERE of two channels":              {sphereFile(pcm+"channel_count -i 2\nsample_byte_format -s2 01\nsample_count -i 1\n", 0, 0x40, 0, 0), []float32{0.25}, 8000},
		"SPHERE of µ-law":                     {sphereFile("sample_rate -i 8000\nsample_coding -s4 ulaw\nsample_n_bytes -i 1\nsample_count -i 2\n", 0xff, 0), []float32{0, -32124 / 32768.}, 8000},
		"SPHERE of A-law":                     {sphereFile("sample_rate -i 8000\nsample_coding -s4 alaw\nsample_count -i 1\n", 0xd5), []float32{8 / 32768.}, 8000},
		"SPHERE with zeros after its samples": {sphereFile(pcm+"sample_byte_format -s2 01\nsample_count -i 1\n", 0, 0x40, 0, 0, 0, 0), []float32{0.5}, 8000},
		"RIFX":                                {[]byte("RIFX\x00\x00\x00\x28WAVEfmt \x00\x00\x00\x10\x00\x01\x00\x01\x00\x00\x1f\x40\x00\x00\x3e\x80\x00\x02\x00\x10data\x00\x00\x00\x04\x40\x00\x80\x00"), []float32{0.5, -1}, 8000},
		"RIFX of an open length":              {[]byte("RIFX\x00\x00\x00\x28WAVEfmt \x00\x00\x00\x10\x00\x01\x00\x01\x00\x00\x1f\x40\x00\x00\x3e\x80\x00\x02\x00\x10data\x00\x00\x00\x00\x40\x00\x80\x00"), []float32{0.5, -1}, 8000},
		"RIFX whose samples come first":       {[]byte("RIFX\x00\x00\x00\x28WAVEdata\x00\x00\x00\x04\x40\x00\x80\x00fmt \x00\x00\x00\x10\x00\x01\x00\x01\x00\x00\x1f\x40\x00\x00\x3e\x80\x00\x02\x00\x10"), []float32{0.5, -1}, 8000},
	} {
		got, info, err := Limits{}.DecodeBytes(nil, c.file)
		if err != nil || !slices.Equal(got, c.want) || info.Rate != c.rate || info.Samples != int64(len(c.want)) {
			t.Errorf("%s: %v, %+v, %v; want %v", name, got, info, err, c.want)
		}
		if probed, err := Probe(bytes.NewReader(c.file), int64(len(c.file))); err != nil || probed != info {
			t.Errorf("%s: Probe: %+v, %v; want %+v", name, probed, err, info)
		}
		if claim, ok, err := (Limits{}).Claim(bytes.NewReader(c.file), int64(len(c.file)), Part{}); err != nil || ok && claim != info {
			t.Errorf("%s: claims %+v, %v; want %+v", name, claim, err, info)
		}
		header, sure, err := Limits{}.Header(bytes.NewReader(c.file), int64(len(c.file)), Part{})
		if header.Over = info.Over; err != nil || header != info || sure && info.Over > 0 {
			t.Errorf("%s: the header says %+v, sure %v, %v; want %+v", name, header, sure, err, info)
		}
		if stored, _, ok := (Limits{}).Stored(c.file); ok {
			pcm := make([]float32, len(stored)/2)
			if Int16(pcm, stored); !slices.Equal(pcm, c.want) {
				t.Errorf("%s: stored as %v, want %v", name, pcm, c.want)
			}
		}
		// A part is read from its first sample on.
		part, _, err := Limits{}.DecodePart(nil, bytes.NewReader(c.file), int64(len(c.file)), Part{From: time.Second / time.Duration(c.rate)})
		if len(c.want) > 1 && (err != nil || !slices.Equal(part, c.want[1:])) || len(c.want) == 1 && !errors.Is(err, ErrEmpty) {
			t.Errorf("%s: from sample 1 on: %v, %v", name, part, err)
		}
	}
}

// TestADPCMBlocksByHand: IMA: a head of 100 and index 0, then the codes 7, 8 and 4. A step of 7 and 7: 7/8 + 7/4 + 7/2 + 7 = 0+1+3+7;
// the index is 8, its step 16: code 8 is -(16/8); index 7, step 14: code 4 is 14/8 + 14. Microsoft: coefficients 1 (512, -256), a
// step of 16, 20 and 10: 2·20-10 + 1·16, and the step stays 16 (230·16/256 < 16), then 2·46-20 - 8·16.
func TestADPCMBlocksByHand(t *testing.T) {
	ima := slices.Concat([]byte{100, 0, 0, 0, 0x87, 0x04}, make([]byte, 2))
	ms := []byte{1, 16, 0, 20, 0, 10, 0, 0x18}
	for name, c := range map[string]struct {
		tag   uint16
		extra []byte
		block []byte
		want  []float32
	}{
		"IMA":       {tagIMAADPCM, []byte{2, 0, 9, 0}, ima, []float32{100, 111, 109, 124}},
		"Microsoft": {tagMSADPCM, append([]byte{32, 0, 4, 0, 7, 0}, make([]byte, 28)...), ms, []float32{10, 20, 46, -56}},
	} {
		w := wavFile{tag: int(c.tag), bits: 4, rate: 8000, align: len(c.block), extra: c.extra, data: slices.Concat(c.block, c.block)}
		if name == "IMA" { // a block has 9
			w.before = chunk("fact", "\x0d\x00\x00\x00")
			c.want = append(c.want, 0, 0, 0, 0, 0, 100, 111, 109, 124)
		} else {
			c.want = append(c.want, c.want...)
		}
		got, info, err := Limits{}.DecodeBytes(nil, w.bytes())
		if err != nil || len(got) != len(c.want) || info.Samples != int64(len(got)) {
			t.Errorf("%s: %d samples, %+v, %v; want %d", name, len(got), info, err, len(c.want))
			continue
		}
		for _, i := range []int{0, 1, 2, 3, len(got) - 4, len(got) - 3, len(got) - 2, len(got) - 1} {
			if got[i] != c.want[i]/32768 {
				t.Errorf("%s: sample %d is %g, want %g", name, i, got[i]*32768, c.want[i])
			}
		}
		// A part is decoded from the block in which it begins.
		part, _, err := Limits{}.DecodePart(nil, bytes.NewReader(w.bytes()), int64(len(w.bytes())), Part{From: 5 * 125 * 1000})
		if err != nil || !slices.Equal(part, got[5:]) {
			t.Errorf("%s: a part of %d samples, %v; want %d", name, len(part), err, len(got)-5)
		}
	}
}

// TestKindsOfOtherEncoders: what SoX and ffmpeg write of a clip is what one of them reads of it.
func TestKindsOfOtherEncoders(t *testing.T) {
	needs(t, "ffmpeg", "sox", "flac")
	dir := t.TempDir()
	for _, name := range []string{"mono16.wav", "stereo24.wav"} {
		wav := filepath.Join(encodedDir, name)
		for out, command := range map[string]string{
			"8.aiff": "sox -D IN -b 8 OUT", "16.aiff": "sox -D IN -b 16 OUT", "24.aiff": "sox -D IN -b 24 OUT", "32.aiff": "sox -D IN -b 32 OUT",
			"sowt.aif": "ffmpeg -nostdin -v error -i IN -c:a pcm_s16le -f aiff OUT", "f32.aifc": "ffmpeg -nostdin -v error -i IN -c:a pcm_f32be -f aiff OUT",
			"f64.aifc": "ffmpeg -nostdin -v error -i IN -c:a pcm_f64be -f aiff OUT", "ulaw.aifc": "ffmpeg -nostdin -v error -i IN -c:a pcm_mulaw -f aiff OUT",
			"alaw.aifc": "ffmpeg -nostdin -v error -i IN -c:a pcm_alaw -f aiff OUT", "16.sph": "sox -D IN -b 16 OUT", "24.sph": "sox -D IN -b 24 OUT",
			"big.sph": "sox -D IN -B -b 16 OUT", "ulaw.sph": "sox -D IN -e u-law OUT", "alaw.sph": "sox -D IN -e a-law OUT",
			"ms.wav": "ffmpeg -nostdin -v error -i IN -c:a adpcm_ms OUT", "ima.wav": "ffmpeg -nostdin -v error -i IN -c:a adpcm_ima_wav OUT",
			"sox-ms.wav": "sox -D IN -e ms-adpcm OUT", "sox-ima.wav": "sox -D IN -e ima-adpcm OUT", "rifx16.wav": "sox -D IN -B -b 16 OUT", "rifx24.wav": "sox -D IN -B -e floating-point -b 32 OUT",
			"ogg.oga": "flac -s --ogg -o OUT IN", "ff.oga": "ffmpeg -nostdin -v error -i IN -c:a flac OUT",
		} {
			file := filepath.Join(dir, name+out)
			args := strings.Fields(command)
			for i, a := range args {
				args[i] = map[string]string{"IN": wav, "OUT": file}[a]
				if args[i] == "" {
					args[i] = a
				}
			}
			if b, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
				t.Errorf("%s: %v: %s", command, err, b)
				continue
			}
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got, info, err := Limits{}.DecodeBytes(nil, b)
			if err != nil {
				t.Errorf("%s %s: %v", name, command, err)
				continue
			}
			other := ffmpegFloats(file)
			if strings.Contains(out, "ima") || strings.Contains(out, "rifx") { // ffmpeg rounds IMA's differences in another way, and takes RIFX for RIFF
				other = exec.Command("sox", file, "-t", "f32", "-")
			}
			want := floatsOf(t, other, info.Channels)
			n := min(len(got), len(want))
			if _, peak := differenceOf(got[:n], want[:n]); peak > 1e-7 || len(got) != len(want) && (info.Bits != 4 || len(want)-n > 4096) {
				t.Errorf("%s %s: %d samples for %d, at most %g apart", name, command, len(got), len(want), peak)
			}
			if info.Bits == 4 { // ffmpeg gives the filled block; the fact chunk says how much of it is the clip
				whole, _, err := Limits{}.DecodeBytes(nil, readEncoded(t, name))
				if err != nil || len(got) < len(whole) {
					t.Errorf("%s %s: %d samples, the clip has %d (%v)", name, command, len(got), len(whole), err)
				}
			}
		}
	}
}

func TestBadKindsAreRejectedWithAReason(t *testing.T) {
	aiff := aiffFile{channels: 1, bits: 16, frames: 2, data: []byte{1, 2, 3, 4}}
	change := func(f func(a *aiffFile)) []byte {
		a := aiff
		f(&a)
		return a.bytes()
	}
	pcm := "sample_rate -i 8000\nsample_n_bytes -i 2\nsample_byte_format -s2 01\n"
	ima := wavFile{tag: int(tagIMAADPCM), bits: 4, align: 8, extra: []byte{2, 0, 9, 0}, data: make([]byte, 16)}
	with := func(f func(w *wavFile)) []byte {
		w := ima
		f(&w)
		return w.bytes()
	}
	for _, c := range []struct {
		name string
		file []byte
		kind error
		want string
	}{
		{"a FORM of pictures", []byte("FORM\x00\x00\x00\x04ILBM"), ErrHeader, `type "ILBM"`},
		{"AIFF without samples", change(func(a *aiffFile) { a.data, a.frames = nil, 0 }), ErrEmpty, "no samples"},
		{"AIFF of fewer samples than it says", change(func(a *aiffFile) { a.frames = 3 }), ErrLength, "says 3 samples"},
		{"AIFF of more samples than it says", change(func(a *aiffFile) { a.frames = 1 }), ErrLength, "says 1 samples"},
		{"AIFF without a channel", change(func(a *aiffFile) { a.channels = 0 }), ErrHeader, "0 channels"},
		{"AIFF of 40 bits", change(func(a *aiffFile) { a.bits = 40 }), ErrUnsupported, "40 bits"},
		{"AIFF of no rate", change(func(a *aiffFile) { a.rate = strings.Repeat("\x00", 10) }), ErrHeader, "0 samples a second"},
		{"AIFF of an endless rate", change(func(a *aiffFile) { a.rate = "\x7f\xff" + rate8000[2:] }), ErrHeader, "0 samples a second"},
		{"AIFF whose offset is outside", bytes.Replace(aiff.bytes(), []byte("\x00\x00\x00\x00\x00\x00\x00\x00\x01"), []byte("\x00\x00\x00\x09\x00\x00\x00\x00\x01"), 1), ErrHeader, "begin at byte 9 of 4"},
		{"AIFF-C of ima4", change(func(a *aiffFile) { a.kind = "ima4" }), ErrForeign, `"ima4" needs ffmpeg`},
		{"AIFF with a number that is none", change(func(a *aiffFile) { a.kind, a.bits, a.frames, a.data = "fl32", 32, 1, []byte{0x7f, 0xc0, 0, 0} }), ErrCorrupt, "AIFF sample 0"},
		{"SPHERE of shorten", sphereFile(pcm+"sample_coding -s26 pcm,embedded-shorten-v2.00\n", 1, 2), ErrUnsupported, "compressed (embedded-shorten-v2.00)"},
		{"SPHERE without end_head", []byte("NIST_1A\n   1024\n" + strings.Repeat(" ", 1024)), ErrHeader, "no end_head"},
		{"SPHERE cut in its header", sphereFile(pcm)[:500], ErrHeader, "header is cut"},
		{"SPHERE of too few samples", sphereFile(pcm+"sample_count -i 3\n", 1, 2), ErrLength, "says 3 samples"},
		{"SPHERE of too many samples", sphereFile(pcm+"sample_count -i 1\n", 1, 2, 3, 4), ErrLength, "says 1 samples"},
		{"SPHERE of no rate", sphereFile("sample_n_bytes -i 1\n", 1), ErrHeader, "0 samples a second"},
		{"SPHERE of no order", sphereFile("sample_rate -i 8000\nsample_n_bytes -i 2\n", 1, 2), ErrHeader, "the order of 2 bytes"},
		{"SPHERE of 2^31 channels", sphereFile(pcm+"channel_count -i 2147483648\n", 1, 2), ErrHeader, "channel_count"},
		{"SPHERE of 2^31-1 channels of 64 bits", sphereFile("sample_rate -i 8000\nsample_n_bytes -i 8\nsample_byte_format -s2 01\nchannel_count -i 2147483647\nsample_count -i 2147483647\n", 1, 2), ErrUnsupported, "64 bits"},
		{"SPHERE of 65 channels", sphereFile(pcm+"channel_count -i 65\n", make([]byte, 130)...), ErrHeader, "65 channels"},
		{"SPHERE of a coding that nobody knows", sphereFile(pcm+"sample_coding -s3 abc\n", 1, 2), ErrUnsupported, `coding "abc"`},
		{"IMA of 3 bits", with(func(w *wavFile) { w.bits = 3 }), ErrUnsupported, "IMA ADPCM of 3 bits"},
		{"IMA with an index of 89", with(func(w *wavFile) { w.data[2] = 89 }), ErrCorrupt, "WAV block 0 of IMA ADPCM"},
		{"IMA cut in a head", with(func(w *wavFile) { w.data = make([]byte, 18) }), ErrLength, "ends within the head of a block"},
		{"IMA of blocks of 2 bytes", with(func(w *wavFile) { w.align = 2 }), ErrHeader, "hold no sample"},
		{"IMA of three channels", with(func(w *wavFile) { w.channels = 3 }), ErrHeader, "3 channels"},
		{"IMA whose fact is too large", with(func(w *wavFile) { w.before = chunk("fact", "\x13\x00\x00\x00") }), ErrLength, "says 19 samples, its blocks hold 18"},
		{"Ogg FLAC of version 2", oggFile([][]byte{[]byte("\x7fFLAC\x02\x00\x00\x01fLaC" + strings.Repeat("\x00", 38)), {1}}, 0), ErrHeader, "another version"},
	} {
		_, info, err := Limits{}.DecodeBytes(nil, c.file)
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %+v, %v, want %q of kind %q", c.name, info, err, c.want, c.kind)
		}
	}
	for i, file := range [][]byte{aiff.bytes(), sphereFile(pcm+"sample_count -i 2\n", 1, 2, 3, 4)} {
		for n := 8; n < len(file); n++ {
			if _, info, err := (Limits{}).DecodeBytes(nil, file[:n]); err == nil {
				t.Errorf("file %d cut to %d of %d bytes: %+v", i, n, len(file), info)
			}
		}
	}
}
