package store

import (
	"cmp"
	"context"
	"encoding/binary"
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

// copyBatch is how many bytes of values go into one write, copyEntries how many values: a
// short one weighs more in memory than its bytes.
const (
	copyBatch   = 8 << 20
	copyEntries = 1024
)

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
	// What it needs is walked twice, to count it and to take it, and never listed: the only memory
	// that grows with it is 8 bytes of each name, so that what stands in two places counts once.
	counted := map[uint64]struct{}{}
	err = s.each(snapshot, func(key [33]byte) error {
		counted[startOf(key)] = struct{}{}
		return ctx.Err()
	})
	if err != nil {
		return r, fmt.Errorf("snapshot %s: %w", snapshot.Short(), err)
	}
	r.Needed = len(counted)
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
	c, done, total := &copying{from: s, w: w, report: &r, queued: map[[33]byte]struct{}{}}, 0, r.Needed
	err = s.each(snapshot, func(key [33]byte) error {
		if err := c.take(ctx, key); err != nil {
			return err
		}
		if _, first := counted[startOf(key)]; first && progress != nil {
			done++
			progress(done, total)
		}
		delete(counted, startOf(key))
		return nil
	})
	if err == nil {
		err = c.traces(ctx)
	}
	if err != nil {
		return r, err
	}
	return r, w.Commit(ctx, ref, snapshot)
}

// each calls do for what a snapshot needs, blocks in the order of their shards, until an error; extents go
// with their blocks. What stands in two places comes twice.
func (s *Store) each(snapshot Digest, do func(key [33]byte) error) error {
	var stop error
	err := s.reachSnapshot(snapshot, func(kind Kind, name [32]byte) bool {
		if kind != KindExtents && stop == nil {
			stop = do(entryKey(kind, name))
		}
		return kind != KindExtents && stop == nil
	})
	return cmp.Or(stop, err)
}

// startOf is enough of a name for counting.
func startOf(key [33]byte) uint64 { return binary.LittleEndian.Uint64(key[1:]) }

// copying is one call of Copy.
type copying struct {
	from   *Store
	w      *Writer
	report *CopyReport
	batch  []Entry
	queued map[[33]byte]struct{} // what is in the batch
	bytes  int64
	room   batchRoom
}

// batchRoom holds the values of a batch while it is written: Badger copies them in a
// goroutine of its own, where a mapped one that cannot be read would end the process.
type batchRoom []byte

// keep is a copy of a value, good until the batch is written.
func (r *batchRoom) keep(value []byte) []byte {
	from := len(*r)
	*r = append(*r, value...)
	return (*r)[from:len(*r):len(*r)]
}

// drop gives back the room of the value that was kept last.
func (r *batchRoom) drop(last []byte) { *r = (*r)[:len(*r)-len(last)] }

func (r *batchRoom) clear() { *r = (*r)[:0] }

// take copies a value that is not there.
func (c *copying) take(ctx context.Context, key [33]byte) error {
	kind, name := Kind(key[0]), [32]byte(key[1:])
	if _, queued := c.queued[key]; queued || c.w.Store().Has(kind, name) {
		return nil
	}
	if list := c.from.Extents(name); kind == KindBlock && list != nil && !c.from.hasKey(key[:]) {
		return c.takeExtents(ctx, name, list)
	}
	var v []byte
	err := Shielded(func() error {
		mapped, err := c.from.View(kind, name)
		v = c.room.keep(mapped)
		return err
	})
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
	c.queued[entryKey(e.Kind, e.Name)] = struct{}{}
	if e.Kind == KindTrace {
		c.report.Traces++
	} else {
		c.report.Copied++
	}
	c.report.Bytes += int64(len(e.Value))
	if c.bytes += int64(len(e.Value)); c.bytes < copyBatch && len(c.batch) < copyEntries {
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
	c.room.clear()
	clear(c.queued)
	return errors.Join(err, ctx.Err())
}

// traces copies what says which work made the blocks that are there now.
func (c *copying) traces(ctx context.Context) error {
	if err := c.flush(ctx); err != nil {
		return err
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
			if !known || len(v) < 32 || !c.w.Store().Has(KindBlock, [32]byte(v[:32])) {
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
