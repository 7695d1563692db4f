package compiler

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"voxpack/store"
)

// openStore opens a store until the test ends.
func openStore(t testing.TB, dir string) *store.Store {
	t.Helper()
	st, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return st
}

func mainOf(t testing.TB, dir string) *store.Dataset {
	t.Helper()
	d, err := openStore(t, dir).Dataset("main")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// spokenCorpus is n rows of three speakers, in rows of two languages; some have notes.
func spokenCorpus(t testing.TB, n int) *corpus {
	c := smallCorpus(t, n)
	c.columns = 5
	for i := range c.rows {
		r := &c.rows[i]
		r.speaker, r.language = []string{"ada", "bo", "cy"}[i%3], []string{"en", "de"}[i%2]
		if i%5 == 0 {
			r.text, r.given = r.text+" ☃", r.given+" ☃"
		}
	}
	c.write(t)
	return c
}

// subset is the corpus with some of its rows, in a folder of its own.
func (c *corpus) subset(t testing.TB, dir string, keep func(id string) bool) *corpus {
	s := newCorpus(dir, c.columns)
	for _, r := range c.rows {
		if keep(r.id) {
			s.rows = append(s.rows, r)
			s.wavs[r.id] = c.wavs[r.id]
		}
	}
	s.write(t)
	return s
}

func sound(t testing.TB, dir string) {
	t.Helper()
	_, err := Verify(context.Background(), openStore(t, dir), "main", true, func(f Finding) { t.Errorf("%s: %v", dir, f) })
	if err != nil {
		t.Error(err)
	}
}

// TestAnExcerptIsTheBuildOfItsRows: for subsets of every size the root is that of a clean
// build of these rows, every byte is sound, and a build over it has nothing to compute.
func TestAnExcerptIsTheBuildOfItsRows(t *testing.T) {
	t.Parallel()
	c := spokenCorpus(t, 60)
	o := Options{Dataset: c.dir, Store: filepath.Join(c.dir, "..", "whole"), Config: smallConfig()}
	mustBuild(t, o)
	from := mainOf(t, o.Store)
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 3, 5, 17, 40, 59, 60} {
		ids := []string{}
		for _, i := range r.Perm(len(c.rows))[:n] {
			ids = append(ids, c.rows[i].id)
		}
		has := func(s string) bool {
			return slices.ContainsFunc(c.rows, func(l line) bool { return l.speaker == s && slices.Contains(ids, l.id) })
		}
		if !has("ada") || has("cy") && !has("bo") {
			continue // their numbers would move
		}
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			part := c.subset(t, filepath.Join(c.dir, "..", fmt.Sprint("part", n)), func(id string) bool { return slices.Contains(ids, id) })
			clean := Options{Dataset: part.dir, Store: filepath.Join(part.dir, "clean"), Config: smallConfig()}
			want := mustBuild(t, clean)
			to := filepath.Join(part.dir, "copy")
			digest, report, err := Excerpt{From: from, Keep: func(_ int, id string) bool { return slices.Contains(ids, id) }}.Write(context.Background(), to, store.WriterOptions{}, MainRef)
			if err != nil {
				t.Fatal(err)
			}
			d := mainOf(t, to)
			if got := d.Snapshot.Root.String(); got != want.Dataset || d.Digest != digest || report.Copied == 0 {
				t.Errorf("root %.12s, want %.12s of a clean build; %+v", got, want.Dataset, report)
			}
			sound(t, to)
			if other := mainOf(t, clean.Store).Snapshot; other.Noted != d.Snapshot.Noted || fmt.Sprint(other.Notes) != fmt.Sprint(d.Snapshot.Notes) || other.Origins != d.Snapshot.Origins {
				t.Errorf("notes and origins %v, want %v", d.Snapshot, other)
			}
			clean.Store = to
			if again := mustBuild(t, clean); again.Dataset != want.Dataset || !again.UpToDate {
				t.Errorf("a build over it: %+v, want nothing to do", again)
			}
		})
	}
}

// TestAnExcerptMovesNoSpeaker: a model may know the numbers. A name goes when no other
// one gets another number by that.
func TestAnExcerptMovesNoSpeaker(t *testing.T) {
	t.Parallel()
	c := spokenCorpus(t, 12)
	o := Options{Dataset: c.dir, Store: filepath.Join(c.dir, "..", "whole"), Config: smallConfig()}
	mustBuild(t, o)
	from := mainOf(t, o.Store)
	for name, test := range map[string]struct {
		keep  []string // speakers
		fixed []string
		want  []string
	}{
		"all":                         {[]string{"ada", "bo", "cy"}, nil, []string{"ada", "bo", "cy"}},
		"the last goes":               {[]string{"ada", "bo"}, nil, []string{"ada", "bo"}},
		"the last two go":             {[]string{"ada"}, nil, []string{"ada"}},
		"one before others":           {[]string{"ada", "cy"}, nil, []string{"ada", "bo", "cy"}},
		"the first goes":              {[]string{"bo"}, nil, []string{"ada", "bo", "cy"}},
		"a list of the config stands": {[]string{"ada"}, []string{"ada", "bo", "cy"}, []string{"ada", "bo", "cy"}},
	} {
		t.Run(name, func(t *testing.T) {
			keep := func(_ int, id string) bool { return slices.Contains(test.keep, c.rows[c.find(id)].speaker) }
			to := filepath.Join(t.TempDir(), "to")
			if _, _, err := (Excerpt{From: from, Keep: keep, Speakers: test.fixed}).Write(context.Background(), to, store.WriterOptions{}, MainRef); err != nil {
				t.Fatal(err)
			}
			d := mainOf(t, to)
			if !slices.Equal(d.Root.Speakers, test.want) {
				t.Errorf("speakers %v, want %v", d.Root.Speakers, test.want)
			}
			err := d.IDs(func(at store.At, id string) bool {
				if v, err := d.Scalar(at, "speaker"); err != nil || d.Root.Speakers[v] != c.rows[c.find(id)].speaker {
					t.Errorf("%s has speaker %d, %v; its name is %s", id, v, err, c.rows[c.find(id)].speaker)
				}
				return true
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	_, _, err := Excerpt{From: from, Keep: func(int, string) bool { return false }}.Write(context.Background(), t.TempDir(), store.WriterOptions{}, MainRef)
	if !errors.Is(err, ErrNoRows) {
		t.Errorf("of no row: %v, want ErrNoRows", err)
	}
}

// TestAnExcerptGoesOn: what a stopped call has put is not put again, nothing names half
// a dataset, and the end is the same. Called again there is nothing to do.
func TestAnExcerptGoesOn(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 60)
	o := Options{Dataset: c.dir, Store: filepath.Join(c.dir, "..", "whole"), Config: smallConfig()}
	mustBuild(t, o)
	from := mainOf(t, o.Store)
	e := Excerpt{From: from, Keep: func(row int, _ string) bool { return row%3 > 0 }}
	whole, want, err := e.Write(context.Background(), filepath.Join(c.dir, "..", "once"), store.WriterOptions{}, MainRef)
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(c.dir, "..", "twice")
	ctx, cancel := context.WithCancel(context.Background())
	e.Progress = func(done, total int) {
		if done >= total/2 {
			cancel()
		}
	}
	if _, _, err := e.Write(ctx, to, store.WriterOptions{}, MainRef); !errors.Is(err, context.Canceled) {
		t.Fatalf("stopped: %v", err)
	}
	if _, err := openStore(t, to).Ref(MainRef); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("main of a stopped copy: %v, want none", err)
	}
	e.Progress = nil
	again, report, err := e.Write(context.Background(), to, store.WriterOptions{}, MainRef)
	if err != nil || again != whole || report.Copied == 0 || report.Copied >= want.Copied {
		t.Errorf("then: snapshot %s, %+v, %v; want %s and fewer than %d values", again.Short(), report, err, whole.Short(), want.Copied)
	}
	sound(t, to)
	if _, report, err = e.Write(context.Background(), to, store.WriterOptions{}, MainRef); err != nil || report.Copied+report.Traces > 0 || report.Needed != want.Needed {
		t.Errorf("again: %+v, %v; want nothing copied of %d", report, err, want.Needed)
	}
}

// TestDamageStaysOutOfAnExcerpt: a sample whose bytes are not its checksum's ends it.
func TestDamageStaysOutOfAnExcerpt(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 20)
	o := Options{Dataset: c.dir, Store: filepath.Join(c.dir, "..", "whole"), Config: smallConfig()}
	mustBuild(t, o)
	flipInRecord(t, o.Store, store.KindBlock)
	_, _, err := Excerpt{From: mainOf(t, o.Store), Keep: func(int, string) bool { return true }}.Write(context.Background(), filepath.Join(c.dir, "..", "to"), store.WriterOptions{}, MainRef)
	if !errors.Is(err, store.ErrDamaged) {
		t.Errorf("of a damaged sample: %v, want ErrDamaged", err)
	}
}
