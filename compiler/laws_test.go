package compiler

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"voxpack/store"
)

// wantNothingRun checks that a report says that every stage took all its rows over.
func wantNothingRun(t testing.TB, what string, r *Report) {
	t.Helper()
	for name, c := range r.Stages {
		if c.Run != 0 {
			t.Errorf("%s: stage %s ran for %d rows, want 0", what, name, c.Run)
		}
	}
}

func TestRealClipsNameTheOverlongWithTheirFrames(t *testing.T) {
	t.Parallel()
	r := mustBuild(t, Options{Dataset: realClips(t)})
	want := map[string]string{
		"LJ001-0001": "831 frames, max_mel_frames is 800", "LJ001-0003": "832 frames, max_mel_frames is 800",
		"LJ001-0014": "856 frames, max_mel_frames is 800", "LJ001-0027": "830 frames, max_mel_frames is 800",
	}
	got := map[string]string{}
	for _, x := range r.Rejections {
		got[x.ID] = x.Reason
	}
	if !maps.Equal(got, want) {
		t.Errorf("rejections = %v, want %v", got, want)
	}
}

func TestSecondBuildWritesNothingNotEvenATimeStamp(t *testing.T) {
	dir := realClips(t)
	makeOld(t, dir)
	o := Options{Dataset: dir, Store: filepath.Join(t.TempDir(), "store")}
	first := mustBuild(t, o)
	before := listing(t, o.Store)
	for round := range 2 {
		again := mustBuild(t, o)
		wantNothingRun(t, "second build", again)
		if !again.UpToDate || again.BytesWritten != 0 || again.Dataset != first.Dataset || again.Snapshot != first.Snapshot {
			t.Errorf("build %d: %+v, want nothing to do", round+2, again)
		}
		if after := listing(t, o.Store); !maps.Equal(after, before) {
			t.Errorf("build %d changed the store: %v, before it %v", round+2, after, before)
		}
	}
}

// TestFreshTimeStampsAreHashedAgainAndNotWritten: a build with nothing to do
// that had to distrust a fresh stamp leaves the store alone all the same.
func TestFreshTimeStampsAreHashedAgainAndNotWritten(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 12)
	o := Options{Dataset: c.dir, Config: smallConfig()}
	mustBuild(t, o)
	before := listing(t, filepath.Join(c.dir, StoreName))
	r := mustBuild(t, o)
	if after := listing(t, filepath.Join(c.dir, StoreName)); !r.UpToDate || !maps.Equal(after, before) {
		t.Errorf("up to date: %v; the store was %v, is %v", r.UpToDate, before, after)
	}
}

// TestSameSourcesSameRoot is law 1 on real speech.
func TestSameSourcesSameRoot(t *testing.T) {
	t.Parallel()
	dir := realClips(t)
	want := mustBuild(t, Options{Dataset: dir}).Dataset
	fresh := func() string { return filepath.Join(t.TempDir(), "store") }
	same := func(name string, r *Report) {
		t.Helper()
		if r.Dataset != want {
			t.Errorf("%s: root %.12s, want %.12s", name, r.Dataset, want)
		}
	}
	same("-j 1", mustBuild(t, Options{Dataset: dir, Store: fresh(), Workers: 1}))
	same("-j 2", mustBuild(t, Options{Dataset: dir, Store: fresh(), Workers: 2}))
	os.RemoveAll(filepath.Join(dir, StoreName))
	same("store rebuilt from nothing", mustBuild(t, Options{Dataset: dir}))

	os.RemoveAll(filepath.Join(dir, StoreName, "cache"))
	r := mustBuild(t, Options{Dataset: dir})
	same("cache deleted", r)
	wantNothingRun(t, "cache deleted", r)

	copied := filepath.Join(t.TempDir(), "elsewhere", "copy")
	if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	r = mustBuild(t, Options{Dataset: copied})
	same("copied folder", r)
	wantNothingRun(t, "copied folder", r)

	shuffle(t, filepath.Join(dir, "metadata.csv"))
	same("shuffled metadata, new store", mustBuild(t, Options{Dataset: dir, Store: fresh()}))
	r = mustBuild(t, Options{Dataset: dir})
	same("shuffled metadata, same store", r)
	wantNothingRun(t, "shuffled metadata", r)
}

// shuffle brings the lines of a file into another order.
func shuffle(t testing.TB, path string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
	rand.New(rand.NewPCG(3, 3)).Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	writeFile(t, path, []byte(strings.Join(lines, "\n")+"\n"))
}

// TestCacheMayGoAtAnyTime removes single files of the cache, damages them, and
// removes it between an edit and its undoing.
func TestCacheMayGoAtAnyTime(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 20)
	o := Options{Dataset: c.dir, Config: smallConfig()}
	want := mustBuild(t, o).Dataset
	cache := filepath.Join(c.dir, StoreName, "cache")
	files, err := os.ReadDir(cache)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		for what, damage := range map[string]func(string) error{
			"removed":   os.Remove,
			"truncated": func(path string) error { return os.Truncate(path, 7) },
			"emptied":   func(path string) error { return os.Truncate(path, 0) },
		} {
			if err := damage(filepath.Join(cache, f.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
			r := mustBuild(t, o)
			if r.Dataset != want || r.Stages["mel"].Run != 0 {
				t.Errorf("%s of the cache %s: root %.8s, %d mels; want %.8s, 0", f.Name(), what, r.Dataset, r.Stages["mel"].Run, want)
			}
			c.rows[2].given += "x" // so that a build has something to write
			c.write(t)
			mustBuild(t, o)
			os.RemoveAll(cache)
			c.rows[2].given = strings.TrimSuffix(c.rows[2].given, "x")
			c.write(t)
			if r := mustBuild(t, o); r.Dataset != want {
				t.Errorf("root %.8s after the edit was undone, want %.8s", r.Dataset, want)
			}
		}
	}
}

// TestStoreStandsWithoutItsSources: every sample and every text is there when
// the dataset is gone, and nothing is found wrong.
func TestStoreStandsWithoutItsSources(t *testing.T) {
	t.Parallel()
	dir := realClips(t)
	at := filepath.Join(t.TempDir(), "store")
	r := mustBuild(t, Options{Dataset: dir, Store: at})
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(at)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	d, err := st.Dataset("main")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for leaf := range d.Shards {
		origin, err := d.Origin(leaf)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range origin.Rows {
			at, err := d.Find(row.ID)
			if err != nil || row.Text == "" || row.Spoken == "" {
				t.Fatalf("%s: %v; text %q, spoken %q", row.ID, err, row.Text, row.Spoken)
			}
			for _, column := range d.Root.Schema.Blocks() {
				if b, err := d.Value(at, column.Name); err != nil || len(bytes.Trim(b, "\x00")) == 0 {
					t.Errorf("%s: %s: %d bytes, all zero or %v", row.ID, column.Name, len(b), err)
				}
			}
			if n, err := d.Scalar(at, "mel_len"); err != nil || n != int32(row.Frames) {
				t.Errorf("%s: mel_len %d, %v; the clip has %d frames", row.ID, n, err, row.Frames)
			}
			seen++
		}
	}
	if seen != r.Rows.Kept || seen != 28 {
		t.Errorf("%d samples read, want %d", seen, r.Rows.Kept)
	}
	counts, err := Verify(t.Context(), st, "main", true, func(f Finding) { t.Errorf("verify: %v", f) })
	if err != nil || counts.Rows != 28 || counts.Bytes == 0 {
		t.Errorf("verify looked at %+v, %v", counts, err)
	}
}

// TestWhatRunsNoMel: K, the folder, an id and max_mel_frames are in no mel's key.
func TestWhatRunsNoMel(t *testing.T) {
	t.Parallel()
	dir := realClips(t)
	config := Config{}
	first := mustBuild(t, Options{Dataset: dir})
	build := func(name string, wantMel, wantKept int) {
		t.Helper()
		r := mustBuild(t, Options{Dataset: dir, Config: config})
		if got := r.Stages["mel"].Run; got != wantMel || r.Rows.Kept != wantKept {
			t.Errorf("%s: %d mels run, %d kept; want %d, %d", name, got, r.Rows.Kept, wantMel, wantKept)
		}
	}
	config.PerShard = 5
	build("another K", 0, 28)
	config.PerShard = 100
	build("K above all rows", 0, 28)
	config.PerShard = 0
	rename(t, dir, "LJ001-0002", "zz/top-2")
	build("another id, in another folder", 0, 28)
	rename(t, dir, "zz/top-2", "LJ001-0002")
	build("the id back", 0, 28)
	config.Shape.MaxMelFrames = 840
	build("max_mel_frames up", 3, 31)
	config.Shape.MaxMelFrames = 700
	build("max_mel_frames down", 0, countFrames(t, dir, 700))
	config.Shape.MaxMelFrames = 0
	r := mustBuild(t, Options{Dataset: dir})
	wantNothingRun(t, "all of it back", r)
	if r.Dataset != first.Dataset {
		t.Errorf("all of it back: root %.8s, want %.8s", r.Dataset, first.Dataset)
	}
}

// countFrames counts the clips of at most a number of frames of 256 samples.
func countFrames(t testing.TB, dir string, most int64) (n int) {
	t.Helper()
	clips, err := os.ReadDir(filepath.Join(dir, "wavs"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range clips {
		if info, err := c.Info(); err == nil && !c.IsDir() && (info.Size()-44)/2/256 <= most {
			n++
		}
	}
	return n
}

func rename(t testing.TB, dir, from, to string) {
	t.Helper()
	path := func(id string) string { return filepath.Join(dir, "wavs", filepath.FromSlash(id)+".wav") }
	meta := filepath.Join(dir, "metadata.csv")
	b, err := os.ReadFile(meta)
	err = errors.Join(err, os.MkdirAll(filepath.Dir(path(to)), 0o777), os.Rename(path(from), path(to)),
		os.WriteFile(meta, bytes.Replace(b, []byte(from+"|"), []byte(to+"|"), 1), 0o666))
	if err != nil {
		t.Fatal(err)
	}
}

// TestOneEditCostsOneRowOneShard counts what an edit of one row takes.
func TestOneEditCostsOneRowOneShard(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 40)
	o := Options{Dataset: c.dir, Config: smallConfig()}
	first := mustBuild(t, o)
	for _, e := range []struct {
		name                    string
		edit                    func()
		audio, text, tokens, me int
		shards, blocks          int
		rootMoves               bool
	}{
		{"text", func() { c.rows[7].given = "quite another text" }, 0, 1, 1, 0, 1, 1, true},
		{"raw text alone", func() { c.rows[7].text = "as it was printed" }, 0, 0, 0, 0, 0, 0, false},
		{"text of another spelling, spoken alike", func() { c.rows[7].given = "quite  another text" }, 0, 1, 0, 0, 0, 0, false},
		{"audio", func() { c.wavs["row-009"] = noiseWAV(900, 8000, 1000) }, 1, 0, 0, 1, 1, 1, true},
		{"a comment in a WAV", func() { c.wavs["row-009"] = withComment(c.wavs["row-009"], "take two") }, 1, 0, 0, 1, 0, 0, false},
		{"audio that another row has", func() { c.wavs["row-011"] = c.wavs["row-012"] }, 0, 0, 0, 0, 1, 1, true},
		{"nothing", func() {}, 0, 0, 0, 0, 0, 0, false},
	} {
		e.edit()
		c.write(t)
		r := mustBuild(t, o)
		got := []int{r.Stages["audio"].Run, r.Stages["text"].Run, r.Stages["tokens"].Run, r.Stages["mel"].Run, r.Shards.Written, r.Blocks.Written}
		want := []int{e.audio, e.text, e.tokens, e.me, e.shards, e.blocks}
		if !slices.Equal(got, want) || (r.Dataset != first.Dataset) != e.rootMoves {
			t.Errorf("%s: audio, text, tokens, mel, shards, blocks = %v, want %v; root moved: %v, want %v", e.name, got, want, r.Dataset != first.Dataset, e.rootMoves)
		}
		first = r
	}
}

// TestSameBuildCountsTheSame: counts do not depend on the number of workers.
func TestSameBuildCountsTheSame(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 40)
	var want string
	for j := range 4 {
		r := mustBuild(t, Options{Dataset: c.dir, Config: smallConfig(), Store: filepath.Join(c.dir, fmt.Sprint(".s", j)), Workers: 1 + j%2})
		got := fmt.Sprint(r.Rows, r.Stages, r.Shards, r.Blocks, r.Notes)
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("with %d workers: %s, want %s", 1+j%2, got, want)
		}
	}
}

// TestADryRunKnowsWhatWasTruncated: a sample that was stored cut is no sample
// for a longer shape, and a dry run says so.
func TestADryRunKnowsWhatWasTruncated(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 30)
	o := Options{Dataset: c.dir, Config: smallConfig()}
	o.Config.Shape.Overlong, o.Config.Shape.MaxMelFrames = OverlongTruncate, 12
	mustBuild(t, o)
	o.Config.Shape.MaxMelFrames, o.DryRun = 24, true
	dry := mustBuild(t, o)
	o.DryRun = false
	r := mustBuild(t, o)
	if dry.Stages["mel"] != r.Stages["mel"] || r.Stages["mel"].Run == 0 || r.Stages["mel"].Hit == 0 {
		t.Errorf("a dry run says %+v of the mels, the build %+v", dry.Stages["mel"], r.Stages["mel"])
	}
}

// TestNoSampleIsCutWithoutANote: a clip whose frames fit can have samples after
// the last of them.
func TestNoSampleIsCutWithoutANote(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 2)
	o := Options{Dataset: c.dir, Config: smallConfig()}
	most := o.Config.Shape.MaxMelFrames * o.Config.Mel.HopLength
	c.wavs[c.rows[0].id], c.wavs[c.rows[1].id] = noiseWAV(1, 8000, most), noiseWAV(2, 8000, most+1)
	c.write(t)
	o.Config.Features = []string{"pcm"}
	for _, when := range []string{"first", "second"} {
		r := mustBuild(t, o)
		if r.Rows.Kept != 2 || len(r.Notes) != 1 || r.Notes[0].Stage != "pcm" || r.Notes[0].Kind != "truncated" || r.Notes[0].Count != 1 {
			t.Errorf("%s build: %d rows kept, notes %+v; want 2 and the one that loses a sample", when, r.Rows.Kept, r.Notes)
		}
	}
}
