package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"voxpack/bench/program"
	"voxpack/gpufeed"
	"voxpack/gpufeed/plan"
	"voxpack/internal/perf"
	"voxpack/store"
)

// makeStore generates a corpus of n clips beside a new store, builds the store
// and removes the corpus.
func makeStore(ctx context.Context, o options, dir string, stderr io.Writer) (err error) {
	if _, failed := os.Stat(dir); !errors.Is(failed, fs.ErrNotExist) {
		return fmt.Errorf("%s is there; name a new folder", dir)
	}
	temp, err := os.MkdirTemp(filepath.Dir(dir), "voxpack-corpus-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	corpus := filepath.Join(temp, "corpus")
	fmt.Fprintf(stderr, "making a store of %d clips in %s\n", o.n, dir)
	// 9.28 s are 800 frames: every clip fits the usual shape.
	if err := program.Corpus(ctx, stderr, corpus, o.n, "-max-seconds", "9.28"); err != nil {
		return fmt.Errorf("corpus: %w", err)
	}
	voxpack, err := o.program(ctx, temp, stderr)
	if err != nil {
		return err
	}
	build := exec.CommandContext(ctx, voxpack, "build", "-q", "-o", dir, corpus)
	build.Stdout, build.Stderr = stderr, stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("voxpack build: %w", err)
	}
	syscall.Sync() // what the build wrote must not be written out under the rounds
	return nil
}

// dataset is a snapshot opened for a feed of all its rows.
type dataset struct {
	store  *store.Store
	data   *store.Dataset
	set    *plan.Set
	layout *gpufeed.Layout // of a batch
}

// openDataset opens what the flags name; rec gets a span for each step.
func openDataset(o options, rec *perf.Recorder) (*dataset, error) {
	done := rec.Span("open the store")
	s, err := store.Open(o.store)
	if err != nil {
		return nil, err
	}
	done()
	d := &dataset{store: s}
	if err := d.open(o, rec); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return d, nil
}

func (d *dataset) open(o options, rec *perf.Recorder) (err error) {
	done := rec.Span("dataset")
	if d.data, err = d.store.Dataset(o.ref); err != nil {
		return err
	}
	done()
	done = rec.Span("select")
	if d.set, err = plan.Select(d.data, plan.Selection{}); err != nil {
		return err
	}
	done()
	if d.set.Len() < o.batch {
		return fmt.Errorf("%s has %d rows, too few for a batch of %d", o.store, d.set.Len(), o.batch)
	}
	d.layout, err = gpufeed.NewLayout(d.data.Root.Schema, o.batch, gpufeed.Form{})
	return err
}

// value is what a row has in a column, as its bytes.
func (d *dataset) value(row uint32, c store.Column) ([]byte, error) {
	if !c.Inline() {
		return d.data.Value(d.set.At(row), c.Name)
	}
	v, err := d.data.Scalar(d.set.At(row), c.Name)
	return binary.LittleEndian.AppendUint32(nil, uint32(v)), err
}

// batches of an epoch; what does not fill one is dropped.
func (d *dataset) batches() int { return d.set.Len() / d.layout.Samples }

// warm reads every pack of a store, which leaves it in the page cache where
// there is room.
func warm(dir string) error {
	return eachFile(dir, func(f *os.File) error {
		_, err := io.CopyBuffer(io.Discard, onlyReader{f}, make([]byte, 1<<20))
		return err
	})
}

// onlyReader hides the other methods of a file, which would choose a buffer of
// their own.
type onlyReader struct{ io.Reader }

// eachFile opens every file of every pack, one after the other.
func eachFile(dir string, visit func(*os.File) error) error {
	paths, err := fs.Glob(os.DirFS(dir), "packs/*/*")
	if err != nil {
		return err
	}
	for _, path := range paths {
		f, err := os.Open(filepath.Join(dir, path))
		if err != nil {
			return err
		}
		err = visit(f)
		if err = errors.Join(err, f.Close()); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// firstEpoch is the walk over epoch 0 that a feed with config makes.
func (d *dataset) firstEpoch(o options) (*plan.Batches, error) {
	c := config(o, 1)
	order, err := d.set.Order(plan.Global, c.Plan.Seed, 0)
	if err != nil {
		return nil, err
	}
	return order.Batches(c.Plan)
}
