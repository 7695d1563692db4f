package compiler

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"voxpack/audio"
	"voxpack/compiler/intake"
	"voxpack/store"
)

// TestRefusalsOfOlderStoresAreAskedForAnew: before refusals had a key of their own, an
// error of a disk could stand under that of a recording for ever.
func TestRefusalsOfOlderStoresAreAskedForAnew(t *testing.T) {
	c := smallCorpus(t, 3)
	o := Options{Dataset: c.dir, Config: smallConfig()}
	mustBuild(t, o)
	clip := noiseWAV(77, 8000, 1200)
	c.rows = append(c.rows, line{id: "late", text: "some text", given: "some text"})
	c.write(t)
	writeFile(t, filepath.Join(c.dir, "wavs", "late.wav"), clip)
	key := newKeyer(o.withDefaults().Config).audio(&store.OriginRow{Audio: store.Sum(clip)}, "")
	cache, err := store.OpenCache(filepath.Join(c.dir, StoreName))
	if err != nil {
		t.Fatal(err)
	}
	old := store.Pair{Key: memoKey(key), Value: encodeResult(result{Refused: "WAV header: input/output error"})}
	if err := errors.Join(cache.Put(old), cache.Close()); err != nil {
		t.Fatal(err)
	}
	if r := mustBuild(t, o); r.Rows.Kept != 4 {
		t.Errorf("kept %d rows, want the healed one too: %v", r.Rows.Kept, r.Rejections)
	}
}

// TestARefusalIsRememberedUntilItIsAskedForAnew: a bad recording is looked at once; with
// --rehash, and when its cache is gone, again.
func TestARefusalIsRememberedUntilItIsAskedForAnew(t *testing.T) {
	c := smallCorpus(t, 3)
	bad := bytes.Clone(noiseWAV(5, 8000, 1200))
	copy(bad[8:], "NOPE")
	writeFile(t, filepath.Join(c.dir, "wavs", c.rows[1].id+".wav"), bad)
	o := Options{Dataset: c.dir, Config: smallConfig()}
	first := mustBuild(t, o)
	looked := func(step string, o Options, want int) {
		t.Helper()
		r := mustBuild(t, o)
		if got := r.Stages[stageAudio].Run; got != want || r.Rows.Rejected != 1 || r.Dataset != first.Dataset {
			t.Errorf("%s: the audio stage ran %d times, want %d; %d rejected", step, got, want, r.Rows.Rejected)
		}
	}
	looked("the next build", o, 0)
	again := o
	again.Rehash = true
	looked("--rehash", again, 1)
	if err := os.RemoveAll(filepath.Join(c.dir, StoreName, "cache")); err != nil {
		t.Fatal(err)
	}
	looked("without a cache", o, 1)
	looked("and after it", o, 0)
}

// TestWhoseFaultAnErrorIs: an error of the system that met a reader is the machine's,
// whatever was made of it; all else is a matter of the bytes.
func TestWhoseFaultAnErrorIs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.wav")
	writeFile(t, path, noiseWAV(1, 8000, 400))
	var st syscall.Stat_t
	if err := syscall.Lstat(path, &st); err != nil {
		t.Fatal(err)
	}
	f, err := openSame(path, newStamp(&st))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var refused *refusal
	if err := f.judge(errors.New("bad header")); !errors.As(err, &refused) {
		t.Errorf("a bad header is %v, want a refusal", err)
	}
	f.note(&os.PathError{Op: "read", Path: path, Err: syscall.EIO})
	if err := f.judge(errors.New("bad header")); !intake.IsMachine(err) || errors.As(err, &refused) {
		t.Errorf("a bad header after EIO is %v, want the machine's", err)
	}
	for errno, machine := range map[syscall.Errno]bool{syscall.EIO: true, syscall.ESTALE: true, syscall.EMFILE: true, syscall.ENFILE: true,
		syscall.ENOMEM: true, syscall.EACCES: true, syscall.ENOSPC: true, syscall.ETIMEDOUT: true, syscall.ENOENT: false, syscall.ENOTDIR: false, syscall.ENAMETOOLONG: false, syscall.ELOOP: false} {
		err := fmt.Errorf("wavs/a.wav: %w", &os.PathError{Op: "open", Path: path, Err: errno})
		if got := intake.IsMachine(err); got != machine {
			t.Errorf("%v: of the machine: %v, want %v", errno, got, machine)
		}
	}
}

// failing gives the bytes of a file up to one, and then an error of the disk.
type failing struct {
	*bytes.Reader
	left int
}

func (f *failing) Read(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, syscall.EIO
	}
	return f.Reader.Read(b)
}

// TestDecodersHandOnWhatTheDiskSays: no decoder makes an error of a format out of one of
// the disk, wherever it comes.
func TestDecodersHandOnWhatTheDiskSays(t *testing.T) {
	for _, name := range []string{"mono16.wav", "mono24.flac", "mono.mp3", "mono.ogg"} {
		file, err := os.ReadFile(filepath.Join("..", "testdata", "audio", name))
		if err != nil {
			t.Fatal(err)
		}
		for left := 0; left < len(file); left += 1 + len(file)/50 {
			r := func() io.ReadSeeker { return &failing{bytes.NewReader(file), left} }
			_, _, err := audio.Decode(nil, r(), int64(len(file)))
			if !errors.Is(err, syscall.EIO) && !(err == nil && left > len(file)-100) {
				t.Errorf("%s, EIO after %d bytes: Decode gives %v", name, left, err)
			}
			if _, err := audio.Probe(r(), int64(len(file))); err != nil && !errors.Is(err, syscall.EIO) {
				t.Errorf("%s, EIO after %d bytes: Probe gives %v", name, left, err)
			}
		}
	}
}

// TestADiskThatFailsUnderTheMetadataStopsTheBuild reads a file that gives EIO: the memory
// of this process at address 0.
func TestADiskThatFailsUnderTheMetadataStopsTheBuild(t *testing.T) {
	if _, err := os.ReadFile("/proc/self/mem"); !errors.Is(err, syscall.EIO) {
		t.Skipf("no file here gives EIO: %v", err)
	}
	dir := t.TempDir()
	if err := os.Symlink("/proc/self/mem", filepath.Join(dir, "metadata.csv")); err != nil {
		t.Fatal(err)
	}
	if _, err := Build(t.Context(), Options{Dataset: dir, Config: smallConfig()}); !intake.IsMachine(err) || !strings.HasPrefix(err.Error(), "metadata.csv: input/output error; ") {
		t.Errorf("built: %v; want a stop", err)
	}
	if _, err := os.Stat(filepath.Join(dir, StoreName)); err == nil {
		t.Error("a store was made")
	}
}
