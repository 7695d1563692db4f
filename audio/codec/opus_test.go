package codec

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestOpusIsWhatLibopusDecodes: what lies beside each file is opusdec's, in 24 bits. SILK is in integers there and in floats here,
// which RFC 6716 allows; of CELT alone the samples are the same but for rounding.
func TestOpusIsWhatLibopusDecodes(t *testing.T) {
	likeTheOther(t, "mono.opus", 1, 48000, 19200, 3e-4)
	likeTheOther(t, "silk.opus", 1, 48000, 19200, 3e-4)
	likeTheOther(t, "stereo.opus", 2, 48000, 19440, 1e-6)
}

func opusdecFloats(file string) *exec.Cmd {
	return exec.Command("opusdec", "--quiet", "--float", "--rate", "48000", file, "-")
}

// TestOpusOfTheReferenceEncoder: real speech in every mode, bandwidth and length of frames, with silence left out (DTX) and what was
// lost said again (FEC).
func TestOpusOfTheReferenceEncoder(t *testing.T) {
	needs(t, "opusenc", "opusdec")
	ways := []string{"--speech --bitrate 6", "--bitrate 64 --framesize 2.5", "--speech --bitrate 24 --set-ctl-int 4016=1", "--speech --bitrate 10", "--speech --bitrate 14 --framesize 60",
		"--speech --bitrate 20", "--bitrate 32", "--music --bitrate 24", "--bitrate 128 --framesize 5", "--bitrate 48 --framesize 10", "--speech --bitrate 32 --framesize 40",
		"--speech --bitrate 24 --expect-loss 20 --set-ctl-int 4012=1", "--hard-cbr --bitrate 16"}
	clips := clipsToEncode(t)
	for i, way := range few(ways) {
		encode := func(wav, out string) *exec.Cmd {
			return exec.Command("opusenc", append(append([]string{"--quiet"}, strings.Fields(way)...), wav, out)...)
		}
		likeDecoder(t, opusdecFloats, ".opus", 2e-3, encode, clips[i%len(clips)])
	}
}

func TestOpusCutAnywhereIsRejected(t *testing.T) { everyCut(t, "silk.opus") }

// opusFile lays packets of 960 samples out, two headers first. The first position is that of the first packet of audio and counts
// from base; the last is end, if that is not 0.
func opusFile(packets [][]byte, base, end int64) []byte {
	granules := make([]int64, len(packets))
	for i := range packets {
		granules[i] = base + 960*max(0, int64(i)-1)
	}
	if end != 0 {
		granules[len(granules)-1] = end
	}
	return joinPages(pagesOf(packets, granules, 255))
}

// TestOpusEndsAndGain: RFC 7845: pre-skip (4.2), end trimming (4.4), a stream cut from a longer one (4.5), gain in 1/256 dB (5.1).
func TestOpusEndsAndGain(t *testing.T) {
	packets := packetsOf(t, readEncoded(t, "mono.opus"))
	made := 960 * int64(len(packets)-2)
	header := func(skip uint16, gain int16) [][]byte {
		changed := slices.Clone(packets)
		changed[0] = slices.Clone(packets[0])
		binary.LittleEndian.PutUint16(changed[0][10:], skip)
		binary.LittleEndian.PutUint16(changed[0][16:], uint16(gain))
		return changed
	}
	all, _, err := Limits{}.DecodeBytes(nil, opusFile(header(0, 0), 0, 0))
	if err != nil || int64(len(all)) != made {
		t.Fatalf("%d samples, %v; want %d", len(all), err, made)
	}
	family1 := func(channels byte, table ...byte) [][]byte {
		changed := header(312, 0)
		changed[0][9], changed[0][18] = channels, 1
		changed[0] = append(changed[0], table...)
		return changed
	}
	for name, c := range map[string]struct {
		file     []byte
		from, to int64
		gain     float64
	}{
		"pre-skip":                                  {opusFile(header(312, 0), 0, 0), 312, made, 1},
		"pre-skip of more than a packet":            {opusFile(header(3840, 0), 0, 0), 3840, made, 1},
		"the end trimmed":                           {opusFile(header(312, 0), 0, made-700), 312, made - 700, 1},
		"the end trimmed by more than a packet":     {opusFile(header(312, 0), 0, made-2000), 312, made - 2000, 1},
		"cut from a longer stream":                  {opusFile(header(312, 0), 1_000_000, 0), 312, made, 1},
		"cut from a longer stream, trimmed":         {opusFile(header(312, 0), 1_000_000, 1_000_000+made-1), 312, made - 1, 1},
		"positions that leave the pre-skip out":     {opusFile(header(312, 0), -312, 0), 312, made, 1},
		"a last position off by a millisecond":      {opusFile(header(312, 0), 0, made+48), 312, made, 1},
		"twice as loud":                             {opusFile(header(312, 1541), 0, 0), 312, made, math.Pow(10, 1541.0/256/20)},
		"a tenth":                                   {opusFile(header(312, -20*256), 0, 0), 312, made, 0.1},
		"family 1 of one channel":                   {opusFile(family1(1, 1, 0, 0), 0, 0), 312, made, 1},
		"one stream of two channels, family 1":      {opusFile(family1(2, 1, 1, 0, 1), 0, 0), 312, made, 1},
		"one stream of two channels, the other way": {opusFile(family1(2, 1, 1, 1, 0), 0, 0), 312, made, 1},
	} {
		got, info, err := Limits{}.DecodeBytes(nil, c.file)
		if err != nil || info.Samples != c.to-c.from || int64(len(got)) != info.Samples {
			t.Errorf("%s: %+v, %v; want %d samples", name, info, err, c.to-c.from)
			continue
		}
		claim, ok, err := Limits{}.Claim(bytes.NewReader(c.file), int64(len(c.file)), Part{})
		if claim != info || !ok || err != nil {
			t.Errorf("%s: claims %+v, %v, %v, want %+v", name, claim, ok, err, info)
		}
		for i, v := range got {
			if want := max(-1, min(c.gain*float64(all[c.from:][i]), belowOne)); math.Abs(float64(v)-want) > 1e-5 {
				t.Errorf("%s: sample %d is %g, want %g", name, i, v, want)
				break
			}
		}
	}
}

func TestBadOpusIsRejectedWithAReason(t *testing.T) {
	good := readEncoded(t, "mono.opus")
	packets := packetsOf(t, good)
	with := func(at int, f func(b []byte) []byte) []byte {
		changed := slices.Clone(packets)
		changed[at] = f(slices.Clone(changed[at]))
		return opusFile(changed, 0, 0)
	}
	family := func(channels, family byte, table ...byte) []byte {
		return with(0, func(b []byte) []byte { b[9], b[18] = channels, family; return append(b, table...) })
	}
	granules := make([]int64, len(packets))
	for i := range granules {
		if granules[i] = 960 * max(0, int64(i)-1); i > 8 {
			granules[i] += 960
		}
	}
	hole := joinPages(pagesOf(packets, granules, 1))
	for _, c := range []struct {
		name string
		file []byte
		kind error
		want string
	}{
		{"two files in one", slices.Concat(good, good), ErrUnsupported, "another stream at byte 1,452"},
		{"bytes after the stream", slices.Concat(good, []byte("and more")), ErrCorrupt, "followed by 8 bytes that are not a page"},
		{"one header", opusFile(packets[:1], 0, 0), ErrHeader, "header 2 of 2"},
		{"only headers", opusFile(packets[:2], 0, 0), ErrEmpty, "no samples"},
		{"less than the pre-skip", opusFile(packets, 0, 300), ErrEmpty, "no samples"},
		{"version 17", with(0, func(b []byte) []byte { b[8] = 17; return b }), ErrHeader, "another version"},
		{"no channel", family(0, 0), ErrHeader, "no channels"},
		{"three channels in one stream", family(3, 0), ErrHeader, "3 channels in one stream"},
		{"5.1", family(6, 1, 4, 2, 0, 4, 1, 2, 3, 5), ErrUnsupported, "6 channels in several streams (mapping family 1)"},
		{"family 255", family(2, 255, 2, 0, 0, 1), ErrUnsupported, "mapping family 255"},
		{"two streams of one channel", family(2, 1, 2, 0, 0, 1), ErrUnsupported, "in a way that is not read"},
		{"a channel of silence", family(2, 1, 1, 1, 0, 255), ErrUnsupported, "in a way that is not read"},
		{"an empty packet", with(5, func(b []byte) []byte { return nil }), ErrCorrupt, "Opus packet"},
		{"frames of 240 ms", with(5, func(b []byte) []byte { return []byte{0x1b, 4} }), ErrCorrupt, "it is none"},
		{"a packet whose frames do not fit", with(5, func(b []byte) []byte { return []byte{0x49, 1, 2, 3} }), ErrCorrupt, "Opus packet 3 in the page at byte"},
		{"ends after its packets", opusFile(packets, 0, 1_000_000), ErrLength, "ends at sample 1,000,000"},
		{"a packet is missing", hole, ErrLength, "its packets hold"},
	} {
		_, info, err := Limits{}.DecodeBytes(nil, c.file)
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %+v, %v, want %q of kind %q", c.name, info, err, c.want, c.kind)
		}
	}
}

// TestATinyOpusOfHoursIsBounded: a packet of a byte is 20 ms, or 120.
func TestATinyOpusOfHoursIsBounded(t *testing.T) {
	packets := packetsOf(t, readEncoded(t, "mono.opus"))
	for range 3000 {
		packets = append(packets, []byte{0x48})
	}
	if _, _, err := (Limits{MaxClip: time.Second}).DecodeBytes(nil, opusFile(packets, 0, 0)); !errors.Is(err, ErrTooLong) {
		t.Errorf("got %v, want ErrTooLong", err)
	}
}

// TestTheVersionOfOpusIsThatOfItsModule: another release is another version, and so are other bits.
func TestTheVersionOfOpusIsThatOfItsModule(t *testing.T) {
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	_, release, _ := strings.Cut(opusVersion, "-pion-")
	if !strings.Contains(string(mod), "github.com/pion/opus "+release+"\n") {
		t.Errorf("version %s, and go.mod has another release", opusVersion)
	}
	if v := opusKey(); !strings.HasPrefix(v, opusVersion) {
		t.Errorf("version %s, want one that begins with %s", v, opusVersion)
	}
}

func BenchmarkOpus(b *testing.B) {
	for _, name := range []string{"silk.opus", "mono.opus", "stereo.opus"} {
		b.Run(name, func(b *testing.B) {
			file := readEncoded(b, name)
			var pcm []float32
			for b.Loop() {
				var err error
				if pcm, _, err = (Limits{}).DecodeBytes(pcm, file); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(pcm))*float64(b.N)/b.Elapsed().Seconds()/1e6, "Msamples/s")
		})
	}
}

// TestOneChannelOfOpusIsTheMeanOfOne: to the bit, beyond full scale too.
func TestOneChannelOfOpusIsTheMeanOfOne(t *testing.T) {
	s := opusStream{channels: 1, gain: 1, pcm: []float32{0, float32(math.Copysign(0, -1)), 0.3, -0.7, 1e-42, belowOne, 1, 2, -1, -3}}
	got := make([]float32, len(s.pcm))
	if !s.mix(got) {
		t.Fatal("it has samples that are not numbers")
	}
	for i, v := range s.pcm {
		var sum float64
		sum += float64(v)
		if want := max(-1, min(float32(sum), belowOne)); math.Float32bits(got[i]) != math.Float32bits(want) {
			t.Errorf("%g comes out as %g, want %g", v, got[i], want)
		}
	}
	s.pcm[3] = float32(math.NaN())
	if s.mix(got) {
		t.Error("NaN is taken for a sample")
	}
}
