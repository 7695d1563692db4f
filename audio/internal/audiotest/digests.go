package audiotest

import (
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "add golden digests for versions that have none")

// Digests are the digests of a file in the repository, "version case digest" a line. A digest of a
// version that stands there is never rewritten: a stage whose bits change needs a new version.
type Digests struct {
	path  string
	lines map[string]string // "version case" → digest
	added []string
}

// ReadDigests reads the digests of a file. With -update it adds to the file, at the end of the test,
// those of versions that had none.
func ReadDigests(t *testing.T, path string) *Digests {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil && !(*update && os.IsNotExist(err)) {
		t.Fatal(err)
	}
	d := &Digests{path: path, lines: map[string]string{}}
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) == 3 {
			d.lines[f[0]+" "+f[1]] = f[2]
		}
	}
	t.Cleanup(func() {
		if len(d.added) == 0 {
			return
		}
		slices.Sort(d.added)
		if err := os.WriteFile(path, append(b, strings.Join(d.added, "")...), 0o666); err != nil {
			t.Error(err)
		}
	})
	return d
}

// Check compares the SHA-256 of values, fixed-size numbers in little-endian order, with the digest of a
// version's case.
func (d *Digests) Check(t *testing.T, version, name string, values any) {
	t.Helper()
	h := sha256.New()
	if err := binary.Write(h, binary.LittleEndian, values); err != nil {
		t.Fatal(err)
	}
	key, got := version+" "+name, fmt.Sprintf("%x", h.Sum(nil))
	switch want, ok := d.lines[key]; {
	case !ok && *update:
		d.added = append(d.added, key+" "+got+"\n")
	case !ok:
		t.Errorf("no digest for %s in %s: run this test with -update", key, d.path)
	case got != want:
		t.Errorf("%s: digest %s, want %s: the output changed, so its version must", key, got, want)
	}
}
