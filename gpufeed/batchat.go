package gpufeed

import "fmt"

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

// BatchAt finds the batch of an epoch that begins at its beginning: the one that
// Next delivers there, unless it began in the middle of an epoch with another
// size of batches. It may be called beside Next, from any goroutine, until Close;
// see plan.Lookup for what it costs.
func (f *Feed) BatchAt(epoch uint64, index int) (Apart, error) {
	share, err := f.lookup.Batch(epoch, index)
	if err != nil {
		return Apart{}, err
	}
	return Apart{Epoch: epoch, Index: index, Bucket: share.Bucket, Rows: share.Rows}, nil
}

// FillApart writes a batch into memory of the caller's, of the bytes that its
// layout has, as a filler does: Config.SkipCorrupt holds here too. A batch of
// which nothing is left, which Next passes over, is ErrCorrupt.
func (f *Feed) FillApart(a *Apart, dst []byte) error {
	s := &slot{host: dst}
	s.Bucket, s.Rows, s.due, s.At.Epoch = a.Bucket, a.Rows, len(a.Rows), a.Epoch
	for want := len(s.Rows); ; {
		err := f.source.Fill(f.layouts[s.Bucket], Delivery{Seed: f.config.Plan.Seed, Epoch: a.Epoch, Rows: s.Rows}, dst)
		if err == nil {
			a.Rows, a.Lost = s.Rows, s.lost
			return f.name(a)
		}
		if left := f.leaveOut(s, err, want); left != nil {
			return left
		}
		if len(s.Rows) == 0 {
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
