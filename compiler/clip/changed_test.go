package clip

import (
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"voxpack/compiler/intake"
)

// wavOf is a WAV file of 16-bit samples with data bytes to come.
func wavOf(rate, channels, data int) []byte {
	b := append([]byte("RIFF"), 0, 0, 0, 0)
	binary.LittleEndian.PutUint32(b[4:], uint32(36+data))
	b = append(b, "WAVEfmt \x10\x00\x00\x00\x01\x00"...)
	b = binary.LittleEndian.AppendUint16(b, uint16(channels))
	b = binary.LittleEndian.AppendUint32(b, uint32(rate))
	b = binary.LittleEndian.AppendUint32(b, uint32(rate*channels*2))
	b = binary.LittleEndian.AppendUint16(b, uint16(channels*2))
	b = append(b, "\x10\x00data"...)
	return binary.LittleEndian.AppendUint32(b, uint32(data))
}

// lookAt is a file as a row that was found has it.
func lookAt(t *testing.T, file string, a *intake.Audio) Clip {
	t.Helper()
	var st syscall.Stat_t
	if err := syscall.Lstat(file, &st); err != nil {
		t.Fatal(err)
	}
	return Clip{file: file, name: filepath.Base(file), stamp: newStamp(&st), audio: a}
}

func newTestReader(t *testing.T, rate int) *Reader {
	t.Helper()
	clips, err := NewReader(Config{Rate: rate}, NewDecoders())
	if err != nil {
		t.Fatal(err)
	}
	return clips
}

// edits are what may happen to a file after it was looked at. Each gives it
// another stamp: a write within one tick of the kernel's clock may leave the
// times as they were, so another time is set.
var edits = map[string]func(file string) error{
	"longer":        func(file string) error { return os.Truncate(file, 5000) },
	"shorter":       func(file string) error { return os.Truncate(file, 3000) },
	"gone":          os.Remove,
	"another time":  func(file string) error { return os.Chtimes(file, time.Time{}, time.Unix(1e9, 7)) },
	"another inode": replaced,
}

// replaced puts a file of the same bytes and times in a file's place.
func replaced(file string) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	b, err := os.ReadFile(file)
	return errors.Join(err, os.WriteFile(file+"~", b, 0o666), os.Chtimes(file+"~", time.Time{}, info.ModTime()), os.Rename(file+"~", file))
}

// TestAFileThatChangesIsNeverTakenForWhatItWas: whatever happened to a file after
// it was looked at, every way of reading it says ErrChanged and gives nothing;
// before, every way reads it.
func TestAFileThatChangesIsNeverTakenForWhatItWas(t *testing.T) {
	uses := map[string]func(*Reader, Clip) error{
		"digest":         func(c *Reader, at Clip) error { _, err := c.Hash(at); return err },
		"samples":        func(c *Reader, at Clip) error { _, _, _, err := c.Read(t.Context(), at); return err },
		"stored samples": func(c *Reader, at Clip) error { _, _, _, err := c.ReadStored(t.Context(), at); return err },
		"header":         func(c *Reader, at Clip) error { _, err := c.Probe(t.Context(), at); return err },
		"part": func(c *Reader, at Clip) error {
			at.audio = &intake.Audio{From: time.Millisecond, Length: 50 * time.Millisecond}
			_, _, _, err := c.Read(t.Context(), at)
			return err
		},
		"header of a part": func(c *Reader, at Clip) error {
			at.audio = &intake.Audio{From: time.Millisecond, Length: 50 * time.Millisecond}
			_, err := c.Probe(t.Context(), at)
			return err
		},
		"digest after ffmpeg": func(_ *Reader, at Clip) error { return at.unchanged(wavOf(8000, 1, 4000-44)) },
	}
	for what, edit := range edits {
		for use, do := range uses {
			file := filepath.Join(t.TempDir(), "a.wav")
			placeFile(t, file, wavOf(8000, 1, 4000-44))
			if err := os.Truncate(file, 4000); err != nil {
				t.Fatal(err)
			}
			at, clips := lookAt(t, file, nil), newTestReader(t, 8000)
			if err := do(clips, at); use != "digest after ffmpeg" && err != nil {
				t.Fatalf("%s of a file as it was: %v", use, err)
			}
			if err := edit(file); err != nil {
				t.Fatal(err)
			}
			if err := do(clips, at); !errors.Is(err, ErrChanged) {
				t.Errorf("%s of a file that is %s: %v, want ErrChanged", use, what, err)
			}
		}
	}
}

// TestAChangeWhileAFileIsReadIsNoFaultOfItsBytes: what a decoder says of a file
// that was cut or written to under it is not the file's.
func TestAChangeWhileAFileIsReadIsNoFaultOfItsBytes(t *testing.T) {
	for what, edit := range edits {
		file := filepath.Join(t.TempDir(), "a.wav")
		placeFile(t, file, make([]byte, 4000))
		f, err := openSame(file, lookAt(t, file, nil).stamp)
		if err != nil {
			t.Fatal(err)
		}
		if err := edit(file); err != nil {
			t.Fatal(err)
		}
		_, read := io.Copy(io.Discard, f)
		err = f.judge(errors.Join(read, errors.New("bad header")))
		// Taking away a file's name changes its ctime, so one that is gone or
		// replaced is another too, though its bytes are still there.
		var refused *Refusal
		if !errors.Is(err, ErrChanged) || errors.As(err, &refused) {
			t.Errorf("a file that is %s while it is read: %v, want ErrChanged", what, err)
		}
		f.Close()
	}
}

// TestPartsOfWAVAreSlicesOfTheWhole: at random moments, odd and even, in one and
// two channels, a part that is read alone has the bits of the same samples of the
// whole, and the header tells its length.
func TestPartsOfWAVAreSlicesOfTheWhole(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct{ rate, channels int }{{8000, 1}, {11025, 2}, {22050, 1}, {48000, 2}} {
		const seconds = 2
		b := wavOf(c.rate, c.channels, seconds*c.rate*c.channels*2)
		for range seconds * c.rate * c.channels {
			b = binary.LittleEndian.AppendUint16(b, uint16(r.Uint32()))
		}
		file := filepath.Join(t.TempDir(), "long.wav")
		placeFile(t, file, b)
		clips := newTestReader(t, c.rate)
		samples, _, _, err := clips.Read(t.Context(), lookAt(t, file, nil))
		if err != nil || len(samples) != seconds*c.rate {
			t.Fatalf("%+v: %d samples, %v", c, len(samples), err)
		}
		whole := slices.Clone(samples)
		nearest := func(d time.Duration) int { return int(d.Seconds()*float64(c.rate) + 0.5) }
		for range 100 {
			from := time.Duration(r.Int64N(int64(1900 * time.Millisecond)))
			length := time.Millisecond + time.Duration(r.Int64N(int64(seconds*time.Second-from)))
			if r.IntN(8) == 0 {
				length = 0 // to the end
			}
			at := lookAt(t, file, &intake.Audio{Path: "long.wav", From: from, Length: length})
			end := len(whole)
			if length > 0 {
				end = min(end, nearest(from+length))
			}
			want := whole[nearest(from):end]
			got, info, _, err := clips.Read(t.Context(), at)
			if err != nil || !slices.Equal(got, want) || info.Samples != int64(len(want)) {
				t.Fatalf("%+v from %v for %v: %d samples (%d told), %v; want samples %d to %d of the whole",
					c, from, length, len(got), info.Samples, err, nearest(from), end)
			}
			p, err := clips.Probe(t.Context(), at)
			if err != nil || p.Samples != int64(len(want)) || p.Whole {
				t.Fatalf("%+v from %v for %v: the header tells %d samples, %v; want %d", c, from, length, p.Samples, err, len(want))
			}
		}
	}
}

// TestHoursInOneFileTakeNoMemory: a part of a file, its header and the digest of
// a file are read through buffers of a fixed size. The files are holes; 64 MiB are
// enough for the digest, which reads all of them.
func TestHoursInOneFileTakeNoMemory(t *testing.T) {
	const size = 512 << 20
	dir := t.TempDir()
	long, short := filepath.Join(dir, "long.wav"), filepath.Join(dir, "short.wav")
	placeFile(t, long, wavOf(22050, 1, size))
	placeFile(t, short, nil)
	if err := errors.Join(os.Truncate(long, 44+size), os.Truncate(short, 64<<20)); err != nil {
		t.Fatal(err)
	}
	clips, last := newTestReader(t, 22050), &intake.Audio{From: 3 * time.Hour, Length: time.Second}
	part, hashed := lookAt(t, long, last), lookAt(t, short, nil)
	for what, do := range map[string]func() error{
		"a part":          func() error { _, _, _, err := clips.Read(t.Context(), part); return err },
		"a part's header": func() error { _, err := clips.Probe(t.Context(), part); return err },
		"a digest":        func() error { _, err := clips.Hash(hashed); return err },
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := do(); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 2<<20 {
			t.Errorf("%s of a file of %d MiB took %d bytes", what, size>>20, used)
		}
	}
}
