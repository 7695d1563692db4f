package compiler

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"voxpack/store"
)

// later is a clock by which every file of a test was written long ago.
func later() time.Time { return time.Now().Add(time.Hour) }

// takenOver builds and counts the leaves that were taken over.
func takenOver(t *testing.T, o Options) (r *Report, leaves int) {
	t.Helper()
	o, tool, err := o.ready(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b := &build{Options: o, base: base{distrust: o.Rehash}}
	b.tools = newTools(&b.Config, o.Now(), tool)
	r, err = b.run(t.Context())
	if err == nil {
		err = b.close()
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, taken := range b.sums.taken {
		if taken {
			leaves++
		}
	}
	return r, leaves
}

// TestOnlyLeavesOfEqualSourcesAreTakenOver: each edit, and nothing beside it, makes its leaves be looked at, and the
// build ends as one without history does.
func TestOnlyLeavesOfEqualSourcesAreTakenOver(t *testing.T) {
	t.Parallel()
	text := func(c *corpus) { c.rows[3].text += " again" }
	clip := func(c *corpus) {
		wav := bytes.Clone(c.wavs["row-005"])
		wav[len(wav)-1] ^= 1
		c.wavs["row-005"] = wav
	}
	for _, e := range []struct {
		name string
		edit func(c *corpus)
		more func(t *testing.T, c *corpus, o *Options)
		all  bool // leaves are taken over
		none bool
		// With all: a row more is kept. With none: there is another root, and with it the cache is written.
		writes bool
	}{
		{name: "nothing", edit: func(*corpus) {}, all: true},
		{name: "rows in another order", edit: func(c *corpus) { c.rows[0], c.rows[9] = c.rows[9], c.rows[0] }, all: true},
		{name: "the text of a row", edit: text},
		{name: "the normalised text of a row", edit: func(c *corpus) { c.rows[3].given += " again" }},
		{name: "a bit of a clip", edit: clip},
		{name: "a row less", edit: func(c *corpus) { c.rows = c.rows[1:] }},
		{name: "a row more", edit: func(c *corpus) {
			c.rows = append(c.rows, line{id: "new", text: "new", given: "new"})
			c.wavs["new"] = c.wavs["row-000"]
		}},
		{name: "a row twice", edit: func(c *corpus) { c.rows = append(c.rows, c.rows[7]) }},
		{name: "a rejected row is whole", edit: func(c *corpus) { c.wavs["gone"] = c.wavs["row-001"] }, all: true, writes: true},
		{name: "a second clip of a name", edit: func(*corpus) {}, more: func(t *testing.T, c *corpus, _ *Options) {
			writeFile(t, filepath.Join(c.dir, "row-004.wav"), c.wavs["row-004"])
		}},
		{name: "a clip by another name", edit: func(*corpus) {}, more: func(t *testing.T, c *corpus, _ *Options) {
			if err := os.Rename(filepath.Join(c.dir, "wavs", "row-004.wav"), filepath.Join(c.dir, "wavs", "ROW-004.wav")); err != nil {
				t.Fatal(err)
			}
		}},
		{name: "a setting", edit: func(*corpus) {}, none: true, writes: true, more: func(_ *testing.T, _ *corpus, o *Options) { o.Config.Shape.MaxTextLength++ }},
		{name: "a limit that is no setting", edit: func(*corpus) {}, none: true, more: func(_ *testing.T, _ *corpus, o *Options) { o.Config.Length.MaxClip = time.Hour }},
		{name: "all files are to be read", edit: func(*corpus) {}, none: true, more: func(_ *testing.T, _ *corpus, o *Options) { o.Rehash = true }},
		{name: "a file of a pack was written to", edit: func(*corpus) {}, none: true, more: func(t *testing.T, _ *corpus, o *Options) {
			now := time.Now().Add(time.Minute)
			for _, file := range packFiles(t, o.Store, "*.vlog") {
				if err := os.Chtimes(file, now, now); err != nil {
					t.Fatal(err)
				}
			}
		}},
	} {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			c := smallCorpus(t, 40)
			c.rows = append(c.rows, line{id: "gone", text: "no audio", given: "no audio"})
			c.write(t)
			o := Options{Dataset: c.dir, Store: filepath.Join(c.dir, "..", "store"), Config: smallConfig(), Now: later}
			first := mustBuild(t, o)
			e.edit(c)
			c.write(t)
			if e.more != nil {
				e.more(t, c, &o)
			}
			r, leaves := takenOver(t, o)
			total := first.Shards.Total
			switch {
			case e.all && leaves != total, e.none && leaves != 0, !e.all && !e.none && (leaves == 0 || leaves < total-2 || leaves == total):
				t.Errorf("%d of %d leaves were taken over", leaves, total)
			}
			if (e.all || e.none) && r.UpToDate == e.writes {
				t.Errorf("the build is up to date: %v", r.UpToDate)
			}
			fresh := o
			fresh.Store = filepath.Join(c.dir, "..", "fresh")
			if want := mustBuild(t, fresh); r.Dataset != want.Dataset || r.Rows != want.Rows || fmt.Sprint(r.Notes, r.Languages, r.Rejections) != fmt.Sprint(want.Notes, want.Languages, want.Rejections) {
				t.Errorf("the build has %.8s %+v %v %v, one without history %.8s %+v %v %v", r.Dataset, r.Rows, r.Notes, r.Rejections, want.Dataset, want.Rows, want.Notes, want.Rejections)
			}
			// What a build that writes remembers is as good as what the first one did.
			if again, leaves := takenOver(t, o); !again.UpToDate || (!e.none || e.writes) && leaves < again.Shards.Total-2 {
				t.Errorf("the next build took %d of %d leaves over, up to date: %v", leaves, again.Shards.Total, again.UpToDate)
			}
		})
	}
}

// TestAPackThatIsGoneIsMissed: leaves whose records nobody reads must be there none the less.
func TestAPackThatIsGoneIsMissed(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 40)
	o := Options{Dataset: c.dir, Store: filepath.Join(c.dir, "..", "store"), Config: smallConfig(), Now: later}
	mustBuild(t, o)
	packs := packNames(t, o.Store)
	c.rows[0].text += " again"
	c.write(t)
	want := mustBuild(t, o)
	if err := os.RemoveAll(filepath.Join(o.Store, "packs", packs[0])); err != nil {
		t.Fatal(err)
	}
	r := mustBuild(t, o)
	if len(r.Warnings) == 0 || r.Dataset != want.Dataset {
		t.Errorf("root %.8s, want %.8s; warnings %v, want one", r.Dataset, want.Dataset, r.Warnings)
	}
}

func packNames(t *testing.T, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(filepath.Join(dir, "packs"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// TestADamagedChunkOfSumsIsNone: whatever its bytes say, a chunk gives no panic, and of a whole one each leaf comes back.
func TestADamagedChunkOfSumsIsNone(t *testing.T) {
	c := sumChunk{}
	value := []byte{2}
	value = append(append(value, remains{language: "en"}.encode()...), remains{"fa", true, []store.Note{{Stage: "text", Kind: "k", Detail: "d", Count: 300}}}.encode()...)
	value = append(append(value, "12345678abcdefghijklmnop"...), 2, 0, 1, 1, 2)
	if !c.load(value) || len(c.at) != 1 || len(c.remains) != 2 || c.remains[1].notes[0].Count != 300 || !c.remains[1].told {
		t.Fatalf("the chunk has %v and %v", c.at, c.remains)
	}
	for i := range value {
		for _, b := range [][]byte{value[:i], append(bytes.Clone(value[:i]), strings.Repeat("\xff", 12)...)} {
			s := leafSums{}
			chunk := &s.chunks[0]
			chunk.once.Do(func() {})
			if chunk.load(b); len(chunk.at) == 0 {
				continue
			}
			leaf := store.Leaf{Rows: 3}
			copy(leaf.Digest[:], "12345678")
			if got, ok := s.of(&leaf); ok && len(got.remains) != 1 && len(got.remains) != 3 {
				t.Fatalf("%d bytes: %d remains of 3 rows", i, len(got.remains))
			}
		}
	}
}

// TestABuildWithNothingToDoWritesNothing: also where it could remember more.
func TestABuildWithNothingToDoWritesNothing(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 12)
	o := Options{Dataset: c.dir, Store: filepath.Join(c.dir, "..", "store"), Config: smallConfig(), Now: later}
	mustBuild(t, o)
	stamps := func() (list []string) {
		err := filepath.WalkDir(o.Store, func(path string, d fs.DirEntry, err error) error {
			if info, e := d.Info(); err == nil && e == nil && !d.IsDir() {
				list = append(list, fmt.Sprint(path, info.Size(), info.ModTime()))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	before := stamps()
	if r := mustBuild(t, o); !r.UpToDate {
		t.Errorf("%+v, want nothing to do", r)
	}
	if after := stamps(); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("files are\n%v\nand were\n%v", after, before)
	}
}
