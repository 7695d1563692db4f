package plan

import (
	"cmp"
	"fmt"
	"slices"

	"voxpack/store"
)

// settlement finds the deliveries of a resumed epoch that do not follow its
// marks: those that were had (or new where all had been had) in one bucket, as
// far as that one had come, and belong to another now. They lie between the marks; before the first and
// after the last all buckets say the same.
type settlement struct {
	order *Order
	marks []Mark
	at    []int         // by bucket: the first delivery after its mark
	known map[Turn]bool // what the cursor lists: was it had?
	owed  [][]turnAt    // by bucket: not had, before the mark
	ahead [][]turnAt    // by bucket: had, after it
	gone  []Last        // had, not in the order
}

// turnAt is a delivery with its number in its bucket's order.
type turnAt struct {
	i int
	Turn
}

// settle puts what a cursor's epoch has had before, and what is to come after,
// where the queues go on.
func (o *Order) settle(b *Batches, c Cursor) error {
	s, err := o.listed(b, c)
	if err == nil && c.Root != o.set.data.Snapshot.Root.String() {
		err = s.compare(c)
		if err != nil && IsLost(err) {
			if s, err = o.listed(b, c); err == nil {
				b.uncertain, err = s.doubt()
			}
		}
	}
	if err != nil {
		return err
	}
	b.from = s.arrange(b)
	return nil
}

// listed is the settlement of what the cursor lists.
func (o *Order) listed(b *Batches, c Cursor) (*settlement, error) {
	s := &settlement{order: o, marks: c.Buckets, at: b.at, known: map[Turn]bool{}, owed: make([][]turnAt, len(b.at)), ahead: make([][]turnAt, len(b.at))}
	for i, t := range slices.Concat(c.Seen, c.Owed) {
		had := i < len(c.Seen)
		s.known[t] = had
		bucket, i, err := o.locate(t)
		if err != nil {
			return nil, err
		}
		s.note(bucket, i, t, had)
	}
	return s, nil
}

// note keeps a delivery that does not follow the mark of its bucket.
func (s *settlement) note(bucket, i int, t Turn, had bool) {
	switch {
	case bucket == gone && had:
		s.gone = append(s.gone, Last{Key(s.order.key(store.Place(t.ID), t.Copy)), t.ID, t.Copy})
	case bucket == gone:
	case had && i >= s.at[bucket]:
		s.ahead[bucket] = append(s.ahead[bucket], turnAt{i, t})
	case !had && i < s.at[bucket]:
		s.owed[bucket] = append(s.owed[bucket], turnAt{i, t})
	}
}

// between calls visit for the deliveries of this order between the first mark
// and the last, with their numbers in their bucket.
func (s *settlement) between(visit func(bucket, i int, row uint32, copy uint16) error) error {
	least, most := extremes(s.marks)
	for bucket, q := range s.order.buckets {
		from, err := s.order.find(bucket, least)
		if err != nil {
			return err
		}
		to, err := s.order.find(bucket, most)
		if err != nil {
			return err
		}
		for i := from; i < to; i++ {
			if err := visit(bucket, i, q.rows[i], q.copy(i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// compare asks the cursor's own set what was had. An error that says that
// something is lost: its records are not all in the store any more.
func (s *settlement) compare(c Cursor) error {
	old, err := s.order.former(c)
	if err != nil {
		return err
	}
	if err := s.moved(old); err != nil {
		return err
	}
	return s.missing(old)
}

// moved notes what was had, or was not, in another bucket of the old set.
func (s *settlement) moved(old *Set) error {
	o := s.order
	return s.between(func(bucket, i int, row uint32, copy uint16) error {
		place := o.set.places[row]
		from, to := old.placed(place)
		if from == to {
			return nil // new: it follows the mark
		}
		if from+1 == to && old.bucketOf(from) == bucket {
			return nil
		}
		id, err := o.set.ID(row)
		if err != nil {
			return err
		}
		t := Turn{id, copy}
		if _, listed := s.known[t]; listed {
			return nil
		}
		had, known, err := old.had(t, from, to, o, s.marks)
		if known {
			s.note(bucket, i, t, had)
		}
		return err
	})
}

// had reports whether a delivery of an order was had, as far as this set came
// in its epoch: up to the marks. The set has the row among those from one
// number to another; known is false where it did not have the delivery.
func (s *Set) had(t Turn, from, to uint32, o *Order, marks []Mark) (had, known bool, err error) {
	for row := from; row < to; row++ {
		if id, err := s.ID(row); err != nil {
			return false, false, err
		} else if id != t.ID {
			continue
		}
		bucket := s.bucketOf(row)
		if bucket == gone || int(t.Copy) >= s.copies(row, o.seed, o.epoch) {
			return false, false, nil
		}
		after, err := s.after(row, o.key(s.places[row], t.Copy), t.Copy, marks[bucket].Last)
		return !after, err == nil, err
	}
	return false, false, nil
}

// missing notes what was had of rows that are not in the set now.
func (s *settlement) missing(old *Set) error {
	o := s.order
	least, _ := extremes(s.marks)
	for was, b := range old.buckets {
		mark := s.marks[was].Last
		for _, row := range b.rows {
			for n := range old.copies(row, o.seed, o.epoch) {
				copy := uint16(n)
				key := o.key(old.places[row], copy)
				if mark == nil || key > uint64(mark.Key) || least != nil && key < uint64(least.Key) || o.has(old.places[row], copy) {
					continue
				}
				id, err := old.ID(row)
				if err != nil {
					return err
				}
				t := Turn{id, copy}
				if _, listed := s.known[t]; !listed && !mark.before(Last{Key(key), id, copy}) {
					s.note(gone, 0, t, true)
				}
			}
		}
	}
	return nil
}

// doubt lets everything come that may not have been had, where nobody knows in
// which bucket it was, and counts that.
func (s *settlement) doubt() (uncertain int, err error) {
	o := s.order
	err = s.between(func(bucket, i int, row uint32, copy uint16) error {
		id, err := o.set.ID(row)
		if err != nil {
			return err
		}
		t := Turn{id, copy}
		if _, listed := s.known[t]; !listed {
			uncertain++
			s.note(bucket, i, t, false)
		}
		return nil
	})
	return uncertain, err
}

// arrange puts what was had before the rest, which stays in order.
func (s *settlement) arrange(b *Batches) *resumed {
	r := &resumed{marks: slices.Clone(s.marks), owed: make([][]Turn, len(b.at))}
	for _, l := range s.gone {
		r.ahead = append(r.ahead, ahead{l, gone})
	}
	for bucket := range b.at {
		owed, had := tidy(s.owed[bucket]), tidy(s.ahead[bucket])
		if len(owed)+len(had) == 0 {
			continue
		}
		q := s.order.buckets[bucket]
		for _, t := range owed {
			r.owed[bucket] = append(r.owed[bucket], t.Turn)
		}
		for _, t := range had {
			r.ahead = append(r.ahead, ahead{Last{Key(s.order.keyAt(q, t.i)), t.ID, t.Copy}, bucket})
		}
		b.queues[bucket], b.at[bucket] = q.arrange(b.at[bucket], owed, had)
	}
	r.first = slices.Clone(b.at)
	return r
}

// tidy is a list in the order of its numbers, each once.
func tidy(list []turnAt) []turnAt {
	slices.SortFunc(list, func(a, b turnAt) int { return cmp.Compare(a.i, b.i) })
	return slices.CompactFunc(list, func(a, b turnAt) bool { return a.i == b.i })
}

// arrange is the sequence with those of owed after the first at and those of
// had before them, in memory of its own, and the number of what comes first.
func (q sequence) arrange(at int, owed, had []turnAt) (sequence, int) {
	out := sequence{rows: make([]uint32, 0, len(q.rows))}
	put := func(i int) {
		out.rows = append(out.rows, q.rows[i])
		if q.copies != nil {
			out.copies = append(out.copies, q.copies[i])
		}
	}
	// others puts those from one number to another that are not in the list.
	others := func(from, to int, list []turnAt) {
		for i := from; i < to; i++ {
			if len(list) > 0 && list[0].i == i {
				list = list[1:]
				continue
			}
			put(i)
		}
	}
	others(0, at, owed)
	for _, t := range had {
		put(t.i)
	}
	first := len(out.rows)
	for _, t := range owed {
		put(t.i)
	}
	others(at, len(q.rows), had)
	return out, first
}

// former is the set that a cursor was taken on.
func (o *Order) former(c Cursor) (*Set, error) {
	if c.Snapshot == "" {
		return nil, store.ErrNotFound
	}
	digest, err := store.ParseDigest(c.Snapshot)
	if err != nil {
		return nil, fmt.Errorf("%w: its snapshot %q: %w", ErrCursor, c.Snapshot, err)
	}
	var d *store.Dataset
	if err := store.Shielded(func() (err error) {
		d, err = o.set.data.Store.DatasetOf(digest)
		return err
	}); err != nil {
		return nil, err
	}
	if d.Snapshot.Root.String() != c.Root {
		return nil, fmt.Errorf("%w: its root %.12s is not that of its snapshot %s", ErrCursor, c.Root, digest.Short())
	}
	selection := c.Selection
	if selection.Chosen, err = o.set.chosenIn(d); err != nil {
		return nil, err
	}
	old, err := Select(d, selection)
	if err != nil {
		return nil, fmt.Errorf("snapshot %s of the cursor: %w", digest.Short(), err)
	}
	if len(old.buckets) != len(c.Buckets) {
		return nil, fmt.Errorf("%w: it has %d buckets, its snapshot %s has %d", ErrCursor, len(c.Buckets), digest.Short(), len(old.buckets))
	}
	return old, nil
}
