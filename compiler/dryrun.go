package compiler

import (
	"context"

	"voxpack/compiler/action"
	"voxpack/store"
)

// dryReport says what a build would do, from keys alone. Rows are exact. Blocks
// that would be computed, and with them their shards, are an upper bound: their
// bytes may be those of a block that is there.
// A build that stops for its loss says the same.
func (b *build) dryReport(ctx context.Context, loss *Loss) (*Report, error) {
	b.counts = workCounts{}             // of work that a loss stopped
	if b.st == nil && b.writer == nil { // a folder that a build would refuse is refused now
		if err := store.CheckEmpty(b.Store); err != nil {
			return nil, err
		}
	}
	w := &shardWorker{fill: &filler{cfg: &b.Config, prev: b.prev}, layout: b.layout, prev: b.prev, store: b.st, distrust: b.distrust}
	for i := range b.layout.tasks {
		if t := &b.layout.tasks[i]; t.dirty {
			b.counts.add(w.foresee(t))
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
	}
	r, err := b.records(ctx)
	if err != nil {
		return nil, err
	}
	rep := b.report(r, false)
	rep.Dataset, rep.DryRun = "", b.DryRun // no shard was made, so there is no identity yet
	rep.AtMost, rep.WouldWrite = b.counts.blocksWritten > 0, b.counts.bytes
	if rep.Loss = loss; loss != nil {
		return rep, b.lost(loss)
	}
	return rep, nil
}

// foresee counts what work would do for a leaf, and marks the rows that would
// run, without computing any.
func (w *shardWorker) foresee(t *task) (counts workCounts) {
	rows := w.layout.rowsOf(t)
	shard, err := w.shard(rows)
	if err != nil { // a work would say so
		counts.shardsWritten++
		return counts
	}
	known := true // all blocks are; else the shard's digest cannot be
	for c, column := range w.layout.schema.Blocks() {
		block, ok := w.known(t, c, column)
		if ok {
			counts.blocksReused++
			shard.Blocks = append(shard.Blocks, block)
			continue
		}
		known = false
		counts.blocksWritten++
		counts.bytes += w.fresh(t, column)
		at, _ := w.fill.cfg.stages().Filling(column.Name)
		for _, it := range rows {
			it.computed.Add(at, !w.fill.canTake(column, it, at))
		}
	}
	if !known || !w.has(store.KindShard, store.Sum(shard.Encode())) {
		counts.shardsWritten++
	}
	return counts
}

// fresh is how many bytes of samples a build writes for a block that is not known.
func (w *shardWorker) fresh(t *task, column store.Column) int64 {
	rows := w.layout.rowsOf(t)
	n := len(rows)
	at, _ := w.fill.cfg.stages().Filling(column.Name)
	// Of a column of the user's own nobody may have read the lengths yet: an estimate takes all of it.
	if t.keys != nil && w.byExtents(column) && !at.IsOwn() && w.prev.sampleBytes(column.Name) == column.SampleBytes() {
		for _, it := range rows {
			if !it.unnamed() && w.fill.canTake(column, it, at) {
				n--
			}
		}
	}
	return int64(n) * int64(column.SampleBytes())
}

// canTake reports whether take would find a sample, as far as its bytes are not
// looked at.
func (f *filler) canTake(column store.Column, it *item, at action.Stage) bool {
	if len(f.prev.where(column.Name, it.made.Keys[at])) == 0 {
		return false
	}
	return f.fits(f.prev.Root.Schema[f.prev.Root.Schema.Index(column.Name)], column, it, at)
}
