package compiler

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"voxpack/audio"
	"voxpack/compiler/action"
	"voxpack/store"
)

// mended opens a mender over main and lets it mend the store.
func mended(t *testing.T, o Options) (m *Mender, blocks int, lost []LostRow) {
	t.Helper()
	m, err := OpenMender(context.Background(), o, mainOf(t, o.Store))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	w, err := store.OpenWriter(o.Store, store.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	blocks, lost, err = m.Mend(context.Background(), w.Put, func(int, int) {})
	if closed := w.Close(); err != nil || closed != nil {
		t.Fatal(err, closed)
	}
	return m, blocks, lost
}

// damagedLeaf is the rows of the leaf whose block flipInRecord damages.
func damagedLeaf(t *testing.T, dir string) []string {
	t.Helper()
	d := mainOf(t, dir)
	defer d.Store.Close()
	for i := range d.Shards {
		s, err := d.Shard(i)
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(s.Blocks, func(b store.Block) bool { return !d.Store.Check(store.KindBlock, b.Digest) }) {
			return s.IDs
		}
	}
	t.Fatal("no block is damaged")
	return nil
}

// TestWhatIsDamagedIsMadeAnew: with the sources as they were the snapshot is whole again,
// and no ref has moved.
func TestWhatIsDamagedIsMadeAnew(t *testing.T) {
	t.Parallel()
	c := spokenCorpus(t, 24)
	o := Options{Dataset: c.dir, Store: filepath.Join(c.dir, "..", "store"), Config: smallConfig()}
	mustBuild(t, o)
	before := mainOf(t, o.Store).Digest
	flipInRecord(t, o.Store, store.KindBlock)
	damagedLeaf(t, o.Store)
	// Rows beside it may have changed, and so may what no damaged column is made from.
	edited := c.find(damagedLeaf(t, o.Store)[0])
	c.rows[edited].text, c.rows[edited].given = "another text", "another text"
	c.rows = append(c.rows, line{id: "new", text: "new", given: "new"})
	c.write(t)
	if _, blocks, lost := mended(t, o); blocks != 1 || len(lost) > 0 {
		t.Errorf("mended %d blocks and lost %v, want the one", blocks, lost)
	}
	d := mainOf(t, o.Store)
	if _, err := contents(d); err != nil || d.Digest != before {
		t.Errorf("then: snapshot %s, was %s; %v", d.Digest.Short(), before.Short(), err)
	}
}

// TestWhatCannotBeMadeAnewIsNamed: the row and no other of its block, with the reason;
// without it the root is that of a build without it, and a build brings it again.
func TestWhatCannotBeMadeAnewIsNamed(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]struct {
		do     func(c *corpus, id string)
		reason string
	}{
		"no recording":      {func(c *corpus, id string) { delete(c.wavs, id) }, "no audio"},
		"another recording": {func(c *corpus, id string) { c.wavs[id] = noiseWAV(99, 8000, 900) }, "its recording has changed since the snapshot"},
		"no row":            {func(c *corpus, id string) { i := c.find(id); c.rows = slices.Delete(c.rows, i, i+1) }, "it is no longer in the metadata"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := smallCorpus(t, 24)
			o := Options{Dataset: c.dir, Store: filepath.Join(c.dir, "..", "store"), Config: smallConfig()}
			first := mustBuild(t, o)
			flipInRecord(t, o.Store, store.KindBlock)
			rows := damagedLeaf(t, o.Store)
			gone := rowsDamaged(t, o.Store)[0]
			whole := c.subset(t, filepath.Join(c.dir, "..", "whole"), func(string) bool { return true })
			spoil.do(c, gone)
			c.write(t)
			m, _, lost := mended(t, o)
			if len(lost) != 1 || lost[0].ID != gone {
				t.Fatalf("lost %v, want %s alone of %v", lost, gone, rows)
			}
			if spoil.reason != "no audio" && lost[0].Reason != spoil.reason {
				t.Errorf("reason %q, want %q", lost[0].Reason, spoil.reason)
			}
			digest, err := m.Without(context.Background(), lost, store.WriterOptions{}, MainRef)
			if err != nil {
				t.Fatal(err)
			}
			part := whole.subset(t, filepath.Join(c.dir, "..", "part"), func(id string) bool { return id != gone })
			want := mustBuild(t, Options{Dataset: part.dir, Config: smallConfig()})
			d := mainOf(t, o.Store)
			if d.Digest != digest || d.Snapshot.Root.String() != want.Dataset || d.Snapshot.Parent.String() != first.Snapshot {
				t.Errorf("without it: root %s after %s, want %.12s after %.12s", d.Snapshot.Root.Short(), d.Snapshot.Parent.Short(), want.Dataset, first.Snapshot)
			}
			if _, err := contents(d); err != nil {
				t.Error(err)
			}
			rejected, err := d.Store.ReadRejections(d.Snapshot)
			if err != nil || len(rejected) != 1 || rejected[0].ID != gone || rejected[0].Kind != "damaged" {
				t.Errorf("rejections %v, %v; want %s", rejected, err, gone)
			}
			d.Store.Close()
			m.d.Store.Close()
			if r, err := store.Retire(context.Background(), o.Store, store.WriterOptions{}); err != nil || len(r.Kept)+len(r.Left) > 0 {
				t.Errorf("damaged packs: %+v, %v", r, err)
			}
			back := o
			back.Dataset = whole.dir
			if r := mustBuild(t, back); r.Dataset != first.Dataset {
				t.Errorf("with the sources back: root %.12s, want %.12s", r.Dataset, first.Dataset)
			}
			if _, err := contents(mainOf(t, o.Store)); err != nil {
				t.Error(err)
			}
		})
	}
}

// otherwise is a feature whose bytes are no more what they were, for the same key.
type otherwise struct{ audio.Computer }

func (otherwise) Compute(dst []float32, _ []float32) { clear(dst) }

// TestOtherBytesForTheSameKeyAreNotTaken: a stage that changed without a new version, or a
// machine that computes wrongly.
func TestOtherBytesForTheSameKeyAreNotTaken(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 24)
	o := Options{Dataset: c.dir, Store: filepath.Join(c.dir, "..", "store"), Config: smallConfig()}
	mustBuild(t, o)
	flipInRecord(t, o.Store, store.KindBlock)
	gone := rowsDamaged(t, o.Store)
	d := mainOf(t, o.Store)
	at, err := d.Find(gone[0])
	if err != nil {
		t.Fatal(err)
	}
	m, err := OpenMender(context.Background(), o, d)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if err := m.filler.prepare(); err != nil {
		t.Fatal(err)
	}
	m.filler.features[action.Mel] = otherwise{m.filler.features[action.Mel]}
	l, err := m.Leaf(context.Background(), at.Leaf)
	if err != nil || len(l.Lost) != 1 || l.Lost[0].ID != gone[0] || l.Lost[0].Reason != "mel: made anew it has other bytes for the same key" {
		t.Errorf("%+v, %v; want %s lost, with the reason", l, err, gone)
	}
}

// rowsDamaged are those whose samples are not their checksum's.
func rowsDamaged(t *testing.T, dir string) (ids []string) {
	t.Helper()
	d := mainOf(t, dir)
	defer d.Store.Close()
	err := d.IDs(func(at store.At, id string) bool {
		for _, c := range d.Root.Schema.Blocks() {
			if _, err := d.Value(at, c.Name); err != nil {
				ids = append(ids, id)
				break
			}
		}
		return true
	})
	if err != nil || len(ids) == 0 {
		t.Fatalf("damaged rows: %v, %v", ids, err)
	}
	return ids
}

// TestAPackThatIsCutUnderAMender: the bytes after its end would fault; each leaf is an
// error, or what it was.
func TestAPackThatIsCutUnderAMender(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 24)
	o := Options{Dataset: c.dir, Store: filepath.Join(c.dir, "..", "store"), Config: smallConfig()}
	mustBuild(t, o)
	d := mainOf(t, o.Store) // and its mapping
	m, err := OpenMender(context.Background(), o, d)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	var want [][][]byte
	for i := range d.Shards {
		l, err := m.Leaf(context.Background(), i)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, l.Blocks)
	}
	m.last = nil
	for _, path := range packFiles(t, o.Store, "*.vlog") {
		if err := os.Truncate(path, 8192); err != nil {
			t.Fatal(err)
		}
	}
	for i := range d.Shards {
		l, err := m.Leaf(context.Background(), i)
		switch {
		case err != nil && !errors.Is(err, store.ErrDamaged):
			t.Errorf("leaf %d: %v, want ErrDamaged", i, err)
		case err == nil && (len(l.Lost) > 0 || !slices.EqualFunc(l.Blocks, want[i], slices.Equal[[]byte])):
			t.Errorf("leaf %d is not what it was", i)
		}
	}
}
