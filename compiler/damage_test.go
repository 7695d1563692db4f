package compiler

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"voxpack/compiler/clip"
	"voxpack/store"
	"voxpack/textnorm"
)

// packFiles lists the files of a store's sealed packs that match a pattern.
func packFiles(t testing.TB, dir, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "packs", "*", pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s of the packs = %v, %v", pattern, files, err)
	}
	return files
}

// TestADamagedTableIsAFinding: its blocks hide the snapshot, which is no reason
// to end before the findings are counted.
func TestADamagedTableIsAFinding(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 24)
	c.write(t)
	o := Options{Dataset: c.dir, Store: filepath.Join(c.dir, "..", "store"), Config: smallConfig()}
	mustBuild(t, o)
	table := packFiles(t, o.Store, "*.sst")[0]
	whole, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	for at := 1; at < len(whole); at += len(whole) / 7 {
		b := bytes.Clone(whole)
		b[at] ^= 64
		if err := os.WriteFile(table, b, 0o666); err != nil {
			t.Fatal(err)
		}
		st, err := store.Open(o.Store)
		if err != nil {
			t.Fatal(err)
		}
		counts, err := Verify(context.Background(), st, MainRef, true, func(Finding) {})
		if err != nil || counts.Findings == 0 {
			t.Errorf("byte %d of %d: Verify = %d findings, %v", at, len(whole), counts.Findings, err)
		}
		st.Close()
	}
}

// TestADamagedPreviousSnapshotIsMadeAnew flips one byte in a record of each
// kind, and of a block: the build says so, ends in the same root, and leaves a
// store whose every sample can be read again.
func TestADamagedPreviousSnapshotIsMadeAnew(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 24)
	c.rows[0].text = strings.Repeat("long ago ", 200) // so that its origin record is long
	c.rows = append(c.rows, line{id: "gone", text: "no audio", given: "no audio"})
	c.write(t)
	base := Options{Dataset: c.dir, Store: filepath.Join(c.dir, "..", "base"), Config: smallConfig()}
	want := mustBuild(t, base)
	for _, kind := range []store.Kind{store.KindSnapshot, store.KindRoot, store.KindPage, store.KindShard, store.KindOrigin, store.KindList, store.KindBlock} {
		t.Run(string(kind), func(t *testing.T) {
			o := base
			o.Store = filepath.Join(c.dir, "..", "damaged-"+string(kind))
			if err := os.CopyFS(o.Store, os.DirFS(base.Store)); err != nil {
				t.Fatal(err)
			}
			flipInRecord(t, o.Store, kind)
			r := mustBuild(t, o)
			if r.Dataset != want.Dataset {
				t.Errorf("root %.12s, want %.12s", r.Dataset, want.Dataset)
			}
			if kind != store.KindBlock && kind != store.KindShard && len(r.Warnings) == 0 {
				t.Error("the build did not warn")
			}
			if kind == store.KindBlock || kind == store.KindShard {
				return // no build reads these without need; verify --full does
			}
			st, err := store.Open(o.Store)
			if err != nil {
				t.Fatal(err)
			}
			defer st.Close()
			d, err := st.Dataset("main")
			if err == nil {
				_, err = contents(d)
			}
			if err != nil {
				t.Errorf("after the build: %v", err)
			}
			if again := mustBuild(t, o); !again.UpToDate || len(again.Warnings) > 0 {
				t.Errorf("the build after it: up to date: %v, warnings %v; want nothing to do", again.UpToDate, again.Warnings)
			}
		})
	}
}

// flipInRecord flips a bit in the middle of one value of a kind, in whichever
// file of the packs it stands.
func flipInRecord(t testing.TB, dir string, kind store.Kind) {
	t.Helper()
	value := oneValue(t, dir, kind)
	found := false
	for _, path := range append(packFiles(t, dir, "*.vlog"), packFiles(t, dir, "*.sst")...) {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for at := strings.Index(string(b), string(value)); at >= 0; {
			found = true
			b[at+len(value)/2] ^= 1
			at = strings.Index(string(b), string(value))
		}
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if !found {
		t.Fatalf("no value of kind %c found in the files", kind)
	}
}

// oneValue is the longest value of a kind that main needs: it lies in the value
// log, where Badger has no checksum of its own.
func oneValue(t testing.TB, dir string, kind store.Kind) []byte {
	t.Helper()
	st, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	live, err := st.Live()
	if err != nil {
		t.Fatal(err)
	}
	var longest []byte
	for k := range live {
		if store.Kind(k[0]) == kind {
			v, err := st.Get(kind, [32]byte(k[1:]))
			if err != nil {
				t.Fatal(err)
			}
			if len(v) > len(longest) {
				longest = v
			}
		}
	}
	if longest == nil {
		t.Fatalf("nothing of kind %c", kind)
	}
	return longest
}

// TestAWAVThatChangesUnderABuildIsReadAgain rewrites a file while the build is
// between looking at it and computing it.
func TestAWAVThatChangesUnderABuildIsReadAgain(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 20)
	o := Options{Dataset: c.dir, Config: smallConfig(), Workers: 1}
	var once sync.Once
	o.Progress = func(p Progress) {
		if p.Phase == "reading" && p.Done == p.Total {
			once.Do(func() {
				c.wavs["row-007"] = noiseWAV(7007, 8000, 999)
				c.write(t)
			})
		}
	}
	r := mustBuild(t, o)
	o.Progress = nil
	o.Store = filepath.Join(c.dir, "..", "clean")
	if clean := mustBuild(t, o); r.Dataset != clean.Dataset {
		t.Errorf("root %.12s, a clean build's after the change is %.12s", r.Dataset, clean.Dataset)
	}
}

func TestAWAVThatNeverRestsIsAnError(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 8)
	o := Options{Dataset: c.dir, Config: smallConfig(), Workers: 1}
	n := 0
	o.Progress = func(p Progress) {
		if p.Phase == "reading" && p.Done == p.Total {
			n++
			for _, l := range c.rows {
				c.wavs[l.id] = noiseWAV(uint64(8000+n), 8000, 999+n)
			}
			c.write(t)
		}
	}
	if _, err := Build(t.Context(), o); !errors.Is(err, clip.ErrChanged) || !strings.Contains(err.Error(), "build again") {
		t.Errorf("error = %v, want one that says the dataset is being written to", err)
	}
	if n != 3 {
		t.Errorf("%d attempts, want 3", n)
	}
}

// TestTheDatasetsFolderGoesUnderABuild: the build ends, in an error or in
// rejections, and what main named before can still be read.
func TestTheDatasetsFolderGoesUnderABuild(t *testing.T) {
	t.Parallel()
	for _, when := range []string{"reading", "computing"} {
		t.Run(when, func(t *testing.T) {
			c := smallCorpus(t, 30)
			o := Options{Dataset: c.dir, Store: filepath.Join(c.dir, "..", "store"), Config: smallConfig(), Workers: 1}
			first := mustBuild(t, o)
			o.Config.Mel.FMax = 3500
			var gone atomic.Bool
			o.Progress = func(p Progress) {
				if p.Phase == when && gone.CompareAndSwap(false, true) {
					os.RemoveAll(c.dir)
				}
			}
			r, err := Build(t.Context(), o)
			if !gone.Load() {
				t.Fatal("the folder was not removed")
			}
			if err == nil {
				t.Fatalf("the build ended as if nothing were wrong: %+v", r.Rows)
			}
			st, err := store.Open(o.Store)
			if err != nil {
				t.Fatal(err)
			}
			defer st.Close()
			d, err := st.Dataset("main")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := contents(d); err != nil || d.Snapshot.Root.String() != first.Dataset {
				t.Errorf("main is %v, %v; want the snapshot before, whole", d.Snapshot.Root, err)
			}
		})
	}
}

// TestTheStoresFolderGoesUnderABuild ends in an error.
func TestTheStoresFolderGoesUnderABuild(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 30)
	o := Options{Dataset: c.dir, Store: filepath.Join(c.dir, "..", "store"), Config: smallConfig(), Workers: 1}
	o.Progress = func(p Progress) {
		if p.Phase == "computing" {
			os.RemoveAll(o.Store)
		}
	}
	if _, err := Build(t.Context(), o); err == nil {
		t.Error("no error, and the store is gone")
	}
	o.Progress = nil
	if r := mustBuild(t, o); r.Rows.Kept != 30 {
		t.Errorf("the next build keeps %d rows, want 30", r.Rows.Kept)
	}
}

// TestAFullDisk builds onto a small file system of its own, which takes root to
// mount: a clear error, and the snapshot before is whole.
func TestAFullDisk(t *testing.T) {
	mount := t.TempDir()
	if err := mountSmall(mount, "112m"); err != nil {
		t.Skipf("no small tmpfs to fill: %v", err)
	}
	t.Cleanup(func() { unmountSmall(mount) })
	c := smallCorpus(t, 30)
	o := Options{Dataset: c.dir, Store: filepath.Join(mount, "store"), Config: smallConfig()}
	first := mustBuild(t, o)
	o.Config.Shape.MaxMelFrames = 20_000 // 30 rows of 1.6 MB, more than there is room for
	_, err := Build(context.Background(), o)
	if err == nil || !strings.Contains(err.Error(), "space") {
		t.Errorf("error = %v, want one that speaks of space", err)
	}
	o.Config = smallConfig()
	if r := mustBuild(t, o); r.Dataset != first.Dataset || !r.UpToDate {
		t.Errorf("after it: root %.8s, up to date %v; want %.8s, true", r.Dataset, r.UpToDate, first.Dataset)
	}
	verifyAll(t, o.Store)
}

// TestAStoreThatCannotBeWritten is an error before any work.
func TestAStoreThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 4)
	file := filepath.Join(c.dir, "..", "file")
	writeFile(t, file, []byte("not a folder"))
	_, err := Build(t.Context(), Options{Dataset: c.dir, Store: filepath.Join(file, "store"), Config: smallConfig()})
	if err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("error = %v, want one that names the place", err)
	}
	if _, err := os.Stat(filepath.Join(c.dir, StoreName)); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a store was made elsewhere")
	}
}

// TestVerifyHoldsEveryLengthToItsColumn: of tokens, of the mel and of each feature that
// has a length of its own; and numbers to their tables.
func TestVerifyHoldsEveryLengthToItsColumn(t *testing.T) {
	t.Parallel()
	c := smallConfig().withDefaults()
	c.Features = []string{"energy", "pcm"}
	root := &store.Root{Schema: c.schema(columns{speaker: true, language: true}), Speakers: []string{"ada", "bob"}}
	most := map[string]int{"text_len": c.Shape.MaxTextLength, "mel_len": c.Shape.MaxMelFrames, "pcm_len": c.Shape.MaxMelFrames * c.Mel.HopLength,
		"speaker": 1, "language": len(textnorm.LanguageCodes()) - 1}
	inline := root.Schema.Inline()
	if len(inline) != len(most) {
		t.Fatalf("inline columns %v, the test knows %v", inline, most)
	}
	for at, column := range inline {
		for value, fits := range map[int]bool{0: true, most[column.Name]: true, most[column.Name] + 1: false, -1: false} {
			shard := &store.Shard{IDs: []string{"row"}}
			for range inline {
				shard.Scalars = append(shard.Scalars, []int32{0})
			}
			shard.Scalars[at][0] = int32(value)
			found := 0
			v := verifier{d: &store.Dataset{Root: root}, report: func(Finding) { found++ }}
			if v.scalars("shard", shard); (found == 0) != fits || v.done().Findings != found {
				t.Errorf("%s %d: %d findings, counted %d; fits: %v", column.Name, value, found, v.done().Findings, fits)
			}
		}
	}
}
