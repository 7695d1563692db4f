package codec

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestAPartIsTheStretchOfTheWhole: in every format the samples of a part are those of the whole file from its first one on, whatever
// is read to find them, and probing tells as much as decoding.
func TestAPartIsTheStretchOfTheWhole(t *testing.T) {
	for _, name := range []string{"mono16.wav", "stereo24.wav", "mono16.flac", "stereo24.flac", "mono.mp3", "vbr.mp3", "mono.ogg", "high.ogg"} {
		file := readEncoded(t, name)
		whole, info, err := Limits{}.DecodeBytes(nil, file)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, part := range []Part{{}, {From: 100 * time.Millisecond}, {Length: 50 * time.Millisecond}, {From: 123_456_789, Length: 98_765_432},
			{From: 399 * time.Millisecond, Length: time.Millisecond}, {From: 300 * time.Millisecond, Length: 150 * time.Millisecond}} {
			at := func(d time.Duration) int { return int((int64(d)*int64(info.Rate) + 5e8) / 1e9) }
			first, end := at(part.From), len(whole)
			if part.Length > 0 {
				end = min(at(part.From+part.Length), len(whole))
			}
			want := info
			want.Samples = int64(end - first)
			got, gotInfo, err := Limits{}.DecodePart(nil, bytes.NewReader(file), int64(len(file)), part)
			if err != nil || gotInfo != want || !slices.Equal(got, whole[first:end]) {
				t.Errorf("%s, %+v: %d samples, %+v, %v; want %d to %d of the whole", name, part, len(got), gotInfo, err, first, end)
			}
			if probed, err := (Limits{}).ProbePart(bytes.NewReader(file), int64(len(file)), part); err != nil || probed != want {
				t.Errorf("%s, %+v: ProbePart = %+v, %v; want %+v", name, part, probed, err, want)
			}
		}
	}
}

// TestAPartThatCannotBe: the file has 0.4 s.
func TestAPartThatCannotBe(t *testing.T) {
	for _, name := range []string{"mono16.wav", "mono16.flac"} {
		file := readEncoded(t, name)
		for _, c := range []struct {
			part Part
			l    Limits
			kind error
			want string
		}{
			{Part{From: -1}, Limits{}, ErrHeader, "cannot be"},
			{Part{Length: -1}, Limits{}, ErrHeader, "cannot be"},
			{Part{From: 1 << 62}, Limits{}, ErrHeader, "cannot be"},
			{Part{From: time.Second}, Limits{}, ErrEmpty, "the part begins at 1s, the file has 400ms"},
			{Part{From: 100 * time.Millisecond, Length: time.Second}, Limits{}, ErrHeader, "the part ends at 1.1s, the file has 400ms"},
			{Part{Length: time.Nanosecond}, Limits{}, ErrEmpty, "holds no sample"},
			{Part{Length: 300 * time.Millisecond}, Limits{MaxClip: 200 * time.Millisecond}, ErrTooLong, "max_clip_minutes"},
		} {
			pcm, _, err := c.l.DecodePart(nil, bytes.NewReader(file), int64(len(file)), c.part)
			_, probeErr := c.l.ProbePart(bytes.NewReader(file), int64(len(file)), c.part)
			if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) || probeErr == nil || probeErr.Error() != err.Error() {
				t.Errorf("%s, %+v: %d samples, %v, probed %v; want %q of kind %q", name, c.part, len(pcm), err, probeErr, c.want, c.kind)
			}
		}
		// A part that ends a little after the file is cut off there; manifests round.
		if _, info, err := (Limits{}).DecodePart(nil, bytes.NewReader(file), int64(len(file)), Part{Length: 500 * time.Millisecond}); err != nil || info.Samples != 8820 {
			t.Errorf("%s: a part that ends 0.1 s after the file: %+v, %v; want all of it", name, info, err)
		}
	}
	// Of a long WAV file only the part counts for the limit.
	long := wavFile{data: make([]byte, 2*22050)}.bytes()
	if _, info, err := (Limits{MaxClip: 100 * time.Millisecond}).DecodePart(nil, bytes.NewReader(long), int64(len(long)), Part{From: 500 * time.Millisecond, Length: 100 * time.Millisecond}); err != nil || info.Samples != 2205 {
		t.Errorf("a part of 0.1 s of a longer file: %+v, %v", info, err)
	}
}
