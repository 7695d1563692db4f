package compiler

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"voxpack/compiler/action"
	"voxpack/compiler/intake"
	"voxpack/compiler/kind"
	"voxpack/store"
)

// Mender makes damaged samples of a snapshot anew from the sources of its rows. It trusts
// nothing that is remembered, and gives out no sample whose checksum is not the recorded
// one, so that what it makes is what was stored. It is safe for concurrent use.
type Mender struct {
	d  *store.Dataset
	mu sync.Mutex // held by each call: what is damaged is little
	metadata
	tools
	o      Options
	filler filler
	order  action.KeyOrder
	bare   bool // there are no sources
	last   *MendedLeaf
}

// MendedLeaf is the blocks of a leaf, each of them what its digest says unless Lost names rows.
type MendedLeaf struct {
	Leaf   int
	Blocks [][]byte  // one for each block column; the samples of a lost row count for nothing
	Fresh  []int     // of the columns whose block was made anew
	Lost   []LostRow // rows of which a sample can be made no more
}

// LostRow is a row of which a sample is damaged and cannot be made anew.
type LostRow struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
	file   string // of the metadata that has it still; "" where none has
	line   int
	row    store.OriginRow // as the snapshot has it
}

// OpenMender reads the metadata of the sources. What it is to mend need not be damaged:
// only then is more read. Options without a dataset: there are no sources, and a sample is
// what a sound copy of it is.
func OpenMender(ctx context.Context, o Options, d *store.Dataset) (m *Mender, err error) {
	o, tool, err := o.ready(ctx)
	if err != nil {
		return nil, err
	}
	m = &Mender{d: d, o: o, tools: newTools(&o.Config, o.Now(), tool), order: action.NewKeyOrder(d.Root, o.Config.stages())}
	if m.bare = o.Dataset == "" && len(o.Corpora) == 0; m.bare {
		return m, nil
	}
	if m.corpora, err = o.openCorpora(); err == nil {
		err = m.read(ctx, &o)
	}
	if err != nil {
		m.tools.close()
		return nil, err
	}
	m.remember(nil, true, true, o.Now)
	m.openColumns(&m.tools)
	m.speak(ctx)
	m.filler = filler{cfg: m.cfg, decoders: m.decoders, programs: m.programs}
	return m, nil
}

// Close ends programs that it has started.
func (m *Mender) Close() {
	if m == nil {
		return
	}
	m.tools.close()
	m.closeColumns()
}

// Leaf brings the blocks of a leaf: sound ones as they lie in the store, the others made
// anew. A record that cannot be read: ErrDamaged or ErrNotFound; there is nothing to
// compare with then.
func (m *Mender) Leaf(ctx context.Context, leaf int) (*MendedLeaf, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var l *MendedLeaf
	err := store.Shielded(func() (err error) {
		l, err = m.leaf(ctx, leaf)
		return err
	})
	return l, err
}

// Sample is a row's sample of a block column.
func (m *Mender) Sample(ctx context.Context, leaf, row, column int) ([]byte, error) {
	l, err := m.Leaf(ctx, leaf)
	if err != nil {
		return nil, err
	}
	size := m.d.Root.Schema.Blocks()[column].SampleBytes()
	return l.Blocks[column][row*size : (row+1)*size], nil
}

func (m *Mender) leaf(ctx context.Context, leaf int) (*MendedLeaf, error) {
	if m.last != nil && m.last.Leaf == leaf {
		return m.last, nil
	}
	shard, err := m.d.Shard(leaf)
	if err != nil {
		return nil, err
	}
	out := &MendedLeaf{Leaf: leaf, Blocks: make([][]byte, len(shard.Blocks))}
	for c, b := range shard.Blocks {
		if out.Blocks[c], err = soundBlock(m.d.Store, b); errors.Is(err, store.ErrDamaged) || errors.Is(err, store.ErrNotFound) {
			out.Fresh = append(out.Fresh, c)
		} else if err != nil {
			return nil, err
		}
	}
	if len(out.Fresh) > 0 {
		if err := m.remake(ctx, shard, out); err != nil {
			return nil, err
		}
	}
	m.last = out
	return out, nil
}

// remake fills the blocks that are damaged.
func (m *Mender) remake(ctx context.Context, shard *store.Shard, out *MendedLeaf) error {
	origin, err := m.d.Origin(out.Leaf)
	if err != nil {
		return err
	}
	if err := m.look(ctx, shard.IDs); err != nil {
		return err
	}
	columns := m.d.Root.Schema.Blocks()
	for _, c := range out.Fresh {
		out.Blocks[c] = salvage(m.d.Store, shard.Blocks[c], columns[c].SampleBytes())
	}
	for row := range shard.IDs {
		was := origin.Rows[row]
		m.order.Renumber(&origin.Rows[row])
		for _, c := range out.Fresh {
			size := columns[c].SampleBytes()
			sample := out.Blocks[c][row*size : (row+1)*size]
			if store.Checksum(sample) == shard.Blocks[c].Sums[row] {
				continue
			}
			why, err := m.sample(ctx, sample, columns[c], &origin.Rows[row], shard.Blocks[c].Sums[row])
			if err != nil {
				return err
			}
			if why != "" {
				out.lose(m, was, why)
				break
			}
		}
	}
	for _, c := range out.Fresh {
		if len(out.Lost) == 0 && store.Sum(out.Blocks[c]) != shard.Blocks[c].Digest {
			return fmt.Errorf("shard %d, column %s: the record does not fit the samples: %w", out.Leaf, columns[c].Name, store.ErrDamaged)
		}
	}
	return nil
}

// look surveys the rows of a leaf, which lie side by side among the items.
func (m *Mender) look(ctx context.Context, ids []string) error {
	if m.bare {
		return nil
	}
	last := ids[len(ids)-1]
	items := m.items[searchItem(m.items, store.Place(ids[0]), ids[0]):]
	items = items[:searchItem(items, store.Place(last), last+"\x00")]
	if err := m.survey(ctx, &m.o, items, nil, nil, false); err != nil {
		return err
	}
	m.filler.text = m.text
	return m.filler.prepare()
}

// lose notes a row, with the place that a person would look at.
func (l *MendedLeaf) lose(m *Mender, was store.OriginRow, why string) {
	lost := LostRow{ID: was.ID, Reason: why, row: was}
	if it := findItem(m.items, was.ID); it != nil {
		lost.file, lost.line = it.row.Pos.File, it.row.Pos.Line
	}
	l.Lost = append(l.Lost, lost)
}

// sample makes one sample anew into dst, or says why that cannot be. The error is for
// what says nothing about the row: an interrupt, or a fault of the machine.
func (m *Mender) sample(ctx context.Context, dst []byte, column store.Column, was *store.OriginRow, sum uint64) (why string, err error) {
	it := findItem(m.items, was.ID)
	stages := m.cfg.stages()
	at, ok := stages.Filling(column.Name)
	switch {
	case m.bare:
		return "its sources are not known here", nil
	case it == nil:
		i := slices.IndexFunc(m.refused, func(e *intake.RowError) bool { return e.ID == was.ID })
		if i >= 0 {
			return "the metadata has it no more: " + m.refused[i].Err.Error(), nil
		}
		return "it is no longer in the metadata", nil
	case !it.kept():
		reasons := it.rejection(stages)
		return reasons.Reason, nil
	case !ok || int(at) >= len(it.made.Keys):
		return "the config has the column " + column.Name + " no more", nil
	case was.Keys[at] != it.made.Keys[at]:
		return changedSince(was, it.made, stages.Name(at)), nil
	}
	_, err = m.filler.fill(ctx, dst, column, it)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case intake.IsMachine(err):
		return "", err
	case err != nil:
		return err.Error(), nil
	case store.Checksum(dst) != sum:
		return stages.Name(at) + ": made anew it has other bytes for the same key", nil
	}
	return "", nil
}

// changedSince says which input of a stage is another one than the snapshot's.
func changedSince(was, now *store.OriginRow, stage string) string {
	switch {
	case stage != action.NameTokens && was.Audio != now.Audio:
		return "its recording has changed since the snapshot"
	case stage == action.NameTokens && (was.Text != now.Text || was.Given != now.Given):
		return "its text has changed since the snapshot"
	}
	return "the input or the settings of " + stage + " have changed since the snapshot"
}

// salvage copies what can be read of a damaged block; the rest is zero. Each sample has
// a checksum of its own.
func salvage(st *store.Store, b store.Block, size int) []byte {
	block := make([]byte, len(b.Sums)*size)
	_ = store.Shielded(func() error {
		if view, err := st.View(store.KindBlock, b.Digest); err == nil && len(view) == len(block) {
			copy(block, view)
			return nil
		}
		rest := block
		for _, e := range st.Extents(b.Digest) { // some of the blocks that it lies in may be there
			if e.Len > int64(len(rest)) {
				break
			}
			if view, err := st.View(store.KindBlock, e.Block); err == nil && e.From+e.Len <= int64(len(view)) {
				copy(rest, view[e.From:e.From+e.Len])
			}
			rest = rest[e.Len:]
		}
		return nil
	})
	return block
}

// soundBlock is a copy of a block that any pack holds whole.
func soundBlock(st *store.Store, b store.Block) (block []byte, err error) {
	err = store.Shielded(func() error {
		view, err := st.View(store.KindBlock, b.Digest)
		if err == nil && store.Sum(view) == b.Digest {
			block = slices.Clone(view)
			return nil
		}
		block, err = st.Get(store.KindBlock, b.Digest)
		return err
	})
	return block, err
}

// Mend makes all damaged blocks of the snapshot anew and hands them to put. Rows of which
// that cannot be come back; the blocks that they lie in stay as they are.
func (m *Mender) Mend(ctx context.Context, put func([]store.Entry) error, progress func(done, total int)) (blocks int, lost []LostRow, err error) {
	for i := range m.d.Shards {
		if err := ctx.Err(); err != nil {
			return blocks, lost, err
		}
		shard, err := m.d.Shard(i)
		if err != nil {
			return blocks, lost, err
		}
		if _, err := m.d.Origin(i); err != nil {
			return blocks, lost, err
		}
		damaged := func(b store.Block) bool { return !m.d.Store.Check(store.KindBlock, b.Digest) }
		if slices.ContainsFunc(shard.Blocks, damaged) {
			n, gone, err := m.put(ctx, i, shard, put)
			if blocks, lost = blocks+n, append(lost, gone...); err != nil {
				return blocks, lost, err
			}
		}
		progress(i+1, len(m.d.Shards))
	}
	return blocks, lost, nil
}

// put mends a leaf and stores its blocks, also those of which a damaged copy covers a sound one.
func (m *Mender) put(ctx context.Context, leaf int, shard *store.Shard, put func([]store.Entry) error) (n int, lost []LostRow, err error) {
	l, err := m.Leaf(ctx, leaf)
	if err != nil {
		return 0, nil, err
	}
	for c, b := range shard.Blocks {
		if store.Sum(l.Blocks[c]) != b.Digest || m.d.Store.Check(store.KindBlock, b.Digest) {
			continue
		}
		if err := put([]store.Entry{{Kind: store.KindBlock, Name: b.Digest, Value: l.Blocks[c]}}); err != nil {
			return n, l.Lost, err
		}
		n++
	}
	return n, l.Lost, nil
}

// Without makes a snapshot of the rows that are left when some are lost, beside those
// that were rejected before, in the place of the one that it mends, and moves the ref to it.
func (m *Mender) Without(ctx context.Context, lost []LostRow, o store.WriterOptions, ref string) (snapshot store.Digest, err error) {
	gone := map[string]bool{}
	rejected, err := m.d.Store.ReadRejections(m.d.Snapshot)
	if err != nil {
		return snapshot, err
	}
	for _, l := range lost {
		gone[l.ID] = true
		rejected = append(rejected, store.Rejection{File: l.file, Line: l.line, ID: l.ID, Stage: action.NameMetadata, Kind: string(kind.Damaged),
			Reason: "its samples were damaged and could not be made anew: " + l.Reason, Row: l.row})
	}
	snapshot, _, err = Excerpt{From: m.d, Keep: func(_ int, id string) bool { return !gone[id] }, Speakers: m.o.Config.Speakers,
		Rejected: rejected, Parent: m.d.Digest, Time: m.o.Now().UnixNano(), Tool: m.o.Tool, InPlace: true, Sample: m.Sample,
	}.Write(ctx, m.o.Store, o, ref)
	return snapshot, err
}
