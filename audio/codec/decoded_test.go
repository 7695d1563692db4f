package codec

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"voxpack/audio/internal/audiotest"
)

// TestGoldenDecoders holds what comes out of every kept file to a digest beside it, the same bits on every machine, and a
// new version where they change.
func TestGoldenDecoders(t *testing.T) {
	g := audiotest.ReadDigests(t, filepath.Join(encodedDir, "DECODED"))
	for _, name := range []string{"mono16.flac", "stereo16.flac", "mono24.flac", "stereo24.flac", "mono.mp3", "vbr.mp3", "high.mp3", "untagged.mp3", "low.mp3", "wide.mp3", "mixed.mp3", "mono.ogg", "stereo.ogg", "high.ogg", "mono.opus", "silk.opus", "stereo.opus", "mono.m4a", "stereo.m4a", "high.aac"} {
		if strings.HasSuffix(name, ".opus") && opusKey() != opusVersion && os.Getenv("VOXPACK_SAMEBITS") == "" {
			t.Logf("%s: this build's Opus decoder gives other bits, and has another version (%s)", name, opusKey())
			continue
		}
		file := readEncoded(t, name)
		pcm, info, err := Limits{}.DecodeBytes(nil, file)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		format, ok := FormatByName(info.Format)
		if !ok {
			t.Fatalf("%s: no format %q", name, info.Format)
		}
		g.Check(t, format.Version, name, pcm)
	}
}
