package settings

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"voxpack/audio"
	"voxpack/audio/codec"
	"voxpack/audio/resample"
	"voxpack/compiler"
	"voxpack/compiler/intake"
	"voxpack/internal/config"
)

// ofPreset is what a build takes of a config that has the given presets and nothing else.
func ofPreset(t *testing.T, names string) compiler.Config {
	t.Helper()
	c, problems := config.Load("config.yaml", []byte("data:\n  preset: ["+names+"]\n"), intake.FormatNames())
	compile, problems := translate(c, problems)
	if len(problems) > 0 {
		t.Fatalf("preset %s: %v", names, problems)
	}
	return compile
}

func TestEveryPresetMakesFrames(t *testing.T) {
	for _, name := range config.PresetNames() {
		c := ofPreset(t, name)
		m, err := audio.NewMel(c.Mel)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, err := audio.NewProcessor(c.Process, c.SampleRate); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if m.Frames(int64(c.SampleRate)) < 20 {
			t.Errorf("%s: %d frames of a second", name, m.Frames(int64(c.SampleRate)))
		}
	}
}

// TestWriteMelsOfPresets writes what testdata/preset_peers.py compares: for each line of presets.txt in a folder, which names
// presets, the mels of the clips that clips.txt there lists, in either precision, one clip after the other, with a list of samples,
// frames, gain in dB and by how much it was held back; and the samples that the mels are made of, before processing and after it. Numbers are little-endian float32.
func TestWriteMelsOfPresets(t *testing.T) {
	folder := os.Getenv("VOXPACK_WRITE_PRESETS")
	if folder == "" {
		t.Skip("VOXPACK_WRITE_PRESETS is not set: testdata/preset_peers.py sets it")
	}
	lines := func(name string) []string {
		b, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSpace(string(b)), "\n")
	}
	var clips [][]float32
	var rates []int
	for _, path := range lines("clips.txt") {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		pcm, info, err := codec.Decode(nil, bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		clips, rates = append(clips, pcm), append(rates, info.Rate)
	}
	for _, names := range lines("presets.txt") {
		t.Run(names, func(t *testing.T) {
			c := ofPreset(t, names)
			write := func(of string, values []float32) {
				b := make([]byte, 4*len(values))
				audio.PutFloat32(b, values)
				if err := os.WriteFile(filepath.Join(folder, names+"."+of), b, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			p, err := audio.NewProcessor(c.Process, c.SampleRate)
			if err != nil {
				t.Fatal(err)
			}
			var before, after, fast, exact []float32
			var counts strings.Builder
			for i, pcm := range clips {
				r, err := resample.New(rates[i], c.SampleRate)
				if err != nil {
					t.Fatal(err)
				}
				pcm = r.Resample(nil, pcm)
				before = append(before, pcm...)
				var done audio.Processed
				if c.Process.On() {
					if pcm, done, err = p.Apply(pcm); err != nil {
						t.Fatal(err)
					}
				}
				after = append(after, pcm...)
				frames := 0
				for _, c.Mel.Precision = range []string{audio.Float32Precision, audio.Float64Precision} {
					m, err := audio.NewMel(c.Mel)
					if err != nil {
						t.Fatal(err)
					}
					frames = m.Frames(int64(len(pcm)))
					mel := make([]float32, frames*m.Width())
					m.Compute(mel, pcm)
					if c.Mel.Precision == audio.Float32Precision {
						fast = append(fast, mel...)
					} else {
						exact = append(exact, mel...)
					}
				}
				fmt.Fprintln(&counts, len(pcm), frames, done.GainDB, done.HeldBackDB)
			}
			write("before", before)
			write("after", after)
			write("f32", fast)
			write("f64", exact)
			if err := os.WriteFile(filepath.Join(folder, names+".counts"), []byte(counts.String()), 0o666); err != nil {
				t.Fatal(err)
			}
		})
	}
}
