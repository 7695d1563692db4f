package clip

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"voxpack/audio/codec"
	"voxpack/compiler/intake"
)

// TestAPartIsAStretchOfItsFileInEveryFormat: seconds of a part are samples of the
// file's own rate, before it is resampled; an end up to 0.1 s after the file's is
// the file's end, a later one and a begin at or after it are refused.
func TestAPartIsAStretchOfItsFileInEveryFormat(t *testing.T) {
	for _, name := range []string{"mono16.wav", "stereo16.wav", "mono24.flac", "mono.mp3", "mono.ogg"} {
		b := audioFile(t, name)
		info, err := codec.Probe(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		samples, _, err := bothWays(t, name, b, info.Rate, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		whole := slices.Clone(samples)
		rate := float64(info.Rate)
		file := time.Duration(float64(len(whole)) / rate * float64(time.Second))
		for _, c := range []struct {
			name         string
			from, length time.Duration
			ok           bool
		}{
			{"the head", 0, 100 * time.Millisecond, true},
			{"the middle", 33 * time.Millisecond, 41 * time.Millisecond, true},
			{"to the end", 100 * time.Millisecond, 0, true},
			{"an end just after the file's", 10 * time.Millisecond, file, true},
			{"an end 0.09 s after the file's", 90 * time.Millisecond, file, true},
			{"an end 0.12 s after the file's", 120 * time.Millisecond, file, false},
			{"a begin after the file's end", file + time.Second, time.Second, false},
			{"a begin after the file's end, to its end", file + time.Second, 0, false},
			{"less than a sample", 10 * time.Millisecond, time.Nanosecond, false},
			{"years", time.Second, 100000 * time.Hour, false},
		} {
			got, of, err := bothWays(t, name, b, info.Rate, &intake.Audio{Path: name, From: c.from, Length: c.length})
			if !c.ok {
				var refused *Refusal
				if !errors.As(err, &refused) {
					t.Errorf("%s of %s: %d samples, %v; want a refusal", c.name, name, len(got), err)
				}
				continue
			}
			from, to := int(c.from.Seconds()*rate+0.5), len(whole)
			if c.length > 0 {
				to = min(to, int((c.from+c.length).Seconds()*rate+0.5))
			}
			if err != nil || !slices.Equal(got, whole[from:to]) || of.Samples != int64(to-from) {
				t.Errorf("%s of %s: %d samples (%d told), %v; want samples %d to %d", c.name, name, len(got), of.Samples, err, from, to)
			}
		}
	}
}

// TestAPartIsResampledByItself: it has the length that its own samples come to, and
// a note of its own.
func TestAPartIsResampledByItself(t *testing.T) {
	b := ramp(8000, 2, 8000, 32000)
	for _, c := range []struct {
		length time.Duration
		want   int
	}{{0, 16000 - 1600}, {250 * time.Millisecond, 4000}, {time.Second / 8000, 2}} {
		got, info, err := bothWays(t, "a.wav", b, 16000, &intake.Audio{From: 100 * time.Millisecond, Length: c.length})
		if err != nil || len(got) != c.want || info.Rate != 8000 || info.Channels != 2 {
			t.Errorf("%v from 0.1 s on: %d samples of %+v, %v; want %d", c.length, len(got), info, err, c.want)
		}
	}
}

// TestAMemberThatIsNotThereIsRefusedAlone: it is no fault of the machine, and none of
// the members that are there.
func TestAMemberThatIsNotThereIsRefusedAlone(t *testing.T) {
	file := filepath.Join("..", "..", "testdata", "corpus", "parquet", "parts", "train.parquet")
	r := newTestReader(t, 8000)
	read := func(member int) error {
		_, _, _, err := r.Read(t.Context(), lookAt(t, file, &intake.Audio{Path: "train.parquet", Member: member, Inner: "long.wav"}))
		return err
	}
	for _, member := range []int{1, 1 << 20, 1, -5, 1} {
		if err := read(member); (member == 1) != (err == nil) || intake.IsMachine(err) {
			t.Errorf("member %d: %v", member, err)
		}
	}
}

// TestTheDigestOfAMemberIsOfItsBytes: it is the same wherever they lie, and another
// for another member of the file.
func TestTheDigestOfAMemberIsOfItsBytes(t *testing.T) {
	file := filepath.Join("..", "..", "testdata", "corpus", "parquet", "parts", "train.parquet")
	r := newTestReader(t, 8000)
	digest := func(a *intake.Audio) [32]byte {
		d, err := r.Hash(lookAt(t, file, a))
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	first := digest(&intake.Audio{Member: 1, Inner: "long.wav"})
	if part := digest(&intake.Audio{Member: 1, Inner: "x.wav", From: 5, Length: 50}); part != first {
		t.Error("a part and another name have another digest than the member")
	}
	if digest(&intake.Audio{Member: 3, Inner: "other.flac"}) == first || digest(nil) == first {
		t.Error("another member, or the container, has the digest of the first")
	}
}
