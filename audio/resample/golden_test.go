package resample

import (
	"fmt"
	"path/filepath"
	"testing"

	"os"
	"voxpack/audio/codec"
	"voxpack/audio/internal/audiotest"
)

// TestGoldenResample holds resampled clips, and the tables apart, to the kept digests.
func TestGoldenResample(t *testing.T) {
	dir := filepath.Join("..", "..", "testdata", "golden", "mel")
	g := audiotest.ReadDigests(t, filepath.Join(dir, "digests.txt"))
	file, err := os.ReadFile(filepath.Join(dir, "mixed.wav"))
	if err != nil {
		t.Fatal(err)
	}
	mixed, _, err := codec.Limits{}.DecodeBytes(nil, file)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pairsOfRates() {
		r, err := New(p[0], p[1])
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("%d-%d", p[0], p[1])
		g.Check(t, Version, name, r.Resample(nil, mixed[:20_000]))
		// Tables apart here too.
		g.Check(t, Version, name+"/response", r.sharp.response)
		if r.broad != nil {
			g.Check(t, Version, name+"/rows", r.broad.rows)
		}
	}
}
