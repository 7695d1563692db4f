package compiler

import (
	"encoding/binary"
	"fmt"
	"math"
	"path/filepath"
	"testing"
)

// TestFloatsBeyondFullScaleAreCounted: the note says of how many samples, alike in
// a dry run, a build and the next one; so does that of a stream without a length.
func TestFloatsBeyondFullScaleAreCounted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	samples := make([]byte, 4*1500)
	for i := range 1500 {
		v := float32(0.5)
		if i%500 == 0 {
			v = -1.25
		}
		binary.LittleEndian.PutUint32(samples[4*i:], math.Float32bits(v))
	}
	stream := noiseWAV(4, 8000, 1500)
	copy(stream[4:], []byte{0xff, 0xff, 0xff, 0xff})
	copy(stream[40:], []byte{0xff, 0xff, 0xff, 0xff})
	writeFile(t, filepath.Join(dir, "wavs", "loud.wav"), wavFile(3, 1, 8000, 32, samples))
	writeFile(t, filepath.Join(dir, "wavs", "stream.wav"), stream)
	writeFile(t, filepath.Join(dir, "metadata.csv"), []byte("loud|a text\nstream|a text\n"))
	for _, dry := range []bool{true, false, false} {
		r := mustBuild(t, Options{Dataset: dir, Config: smallConfig(), DryRun: dry})
		got := ""
		for _, n := range r.Notes {
			got += fmt.Sprint(n.Kind, " ", n.Count, " ", n.Rows, " ", n.Examples, "; ")
		}
		if want := "open-length 1 1 [stream]; over-full-scale 3 1 [loud]; "; r.Rows.Kept != 2 || got != want {
			t.Errorf("dry %v: rows %+v, notes %s; want %s", dry, r.Rows, got, want)
		}
	}
}
