package intake

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestAPipeIsNoFile: whoever opens a pipe waits for its writer, and no signal ends
// that, so metadata that is one is refused unopened.
func TestAPipeIsNoFile(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"list.csv", "x.parquet"} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o666); err != nil {
			t.Skip(err)
		}
	}
	for _, c := range []Corpus{{Metadata: "list.csv"}, {Train: "list.csv"}, {Metadata: "list.csv", Format: "ljspeech"}, {Metadata: "x.parquet"}, {}} {
		for _, file := range []*string{&c.Metadata, &c.Train} {
			if *file != "" {
				*file = filepath.Join(dir, *file)
			}
		}
		c.Dir = dir
		said := make(chan error, 1)
		go func() {
			_, err := Read(c)
			said <- err
		}()
		select {
		case err := <-said:
			if err == nil || !strings.Contains(err.Error(), "it is not a file") {
				t.Errorf("%+v: %v, want that it is not a file", c, err)
			}
		case <-time.After(time.Minute):
			t.Errorf("%+v: Read waits for a writer", c)
		}
	}
}

// TestAKaldiTableThatCannotBeRead: without its segments a data folder has other
// rows, so a table that is there and leads nowhere is not the same as none.
func TestAKaldiTableThatCannotBeRead(t *testing.T) {
	for _, name := range []string{"segments", "utt2spk", "utt2lang"} {
		dir := tree{"wav.scp": "u1 1.wav\n", "text": "u1 A\n"}.write(t, t.TempDir())
		if err := os.Symlink("nowhere", filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		if got := outcome(t, Corpus{Dir: dir})[0]; !strings.Contains(got, name+": a link to nothing, or no file") {
			t.Errorf("%s that is a link to nothing: %s", name, got)
		}
	}
}
