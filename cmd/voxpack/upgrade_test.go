package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"voxpack/store"
)

const oldStores = "../../testdata/stores"

// oldStore is a line of testdata/stores/EXPECTED: what the program of its time said.
type oldStore struct{ name, corpus, first, second, digest string }

func oldStoresOf(t *testing.T) (list []oldStore) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(oldStores, "EXPECTED"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		f := strings.Fields(line)
		list = append(list, oldStore{f[0], f[1], f[2], f[3], f[4]})
	}
	return list
}

// said is what is read of the JSON of build, show and feed.
type said struct {
	Dataset      string
	EpochDigests []string `json:"epoch_digests"`
}

// ran runs a command that has to end well, and reads its JSON.
func ran(t *testing.T, args ...string) (got said) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := run(append(args, "--json"), nil, &stdout, &stderr); code != exitDone {
		t.Fatalf("%q: exit %d: %s", args, code, stderr.String())
	}
	if err := json.Unmarshal(stdout.Bytes(), &got); err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	return got
}

// TestAStoreOfEachFormatIsOpenedForEver: it is whole, says the root and feeds the
// bytes that the program of its time said and fed, its versions are there, and a build
// on it makes what a build without it makes.
func TestAStoreOfEachFormatIsOpenedForEver(t *testing.T) {
	for _, old := range oldStoresOf(t) {
		t.Run(old.name, func(t *testing.T) {
			clean := ran(t, "build", oldDataset(t, old.corpus), "-q").Dataset
			data := oldDataset(t, old.corpus)
			dir := filepath.Join(data, ".voxpack")
			if err := os.CopyFS(dir, os.DirFS(filepath.Join(oldStores, old.name))); err != nil {
				t.Fatal(err)
			}
			feed := []string{"feed", data, "-q", "--record", "none", "--batch-size", "2", "--tail", "pad", "--digest"}
			ran(t, "verify", data, "--full")
			if got := ran(t, "show", data); got.Dataset != old.second {
				t.Errorf("show says dataset %s, want %s", got.Dataset, old.second)
			}
			if got := ran(t, "show", data+"@main~1"); got.Dataset != old.first {
				t.Errorf("the version before is %s, want %s", got.Dataset, old.first)
			}
			if got := ran(t, feed...); !slices.Equal(got.EpochDigests, []string{old.digest}) {
				t.Errorf("a feed has digest %v, want %s", got.EpochDigests, old.digest)
			}
			for _, args := range [][]string{{"log", data}, {"diff", data + "@main~1", data + "@main"}, {"gc", data}, {"du", data}, {"explain", data}} {
				var stdout, stderr bytes.Buffer
				if code := run(args, nil, &stdout, &stderr); code != exitDone {
					t.Errorf("%q: exit %d: %s", args, code, stderr.String())
				}
			}
			if got := ran(t, "build", data, "-q"); got.Dataset != clean {
				t.Errorf("a build on it makes %s, want %s", got.Dataset, clean)
			}
			ran(t, "verify", data, "--full")
			if got := ran(t, feed...); !slices.Equal(got.EpochDigests, []string{old.digest}) {
				t.Errorf("after the build a feed has digest %v, want %s", got.EpochDigests, old.digest)
			}
			ran(t, "rollback", data+"@"+old.first[:12])
			if got := ran(t, "show", data); got.Dataset != old.first {
				t.Errorf("after a rollback to the first version show says %s, want %s", got.Dataset, old.first)
			}
		})
	}
}

// oldDataset is what testdata/stores/make.sh built the second version of.
func oldDataset(t *testing.T, corpus string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("../../testdata/corpus/formats", corpus))); err != nil {
		t.Fatal(err)
	}
	settings, err := os.ReadFile(filepath.Join(oldStores, "voxpack.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	name, more := "text", ""
	if corpus == "ljspeech" {
		name, more = "metadata.csv", "LJ001-0004|It has no clip.|It has no clip.\n"
	}
	rows, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	rows = append(bytes.Replace(rows, []byte("\n"), []byte(" Indeed.\n"), 1), more...)
	for name, b := range map[string][]byte{"voxpack.yaml": settings, name: rows} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestEachVersionOfARecordHasAStore: what docs/format.md names stands in one of the
// old stores, so that a new version of a record comes with a store of its own.
func TestEachVersionOfARecordHasAStore(t *testing.T) {
	page, err := os.ReadFile("../../docs/format.md")
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`\bVX[A-Z][0-9]\b|voxpack (?:seal|store) [0-9]`)
	found := map[string]bool{}
	for _, old := range oldStoresOf(t) {
		dir := filepath.Join(oldStores, old.name)
		seals, err := filepath.Glob(filepath.Join(dir, "packs", "*", "SEAL"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range append(seals, filepath.Join(dir, "format")) {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			found[version.FindString(string(b))] = true
		}
		s, err := store.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		err = s.Entries(func(e store.Entry) bool {
			found[string(e.Value[:min(4, len(e.Value))])] = true
			return true
		})
		if s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range version.FindAllString(string(page), -1) {
		if !found[name] {
			t.Errorf("no store of testdata/stores has %q: add one by its make.sh", name)
		}
	}
}
