package codec

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestRawSamplesAreWhatTheyAreSaidToBe: of each coding, one value below zero and one above, of two channels.
func TestRawSamplesAreWhatTheyAreSaidToBe(t *testing.T) {
	float := func(v float64, wide, big bool) []byte {
		var order binary.AppendByteOrder = binary.LittleEndian
		if big {
			order = binary.BigEndian
		}
		if wide {
			return order.AppendUint64(nil, math.Float64bits(v))
		}
		return order.AppendUint32(nil, math.Float32bits(float32(v)))
	}
	for coding, file := range map[string][]byte{ // 0.5 on the left, -0.25 on the right
		"u8": {192, 96}, "s8": {64, 0xe0},
		"s16le": {0, 0x40, 0, 0xe0}, "s16be": {0x40, 0, 0xe0, 0},
		"s24le": {0, 0, 0x40, 0, 0, 0xe0}, "s24be": {0x40, 0, 0, 0xe0, 0, 0},
		"s32le": {0, 0, 0, 0x40, 0, 0, 0, 0xe0}, "s32be": {0x40, 0, 0, 0, 0xe0, 0, 0, 0},
		"f32le": slices.Concat(float(0.5, false, false), float(-0.25, false, false)), "f32be": slices.Concat(float(0.5, false, true), float(-0.25, false, true)),
		"f64le": slices.Concat(float(0.5, true, false), float(-0.25, true, false)), "f64be": slices.Concat(float(0.5, true, true), float(-0.25, true, true)),
	} {
		raw, err := ParseRaw(coding + "@8000x2")
		if err != nil {
			t.Fatal(coding, err)
		}
		file = bytes.Repeat(file, 3)
		for channel, want := range []float32{0.125, 0.5, -0.25} {
			l := Limits{Raw: raw, Channel: channel}
			got, info, err := l.DecodeBytes(nil, file)
			if err != nil || !slices.Equal(got, []float32{want, want, want}) || info.Samples != 3 || info.Rate != 8000 || info.Channels != 2 || info.Format != "raw" {
				t.Errorf("%s, channel %d: %v, %+v, %v, want %v", coding, channel, got, info, err, want)
			}
			part, _, err := l.DecodePart(nil, bytes.NewReader(file), int64(len(file)), Part{From: time.Second / 8000})
			if err != nil || len(part) != 2 || part[0] != want {
				t.Errorf("%s: a part: %v, %v", coding, part, err)
			}
		}
	}
	for coding, want := range map[string]*[256]int16{"alaw": aLaw, "mulaw": muLaw} {
		got, _, err := Limits{Raw: &Raw{coding, 8000, 1}}.DecodeBytes(nil, []byte{7, 200})
		if err != nil || got[0] != float32(want[7])/32768 || got[1] != float32(want[200])/32768 {
			t.Errorf("%s: %v, %v", coding, got, err)
		}
	}
}

// TestRawFilesThatCannotBe are rejections.
func TestRawFilesThatCannotBe(t *testing.T) {
	raw, err := ParseRaw("s24le@16000x2")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		file []byte
		want error
		says string
	}{
		"nothing":            {nil, ErrEmpty, "no samples"},
		"half of a sample":   {make([]byte, 9), ErrLength, "9 bytes, which are no whole number of samples of 6 bytes (s24le@16000x2)"},
		"one byte too many":  {make([]byte, 61), ErrLength, "61 bytes"},
		"a WAV file":         {wavOf(tagPCM, 1, 16, make([]byte, 4)), ErrHeader, `begins with "RIFF"`},
		"a FLAC file":        {readEncoded(t, "mono16.flac"), ErrHeader, `begins with "fLaC"`},
		"longer than a clip": {make([]byte, 6*16000*2), ErrTooLong, "max_clip_minutes"},
	} {
		l := Limits{Raw: raw, MaxClip: time.Second}
		_, _, err := l.DecodeBytes(nil, c.file)
		_, probed := l.Probe(bytes.NewReader(c.file), int64(len(c.file)))
		for _, err := range []error{err, probed} {
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v, want %v that says %q", name, err, c.want, c.says)
			}
		}
	}
	// What begins like a frame of MP3 or AAC may well be samples.
	if _, _, err := (Limits{Raw: raw}).DecodeBytes(nil, []byte{0xff, 0xfb, 0x90, 0x44, 0, 0}); err != nil {
		t.Error(err)
	}
}

func TestParseRaw(t *testing.T) {
	for text, want := range map[string]Raw{"s16le@16000": {"s16le", 16000, 1}, "mulaw@8000x2": {"mulaw", 8000, 2}, "f64be@192000x64": {"f64be", 192000, 64}} {
		if got, err := ParseRaw(text); err != nil || *got != want || got.String() != text {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "16000", "s16le", "s16le@", "@16000", "s16le@0", "s16le@16000x", "s16le@16000x0", "s16le@16000x65", "s16le@-1",
		"s16@16000", "S16LE@16000", "s16le@16000 ", "s16le@99999999999999999999", "s16le@16000x2x2", "gsm@8000"} {
		if got, err := ParseRaw(text); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
}

// FuzzRaw: any bytes are samples or an error, of no more memory than they are.
func FuzzRaw(f *testing.F) {
	f.Add("s24le@16000x2", []byte{1, 2, 3, 4, 5, 6})
	f.Add("f32be@8000", []byte{0x7f, 0xc0, 0, 0})
	f.Fuzz(func(t *testing.T, text string, file []byte) {
		raw, err := ParseRaw(text)
		if err != nil {
			return
		}
		if again, err := ParseRaw(raw.String()); err != nil || *again != *raw {
			t.Fatalf("%q is %v, and then %v, %v", text, raw, again, err)
		}
		pcm, info, err := Limits{Raw: raw}.DecodeBytes(nil, file)
		if err == nil && (int64(len(pcm)) != info.Samples || len(pcm) == 0 || len(pcm) > len(file)) {
			t.Fatalf("%d samples, %+v", len(pcm), info)
		}
	})
}
