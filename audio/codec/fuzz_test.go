package codec

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"voxpack/audio/internal/audiotest"
)

func FuzzWAV(f *testing.F) {
	for _, w := range []wavFile{
		{data: []byte{1, 2, 3, 4}},
		{bits: 8, channels: 3, data: make([]byte, 9), after: append([]byte{0}, chunk("LIST", "abc")...)},
		{bits: 24, tag: tagExtensible, extra: extensible(20, tagPCM), data: make([]byte, 6)},
		{bits: 32, tag: tagFloat, data: make([]byte, 8)},
		floatFile(32, 1, 0.5, 1.5, -1),
		floatFile(32, 2, 0.5, math.NaN(), 1, math.Inf(1)),
		floatFile(64, 1, 1e-9, -2),
		{bits: 32, tag: tagExtensible, extra: extensible(32, tagFloat), data: make([]byte, 8)},
		{bits: 8, tag: tagALaw, data: []byte{0xd5, 0x2a}},
		{bits: 8, tag: tagMuLaw, channels: 2, data: []byte{0xff, 0x00}},
		{before: chunk("JUNK", "odd"), data: make([]byte, 6), dataSize: 0xFFFFFFFF},
		{data: make([]byte, 6), dataSize: -1},
		{dataSize: -1, after: chunk("LIST", "INFO")},
		{data: make([]byte, 6), dataSize: 0x7FFFF000},
		{before: []byte("LIST\x05\x00\x00\x00INFOx"), data: make([]byte, 6)},
		{fmtSize: 1 << 30, data: make([]byte, 6)},
		{bits: 24, data: make([]byte, 4), after: make([]byte, 40)},
		{bits: 20, align: 3, data: make([]byte, 6), after: append([]byte("TAG"), make([]byte, 125)...)},
		{data: make([]byte, 6), dataSize: 0xFFFFFFFF - 100},
	} {
		f.Add(w.bytes())
	}
	f.Add(rf64("RF64", wavFile{before: ds64(4), data: make([]byte, 4), dataSize: unknownSize}.bytes()))
	f.Add(rf64("BW64", wavFile{before: append(ds64(4, "JUNK", 4), "JUNK\xff\xff\xff\xffjunk"...), data: make([]byte, 4)}.bytes()))
	f.Fuzz(func(t *testing.T, b []byte) {
		size := int64(len(b))
		info, probeErr := Probe(bytes.NewReader(b), size)
		pcm, decoded, err := Decode(nil, bytes.NewReader(b), size)
		if (probeErr == nil) != (err == nil) || info != decoded {
			t.Fatalf("Probe: %+v, %v; Decode: %+v, %v", info, probeErr, decoded, err)
		}
		if err != nil {
			if err.Error() != probeErr.Error() || err.Error() == "" || pcm != nil {
				t.Fatalf("Decode says %v and %d samples, Probe %v", err, len(pcm), probeErr)
			}
			return
		}
		if info.Samples < 1 || int64(len(pcm)) != info.Samples || info.Samples*int64(info.Channels*info.Bits/8) > size {
			t.Fatalf("%+v, %d samples out of %d bytes", info, len(pcm), size)
		}
		if int64(cap(pcm)) > 2*info.Samples+1024 { // a size class of the allocator at most
			t.Fatalf("room for %d samples where %d were read", cap(pcm), info.Samples)
		}
		over := int64(0)
		for i, v := range pcm {
			switch {
			case !(v >= -maxFloat && v <= maxFloat):
				t.Fatalf("sample %d = %g", i, v)
			case v < -1 || v > 1:
				over++
			}
		}
		if over != info.Over {
			t.Fatalf("%d samples over full scale, Info says %d", over, info.Over)
		}
		if inMemory, same, err := (Limits{}).DecodeBytes(nil, b); err != nil || same != info || !slices.Equal(inMemory, pcm) {
			t.Fatalf("DecodeBytes: %+v, %v, Decode %+v", same, err, info)
		}
	})
}

// fuzzDecoder holds a decoder of compressed streams to what FuzzWAV holds the WAV reader to, with a limit of 2 s.
func fuzzDecoder(f *testing.F, name string) {
	limit := Limits{MaxClip: 2 * time.Second}
	f.Fuzz(func(t *testing.T, b []byte) {
		pcm, info, err := limit.DecodeBytes(nil, b)
		if probed, probeErr := limit.Probe(bytes.NewReader(b), int64(len(b))); (probeErr == nil) != (err == nil) || probed != info {
			t.Fatalf("Probe: %+v, %v; Decode: %+v, %v", probed, probeErr, info, err)
		}
		if err != nil {
			if pcm != nil || err.Error() == "" {
				t.Fatalf("%d samples beside %v", len(pcm), err)
			}
			return
		}
		// Of a sound file a claim is right, and only FLAC may leave its length open.
		claim, ok, err := limit.Claim(bytes.NewReader(b), int64(len(b)), Part{})
		if err != nil || ok && claim != info || !ok && info.Format != "flac" {
			t.Fatalf("Claim: %+v, %v, %v; Decode: %+v", claim, ok, err, info)
		}
		if most := limit.Samples(info.Rate); info.Samples < 1 || info.Samples > most || int64(len(pcm)) != info.Samples || int64(cap(pcm)) > 2*most+1024 {
			t.Fatalf("%+v, %d samples in room for %d, at most %d", info, len(pcm), cap(pcm), most)
		}
		for i, v := range pcm {
			if !(v >= -1 && v < 1) {
				t.Fatalf("%s: sample %d = %g", name, i, v)
			}
		}
		audiotest.WithoutVectors(func() {
			if portable, _, err := limit.DecodeBytes(nil, b); err != nil || !sameBits(pcm, portable) {
				t.Fatalf("%s: portable code has other samples, or %v", name, err)
			}
		})
	})
}

func FuzzFLAC(f *testing.F) {
	f.Add(readEncoded(f, "mono16.flac")[:3000])
	f.Add(flacFile(8000, 1, 32, 2, flacFrameOf(0, 2, 0, func(w *flacWriter) { w.put(2, 8); w.put(1<<31-1, 32); w.put(-1<<31, 32) })))
	f.Add(flacFile(8000, 2, 16, 0, flacFrameOf(0, 4, 10, func(w *flacWriter) { constant(3, 16)(w); constant(-5, 17)(w) })))
	f.Add(flacFile(8000, 1, 16, 0, flacFrameOf(0, 65536, 0, constant(1, 16))))
	f.Add(flacFile(8000, 1, 16, 0, flacFrameOf(0, 4, 0, constant(1, 16)), flacFrameOf(4, 5, 0, constant(1, 16)), flacFrameOf(9, 2, 0, constant(1, 16))))
	fuzzDecoder(f, "flac")
}

// FuzzFLACFrame gets past the header's checksum: it writes the header itself.
func FuzzFLACFrame(f *testing.F) {
	f.Add(uint8(16), uint8(0), uint16(4), []byte("\x14\x00\x64\x00\x6e\x00\x50"))
	f.Add(uint8(24), uint8(10), uint16(9), make([]byte, 40))
	f.Fuzz(func(t *testing.T, bits, channels uint8, size uint16, body []byte) {
		bits, channels = bits%29+4, channels%11
		streams := int(channels) + 1
		if channels > 7 {
			streams = 2
		}
		frame := flacFrameOf(0, int(size)+1, int(channels), func(w *flacWriter) { w.b = append(w.b, body...) })
		file := flacFile(8000, streams, int(bits), 0, frame)
		pcm, info, err := Limits{}.DecodeBytes(nil, file)
		if err == nil && (int64(len(pcm)) != info.Samples || info.Samples != int64(size)+1) {
			t.Fatalf("%+v, %d samples", info, len(pcm))
		}
		audiotest.WithoutVectors(func() {
			portable, _, other := Limits{}.DecodeBytes(nil, file)
			if fmt.Sprint(err) != fmt.Sprint(other) || !slices.Equal(pcm, portable) {
				t.Fatalf("with vectors %v, %v, without %v, %v", pcm, err, portable, other)
			}
		})
	})
}

func FuzzVorbis(f *testing.F) {
	f.Add(readEncoded(f, "mono.ogg")[:200])
	fuzzDecoder(f, "vorbis")
}

// edit changes bytes of b: every three bytes are a place and what is added there. Inputs of a few bytes keep the fuzzer quick where
// a file has thousands.
func edit(b, edits []byte) {
	for ; len(edits) >= 3 && len(b) > 0; edits = edits[3:] {
		b[(int(edits[0])<<8|int(edits[1]))%len(b)] += edits[2]
	}
}

// FuzzVorbisPackets gets past the checksums of the pages: it changes headers and packets, and writes the pages itself.
func FuzzVorbisPackets(f *testing.F) {
	packets := packetsOf(f, readEncoded(f, "stereo.ogg"))
	packets = [][]byte{packets[0], packets[1], packets[2], packets[7], packets[8], packets[9]}
	f.Add([]byte{0, 1, 2}, []byte{3, 4, 5})
	f.Add([]byte{}, []byte{0, 0, 2, 0, 30, 1})
	f.Fuzz(func(t *testing.T, header, audio []byte) {
		changed := make([][]byte, len(packets))
		for i, p := range packets {
			if changed[i] = slices.Clone(p); i < 3 {
				edit(changed[i], header)
			} else {
				edit(changed[i], audio)
			}
		}
		copy(changed[0], packets[0][:7])
		copy(changed[2], packets[2][:7])
		changed[1] = packets[1]
		pcm, info, err := Limits{MaxClip: time.Second}.DecodeBytes(nil, oggFile(changed, 1000))
		if err == nil && (int64(len(pcm)) != info.Samples || info.Samples < 1) {
			t.Fatalf("%+v, %d samples", info, len(pcm))
		}
		for i, v := range pcm {
			if !(v >= -1 && v < 1) {
				t.Fatalf("sample %d = %g", i, v)
			}
		}
	})
}

func FuzzMP3(f *testing.F) {
	f.Add(readEncoded(f, "mono.mp3")[:300])
	silence := bytes.Repeat(append([]byte{0xff, 0xe3, 0x18, 0xc0}, make([]byte, 68)...), 3)
	f.Add(silence)
	f.Add(slices.Concat(id3("title"), make([]byte, 20), silence, []byte("LYRICSBEGINla la la000019LYRICS200TAG"), make([]byte, 125)))
	f.Add(slices.Concat([]byte("no frame"), silence, []byte("itemsAPETAGEX\xd0\x07\x00\x00\x25"), make([]byte, 19)))
	fuzzDecoder(f, "mp3")
}

// FuzzMP3Frames changes bytes of whole files, one of them of one channel and MPEG-2, one of two and MPEG-1.
func FuzzMP3Frames(f *testing.F) {
	files := [][]byte{readEncoded(f, "vbr.mp3"), readEncoded(f, "high.mp3")}
	for i, b := range files {
		found, err := readMP3(b)
		if err != nil {
			f.Fatal(err)
		}
		files[i] = b[found.frames[0]:found.frames[6]]
		f.Add(i == 0, []byte{0, 4, 1, 0, 40, 9})
	}
	f.Fuzz(func(t *testing.T, first bool, edits []byte) {
		file := files[1]
		if first {
			file = files[0]
		}
		file = slices.Clone(file)
		edit(file, edits)
		pcm, info, err := Limits{MaxClip: time.Second}.DecodeBytes(nil, file)
		if err == nil && int64(len(pcm)) != info.Samples {
			t.Fatalf("%+v, %d samples", info, len(pcm))
		}
		for i, v := range pcm {
			if !(v >= -1 && v < 1) {
				t.Fatalf("sample %d = %g", i, v)
			}
		}
	})
}

func FuzzOpus(f *testing.F) {
	f.Add(readEncoded(f, "silk.opus"))
	f.Add(opusProbe)
	fuzzDecoder(f, "opus")
}

// FuzzOpusPackets gets past the checksums of the pages: it changes the header and packets of every mode, and writes the pages itself.
func FuzzOpusPackets(f *testing.F) {
	packets := packetsOf(f, opusProbe)
	f.Add([]byte{0, 1, 2}, []byte{3, 4, 5}, []byte{0x48, 1, 2, 3})
	f.Add([]byte{}, []byte{0, 0, 2, 0, 30, 1}, []byte{0xff, 0x43})
	f.Fuzz(func(t *testing.T, header, audio, packet []byte) {
		changed := append(slices.Clone(packets), packet)
		for i, p := range changed[:len(packets)] {
			if changed[i] = slices.Clone(p); i == 0 {
				edit(changed[i][9:], header)
			} else if i > 1 {
				edit(changed[i], audio)
			}
		}
		granules := make([]int64, len(changed))
		for i := 2; i < len(changed); i++ {
			granules[i] = granules[i-1] + int64(opusLength(changed[i]))
		}
		file := joinPages(pagesOf(changed, granules, 255))
		pcm, info, err := Limits{MaxClip: time.Second}.DecodeBytes(nil, file)
		if err == nil && (int64(len(pcm)) != info.Samples || info.Samples < 1) {
			t.Fatalf("%+v, %d samples", info, len(pcm))
		}
		for i, v := range pcm {
			if !(v >= -1 && v < 1) {
				t.Fatalf("sample %d = %g", i, v)
			}
		}
	})
}

func FuzzAIFF(f *testing.F) {
	f.Add(aiffFile{channels: 2, bits: 24, frames: 1, data: make([]byte, 6)}.bytes())
	for kind := range aiffKinds {
		f.Add(aiffFile{kind: kind, channels: 1, bits: 16, frames: 1, offset: 3, data: make([]byte, 8)}.bytes())
	}
	fuzzPlain(f)
}

func FuzzSphere(f *testing.F) {
	f.Add(sphereFile("sample_rate -i 8000\nsample_n_bytes -i 2\nsample_byte_format -s2 10\nsample_count -i 2\n", 1, 2, 3, 4))
	f.Add(sphereFile("sample_rate -i 8000\nsample_coding -s4 ulaw\nchannel_count -i 2\n", 1, 2, 3, 4))
	fuzzPlain(f)
}

// FuzzRIFX and ADPCM: WAV in other clothes.
func FuzzRIFX(f *testing.F) {
	f.Add([]byte("RIFX\x00\x00\x00\x28WAVEfmt \x00\x00\x00\x10\x00\x01\x00\x01\x00\x00\x1f\x40\x00\x00\x3e\x80\x00\x02\x00\x10data\x00\x00\x00\x04\x40\x00\x80\x00"))
	fuzzPlain(f)
}

func FuzzADPCM(f *testing.F) {
	f.Add(wavFile{tag: int(tagIMAADPCM), bits: 4, align: 8, extra: []byte{2, 0, 9, 0}, data: make([]byte, 17)}.bytes())
	f.Add(wavFile{tag: int(tagMSADPCM), channels: 2, bits: 4, align: 16, extra: append([]byte{32, 0, 4, 0, 7, 0}, make([]byte, 28)...), data: make([]byte, 32)}.bytes())
	fuzzPlain(f)
}

func FuzzOggFLAC(f *testing.F) {
	native := readEncoded(f, "mono16.flac")
	f.Add(oggFile([][]byte{append([]byte("\x7fFLAC\x01\x00\x00\x01"), native[:42]...), native[42:80], native[80:300]}, 0))
	fuzzPlain(f)
}

// fuzzPlain: Probe and Decode say the same, as does a claim of a sound file, and no header takes memory.
func fuzzPlain(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		info, probeErr := Probe(bytes.NewReader(b), int64(len(b)))
		pcm, decoded, err := Limits{}.DecodeBytes(nil, b)
		if (probeErr == nil) != (err == nil) || info != decoded {
			t.Fatalf("Probe: %+v, %v; Decode: %+v, %v", info, probeErr, decoded, err)
		}
		if err != nil {
			return
		}
		if info.Samples < 1 || int64(len(pcm)) != info.Samples || len(pcm) > 9*len(b) && info.Format != "flac" && info.Format != "oggflac" {
			t.Fatalf("%+v, %d samples out of %d bytes", info, len(pcm), len(b))
		}
		if claim, ok, err := (Limits{}).Claim(bytes.NewReader(b), int64(len(b)), Part{}); err != nil || ok && claim != info {
			t.Fatalf("Claim: %+v, %v; Decode: %+v", claim, err, info)
		}
	})
}

// FuzzClaimOfForeign: tables of MP4 and headers of raw AAC, Layer II, AMR and Speex claim what is read, whatever they say, and take no memory for it.
func FuzzClaimOfForeign(f *testing.F) {
	m4a := readEncoded(f, "mono.m4a")
	f.Add(m4a)
	f.Add(bytes.Replace(m4a, []byte("elst"), []byte("skip"), 1))
	f.Add(m4a[:len(m4a)-300])
	frame := []byte{0xff, 0xf1, 0x50, 0x40, 0x01, 0x1f, 0xfc, 0} // 44,100 Hz, one channel, 8 bytes
	f.Add(slices.Concat(frame, frame, frame))
	f.Add(slices.Concat([]byte{0xff, 0xfd, 0x14, 0xc0}, make([]byte, 100))) // 32 kbit/s of 48,000 Hz, one channel, 96 bytes
	f.Add([]byte("#!AMR\n\x04" + strings.Repeat("x", 12) + "\x0c" + strings.Repeat("y", 13)))
	f.Add([]byte("#!AMR-WB\n\x04" + strings.Repeat("x", 17)))
	speex := []byte("Speex   " + strings.Repeat("\x00", 72))
	speex[36], speex[37], speex[48], speex[56], speex[64] = 0x40, 0x1f, 1, 160, 1 // 8,000 Hz, one channel, 160 samples a frame
	f.Add(oggFile([][]byte{speex, []byte("comments"), []byte("a frame"), []byte("another")}, 320))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, name := range []string{"mp4", "aac", "mp2", "amr", "speex"} {
			format, _ := FormatByName(name)
			info, err := format.claim(b, Limits{})
			if err == nil && (info.Samples < 1 || info.Rate < MinRate || info.Rate > MaxRate || info.Channels < 1 || info.Channels > MaxChannels || Limits{}.Check(name, info.Samples, info.Rate) != nil) {
				t.Fatalf("%s claims %+v", name, info)
			}
		}
	})
}
