package stats

import (
	"context"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"voxpack/store"
)

// Work says what it cost to know the statistics.
type Work struct {
	Groups   int   // pages of the trie
	Computed int   // leaves whose blocks were read
	Unkept   error // why memos could not be written; nil: they were, or there was none to write
}

// Of is the statistics of a dataset. What dir remembers is not computed again, and
// what is computed is remembered there; "" remembers nothing. The same dataset has
// the same statistics, whatever dir holds.
func Of(ctx context.Context, d *store.Dataset, dir string) (*Stats, Work, error) {
	columns := columnsOf(d.Root)
	total := newPart(columns)
	work := Work{}
	if len(columns) == 0 {
		return report(d, columns, total), work, nil
	}
	groups := groupsOf(d.Shards)
	run := &run{dataset: d, columns: columns, recipe: recipe(columns), dir: dir, groups: groups, total: total}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(groups)) {
		wait.Go(func() {
			if err := run.work(ctx); err != nil {
				cancel(err)
			}
		})
	}
	wait.Wait()
	if err := context.Cause(ctx); err != nil {
		return nil, work, err
	}
	work = Work{Groups: len(groups), Computed: run.computed, Unkept: run.unkept}
	if dir != "" && run.computed > 0 {
		tidy(dir, groups)
	}
	return report(d, columns, total), work, nil
}

// Kept is Of with what the dataset's store remembers. A store that cannot be written
// is read again each time.
func Kept(ctx context.Context, d *store.Dataset) (*Stats, error) {
	s, _, err := Of(ctx, d, Folder(d))
	return s, err
}

// Folder is where the store of a dataset remembers statistics.
func Folder(d *store.Dataset) string { return filepath.Join(d.Store.Dir(), MemoName) }

// run is the work on a dataset, which workers share.
type run struct {
	dataset *store.Dataset
	columns []column
	recipe  store.Digest
	dir     string
	groups  []group
	next    atomic.Int64 // group that nobody has taken

	mu       sync.Mutex
	total    part // sums do not depend on the order in which groups end
	computed int
	unkept   error
}

// work takes groups until there are none left.
func (r *run) work(ctx context.Context) error {
	w := newWorker(r.dataset, r.columns)
	for {
		n := int(r.next.Add(1)) - 1
		if n >= len(r.groups) {
			return nil
		}
		p, computed, err := r.group(ctx, w, r.groups[n])
		if err != nil {
			return err
		}
		var unkept error
		if computed != nil && r.dir != "" {
			unkept = computed.write(r.dir, r.groups[n].name())
		}
		r.mu.Lock()
		r.total.add(p)
		if computed != nil {
			r.computed += computed.fresh
		}
		if unkept != nil {
			r.unkept = unkept
		}
		r.mu.Unlock()
	}
}

// group is the sums of a group, and its memo if that is a new one.
func (r *run) group(ctx context.Context, w *worker, g group) (part, *memo, error) {
	p := newPart(r.columns)
	old := &memo{recipe: r.recipe}
	if r.dir != "" {
		old = readMemo(r.dir, g.name(), r.recipe)
	}
	digest := g.digest(r.dataset.Shards)
	if old.group == digest && p.addCoded(old.whole, r.columns) {
		return p, nil, nil
	}
	made := &memo{recipe: r.recipe, group: digest, leaves: map[store.Digest][]byte{}}
	for _, i := range g.leaves {
		name := r.dataset.Shards[i].Digest
		if coded, ok := old.leaves[name]; ok && p.addCoded(coded, r.columns) {
			made.leaves[name] = coded
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, nil, context.Cause(ctx)
		}
		one, err := w.leaf(i)
		if err != nil {
			return nil, nil, err
		}
		p.add(one)
		made.leaves[name] = one.encode()
		made.fresh++
	}
	made.whole = p.encode()
	return p, made, nil
}
