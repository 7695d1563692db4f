package plan

import (
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"strconv"

	"voxpack/store"
)

// Resume goes on after a cursor. On the root of the cursor what follows is
// what was left. On another, every row of the set that was in the cursor's and
// was not delivered comes exactly once, also where its length has moved it to
// another bucket; none that was delivered comes again. For that the cursor's
// snapshot is asked; where the store does not have it any more, what may have
// been delivered comes: see Uncertain. Rows that are new, in places already
// passed, wait for the next epoch: see Passed. A cursor of another seed, epoch,
// order, tail, selection or set of shapes: ErrCursor, with every difference.
func (o *Order) Resume(p Options, c Cursor) (*Batches, error) {
	b, err := o.Batches(p)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(o.differences(b.plan, c)...); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCursor, err)
	}
	for i, mark := range c.Buckets {
		if b.at[i], err = o.find(i, mark.Last); err != nil {
			return nil, err
		}
	}
	if err := o.settle(b, c); err != nil {
		return nil, err
	}
	b.count = c.Samples
	if passed := int64(c.Samples) - c.Drift; c.Root == o.set.data.Snapshot.Root.String() && int64(b.Passed()) != passed {
		return nil, fmt.Errorf("%w: %d samples were delivered, its keys stand after %d", ErrCursor, passed, b.Passed())
	}
	return b, nil
}

// Passed is the number of deliveries of this root up to the position. After a
// Resume on another root it differs from Samples by the rows that came or went
// before the position.
func (b *Batches) Passed() int {
	n := 0
	for _, at := range b.at {
		n += at
	}
	return n
}

// Uncertain is how many deliveries after a Resume may have been delivered
// before it, since the store does not have the cursor's snapshot any more.
func (b *Batches) Uncertain() int { return b.uncertain }

// differences lists what of a cursor is not as in this order.
func (o *Order) differences(p Options, c Cursor) (errs []error) {
	differ := func(what string, have, want any) {
		if have != want {
			errs = append(errs, fmt.Errorf("its %s is %v, here it is %v", what, have, want))
		}
	}
	differ("seed", c.Seed, o.seed)
	differ("epoch", c.Epoch, o.epoch)
	differ("shuffle", c.Shuffle, o.shuffle)
	differ("tail", c.Tail, p.Tail)
	theirs, ours := c.Selection.normal(), o.set.Selection
	differ("split", theirs.Split, ours.Split)
	differ("val", theirs.Val, ours.Val)
	differ("train", theirs.Train, ours.Train)
	differ("languages", text(theirs.Languages), text(ours.Languages))
	differ("speakers", text(theirs.Speakers), text(ours.Speakers))
	differ("weights", text(theirs.Weights), text(ours.Weights))
	differ("corpora", text(theirs.Corpora), text(ours.Corpora))
	differ("buckets", text(theirs.Buckets), text(ours.Buckets))
	if !theirs.Chosen.same(ours.Chosen) {
		errs = append(errs, fmt.Errorf("its selection is of %v, here it is of %v", theirs.Chosen, ours.Chosen))
	}
	differ("number of buckets", len(c.Buckets), len(o.set.buckets))
	if len(c.Buckets) != len(o.set.buckets) {
		return errs
	}
	for i, mark := range c.Buckets {
		if i < len(c.Buckets)-1 { // the last is the full shape, which another max_mel_frames moves
			differ(fmt.Sprintf("bucket %d", i), mark.Frames, o.set.buckets[i].frames)
		}
		if l := mark.Last; l != nil {
			differ("key of "+strconv.Quote(l.ID), l.Key, Key(o.key(store.Place(l.ID), l.Copy)))
		}
	}
	return errs
}

// text is a list of a selection in JSON, in which equal ones are equal.
func text[T any](list []T) string {
	if len(list) == 0 {
		return "none"
	}
	b, err := json.Marshal(list)
	if err != nil {
		return err.Error() // a weight that is not a number, which check refuses
	}
	return string(b)
}

// find is the first delivery of a bucket that comes after last.
func (o *Order) find(bucket int, last *Last) (int, error) {
	if last == nil {
		return 0, nil
	}
	q := o.buckets[bucket]
	i := sort.Search(len(q.rows), func(i int) bool { return o.keyAt(q, i) >= uint64(last.Key) })
	for ; i < len(q.rows) && o.keyAt(q, i) == uint64(last.Key); i++ { // the copies of a row, hardly ever two rows
		after, err := o.set.after(q.rows[i], o.keyAt(q, i), q.copy(i), last)
		if err != nil {
			return 0, err
		}
		if after {
			break
		}
	}
	return i, nil
}

// after reports whether a delivery comes after last. It reads a record where
// the keys are equal.
func (s *Set) after(row uint32, key uint64, copy uint16, last *Last) (bool, error) {
	if last == nil {
		return true, nil
	}
	if key != uint64(last.Key) {
		return key > uint64(last.Key), nil
	}
	id, err := s.ID(row)
	return last.before(Last{Key(key), id, copy}), err
}
