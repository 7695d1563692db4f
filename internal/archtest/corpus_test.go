package archtest

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io/fs"
	"strings"
	"testing"
)

// TestCorpus: the bundled corpora are the ones that make.sh made, row for row,
// and still hold what the scripts and the demo count on.
func TestCorpus(t *testing.T) {
	fsys, err := fs.Sub(repository(), "testdata/corpus")
	if err != nil {
		t.Fatal(err)
	}
	sums := read(t, fsys, "SHA256SUMS")
	tests := []struct {
		language string
		columns  int
		holds    []string // in metadata.csv
	}{
		{"en", 3, []string{"42 ships", "forty-two ships", `|"Yes,"`, "stone bridge"}},
		{"fa", 5, []string{"\u200c", "۲۵", "بیست و پنج", "«", "»", "|sara|fa\n", "|omid|fa\n"}},
	}
	files := 0
	for _, tt := range tests {
		metadata := read(t, fsys, tt.language+"/metadata.csv")
		for _, piece := range tt.holds {
			if !strings.Contains(metadata, piece) {
				t.Errorf("%s/metadata.csv has no %q", tt.language, piece)
			}
		}
		for line := range strings.Lines(metadata) {
			columns := strings.Split(strings.TrimSuffix(line, "\n"), "|")
			if len(columns) != tt.columns {
				t.Errorf("%s/metadata.csv: %d columns in %q, want %d", tt.language, len(columns), line, tt.columns)
			}
			files++
			name := tt.language + "/wavs/" + columns[0] + ".wav"
			checkClip(t, name, read(t, fsys, name), sums)
		}
	}
	if listed := strings.Count(sums, "\n"); listed != files || files != 20 {
		t.Errorf("%d rows and %d sums, want 20 of each", files, listed)
	}
}

// checkClip: the canonical header of 44 bytes, 0.6 to 3 s, the listed digest.
func checkClip(t *testing.T, name, wav, sums string) {
	t.Helper()
	digest := sha256.Sum256([]byte(wav))
	if line := fmt.Sprintf("%s  %s\n", hex.EncodeToString(digest[:]), name); !strings.Contains(sums, line) {
		t.Errorf("%s: its SHA-256 is not in SHA256SUMS", name)
	}
	if len(wav) < 44 {
		t.Fatalf("%s: %d bytes", name, len(wav))
	}
	h := []byte(wav[:44])
	channels, bits := binary.LittleEndian.Uint16(h[22:]), binary.LittleEndian.Uint16(h[34:])
	rate, data := binary.LittleEndian.Uint32(h[24:]), binary.LittleEndian.Uint32(h[40:])
	if channels != 1 || bits != 16 || rate != 22050 || int(data) != len(wav)-44 {
		t.Errorf("%s: %d channels, %d bits, %d Hz, %d bytes of %d", name, channels, bits, rate, data, len(wav)-44)
	}
	if seconds := float64(data) / (2 * 22050); seconds < 0.6 || seconds > 3 {
		t.Errorf("%s: %.2f s, want 0.6 to 3", name, seconds)
	}
}

func read(t *testing.T, fsys fs.FS, name string) string {
	t.Helper()
	content, err := fs.ReadFile(fsys, name)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
