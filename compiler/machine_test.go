package compiler

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"voxpack/compiler/action"
	"voxpack/compiler/intake"
	"voxpack/store"
)

// TestRefusalsOfOlderStoresAreAskedForAnew: before refusals had a key of their own, an
// error of a disk could stand under that of a recording for ever.
func TestRefusalsOfOlderStoresAreAskedForAnew(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 3)
	o := Options{Dataset: c.dir, Config: smallConfig()}
	mustBuild(t, o)
	clip := noiseWAV(77, 8000, 1200)
	c.rows = append(c.rows, line{id: "late", text: "some text", given: "some text"})
	c.write(t)
	writeFile(t, filepath.Join(c.dir, "wavs", "late.wav"), clip)
	cfg := o.withDefaults().Config
	key := cfg.newKeyer().Audio(&store.OriginRow{Audio: store.Sum(clip)}, "")
	cache, err := store.OpenCache(filepath.Join(c.dir, StoreName))
	if err != nil {
		t.Fatal(err)
	}
	old := action.NewMemo(nil, false)
	old.Put(key, action.Result{Refused: "WAV header: input/output error"})
	put := func(key, value []byte) error { return cache.Put(store.Pair{Key: key, Value: value}) }
	if err := errors.Join(old.Save(put), cache.Close()); err != nil {
		t.Fatal(err)
	}
	if r := mustBuild(t, o); r.Rows.Kept != 4 {
		t.Errorf("kept %d rows, want the healed one too: %v", r.Rows.Kept, r.Rejections)
	}
}

// TestARefusalIsRememberedUntilItIsAskedForAnew: a bad recording is looked at once; with
// --rehash, and when its cache is gone, again.
func TestARefusalIsRememberedUntilItIsAskedForAnew(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 3)
	bad := bytes.Clone(noiseWAV(5, 8000, 1200))
	copy(bad[8:], "NOPE")
	writeFile(t, filepath.Join(c.dir, "wavs", c.rows[1].id+".wav"), bad)
	o := Options{Dataset: c.dir, Config: smallConfig()}
	first := mustBuild(t, o)
	looked := func(step string, o Options, want int) {
		t.Helper()
		r := mustBuild(t, o)
		if got := r.Stages[action.NameAudio].Run; got != want || r.Rows.Rejected != 1 || r.Dataset != first.Dataset {
			t.Errorf("%s: the audio stage ran %d times, want %d; %d rejected", step, got, want, r.Rows.Rejected)
		}
	}
	looked("the next build", o, 0)
	again := o
	again.Rehash = true
	looked("--rehash", again, 1)
	if err := os.RemoveAll(filepath.Join(c.dir, StoreName, "cache")); err != nil {
		t.Fatal(err)
	}
	looked("without a cache", o, 1)
	looked("and after it", o, 0)
}

// TestADiskThatFailsUnderTheMetadataStopsTheBuild reads a file that gives EIO: the memory
// of this process at address 0.
func TestADiskThatFailsUnderTheMetadataStopsTheBuild(t *testing.T) {
	t.Parallel()
	if _, err := os.ReadFile("/proc/self/mem"); !errors.Is(err, syscall.EIO) {
		t.Skipf("no file here gives EIO: %v", err)
	}
	dir := t.TempDir()
	if err := os.Symlink("/proc/self/mem", filepath.Join(dir, "metadata.csv")); err != nil {
		t.Fatal(err)
	}
	if _, err := Build(t.Context(), Options{Dataset: dir, Config: smallConfig()}); !intake.IsMachine(err) || !strings.HasPrefix(err.Error(), "metadata.csv: input/output error; ") {
		t.Errorf("built: %v; want a stop", err)
	}
	if _, err := os.Stat(filepath.Join(dir, StoreName)); err == nil {
		t.Error("a store was made")
	}
}
