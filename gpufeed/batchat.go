package gpufeed

import (
	"fmt"
	"sync"

	"voxpack/store"
)

// Apart is a batch of an epoch that was asked for by its number. It is no part
// of what Next delivers, and moves nothing there.
type Apart struct {
	Epoch  uint64
	Index  int      // in the epoch, from 0
	Bucket int      // index into Feed.Layouts
	Rows   []uint32 // row numbers, as in Batch
	IDs    []string // of them, from FillApart on
	Lost   int      // corrupt samples that Fill has left out
}

// epochWalk remembers the epoch that was asked for last: 4 B a delivery.
type epochWalk struct {
	mu      sync.Mutex
	batches *Batches
}

// BatchAt finds the batch of an epoch that begins at its beginning: the one that
// Next delivers there, unless it began in the middle of an epoch with another
// size of batches. Of an epoch other than the last one asked for it draws the
// order anew; finding a batch walks over the row numbers of those before it. It
// may be called beside Next, from any goroutine, until Close.
func (f *Feed) BatchAt(epoch uint64, index int) (a Apart, err error) {
	w := &f.walk
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.batches == nil || w.batches.order.epoch != epoch {
		order, err := f.set.Order(f.config.Shuffle, f.config.Seed, epoch)
		if err != nil {
			return a, err
		}
		if w.batches, err = order.Batches(f.config.Plan); err != nil {
			return a, err
		}
	}
	w.batches.restart(w.batches.order)
	rows := make([]uint32, f.config.Plan.Share())
	for i := 0; index >= 0; i++ {
		share, ok := w.batches.Next(rows)
		if !ok {
			break
		}
		if i == index {
			return Apart{Epoch: epoch, Index: index, Bucket: share.Bucket, Rows: share.Rows}, nil
		}
	}
	return a, configError{fmt.Errorf("epoch %d has no batch %d: there are %d", epoch, index, f.set.EpochBatches(f.config.Plan, f.config.Seed, epoch))}
}

// FillApart writes a batch into memory of the caller's, of the bytes that its
// layout has, as a filler does: Config.SkipCorrupt holds here too. A batch of
// which nothing is left, which Next passes over, is ErrCorrupt.
func (f *Feed) FillApart(a *Apart, dst []byte) error {
	s := &slot{host: dst}
	s.bucket, s.rows, s.due, s.at.epoch = a.Bucket, a.Rows, len(a.Rows), a.Epoch
	for want := len(s.rows); ; {
		err := f.source.Fill(f.layouts[s.bucket], Delivery{Seed: f.config.Seed, Epoch: a.Epoch, Rows: s.rows}, dst)
		if err == nil {
			a.Rows, a.Lost = s.rows, s.lost
			return f.name(a)
		}
		if left := f.leaveOut(s, err, want); left != nil {
			return left
		}
		if len(s.rows) == 0 {
			return fmt.Errorf("nothing is left of batch %d of epoch %d: %w", a.Index, a.Epoch, err)
		}
	}
}

// name writes the ids of the batch's rows.
func (f *Feed) name(a *Apart) error {
	a.IDs = a.IDs[:0]
	for _, row := range a.Rows {
		id, err := f.set.ID(row)
		if err != nil {
			return err
		}
		a.IDs = append(a.IDs, id)
	}
	return nil
}

// Row is the number of an id; one that is not there: store.ErrNotFound.
func (r *Rows) Row(id string) (row uint32, err error) {
	from, to := r.placed(store.Place(id))
	for row = from; row < to; row++ {
		if have, err := r.ID(row); err != nil || have == id {
			return row, err
		}
	}
	return 0, fmt.Errorf("id %q: %w", id, store.ErrNotFound)
}

// Origin is what a row was made from. A record that cannot be read: ErrCorrupt.
func (r *Rows) Origin(row uint32) (from store.OriginRow, err error) {
	at := r.At(row)
	err = shielded(func() error {
		o, err := r.data.Origin(at.Leaf)
		if err == nil {
			from = o.Rows[at.Row]
		}
		return err
	})
	if err != nil && lost(err) {
		err = &CorruptError{Row: row, For: row, Err: err}
	}
	return from, err
}
