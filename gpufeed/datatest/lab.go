package datatest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"voxpack/store"
)

// Lab is a store that takes made-up datasets.
type Lab struct {
	Dir string
	T   testing.TB
}

// NewLab is a lab in a folder of the test's.
func NewLab(t testing.TB) Lab { return Lab{t.TempDir(), t} }

// Write builds datasets and commits them under the names set0, set1, …
func (l Lab) Write(k int, schema store.Schema, sets ...[]Sample) {
	l.T.Helper()
	l.write(func(w *store.Writer) error {
		for i, set := range sets {
			if err := commit(w, i, store.Root{Schema: schema, PerShard: k}, set); err != nil {
				return err
			}
		}
		return nil
	})
}

// Open returns the datasets that write made.
func (l Lab) Open(n int) []*store.Dataset {
	l.T.Helper()
	s, err := store.Open(l.Dir)
	if err != nil {
		l.T.Fatal(err)
	}
	l.T.Cleanup(func() { s.Close() })
	list := make([]*store.Dataset, n)
	for i := range list {
		if list[i], err = s.Dataset(fmt.Sprintf("set%d", i)); err != nil {
			l.T.Fatal(err)
		}
	}
	return list
}

// Truncate shortens the files of all packs to nothing, under whoever has them mapped.
func (l Lab) Truncate(pattern string) {
	l.T.Helper()
	files, _ := filepath.Glob(filepath.Join(l.Dir, "packs", "*", pattern))
	if len(files) == 0 {
		l.T.Fatalf("no %s in the packs", pattern)
	}
	for _, f := range files {
		if err := os.Truncate(f, 0); err != nil {
			l.T.Fatal(err)
		}
	}
}

// write puts something into the store.
func (l Lab) write(put func(w *store.Writer) error) {
	l.T.Helper()
	w, err := store.OpenWriter(l.Dir, store.WriterOptions{Small: true, Reserve: 8 << 20})
	if err == nil {
		err = errors.Join(put(w), w.Close())
	}
	if err != nil {
		l.T.Fatal(err)
	}
}

// commit puts a dataset under the name set0, set1, …
func commit[R Row](w *store.Writer, number int, root store.Root, set []R) error {
	snapshot, err := put(w, root, set)
	if err != nil {
		return err
	}
	return w.Commit(context.Background(), fmt.Sprintf("tags/set%d", number), snapshot)
}

// Dataset is one made-up dataset in a store of its own.
func Dataset(t testing.TB, set []Sample) *store.Dataset {
	t.Helper()
	return Of(t, store.Root{Schema: Schema, PerShard: PerShard}, set)
}

// Of is a dataset of any rows in a store of its own. The root says what depends on
// no row: schema, rows a shard, symbols.
func Of[R Row](t testing.TB, root store.Root, set []R) *store.Dataset {
	t.Helper()
	l := NewLab(t)
	l.write(func(w *store.Writer) error { return commit(w, 0, root, set) })
	return l.Open(1)[0]
}
