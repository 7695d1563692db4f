package compiler

import (
	"context"
	"fmt"
	"sync"

	"voxpack/compiler/clip"
	"voxpack/store"
)

// work computes the leaves that differ. Workers take one leaf each, or a few whose
// clips ffmpeg decodes together, and hand it to the one writer, so that a leaf is stored while the next is computed.
// Who closes: this function closes queue after the last worker, and waits for the
// writer to end. An error of the writer comes back as the context's cause.
func (b *build) work(ctx context.Context) error {
	defer b.Spans.Span("work")()
	var dirty []*task
	rows := 0
	for i := range b.layout.tasks {
		if t := &b.layout.tasks[i]; t.dirty {
			dirty = append(dirty, t)
			rows += t.leaf.Rows
		}
	}
	if len(dirty) == 0 {
		return nil
	}
	need, err := b.estimate(dirty) // before the first write: a full disk is said before work is lost
	if err != nil {
		return err
	}
	if err := b.openWriter(need < smallBuild); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	b.Progress(Progress{b.computing(), 0, rows})
	queue := make(chan *finished, 1)
	free := b.buffers()
	var wg sync.WaitGroup
	wg.Go(func() { b.store(queue, free, rows, cancel) })
	forgets := !b.mayDoubt()
	workers, runs := make([]*shardWorker, b.leafWorkers()), b.layout.runs(dirty)
	err = parallel(ctx, len(workers), len(runs), func(w, i int) error {
		if workers[w] == nil {
			var err error
			if workers[w], err = b.newShardWorker(free, forgets); err != nil {
				return err
			}
		}
		return workers[w].workRun(ctx, runs[i], queue)
	})
	close(queue)
	wg.Wait()
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// computing is what the work is called: rows whose files claimed too much make a second
// round, which does not go on where the first one ended.
func (b *build) computing() string {
	if b.proved {
		return "computing again"
	}
	return "computing"
}

// recordRun is how many bytes of records are put together. Origin records are
// read by every build: between blocks of megabytes each would cost a page fault
// of its own (110 of 200 ms of a build with nothing to do, 1,162 shards), side
// by side one fault brings thirteen.
const recordRun = 4 << 20

// store is the one writer. Blocks go out at once with their traces, which is
// all that a later build needs to find them; records wait for company. After a
// failed put it only gives buffers back.
func (b *build) store(queue <-chan *finished, free chan<- *[]byte, rows int, cancel context.CancelCauseFunc) {
	failed := false
	put := func(entries []store.Entry) {
		if failed || len(entries) == 0 {
			return
		}
		if err := b.writer.Put(entries); err != nil {
			failed = true
			cancel(err)
		}
	}
	done, held := 0, 0
	var records []store.Entry
	for f := range queue {
		put(f.blocks)
		f.release(free)
		for _, e := range f.records {
			records, held = append(records, e), held+len(e.Value)
		}
		if held > recordRun {
			put(records)
			records, held = records[:0], 0
		}
		b.counts.add(f.counts)
		done += f.task.leaf.Rows
		b.Progress(Progress{b.computing(), done, rows})
	}
	put(records)
}

// buffers are enough for every worker to hold one block of each column while
// the writer holds as many: nobody can wait for a buffer that never comes.
func (b *build) buffers() chan *[]byte {
	n := len(b.layout.schema.Blocks()) * (b.leafWorkers() + 2)
	free := make(chan *[]byte, n)
	for range n {
		free <- new([]byte)
	}
	return free
}

// leafWorkers are the goroutines that work leaves: one for each core, and more where programs compute
// columns, so that each of those finds a batch waiting while the leaf of the last one is put together.
func (b *build) leafWorkers() int {
	rows := 0
	for _, p := range b.programs.list {
		if p != nil && p.pool != nil {
			rows = max(rows, 2*p.pool.Ahead())
		}
	}
	return b.Workers + min((rows+b.Config.PerShard-1)/b.Config.PerShard, 16)
}

// Each worker has engines and a namer of its own.
func (b *build) newShardWorker(free chan *[]byte, forgets bool) (*shardWorker, error) {
	names := b.newNamer()
	f := &filler{cfg: &b.Config, prev: b.prev, namer: &names, decoders: b.decoders, text: b.text, programs: b.programs, pending: &pending{}}
	if err := f.prepare(); err != nil {
		return nil, err
	}
	f.clips.Owes = true
	w := &shardWorker{fill: f, layout: b.layout, prev: b.prev, store: b.writer.Sealed(), distrust: b.distrust, free: free, again: b.proved, forgets: forgets, aside: putter{aside: b.aside}, sums: b.sums}
	if b.proved {
		// With the leaves that stay as they were worked before. Which of two equal new blocks
		// counts as written then depends on which worker came first; the content does not.
		w.store = b.writer.Store()
	}
	return w, nil
}

// openWriter opens the store for writing, once, under the lock that the build
// holds since it began. small: an edit, not a whole build.
func (b *build) openWriter(small bool) error {
	if b.writer != nil {
		return nil
	}
	defer b.Spans.Span("open writer")()
	w, err := store.OpenWriter(b.Store, store.WriterOptions{Lock: b.lock, View: b.st, Small: small})
	if err != nil {
		return err
	}
	b.lock, b.writer = nil, w
	if _, err := w.Store().Ref(MainRef); err == nil && b.st == nil {
		// There was no store to lock when this build began, and now there is a snapshot.
		return fmt.Errorf("another build made the store meanwhile: %w", clip.ErrChanged)
	}
	return nil
}

// smallBuild: up to some ten shards of full-size mels, a pack opens and closes
// in half the time with the settings for edits (see store).
const smallBuild = 32 << 20

// estimate is the number of bytes that the dirty leaves may take. It is checked
// against the free space before the first write.
func (b *build) estimate(dirty []*task) (int64, error) {
	w := shardWorker{fill: &filler{cfg: &b.Config, prev: b.prev}, layout: b.layout, prev: b.prev, store: b.st, distrust: b.distrust, again: b.proved}
	if b.proved {
		w.store = b.writer.Store()
	}
	var need int64
	for _, t := range dirty {
		for c, column := range b.layout.schema.Blocks() {
			if _, ok := w.known(t, c, column); !ok {
				need += w.fresh(t, column)
			}
		}
	}
	return need, store.CheckSpace(b.Store, need)
}
