package show

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/go-audio/wav"

	"voxpack/audio"
)

// TestSoundIsAWAVFile: another reader finds the samples in it.
func TestSoundIsAWAVFile(t *testing.T) {
	w := sound{rate: 16000}
	w.take([]float32{0.5, -1, 0, 0.25, 1})
	var file bytes.Buffer
	if err := w.encode(&file); err != nil {
		t.Fatal(err)
	}
	d := wav.NewDecoder(bytes.NewReader(file.Bytes()))
	got, err := d.FullPCMBuffer()
	if err != nil || d.SampleRate != 16000 || d.NumChans != 1 || d.BitDepth != 16 || !slices.Equal(got.Data, []int{16384, -32768, 0, 8192, 32767}) {
		t.Errorf("go-audio reads %v, %+v, %v", d, got, err)
	}
}

// TestSoundOverFullScale: all of it is made quieter alike, nothing is cut.
func TestSoundOverFullScale(t *testing.T) {
	var w sound
	w.take([]float32{1, -2, 0.5})
	got := make([]float32, 3)
	audio.Int16(got, w.bytes)
	if got[0] != 0.5 || got[1] != -1 || got[2] != 0.25 || len(w.notes) != 1 || !strings.Contains(w.notes[0], "2.00 times full scale, so all of it was made quieter by 6.0 dB") {
		t.Errorf("samples %v, notes %q", got, w.notes)
	}
	var quiet sound
	if quiet.take([]float32{0.5, -1}); len(quiet.notes) != 0 {
		t.Errorf("notes of a sound within full scale: %q", quiet.notes)
	}
}
