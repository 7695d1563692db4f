package codec

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"voxpack/audio/internal/audiotest"
)

const goldenDir = "../../testdata/golden/mel"

func decodeFile(t testing.TB, path string) ([]float32, Info) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	pcm, info, err := Decode(nil, bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return pcm, info
}

// TestGoldenDecodes holds what is read of WAV files to the kept digests.
func TestGoldenDecodes(t *testing.T) {
	g := audiotest.ReadDigests(t, filepath.Join(goldenDir, "digests.txt"))
	mixed, _ := decodeFile(t, filepath.Join(goldenDir, "mixed.wav"))
	g.Check(t, DecodeVersion, "mixed", mixed)
	var raw []byte
	for i := range 36_000 {
		raw = append(raw, byte(i*i>>3))
	}
	for _, bits := range []int{8, 16, 24, 32} {
		for _, channels := range []int{1, 2, 3} {
			b := wavFile{bits: bits, channels: channels, data: raw}.bytes()
			pcm, _, err := Decode(nil, bytes.NewReader(b), int64(len(b)))
			if err != nil {
				t.Fatal(err)
			}
			g.Check(t, DecodeVersion, fmt.Sprintf("%d-bits-%d-channels", bits, channels), pcm)
		}
	}
}
