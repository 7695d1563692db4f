package clip

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"voxpack/audio/codec"
	"voxpack/compiler/intake"
)

// TestWhoseFaultAnErrorIs: an error of the system that met a reader is the machine's,
// whatever was made of it; all else is a matter of the bytes.
func TestWhoseFaultAnErrorIs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.wav")
	placeFile(t, path, []byte("some bytes"))
	var st syscall.Stat_t
	if err := syscall.Lstat(path, &st); err != nil {
		t.Fatal(err)
	}
	f, err := openSame(path, newStamp(&st))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var refused *Refusal
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
		file, err := os.ReadFile(filepath.Join("..", "..", "testdata", "audio", name))
		if err != nil {
			t.Fatal(err)
		}
		for left := 0; left < len(file); left += 1 + len(file)/50 {
			r := func() io.ReadSeeker { return &failing{bytes.NewReader(file), left} }
			_, _, err := codec.Decode(nil, r(), int64(len(file)))
			if !errors.Is(err, syscall.EIO) && !(err == nil && left > len(file)-100) {
				t.Errorf("%s, EIO after %d bytes: Decode gives %v", name, left, err)
			}
			if _, err := codec.Probe(r(), int64(len(file))); err != nil && !errors.Is(err, syscall.EIO) {
				t.Errorf("%s, EIO after %d bytes: Probe gives %v", name, left, err)
			}
		}
	}
}
