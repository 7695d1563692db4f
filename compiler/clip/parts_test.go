package clip

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"voxpack/compiler/intake"
)

// A part of a recording inside a container is cut from the recording, not from
// the container's own bytes.
func TestAPartOfARecordingInAContainer(t *testing.T) {
	file := filepath.Join("..", "..", "testdata", "corpus", "parquet", "parts", "train.parquet")
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	clips, err := NewReader(Config{Rate: 8000}, NewDecoders())
	if err != nil {
		t.Fatal(err)
	}
	for member, name := range map[int]string{1: "long.wav", 3: "other.flac"} {
		read := func(from, length time.Duration) []float32 {
			at := Clip{file: file, name: file + "#" + name, stamp: newStamp(info.Sys().(*syscall.Stat_t)),
				audio: &intake.Audio{Path: filepath.Base(file), Member: member, Inner: name, From: from, Length: length}}
			samples, _, _, err := clips.Read(t.Context(), at)
			if err != nil {
				t.Fatalf("%s from %v: %v", name, from, err)
			}
			return slices.Clone(samples)
		}
		whole, part := read(0, 0), read(50*time.Millisecond, 100*time.Millisecond)
		if len(whole) != 2000 || !slices.Equal(part, whole[400:1200]) {
			t.Errorf("%s: a part of %d samples is not samples 400 to 1,200 of %d", name, len(part), len(whole))
		}
	}
}
