package compiler

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"voxpack/internal/number"
	"voxpack/store"
)

// finished is one worked leaf on its way to the writer. The writer gives the
// buffers back when the entries are stored.
type finished struct {
	task    *task
	blocks  []store.Entry // with their traces
	records []store.Entry
	buffers []*[]byte // that blocks stand in
	counts  workCounts
}

// workCounts is what the work on leaves amounted to.
type workCounts struct {
	shardsWritten, blocksWritten, blocksReused int
	bytes                                      int64 // of samples that a dry run foresees
}

// add sums up the counts of leaves. The writer alone calls it, so it takes no lock.
func (c *workCounts) add(o workCounts) {
	c.shardsWritten += o.shardsWritten
	c.blocksWritten += o.blocksWritten
	c.blocksReused += o.blocksReused
	c.bytes += o.bytes
}

// shardWorker works one leaf after the other.
type shardWorker struct {
	fill     *filler
	layout   *layout
	prev     *previous
	store    *store.Store // what is stored already, this build's packs included
	distrust bool
	free     chan *[]byte
	again    bool // this build has worked before: see prove
	forgets  bool // no leaf is worked twice, so that the fates of its rows may go
	shared   sharedFates
	aside    putter // of records that may be needed again
	sums     *leafSums
	sumOf    []byte // scratch
}

// workRun works leaves one after the other.
func (w *shardWorker) workRun(ctx context.Context, run []*task, queue chan<- *finished) error {
	w.fill.rows = w.fill.rows[:0]
	for _, t := range run {
		if err := w.aside.recall(w.layout.rowsOf(t)); err != nil {
			return err
		}
	}
	for _, t := range run {
		if len(run) == 1 || !w.hasAll(t) {
			w.fill.rows = append(w.fill.rows, w.layout.rowsOf(t)...)
		}
	}
	for _, t := range run {
		f, err := w.work(ctx, t)
		if err != nil {
			return err
		}
		if f != nil {
			queue <- f // the writer takes until the channel is closed, also after an error
		}
	}
	return nil
}

// hasAll reports whether earlier builds made all blocks of a leaf.
func (w *shardWorker) hasAll(t *task) bool {
	for c, column := range w.layout.schema.Blocks() {
		if _, ok := w.known(t, c, column); !ok {
			return false
		}
	}
	return true
}

// work brings a leaf's blocks and records together: each block from the
// previous snapshot, from a trace, or row by row. nil: it has unproven rows, which
// may have no place in it.
func (w *shardWorker) work(ctx context.Context, t *task) (*finished, error) {
	rows := w.layout.rowsOf(t)
	guessed := slices.ContainsFunc(rows, func(it *item) bool { return it.guessed })
	out := &finished{task: t}
	shard, err := w.shard(rows)
	if err != nil {
		return nil, err
	}
	shard.Blocks = make([]store.Block, len(w.layout.schema.Blocks()))
	var fresh []*freshBlock
	for c, column := range w.layout.schema.Blocks() {
		if b, ok := w.known(t, c, column); ok {
			shard.Blocks[c] = b
			out.counts.blocksReused++
			continue
		}
		fresh = append(fresh, w.begin(out, c, column, len(rows)))
	}
	if err := w.compute(ctx, fresh, rows); err != nil {
		out.release(w.free)
		if errors.Is(err, errUnproven) {
			err = nil
		}
		return nil, err
	}
	for _, f := range fresh {
		shard.Blocks[f.c] = w.end(out, f)
	}
	if guessed || len(w.fill.cfg.Columns) > 0 { // the clips are decoded by now, and values computed
		shard.Scalars = w.layout.scalars(w.fill.cfg, rows)
	}
	if t.keys == nil || guessed { // and hashed
		keys := w.fill.namer.keys
		keys.record = w.layout.makeOrigin(w.fill.cfg, t, keys)
		t.originRecord = slices.Clone(keys.record)
	}
	for _, f := range fresh {
		out.blocks = append(out.blocks, store.Entry{Kind: store.KindTrace, Name: t.keys[f.c], Value: encodeTrace(f.block)})
	}
	record := shard.Encode()
	t.leaf.Digest = store.Sum(record)
	if !w.has(store.KindShard, t.leaf.Digest) {
		out.records = append(out.records, store.Entry{Kind: store.KindShard, Name: t.leaf.Digest, Value: record})
		out.counts.shardsWritten++
	}
	if t.originRecord != nil && !w.has(store.KindOrigin, t.origin) {
		out.records = append(out.records, store.Entry{Kind: store.KindOrigin, Name: t.origin, Value: t.originRecord})
	}
	t.originRecord = nil
	w.forget(t, rows)
	return out, nil
}

// forget lets go what is not asked any more of the rows of a leaf that is done.
func (w *shardWorker) forget(t *task, rows []*item) {
	if !w.forgets {
		for _, it := range rows {
			w.aside.put(it)
		}
		return
	}
	t.keys, t.done = nil, &leafDone{}
	if w.sums.kept {
		t.done.sum, t.done.sound = w.sums.sum(t.origin, rows, &w.sumOf)
	}
	for _, it := range rows {
		it.fate = w.shared.fateOf(it.fate)
	}
}

// shard is the record of a leaf's rows, its blocks still missing.
func (w *shardWorker) shard(rows []*item) (store.Shard, error) {
	if err := w.numbers(rows); err != nil {
		return store.Shard{}, err
	}
	s := store.Shard{Scalars: w.layout.scalars(w.fill.cfg, rows)}
	for _, it := range rows {
		s.IDs = append(s.IDs, it.made.ID)
	}
	return s, nil
}

// freshBlock is a block that no earlier build made.
type freshBlock struct {
	c      int // index of its column among the blocks
	column store.Column
	bytes  []byte
	block  store.Block
	late   bool    // its samples come when all rows are asked for: a program computes them
	taken  []taken // where its samples were copied from; nil: it is stored whole in any case
}

func (f *freshBlock) sample(i int) []byte {
	size := f.column.SampleBytes()
	return f.bytes[i*size : (i+1)*size]
}

func (f *freshBlock) sum(i int) { f.block.Sums[i] = store.Checksum(f.sample(i)) }

// begin takes memory for a block.
// It waits for a free buffer; see build.buffers for why one always comes.
func (w *shardWorker) begin(out *finished, c int, column store.Column, rows int) *freshBlock {
	buf := <-w.free
	out.buffers = append(out.buffers, buf)
	need := rows * column.SampleBytes()
	if cap(*buf) < need {
		*buf = make([]byte, need)
	}
	f := &freshBlock{c: c, column: column, bytes: (*buf)[:need], block: store.Block{Sums: make([]uint64, rows)}, late: w.fill.cfg.isComputed(column.Name)}
	if w.byExtents(column) {
		f.taken = make([]taken, rows)
	}
	return f
}

// compute fills blocks row by row, so that one clip is in memory at a time and
// is read once for all columns. After an unproven row it goes on to the others, so
// that they are all known at once.
// What programs compute comes when all rows are theirs.
func (w *shardWorker) compute(ctx context.Context, fresh []*freshBlock, rows []*item) (unproven error) {
	defer w.fill.pending.wait()
	for i, it := range rows {
		if err := ctx.Err(); err != nil {
			return err // within one row of Ctrl-C
		}
		if err := w.fill.settle(ctx, it); errors.Is(err, errUnproven) {
			it.unproven, unproven = true, err
			continue
		} else if err != nil {
			return err
		}
		for _, f := range fresh {
			at, _ := w.fill.cfg.stages().Filling(f.column.Name)
			ran, err := w.fill.fill(ctx, f.sample(i), f.column, it)
			if errors.Is(err, errUnproven) {
				it.unproven, unproven = true, err
				break
			}
			if err != nil {
				return err
			}
			it.computed.Add(at, ran)
			if f.taken != nil {
				f.taken[i] = w.fill.taken
			}
			if !f.late {
				f.sum(i)
			}
		}
	}
	if err := w.fill.proveSums(); errors.Is(err, errUnproven) {
		unproven = err
	} else if err != nil {
		return err
	}
	if err := w.fill.finishComputed(); err != nil {
		return err // also of rows that it has marked as unproven
	}
	for _, f := range fresh {
		for i := range rows {
			if f.late {
				f.sum(i)
			}
		}
	}
	return unproven
}

// end hands a full block over, unless its bytes are stored already.
func (w *shardWorker) end(out *finished, f *freshBlock) store.Block {
	f.block.Digest = store.Sum(f.bytes)
	if w.has(store.KindBlock, f.block.Digest) {
		out.counts.blocksReused++
		return f.block
	}
	out.blocks = append(out.blocks, w.entries(f)...)
	out.counts.blocksWritten++
	return f.block
}

// extentsFrom is the size of a sample from which a block is stored as extents of the blocks that its samples were copied
// from. Values of up to a KiB lie beside their keys and are copied when they are read; smaller samples would also
// repay the list less.
const extentsFrom = 1 << 10

// byExtents reports whether blocks of a column are stored as extents where they can be.
func (w *shardWorker) byExtents(column store.Column) bool {
	return w.prev != nil && !w.distrust && column.SampleBytes() >= extentsFrom
}

// entries are what a new block is stored as: whole where nothing of it is stored yet, else the samples that are new, as
// a block of their own, and the extents of all. So an edit or an append writes its own samples, and not all of the shard.
func (w *shardWorker) entries(f *freshBlock) []store.Entry {
	whole := []store.Entry{{Kind: store.KindBlock, Name: f.block.Digest, Value: f.bytes}}
	if !slices.ContainsFunc(f.taken, func(t taken) bool { return t.store != nil }) {
		return whole
	}
	size := int64(f.column.SampleBytes())
	extents := make([]store.Extent, len(f.taken))
	var fresh []byte
	for i, t := range f.taken {
		extents[i] = store.Extent{From: int64(len(fresh)), Len: size}
		if t.store == nil {
			fresh = append(fresh, f.sample(i)...)
			continue
		}
		var err error
		if extents[i], err = t.store.Locate(t.block, t.from, size); err != nil {
			return whole
		}
	}
	var list []store.Entry
	if len(fresh) > 0 {
		name := store.Sum(fresh)
		list = append(list, store.Entry{Kind: store.KindBlock, Name: name, Value: fresh})
		for i, t := range f.taken {
			if t.store == nil {
				extents[i].Block = name
			}
		}
	}
	return append(list, store.Entry{Kind: store.KindExtents, Name: f.block.Digest, Value: store.EncodeExtents(extents)})
}

// known is the block of a column that an earlier build made for this leaf: the
// previous snapshot's, else one that a trace names.
func (w *shardWorker) known(t *task, c int, column store.Column) (store.Block, bool) {
	if t.keys == nil || w.unsettled(column, w.layout.rowsOf(t)) { // of a first build, which finds nothing
		return store.Block{}, false
	}
	if b, ok := w.reuse(t, c, column); ok {
		return b, true
	}
	return w.traced(t.keys[c], t.leaf.Rows*column.SampleBytes(), t.leaf.Rows)
}

// reuse takes the block of the previous snapshot's leaf when the keys of all
// its rows are the same; its bytes are not read.
func (w *shardWorker) reuse(t *task, c int, column store.Column) (store.Block, bool) {
	if t.prev < 0 {
		return store.Block{}, false
	}
	old := w.prev.Root.Schema.Blocks().Index(column.Name)
	if old < 0 {
		return store.Block{}, false
	}
	o, err := w.prev.originOf(t.prev)
	if err != nil || old >= len(o.Blocks) || o.Blocks[old] != t.keys[c] {
		return store.Block{}, false
	}
	s, err := w.prev.shardOf(t.prev)
	if err != nil {
		return store.Block{}, false
	}
	b := s.Blocks[old]
	return b, !w.distrust || w.has(store.KindBlock, b.Digest)
}

// traced takes the block that an earlier build made from the same keys.
func (w *shardWorker) traced(key store.Key, size, rows int) (store.Block, bool) {
	b, ok := traceOf(w.store, key, rows)
	if !ok {
		return b, false
	}
	if w.again && !w.distrust { // most likely of the pack that is being written, which would be read back for its length
		return b, w.store.Has(store.KindBlock, b.Digest)
	}
	bytes, err := w.store.BlockSize(b.Digest)
	return b, err == nil && bytes == size && (!w.distrust || w.has(store.KindBlock, b.Digest))
}

// traceOf is the block that a trace names. A trace is the block's digest and a checksum of
// 8 bytes, little-endian, for each row (encodeTrace). One of another length was written for
// another shape.
func traceOf(st *store.Store, key store.Key, rows int) (store.Block, bool) {
	if st == nil {
		return store.Block{}, false
	}
	value, ok := st.Trace(key)
	if !ok || len(value) != 32+8*rows {
		return store.Block{}, false
	}
	b := store.Block{Digest: store.Digest(value[:32]), Sums: make([]uint64, rows)}
	for i := range b.Sums {
		b.Sums[i] = binary.LittleEndian.Uint64(value[32+8*i:])
	}
	return b, true
}

// has reports whether an entry is stored, by this build or an earlier one.
func (w *shardWorker) has(kind store.Kind, name store.Digest) bool {
	return held(w.store, w.distrust, kind, name)
}

// held reports whether an entry need not be stored again. That its key is there
// is enough, unless damage was met: then its value is read and hashed, so that
// the build leaves a snapshot that can be read.
func held(s *store.Store, distrust bool, kind store.Kind, name store.Digest) bool {
	if s == nil {
		return false // a first build
	}
	if !distrust {
		return s.Has(kind, name)
	}
	return s.Check(kind, name)
}

// encodeTrace is the value of a trace without its sum, which the store adds. The checksums
// are in it so that a hit need not read the block (docs/design/0004).
func encodeTrace(b store.Block) []byte {
	v := append(make([]byte, 0, 32+8*len(b.Sums)), b.Digest[:]...)
	for _, s := range b.Sums {
		v = binary.LittleEndian.AppendUint64(v, s)
	}
	return v
}

// release gives the buffers of a leaf back.
func (f *finished) release(free chan<- *[]byte) {
	for _, b := range f.buffers {
		free <- b
	}
}

// checkBlockSize refuses shapes whose block would not fit one value of a pack.
func checkBlockSize(schema store.Schema, rows int) error {
	const most = 200 << 20 // below the value-log files of 256 MiB
	n := 0
	for _, c := range schema.Blocks() {
		n = max(n, c.SampleBytes()*rows)
	}
	if n > most {
		return fmt.Errorf("a shard of %s has blocks of %d MiB, %d MiB are the most: lower rows_per_shard or max_mel_frames", number.Count(rows, "row"), n>>20, most>>20)
	}
	return nil
}
