package audio

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDecodedBits holds what comes out of every kept file to a digest beside it, "version file digest" a line: the same bits on
// every machine, and a new version where they change. -update adds digests of versions that have none.
func TestDecodedBits(t *testing.T) {
	kept := filepath.Join(encodedDir, "DECODED")
	b, err := os.ReadFile(kept)
	if err != nil && !*update {
		t.Fatal(err)
	}
	want := map[string]string{}
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) == 3 {
			want[f[0]+" "+f[1]] = f[2]
		}
	}
	var added []byte
	for _, name := range []string{"mono16.flac", "stereo16.flac", "mono24.flac", "stereo24.flac", "mono.mp3", "vbr.mp3", "high.mp3", "untagged.mp3", "low.mp3", "wide.mp3", "mixed.mp3", "mono.ogg", "stereo.ogg", "high.ogg"} {
		file := readEncoded(t, name)
		pcm, info, err := Limits{}.DecodeBytes(nil, file)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var raw bytes.Buffer
		if err := binary.Write(&raw, binary.LittleEndian, pcm); err != nil {
			t.Fatal(err)
		}
		format, ok := FormatByName(info.Format)
		if !ok {
			t.Fatalf("%s: no format %q", name, info.Format)
		}
		key, got := format.Version+" "+name, fmt.Sprintf("%x", sha256.Sum256(raw.Bytes()))
		switch want[key] {
		case got:
		case "":
			if *update {
				added = fmt.Appendf(added, "%s %s\n", key, got)
			} else {
				t.Errorf("no digest for %s: run go test ./audio -run DecodedBits -update", key)
			}
		default:
			t.Errorf("%s: digest %s, want %s: the output changed, so its version must", key, got, want[key])
		}
	}
	if len(added) > 0 {
		if err := os.WriteFile(kept, append(b, added...), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
