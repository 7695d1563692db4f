package codec

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// floatFile is a floating-point WAV file of these values, channel by channel.
func floatFile(bits, channels int, values ...float64) wavFile {
	var data []byte
	for _, v := range values {
		if bits == 32 {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(v)))
		} else {
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
		}
	}
	return wavFile{tag: tagFloat, bits: bits, channels: channels, data: data}
}

// rf64 makes an RF64 or BW64 file of a RIFF file.
func rf64(magic string, riff []byte) []byte {
	return append([]byte(magic+"\xff\xff\xff\xff"), riff[8:]...)
}

// ds64 is a chunk that tells the size of the samples, and of further chunks by a list of names and sizes.
func ds64(data uint64, list ...any) []byte {
	body := binary.LittleEndian.AppendUint64(make([]byte, 8), data)
	body = binary.LittleEndian.AppendUint64(body, 0)
	body = binary.LittleEndian.AppendUint32(body, uint32(len(list)/2))
	for i := 0; i < len(list); i += 2 {
		body = binary.LittleEndian.AppendUint64(append(body, list[i].(string)...), uint64(list[i+1].(int)))
	}
	return chunk("ds64", string(body))
}

func TestDecodeReadsEveryKind(t *testing.T) {
	s16 := []byte{0, 0, 0xff, 0x7f, 0, 0x80, 1, 0}
	w16 := []float32{0, 32767.0 / 32768, -1, 1.0 / 32768}
	third := float32(1.0 / 3)
	wide := extensible(32, tagFloat)
	binary.LittleEndian.PutUint16(wide[2:], 24)
	noPad := append([]byte("LIST\x05\x00\x00\x00INFOx"), chunk("fact", "\x04\x00\x00\x00")...)
	tests := []struct {
		name string
		file []byte
		want []float32
		over int64
		open bool
	}{
		{name: "32-bit float", file: floatFile(32, 1, 0, 0.5, -0.25, 1.0/3).bytes(), want: []float32{0, 0.5, -0.25, third}},
		{name: "full scale is not over it", file: floatFile(32, 1, 1, -1).bytes(), want: []float32{1, -1}},
		{name: "values over full scale stay and are counted", file: floatFile(32, 1, 1.5, -2, 0.5, 32767, -1<<31).bytes(),
			want: []float32{1.5, -2, 0.5, 32767, -1 << 31}, over: 4},
		{name: "the first values over and under full scale", file: floatFile(32, 1, 1+0x1p-23, -1-0x1p-23, 1-0x1p-24).bytes(),
			want: []float32{1 + 0x1p-23, -1 - 0x1p-23, 1 - 0x1p-24}, over: 2},
		{name: "the smallest values", file: floatFile(32, 1, 0x1p-149, math.Copysign(0, -1)).bytes(), want: []float32{0x1p-149, 0}},
		{name: "32-bit float, two channels", file: floatFile(32, 2, 0.5, 0.25, 3, -2, 3, 1).bytes(), want: []float32{0.375, 0.5, 2}, over: 1},
		{name: "64-bit float is rounded once", file: floatFile(64, 1, 1.0/3, -0.1, 1+0x1p-30, 2).bytes(), want: []float32{third, -0.1, 1, 2}, over: 1},
		{name: "64-bit float, three channels", file: floatFile(64, 3, 0.1, 0.2, 0.6).bytes(), want: []float32{float32((0.1 + 0.2 + 0.6) / 3)}},
		{name: "float with fact and PEAK in front", file: func() []byte {
			w := floatFile(32, 1, 0.5)
			w.extra = []byte{0, 0}
			w.before = chunk("LIST", "INFOISFT\x02\x00\x00\x00ab")
			w.data = slices.Concat(w.data)
			b := w.bytes()
			at := bytes.Index(b, []byte("data"))
			return slices.Concat(b[:at], chunk("fact", "\x01\x00\x00\x00"), chunk("PEAK", strings.Repeat("p", 16)), b[at:])
		}(), want: []float32{0.5}},
		{name: "extensible float", file: wavFile{tag: tagExtensible, bits: 32, extra: extensible(32, tagFloat), data: floatFile(32, 1, -0.5).data}.bytes(), want: []float32{-0.5}},
		{name: "extensible float, 24 valid bits", file: wavFile{tag: tagExtensible, bits: 32, extra: wide, data: floatFile(32, 1, -0.5).data}.bytes(), want: []float32{-0.5}},
		{name: "extensible, 24 valid bits of 32", file: wavFile{tag: tagExtensible, bits: 32, extra: extensible(24, tagPCM), data: []byte{0, 1, 0, 0x40}}.bytes(), want: []float32{0.5 + 0x1p-23}},
		{name: "A-law", file: wavFile{tag: tagALaw, bits: 8, data: []byte{0xd5, 0x55, 0xaa, 0x2a}}.bytes(), want: []float32{1.0 / 4096, -1.0 / 4096, 4032.0 / 4096, -4032.0 / 4096}},
		{name: "µ-law", file: wavFile{tag: tagMuLaw, bits: 8, data: []byte{0xff, 0x7f, 0x80, 0x00}}.bytes(), want: []float32{0, 0, 8031.0 / 8192, -8031.0 / 8192}},
		{name: "A-law, two channels", file: wavFile{tag: tagALaw, bits: 8, channels: 2, data: []byte{0xaa, 0xd5}}.bytes(), want: []float32{4033.0 / 8192}},
		{name: "extensible µ-law", file: wavFile{tag: tagExtensible, bits: 8, extra: extensible(8, tagMuLaw), data: []byte{0x80}}.bytes(), want: []float32{8031.0 / 8192}},
		{name: "RF64", file: rf64("RF64", wavFile{before: ds64(8), data: s16, dataSize: unknownSize}.bytes()), want: w16},
		{name: "RF64, a chunk after the samples", file: rf64("RF64", wavFile{before: ds64(8), data: s16, dataSize: unknownSize, after: chunk("LIST", "INFO")}.bytes()), want: w16},
		{name: "RF64 whose data chunk tells its size", file: rf64("RF64", wavFile{before: ds64(0), data: s16}.bytes()), want: w16},
		{name: "BW64 with a long chunk in front", file: rf64("BW64", wavFile{before: append(ds64(8, "axml", 4, "JUNK", 6), "JUNK\xff\xff\xff\xffjunks!"...), data: s16, dataSize: unknownSize}.bytes()), want: w16},
		{name: "RF64 float", file: rf64("RF64", wavFile{tag: tagFloat, bits: 32, before: ds64(4), data: floatFile(32, 1, 2).data, dataSize: unknownSize}.bytes()), want: []float32{2}, over: 1},
		{name: "RF64 of a stream", file: rf64("RF64", wavFile{before: ds64(math.MaxUint64), data: s16, dataSize: unknownSize}.bytes()), want: w16, open: true},
		{name: "RF64 of a stream, size 0", file: rf64("RF64", wavFile{before: ds64(0), data: s16, dataSize: unknownSize}.bytes()), want: w16, open: true},
		{name: "a RIFF file with a chunk named ds64", file: wavFile{before: chunk("ds64", "x"), data: s16}.bytes(), want: w16},
		{name: "stream as ffmpeg writes it", file: wavFile{data: s16, dataSize: unknownSize}.bytes(), want: w16, open: true},
		{name: "stream of length 0", file: wavFile{data: s16, dataSize: -1}.bytes(), want: w16, open: true},
		{name: "stream of length 0 that looks like a chunk at first", file: wavFile{data: []byte("abcd\x00\x00\x00\x10"), dataSize: -1}.bytes(),
			want: []float32{float32('a'|'b'<<8) / 32768, float32('c'|'d'<<8) / 32768, 0, 0x10 << 8 / 32768.0}, open: true},
		{name: "stream as SoX and eSpeak write it", file: wavFile{data: s16, dataSize: 0x7FFFF000}.bytes(), want: w16, open: true},
		{name: "stream as SoX writes it, 3 bytes a sample", file: wavFile{bits: 24, data: []byte{0, 0, 0x40}, dataSize: 0x7FFFF000 / 3 * 3}.bytes(), want: []float32{0.5}, open: true},
		{name: "stream as SoX writes it, 15 bytes a sample", file: wavFile{bits: 24, channels: 5, data: make([]byte, 15), dataSize: 0x7FFFF000 / 15 * 15}.bytes(), want: []float32{0}, open: true},
		{name: "stream as arecord writes it", file: wavFile{data: s16, dataSize: 1 << 31}.bytes(), want: w16, open: true},
		{name: "stream as old arecord writes it", file: wavFile{data: s16, dataSize: 0x7FFFFF00}.bytes(), want: w16, open: true},
		{name: "odd chunk in front, its pad byte forgotten", file: wavFile{before: noPad, data: s16}.bytes(), want: w16},
		{name: "odd chunk in front, a pad byte that is no 0", file: wavFile{before: append([]byte("LIST\x05\x00\x00\x00INFOx "), chunk("fact", "1234")...), data: s16}.bytes(), want: w16},
		{name: "odd samples, the pad byte forgotten", file: wavFile{bits: 8, data: []byte{192}, after: chunk("LIST", "INFOINFO")}.bytes(), want: []float32{0.5}},
	}
	for _, c := range tests {
		checkWAV(t, c.name, c.file, c.want, c.over, c.open)
	}
}

// checkWAV holds the three ways to read a file to the same samples and the same Info.
func checkWAV(t *testing.T, name string, b []byte, want []float32, over int64, open bool) {
	t.Helper()
	info, err := Probe(bytes.NewReader(b), int64(len(b)))
	if err != nil || info.Over != over || info.Open != open || info.Samples != int64(len(want)) {
		t.Errorf("%s: Probe: %+v, %v, want %d samples, %d over full scale, open: %v", name, info, err, len(want), over, open)
		return
	}
	got, decoded, err := Decode(nil, bytes.NewReader(b), int64(len(b)))
	if err != nil || decoded != info {
		t.Errorf("%s: Decode: %v, %+v, want %+v as by Probe", name, err, decoded, info)
	}
	if inMemory, same, err := (Limits{}).DecodeBytes(nil, b); err != nil || same != info || !slices.Equal(inMemory, got) {
		t.Errorf("%s: DecodeBytes: %v, %+v, %v, want %v as by Decode", name, err, same, inMemory, got)
	}
	for i := range want {
		if len(got) != len(want) || got[i] != want[i] {
			t.Errorf("%s: %.9g, want %.9g", name, got, want)
			return
		}
	}
}

// TestCompandedValues lists the intervals as G.711's tables 1a and 2a do, by number and width, and takes their middles.
func TestCompandedValues(t *testing.T) {
	type run struct{ count, width float64 }
	for _, c := range []struct {
		tag      int
		scale    float64
		runs     []run
		code     func(i int) byte // of the positive value at i from 0 up
		negative byte             // what a negative value's code differs in
	}{
		{tagALaw, 4096, []run{{32, 2}, {16, 4}, {16, 8}, {16, 16}, {16, 32}, {16, 64}, {16, 128}}, func(i int) byte { return byte(0x80+i) ^ 0x55 }, 0x80},
		{tagMuLaw, 8192, []run{{1, 2}, {15, 2}, {16, 4}, {16, 8}, {16, 16}, {16, 32}, {16, 64}, {16, 128}, {16, 256}}, func(i int) byte { return byte(0xff - i) }, 0x80},
	} {
		edge := 0.0
		if c.tag == tagMuLaw {
			edge = -1 // its first interval stands on both sides of 0
		}
		var data []byte
		var want []float32
		for _, r := range c.runs {
			for range int(r.count) {
				middle := float32((edge + r.width/2) / c.scale)
				code := c.code(len(want) / 2)
				data, want = append(data, code, code^c.negative), append(want, middle, -middle)
				edge += r.width
			}
		}
		if len(data) != 256 {
			t.Fatalf("%d codes", len(data))
		}
		checkWAV(t, fmt.Sprintf("format %d", c.tag), wavFile{tag: c.tag, bits: 8, data: data}.bytes(), want, 0, false)
	}
}

// TestABadSampleIsFoundWhereverItStands: files are read in pieces, and the place counts from their start.
func TestABadSampleIsFoundWhereverItStands(t *testing.T) {
	values := make([]float64, 90_000)
	for _, at := range []int{0, 32_767, 32_768, 65_536, 89_999} {
		values[at] = math.NaN()
		b := floatFile(32, 1, values...).bytes()
		values[at] = 0
		want := fmt.Sprintf("sample %s (%.3f s) is NaN", commas(int64(at)), float64(at)/22050)
		_, probed := Probe(bytes.NewReader(b), int64(len(b)))
		_, _, decoded := Decode(nil, bytes.NewReader(b), int64(len(b)))
		_, _, inMemory := (Limits{}).DecodeBytes(nil, b)
		for how, err := range map[string]error{"Probe": probed, "Decode": decoded, "DecodeBytes": inMemory} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", how, err, want)
			}
		}
	}
	want := make([]float32, len(values))
	for i := range 3 {
		values[i*40_000], want[i*40_000] = 1.5, 1.5
	}
	checkWAV(t, "three over full scale", floatFile(32, 1, values...).bytes(), want, 3, false)
}

// TestAPartOfFloatsIsReadAlone: what stands outside of a part does not count for it.
func TestAPartOfFloatsIsReadAlone(t *testing.T) {
	values := make([]float64, 2*22050)
	values[5], values[22050], values[30000], values[44099] = math.NaN(), 2, -3, 4
	b := floatFile(32, 1, values...).bytes()
	for _, c := range []struct {
		part Part
		over int64
		bad  string
	}{
		{Part{From: time.Second}, 3, ""},
		{Part{From: time.Second, Length: time.Second / 2}, 2, ""},
		{Part{From: time.Second / 2, Length: time.Second / 4}, 0, ""},
		{Part{Length: time.Second}, 0, "sample 5 (0.000 s) is NaN"},
	} {
		info, probeErr := Limits{}.ProbePart(bytes.NewReader(b), int64(len(b)), c.part)
		pcm, decoded, err := Limits{}.DecodePart(nil, bytes.NewReader(b), int64(len(b)), c.part)
		if fmt.Sprint(probeErr) != fmt.Sprint(err) || info != decoded || info.Over != c.over || int64(len(pcm)) != info.Samples {
			t.Errorf("%+v: ProbePart: %+v, %v; DecodePart: %d samples, %+v, %v; want %d over full scale", c.part, info, probeErr, len(pcm), decoded, err, c.over)
		}
		if (err == nil) != (c.bad == "") || err != nil && !strings.Contains(err.Error(), c.bad) {
			t.Errorf("%+v: %v, want %q", c.part, err, c.bad)
		}
		for i, v := range pcm {
			if at := i + int(c.part.From.Seconds()*22050); v != float32(values[at]) {
				t.Fatalf("%+v: sample %d is %g, want %g", c.part, at, v, values[at])
			}
		}
	}
	values[40_000] = math.Inf(1)
	b = floatFile(32, 1, values...).bytes()
	if _, err := (Limits{}).ProbePart(bytes.NewReader(b), int64(len(b)), Part{From: time.Second}); err == nil || !strings.Contains(err.Error(), "sample 40,000 (1.814 s) is +Inf") {
		t.Errorf("%v, want the sample's place in the file", err)
	}
}

// TestAHeaderTellsOfIntegers: no sample is read to know their number.
func TestAHeaderTellsOfIntegers(t *testing.T) {
	for _, w := range []wavFile{{}, {bits: 24}, {tag: tagALaw, bits: 8}, {tag: tagMuLaw, bits: 8}, {dataSize: unknownSize}} {
		w.data = make([]byte, 3*readBytes)
		b := w.bytes()
		if info, err := Probe(bytes.NewReader(b[:1000]), int64(len(b))); err != nil || info.Samples == 0 {
			t.Errorf("format %d, %d bits: %+v, %v", w.tag, w.bits, info, err)
		}
	}
}

// TestLongFilesTellTheirLength: where a file has the 2 GiB that a stream's header claims they are meant, and RF64 has more than that.
// The files are holes.
func TestLongFilesTellTheirLength(t *testing.T) {
	for _, c := range []struct {
		name string
		head []byte
		data int64
	}{
		{"2 GiB", wavFile{dataSize: 0x7FFFF000}.bytes(), 0x7FFFF000},
		{"5 GiB in RF64", rf64("RF64", wavFile{before: ds64(5 << 30), dataSize: unknownSize}.bytes()), 5 << 30},
	} {
		f, err := os.Create(filepath.Join(t.TempDir(), "long.wav"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		tail := chunk("LIST", "INFO")
		size := int64(len(c.head)) + c.data + int64(len(tail))
		_, err = f.Write(c.head)
		if _, e := f.WriteAt(tail, size-int64(len(tail))); e != nil || err != nil {
			t.Skipf("no room for holes: %v, %v", err, e)
		}
		info, err := Limits{MaxClip: 100 * time.Hour}.Probe(f, size)
		if err != nil || info.Samples != c.data/2 || info.Open {
			t.Errorf("%s: %+v, %v, want %d samples and no open end", c.name, info, err, c.data/2)
		}
	}
}

// TestKindsOfFfmpeg writes each kind by ffmpeg and compares with what ffmpeg reads of it, bit by bit.
func TestKindsOfFfmpeg(t *testing.T) {
	t.Parallel()
	tool, err := exec.LookPath("ffmpeg")
	if err != nil {
		t.Skip("ffmpeg is not installed: nothing to compare with")
	}
	kinds := [][]string{{"pcm_u8"}, {"pcm_s24le"}, {"pcm_s32le"}, {"pcm_f32le"}, {"pcm_f64le"}, {"pcm_alaw"}, {"pcm_mulaw"},
		{"pcm_s16le", "-rf64", "always"}, {"pcm_f32le", "-rf64", "always"}, {"pcm_f32le", "-f", "wav", "pipe:1"}}
	for channels, layout := range map[int]string{1: "mono", 2: "stereo", 6: "5.1"} {
		if testing.Short() && channels != 2 {
			continue
		}
		dir := t.TempDir()
		run := func(args ...string) []byte {
			t.Helper()
			cmd := exec.Command(tool, append([]string{"-nostdin", "-v", "error"}, args...)...)
			cmd.Dir = dir
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("ffmpeg %v: %v", args, err)
			}
			return out
		}
		// Beyond full scale, which only floats hold, in one channel and in their average.
		tones := "1.6*sin(2*PI*440*t+0.1*t*t)*sin(t)" + strings.Repeat("|1.4*sin(2*PI*440*t)", channels-1)
		write := []string{"-f", "lavfi", "-i", "aevalsrc=" + tones + ":s=16000:d=1.3:c=" + layout}
		var read []string
		for i, kind := range kinds {
			write = append(append(write, "-c:a"), kind...)
			if name := fmt.Sprintf("%d.wav", i); i < len(kinds)-1 {
				write = append(write, name)
			}
			read = append(read, "-i", fmt.Sprintf("%d.wav", i))
		}
		stream := run(write...)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.wav", len(kinds)-1)), stream, 0o666); err != nil {
			t.Fatal(err)
		}
		for i := range kinds {
			read = append(read, "-map", fmt.Sprint(i), "-f", "f64le", "-c:a", "pcm_f64le", fmt.Sprintf("%d.raw", i))
		}
		run(read...)
		for i, kind := range kinds {
			compareRaw(t, fmt.Sprintf("%v, %d channels", kind, channels), filepath.Join(dir, fmt.Sprint(i)), channels, i == len(kinds)-1)
		}
	}
}

// compareRaw holds what is read of base.wav to base.raw, which has its values in float64.
func compareRaw(t *testing.T, name, base string, channels int, open bool) {
	t.Helper()
	file, err := os.ReadFile(base + ".wav")
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(base + ".raw")
	if err != nil {
		t.Fatal(err)
	}
	float, over := strings.Contains(name, "pcm_f"), int64(0)
	want := make([]float32, len(raw)/8/channels)
	for i := range want {
		sum := 0.0
		for c := range channels {
			sum += math.Float64frombits(binary.LittleEndian.Uint64(raw[8*(i*channels+c):]))
		}
		want[i] = float32(sum / float64(channels))
		if !float {
			want[i] = min(want[i], belowOne) // 1 is outside of what integers give
		} else if want[i] > 1 || want[i] < -1 {
			over++
		}
	}
	if len(want) != 20_800 || float && over < 1000 {
		t.Fatalf("%s: ffmpeg gave %d samples, %d over full scale", name, len(want), over)
	}
	checkWAV(t, name, file, want, over, open)
}

// TestRealClipsAsFloats: what a 16-bit recording becomes in an editor that works in floats is the same recording.
func TestRealClipsAsFloats(t *testing.T) {
	corpora := os.Getenv("VOXPACK_CORPORA")
	if corpora == "" {
		t.Skip("VOXPACK_CORPORA is not set: no real clips to read")
	}
	paths, err := filepath.Glob(filepath.Join(corpora, "ljspeech-32", "wavs", "*.wav"))
	if err != nil || len(paths) != 32 {
		t.Fatalf("%d clips, want 32 (%v)", len(paths), err)
	}
	for _, path := range paths {
		want, _ := decodeFile(t, path)
		values := make([]float64, len(want))
		for i, v := range want {
			values[i] = float64(v)
		}
		for _, bits := range []int{32, 64} {
			checkWAV(t, fmt.Sprintf("%s as %d bits", filepath.Base(path), bits), floatFile(bits, 1, values...).bytes(), want, 0, false)
		}
	}
}

func BenchmarkDecodeKinds(b *testing.B) {
	const samples = 145_530 // 6.6 s, LJSpeech's mean length
	for _, w := range []wavFile{{bits: 16}, {bits: 24}, {tag: tagFloat, bits: 32}, {tag: tagFloat, bits: 64}, {tag: tagALaw, bits: 8}} {
		w.data = make([]byte, samples*w.bits/8)
		file := w.bytes()
		b.Run(fmt.Sprintf("format-%d-%d-bits", max(w.tag, 1), w.bits), func(b *testing.B) {
			pcm := make([]float32, 0, samples)
			for b.Loop() {
				var err error
				if pcm, _, err = (Limits{}).DecodeBytes(pcm, file); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*samples), "ns/sample")
		})
	}
}
