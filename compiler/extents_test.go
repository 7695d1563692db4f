package compiler

import (
	"fmt"
	"path/filepath"
	"testing"

	"voxpack/store"
)

// cleanRoot is the root of a build of the sources into a store of its own.
func cleanRoot(t *testing.T, o Options) string {
	t.Helper()
	o.Store = filepath.Join(fastTemp(t), "clean")
	return mustBuild(t, o).Dataset
}

// TestABuildWritesItsOwnBytes: what an append or a scattered edit writes is under 1.3 times the samples that are new, although
// each of them lies in another shard; and its dataset is that of a clean build.
func TestABuildWritesItsOwnBytes(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 60)
	o := Options{Dataset: c.dir, Config: smallConfig()}
	o.Config.PerShard, o.Config.Mel.NMels, o.Config.Shape.MaxMelFrames = 16, 80, 800
	mustBuild(t, o)
	row := int64(o.Config.Mel.NMels * o.Config.Shape.MaxMelFrames * 4)
	add := func(from, n int) {
		for i := from; i < from+n; i++ {
			id, text := fmt.Sprintf("more-%03d", i), "one more"
			c.rows = append(c.rows, line{id: id, text: text, given: text})
			c.wavs[id] = noiseWAV(uint64(1000+i), 8000, 900+i)
		}
	}
	shards := 0
	for _, step := range []struct {
		name string
		do   func()
		rows int64 // whose samples are new
	}{
		{"an append", func() { add(0, 5) }, 5},
		{"a second one", func() { add(5, 3) }, 3},
		{"scattered edits", func() {
			for _, i := range []int{3, 17, 31, 44} {
				c.wavs[c.rows[i].id] = noiseWAV(uint64(2000+i), 8000, 1200)
			}
		}, 4},
		{"rows that go", func() { c.rows = append(c.rows[:20], c.rows[22:]...) }, 0},
		{"other shards", func() { o.Config.PerShard = 8 }, 0},
	} {
		step.do()
		c.write(t)
		r := mustBuild(t, o)
		if most := step.rows*row*13/10 + 40<<10*int64(r.Shards.Written); step.rows == 0 && r.BytesWritten > most || step.rows > 0 && r.BytesWritten > step.rows*row*13/10 {
			t.Errorf("%s of %d rows wrote %d bytes in %d shards, a row has %d", step.name, step.rows, r.BytesWritten, r.Shards.Written, row)
		}
		shards = max(shards, r.Shards.Written)
		if want := cleanRoot(t, o); r.Dataset != want {
			t.Errorf("%s: dataset %s, a clean build has %s", step.name, r.Dataset, want)
		}
		verifyFull(t, o)
	}
	if shards < 4 {
		t.Errorf("at most %d shards were written: the rows were not scattered", shards)
	}
}

func verifyFull(t *testing.T, o Options) {
	t.Helper()
	st, err := store.Open(filepath.Join(o.Dataset, StoreName))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if _, err := Verify(t.Context(), st, "main", true, func(f Finding) { t.Error(f) }); err != nil {
		t.Error(err)
	}
}

// TestDeletedRowsAreFreed: gc gives back what was deleted, also where the shards that lost rows are extents of blocks that had them.
func TestDeletedRowsAreFreed(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 60)
	o := Options{Dataset: c.dir, Config: smallConfig()}
	o.Config.PerShard, o.Config.Mel.NMels, o.Config.Shape.MaxMelFrames = 16, 80, 200
	mustBuild(t, o)
	var half []line
	for i := 0; i < len(c.rows); i += 2 {
		half = append(half, c.rows[i])
	}
	c.rows = half
	c.write(t)
	mustBuild(t, o)
	c.rows[0].text, c.rows[0].given = "another text", "another text" // the deletion is no direct parent any more
	c.write(t)
	r := mustBuild(t, o)
	dir := filepath.Join(o.Dataset, StoreName)
	g, err := store.GC(t.Context(), dir, store.WriterOptions{Reserve: 8 << 20}, (*store.Store).Live, true)
	if err != nil {
		t.Fatal(err)
	}
	row := int64(o.Config.Mel.NMels * o.Config.Shape.MaxMelFrames * 4)
	if most := int64(len(c.rows)) * row * 13 / 10; g.After > most+256<<10 {
		t.Errorf("after gc the packs have %d bytes, %d are needed", g.After, int64(len(c.rows))*row)
	}
	verifyFull(t, o)
	if want := cleanRoot(t, o); r.Dataset != want {
		t.Errorf("dataset %s, a clean build has %s", r.Dataset, want)
	}
	if again := mustBuild(t, o); !again.UpToDate || again.BytesWritten != 0 {
		t.Errorf("a build after gc wrote %d bytes", again.BytesWritten)
	}
}
