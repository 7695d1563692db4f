package store

import (
	"context"
	"errors"
	"fmt"
)

// CopyReport says what Copy did.
type CopyReport struct {
	Needed  int   `json:"needed"`  // values that the snapshot needs
	Copied  int   `json:"copied"`  // of them, what was not there
	Traces  int   `json:"traces"`  // of the work that made them, which were not there
	Bytes   int64 `json:"bytes"`   // of what was copied
	Adopted bool  `json:"adopted"` // what an interrupted copy or build had left was taken over
}

// copyBatch is how many bytes of values go into one write.
const copyBatch = 8 << 20

// Copy brings a snapshot into the store at to, which it makes where there is none, and
// lets a ref there name it. Only what is not there travels, in the order in which the
// shards lie, with the traces of its work, so that a build there computes nothing of it
// again. Each value is held against its name before it is written. What an interrupted
// copy has brought stays, and the next one goes on from there. progress, if not nil, is
// told how many of the snapshot's values are done.
//
// A value that is damaged here: ErrDamaged. While a build is at work there: ErrBusy.
func (s *Store) Copy(ctx context.Context, to string, o WriterOptions, snapshot Digest, ref string, progress func(done, total int)) (r CopyReport, err error) {
	if err := checkRefName(ref); err != nil {
		return r, err
	}
	order, err := s.inOrder(snapshot)
	if err != nil {
		return r, fmt.Errorf("snapshot %s: %w", snapshot.Short(), err)
	}
	r.Needed = len(order)
	w, err := OpenWriter(to, o)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	if HasLeftovers(to) {
		adopted, _, err := w.Adopt(ctx)
		if r.Adopted = adopted > 0; err != nil {
			return r, err
		}
	}
	c := &copying{from: s, w: w, report: &r}
	for i, key := range order {
		if err := c.take(ctx, key); err != nil {
			return r, err
		}
		if progress != nil {
			progress(i+1, len(order))
		}
	}
	if err := c.traces(ctx, order); err != nil {
		return r, err
	}
	return r, w.Commit(ctx, ref, snapshot)
}

// inOrder lists what a snapshot needs, blocks in the order of their shards; extents go with their blocks.
func (s *Store) inOrder(snapshot Digest) (order [][33]byte, err error) {
	seen := map[[33]byte]struct{}{}
	mark := into(seen)
	err = s.reachSnapshot(snapshot, func(kind Kind, name [32]byte) bool {
		if kind == KindExtents {
			return false
		}
		isNew := mark(kind, name)
		if isNew {
			order = append(order, entryKey(kind, name))
		}
		return isNew
	})
	return order, err
}

// copying is one call of Copy.
type copying struct {
	from   *Store
	w      *Writer
	report *CopyReport
	batch  []Entry
	bytes  int64
}

// take copies a value that is not there.
func (c *copying) take(ctx context.Context, key [33]byte) error {
	kind, name := Kind(key[0]), [32]byte(key[1:])
	if c.w.Store().Has(kind, name) {
		return nil
	}
	if list := c.from.Extents(name); kind == KindBlock && list != nil && !c.from.hasKey(key[:]) {
		return c.takeExtents(ctx, name, list)
	}
	v, err := c.from.View(kind, name)
	if err == nil && !genuine(key[:], v) {
		err = fmt.Errorf("the value does not fit its name: %w", ErrDamaged)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", keyText(key[:]), err)
	}
	return c.put(ctx, Entry{kind, name, v})
}

// takeExtents copies a block that is stored as extents: the blocks that it lies in, and their list.
func (c *copying) takeExtents(ctx context.Context, block Digest, list []Extent) error {
	for _, e := range list {
		had := c.report.Copied
		if err := c.take(ctx, entryKey(KindBlock, e.Block)); err != nil {
			return err
		}
		c.report.Needed += c.report.Copied - had // beside the block itself
	}
	return c.put(ctx, Entry{KindExtents, block, EncodeExtents(list)})
}

func (c *copying) put(ctx context.Context, e Entry) error {
	c.batch = append(c.batch, e)
	if e.Kind == KindTrace {
		c.report.Traces++
	} else {
		c.report.Copied++
	}
	c.report.Bytes += int64(len(e.Value))
	if c.bytes += int64(len(e.Value)); c.bytes < copyBatch {
		return nil
	}
	return c.flush(ctx)
}

func (c *copying) flush(ctx context.Context) error {
	if len(c.batch) == 0 {
		return ctx.Err()
	}
	err := c.w.Put(c.batch)
	c.batch, c.bytes = c.batch[:0], 0
	return errors.Join(err, ctx.Err())
}

// traces copies what says which work made the blocks that were needed.
func (c *copying) traces(ctx context.Context, order [][33]byte) error {
	blocks := map[Digest]bool{}
	for _, key := range order {
		if Kind(key[0]) == KindBlock {
			blocks[Digest(key[1:])] = true
		}
	}
	packs, _ := c.from.hands()
	for _, p := range packs {
		eng, err := p.engine()
		if err != nil {
			continue // nothing that is needed lies in it, or take would have said so
		}
		err = eng.scan([]byte{byte(KindTrace)}, false, func(key, _ []byte, _ int64) error {
			if foreign(key) {
				return nil
			}
			name := Key(key[1:])
			v, known := c.from.Trace(name)
			if !known || len(v) < 32 || !blocks[Digest(v[:32])] {
				return nil
			}
			if _, there := c.w.Store().Trace(name); there {
				return nil
			}
			return c.put(ctx, Entry{KindTrace, name, v})
		})
		if err != nil && !errors.Is(err, ErrDamaged) {
			return err
		}
	}
	return c.flush(ctx)
}
