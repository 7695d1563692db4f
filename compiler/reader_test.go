package compiler

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"voxpack/store"
)

// contents is every sample of a dataset, byte for byte, as one digest.
func contents(d *store.Dataset) (store.Digest, error) {
	var all []byte
	for leaf := range d.Shards {
		shard, err := d.Shard(leaf)
		if err != nil {
			return store.Digest{}, err
		}
		for row, id := range shard.IDs {
			all = append(all, id...)
			for _, c := range d.Root.Schema {
				at := store.At{Leaf: leaf, Row: row}
				if c.Inline() {
					v, err := d.Scalar(at, c.Name)
					if err != nil {
						return store.Digest{}, err
					}
					all = fmt.Append(all, c.Name, v)
					continue
				}
				b, err := d.Value(at, c.Name)
				if err != nil {
					return store.Digest{}, fmt.Errorf("%s: %w", id, err)
				}
				sum := store.Sum(b)
				all = append(all, sum[:]...)
			}
		}
	}
	return store.Sum(all), nil
}

// TestAReaderIsNotDisturbed holds the first snapshot open while builds in this
// process and in another make new ones and merges remove packs. What it reads
// stays the same, to the byte, from the mapped memory and from opening anew.
func TestAReaderIsNotDisturbed(t *testing.T) {
	c := smallCorpus(t, 40)
	o := Options{Dataset: c.dir, Store: filepath.Join(c.dir, "..", "store"), Config: smallConfig()}
	mustBuild(t, o)
	st, err := store.Open(o.Store)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	d, err := st.Dataset("main")
	if err != nil {
		t.Fatal(err)
	}
	want, err := contents(d)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var reads, merges, removed atomic.Int64
	var wg sync.WaitGroup
	wg.Go(func() {
		for ctx.Err() == nil || reads.Load() < 2 {
			if got, err := contents(d); err != nil || got != want {
				t.Errorf("read %d: contents %v, %v; want %v", reads.Load(), got.Short(), err, want.Short())
				return
			}
			reads.Add(1)
		}
	})
	wg.Go(func() {
		for ctx.Err() == nil {
			r, err := store.Merge(ctx, o.Store, store.WriterOptions{MaxSmall: 2, DeadSlack: 1, Small: true}, (*store.Store).Live)
			if errors.Is(err, store.ErrBusy) {
				continue // a child that is being started has our locks until its exec
			}
			if err != nil && ctx.Err() == nil {
				t.Errorf("merge: %v", err)
				return
			}
			merges.Add(1)
			removed.Add(int64(r.Removed))
		}
	})
	builds := 24
	if testing.Short() {
		builds = 8
	}
	for i := range builds {
		c.rows[i%40].given = fmt.Sprint("edit number ", i)
		c.wavs[c.rows[(7*i)%40].id] = noiseWAV(uint64(5000+i), 8000, 700+i)
		c.write(t)
		if i == builds/2 { // a rest: a merge that meets no build removes what it has merged
			for done := merges.Load() + 2; merges.Load() < done && !t.Failed(); {
				time.Sleep(time.Millisecond)
			}
		}
		if i%4 == 3 {
			if out, err := buildChild(o).CombinedOutput(); err != nil {
				t.Fatalf("child: %v\n%s", err, out)
			}
			continue
		}
		mustBuild(t, o)
	}
	stop()
	wg.Wait()
	if removed.Load() == 0 {
		t.Errorf("%d merges removed no pack: too few to prove anything", merges.Load())
	}
	t.Logf("%d reads beside %d builds and %d merges that removed %d packs", reads.Load(), builds, merges.Load(), removed.Load())
	if got, err := contents(d); err != nil || got != want {
		t.Errorf("at the end: contents %v, %v; want %v", got.Short(), err, want.Short())
	}
	verifyAll(t, o.Store)
}

// TestReadersOpenAtAnyMoment opens main again and again while builds move it:
// what opens is always whole.
func TestReadersOpenAtAnyMoment(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 20)
	o := Options{Dataset: c.dir, Config: smallConfig()}
	mustBuild(t, o)
	ctx, stop := context.WithCancel(t.Context())
	opened := 0
	var wg sync.WaitGroup
	wg.Go(func() {
		for ctx.Err() == nil || opened < 2 {
			st, err := store.Open(filepath.Join(c.dir, StoreName))
			if err != nil {
				t.Errorf("open: %v", err)
				return
			}
			d, err := st.Dataset("main")
			if err == nil {
				_, err = contents(d)
			}
			if err != nil {
				t.Errorf("read: %v", err)
			}
			st.Close()
			opened++
		}
	})
	for i := range 10 {
		c.rows[i].given = fmt.Sprint("edit ", i)
		c.write(t)
		mustBuild(t, o)
		_, err := store.Merge(ctx, filepath.Join(c.dir, StoreName), store.WriterOptions{MaxSmall: 1, DeadSlack: 1, Small: true}, (*store.Store).Live)
		if err != nil {
			t.Errorf("merge: %v", err)
		}
	}
	stop()
	wg.Wait()
}
