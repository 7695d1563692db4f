package compiler

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"voxpack/compiler/action"
	"voxpack/store"
)

// ErrNoRows says that nothing would be left of a dataset.
var ErrNoRows = errors.New("no row is left")

// Excerpt is some rows of a dataset as a dataset of its own. It is made from what is
// stored: no source is read and no stage runs. Its root is that of a build whose metadata has
// only these rows, under the same columns, as long as none of their speakers gets
// another number by that; where one would, all keep their numbers and the table stays.
type Excerpt struct {
	From     *store.Dataset
	Keep     func(row int, id string) bool // row: in the order of the trie
	Speakers []string                      // the config's own list, which is kept as it is; nil: it has none
	Progress func(done, total int)         // of rows; may be nil

	// What the snapshot says beside the rows. The zero value of each is From's, but for
	// Parent and Rejected, of which there are none then.
	Rejected []store.Rejection
	Parent   store.Digest
	Time     int64
	Tool     string

	// InPlace: the target is From's own store, so that shards without a row less are
	// named again and not read. Sample then finds what is damaged there; nil: nothing is.
	InPlace bool
	Sample  func(ctx context.Context, leaf, row, column int) ([]byte, error)
}

// excerptRow is where a row stands in From.
type excerptRow struct{ leaf, row int32 }

// excerpt is one call of Write.
type excerpt struct {
	*Excerpt
	ctx     context.Context // of the call, which ends with it
	w       *store.Writer
	report  store.CopyReport
	rows    []excerptRow
	leaves  []store.Leaf
	origins []store.Leaf // as leaves, with the digests of origin records
	names   []string     // the table of speakers
	keyer   action.Keyer
	notes   noteCounter
	shard   *store.Shard // the record of From that was read last, and its origin
	origin  *store.Origin
	last    int
	entries runs[store.Entry]
}

// Write puts the excerpt into a store and lets a ref name it; the store is made where
// there is none. What an interrupted call has put stays, and the next one goes on from
// there. Every sample is held against its checksum before it is written.
func (e Excerpt) Write(ctx context.Context, to string, o store.WriterOptions, ref string) (snapshot store.Digest, report store.CopyReport, err error) {
	x := &excerpt{Excerpt: &e, ctx: ctx, last: -1}
	if err := x.choose(); err != nil {
		return snapshot, report, err
	}
	w, err := store.OpenWriter(to, o)
	if err != nil {
		return snapshot, report, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	if store.HasLeftovers(to) {
		adopted, _, err := w.Adopt(ctx)
		if x.report.Adopted = adopted > 0; err != nil {
			return snapshot, x.report, err
		}
	}
	x.w, x.entries = w, runs[store.Entry]{put: w.Put}
	if err := x.write(); err != nil {
		return snapshot, x.report, err
	}
	if snapshot, err = x.publish(); err != nil {
		return snapshot, x.report, err
	}
	return snapshot, x.report, w.Commit(ctx, ref, snapshot)
}

// choose finds the rows, their leaves and the speakers' numbers.
func (x *excerpt) choose() error {
	root := x.From.Root
	speaker := root.Schema.Inline().Index("speaker")
	before, after := make([]bool, len(root.Speakers)), make([]bool, len(root.Speakers))
	var places []uint64
	n := 0
	for leaf := range x.From.Shards {
		shard, err := x.From.Shard(leaf)
		if err := errors.Join(err, x.ctx.Err()); err != nil {
			return err
		}
		for row, id := range shard.IDs {
			kept := x.Keep(n, id)
			n++
			if kept {
				x.rows, places = append(x.rows, excerptRow{int32(leaf), int32(row)}), append(places, store.Place(id))
			}
			if speaker < 0 {
				continue
			}
			s := shard.Scalars[speaker][row]
			if s < 0 || int(s) >= len(before) {
				return fmt.Errorf("row %s: speaker is %d, outside 0..%d: %w", id, s, len(before)-1, store.ErrDamaged)
			}
			before[s], after[s] = true, after[s] || kept
		}
	}
	if len(x.rows) == 0 {
		return ErrNoRows
	}
	x.leaves = store.Split(places, root.PerShard)
	x.origins = slices.Clone(x.leaves)
	x.nameSpeakers(before, after)
	return nil
}

// nameSpeakers makes the table that a build of the rows would make: the names that they
// have, sorted. It stays as it is where a speaker would get another number by that, since a
// model may know them by their numbers, and where it has a name that no row had, because
// a config lists it.
func (x *excerpt) nameSpeakers(before, after []bool) {
	x.names = x.From.Root.Speakers
	used := len(after)
	for used > 0 && !after[used-1] {
		used--
	}
	if x.Speakers == nil && !slices.Contains(before, false) && !slices.Contains(after[:used], false) {
		x.names = x.names[:used]
	}
}

// write makes the shards one after the other.
func (x *excerpt) write() error {
	from := 0
	for i := range x.leaves {
		rows := x.rows[from : from+x.leaves[i].Rows]
		from += len(rows)
		if err := x.leaf(i, rows); err != nil {
			return err
		}
		if x.Progress != nil {
			x.Progress(from, len(x.rows))
		}
	}
	return x.entries.flush(x.ctx)
}

// read brings the records of a leaf of From.
func (x *excerpt) read(leaf int) (err error) {
	if x.last == leaf {
		return nil
	}
	if x.shard, err = x.From.Shard(leaf); err == nil {
		x.origin, err = x.From.Origin(leaf)
	}
	if x.last = leaf; err != nil {
		x.last = -1
	}
	return err
}

// leaf makes the records of one shard, and its blocks.
func (x *excerpt) leaf(i int, rows []excerptRow) error {
	var shard store.Shard
	var origin store.Origin
	root := x.From.Root
	shard.Scalars = make([][]int32, len(root.Schema.Inline()))
	sums := make([][]uint64, len(root.Schema.Blocks()))
	for _, r := range rows {
		if err := x.read(int(r.leaf)); err != nil {
			return err
		}
		shard.IDs = append(shard.IDs, x.shard.IDs[r.row])
		origin.Rows = append(origin.Rows, x.origin.Rows[r.row])
		for c := range shard.Scalars {
			shard.Scalars[c] = append(shard.Scalars[c], x.shard.Scalars[c][r.row])
		}
		for c := range sums {
			sums[c] = append(sums[c], x.shard.Blocks[c].Sums[r.row])
		}
		x.notes.add(x.shard.IDs[r.row], x.origin.Rows[r.row].Notes)
	}
	if at := int(rows[0].leaf); x.InPlace && x.From.Shards[at].Prefix == x.leaves[i].Prefix && x.From.Shards[at].Depth == x.leaves[i].Depth && x.From.Shards[at].Rows == len(rows) {
		x.leaves[i].Digest, x.origins[i].Digest = x.From.Shards[at].Digest, x.From.Origins[at].Digest
		return nil
	}
	for c, column := range root.Schema.Blocks() {
		key := x.blockKey(column, origin.Rows)
		block, err := x.block(c, column, key, rows, sums[c])
		if err != nil {
			return err
		}
		shard.Blocks, origin.Blocks = append(shard.Blocks, block), append(origin.Blocks, key)
	}
	var err error
	if x.leaves[i].Digest, err = x.record(store.KindShard, shard.Encode()); err == nil {
		x.origins[i].Digest, err = x.record(store.KindOrigin, origin.Encode())
	}
	return err
}

// blockKey is the key of a block of these rows, as a build would make it.
func (x *excerpt) blockKey(column store.Column, rows []store.OriginRow) store.Key {
	at := slices.IndexFunc(x.From.Root.Stages, func(n store.Named) bool { return n.Name == column.Name })
	keys := make([]store.Key, len(rows))
	for i := range rows {
		if at >= 0 && at < len(rows[i].Keys) {
			keys[i] = rows[i].Keys[at]
		}
	}
	return x.keyer.Block(column, keys)
}

// block is the samples of a column, one after the other. One that the target has from an
// interrupted call, or from a build, is found by its trace; its bytes are read all the same.
func (x *excerpt) block(c int, column store.Column, key store.Key, rows []excerptRow, sums []uint64) (store.Block, error) {
	if b, ok := traceOf(x.w.Store(), key, len(rows)); ok && slices.Equal(b.Sums, sums) && x.w.Store().Check(store.KindBlock, b.Digest) {
		x.report.Needed++
		return b, nil
	}
	bytes := make([]byte, 0, len(rows)*column.SampleBytes())
	for i, r := range rows {
		sample, err := x.sample(r, c, column)
		if err == nil && store.Checksum(sample) != sums[i] {
			err = fmt.Errorf("sample %s, column %s: its bytes do not match their checksum: %w", x.shard.IDs[r.row], column.Name, store.ErrDamaged)
		}
		if err != nil {
			return store.Block{}, err
		}
		bytes = append(bytes, sample...)
	}
	block := store.Block{Sums: sums}
	var err error
	if block.Digest, err = x.record(store.KindBlock, bytes); err != nil {
		return block, err
	}
	trace := encodeTrace(block)
	x.report.Traces++
	return block, x.entries.add(x.ctx, store.Entry{Kind: store.KindTrace, Name: key, Value: trace}, len(trace))
}

func (x *excerpt) sample(r excerptRow, c int, column store.Column) ([]byte, error) {
	if x.Sample != nil {
		return x.Sample(x.ctx, int(r.leaf), int(r.row), c)
	}
	return x.From.Value(store.At{Leaf: int(r.leaf), Row: int(r.row)}, column.Name)
}

// record puts a value that is named by its bytes, unless it is there.
func (x *excerpt) record(kind store.Kind, value []byte) (store.Digest, error) {
	name := store.Sum(value)
	x.report.Needed++
	if x.w.Store().Check(kind, name) {
		return name, nil
	}
	x.report.Copied++
	x.report.Bytes += int64(len(value))
	return name, x.entries.add(x.ctx, store.Entry{Kind: kind, Name: name, Value: value}, len(value))
}

// publish makes the pages, the root and the snapshot.
func (x *excerpt) publish() (snapshot store.Digest, err error) {
	root, snap := *x.From.Root, *x.From.Snapshot
	page := func(p []byte) (store.Digest, error) { return x.record(store.KindPage, p) }
	root.Speakers, root.Rows, root.Shards = x.names, len(x.rows), len(x.leaves)
	if root.Trie, err = store.WriteTrie(x.leaves, page); err != nil {
		return snapshot, err
	}
	if snap.Origins, err = store.WriteTrie(x.origins, page); err != nil {
		return snapshot, err
	}
	for _, text := range []store.Digest{root.Lexicon(), root.Tokenizer()} {
		if text.IsZero() {
			continue
		}
		value, err := x.From.Store.Get(store.KindText, text)
		if err != nil {
			return snapshot, err
		}
		if _, err := x.record(store.KindText, value); err != nil {
			return snapshot, err
		}
	}
	if snap.Root, err = x.record(store.KindRoot, root.Encode()); err != nil {
		return snapshot, err
	}
	if err := x.reject(&snap); err != nil {
		return snapshot, err
	}
	snap.Kept, snap.Parent, snap.Ran = len(x.rows), x.Parent, nil
	snap.Notes, snap.Noted = x.notes.sum()
	snap.Time, snap.Tool = cmp.Or(x.Time, snap.Time), cmp.Or(x.Tool, snap.Tool)
	if snapshot, err = x.record(store.KindSnapshot, snap.Encode()); err != nil {
		return snapshot, err
	}
	return snapshot, x.entries.flush(x.ctx)
}

// reject puts the list of rows that were left out.
func (x *excerpt) reject(snap *store.Snapshot) error {
	snap.Rejections, snap.Rejected = store.Digest{}, len(x.Rejected)
	if len(x.Rejected) == 0 {
		return nil
	}
	list, pages, err := store.EncodeRejections(x.ctx, x.Rejected)
	for _, p := range pages {
		if err == nil {
			_, err = x.record(store.KindList, p)
		}
	}
	if err == nil {
		snap.Rejections, err = x.record(store.KindList, list)
	}
	return err
}
