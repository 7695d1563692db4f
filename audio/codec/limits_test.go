package codec

import (
	"errors"
	"math"
	"testing"
	"time"
)

// TestLimitsCountSamples: a limit is a time at the file's own rate, but no rate above that of any recording takes more memory.
func TestLimitsCountSamples(t *testing.T) {
	for _, c := range []struct {
		clip time.Duration
		rate int
		want int64
	}{
		{0, 22050, 30 * 60 * 22050}, {time.Second, 8000, 8000}, {1500 * time.Millisecond, 44100, 66150}, {time.Hour, 96000, 345_600_000},
		{time.Millisecond, 1000, 1}, {time.Second, 192_000, 192_000}, {time.Second, 192_001, 192_000}, {time.Second, MaxRate, 192_000},
		{0, MaxRate, 30 * 60 * 192_000}, {0, math.MaxInt, 30 * 60 * 192_000}, {100 * 365 * 24 * time.Hour, MaxRate, 100 * 365 * 86_400 * 192_000},
	} {
		l := Limits{MaxClip: c.clip}
		if got := l.Samples(c.rate); got != c.want {
			t.Errorf("%v at %d samples a second: %d samples, want %d", c.clip, c.rate, got, c.want)
		}
		if err := l.Check("WAV", c.want, c.rate); err != nil {
			t.Errorf("%v at %d samples a second: %v", c.clip, c.rate, err)
		}
		if err := l.Check("WAV", c.want+1, c.rate); !errors.Is(err, ErrTooLong) {
			t.Errorf("a sample more than %v at %d samples a second: %v, want ErrTooLong", c.clip, c.rate, err)
		}
	}
}

// TestNoHeaderRaisesTheLimit: a damaged rate makes the same samples a shorter clip, which does not let more of them in.
func TestNoHeaderRaisesTheLimit(t *testing.T) {
	limit := Limits{MaxClip: 100 * time.Millisecond}
	for _, c := range []struct {
		name string
		file func(rate, samples int) []byte
	}{
		{"WAV", func(rate, samples int) []byte { return wavFile{rate: rate, data: make([]byte, 2*samples)}.bytes() }},
		{"FLAC", func(rate, samples int) []byte {
			return flacFile(rate, 1, 16, 0, flacHead{}.frame(samples, constant(1, 16)))
		}},
	} {
		for _, rate := range []int{192_000, 384_000, MaxRate} {
			if _, info, err := limit.DecodeBytes(nil, c.file(rate, 19_200)); err != nil || info.Samples != 19_200 {
				t.Errorf("%s at %d samples a second, within the limit: %+v, %v", c.name, rate, info, err)
			}
			if pcm, _, err := limit.DecodeBytes(nil, c.file(rate, 19_201)); !errors.Is(err, ErrTooLong) {
				t.Errorf("%s at %d samples a second, over the limit: %d samples, %v", c.name, rate, len(pcm), err)
			}
		}
	}
}
