package plan

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"voxpack/store"
)

// Shuffle names the order of an epoch.
type Shuffle string

// The orders.
const (
	Global Shuffle = "global" // by H(seed, epoch, id, copy): every row may come anywhere
	None   Shuffle = "none"   // by place, as the shards lie
)

// Order is the rows of one epoch, bucket by bucket, sorted by (key, place, id,
// copy). A row's key depends on its id, the seed and the epoch and on nothing
// else: not on other rows, the batch, the ranks or the fillers. It is never
// changed and safe for concurrent use. It costs 4 B for each delivery (6 B with
// weights), and 16 B more for those of the largest bucket while it is drawn.
type Order struct {
	set     *Set
	seed    uint64
	epoch   uint64
	shuffle Shuffle
	buckets []sequence
}

// sequence is the order of one bucket.
type sequence struct {
	rows   []uint32
	copies []uint16 // nil: all 0
}

// item is a delivery while an order is drawn: 16 B.
type item struct {
	key  uint64
	row  uint32
	copy uint16
}

// Order draws an epoch.
func (s *Set) Order(shuffle Shuffle, seed, epoch uint64) (*Order, error) {
	o, err := s.newOrder(shuffle, seed)
	if err != nil {
		return nil, err
	}
	o.draw(epoch, nil)
	return o, nil
}

// newOrder is an order that no epoch has been drawn for.
func (s *Set) newOrder(shuffle Shuffle, seed uint64) (*Order, error) {
	if shuffle != Global && shuffle != None {
		return nil, configError{fmt.Errorf("shuffle %q: want global or none", shuffle)}
	}
	return &Order{set: s, seed: seed, shuffle: shuffle, buckets: make([]sequence, len(s.buckets))}, nil
}

// draw makes the order that of an epoch, in the memory that it has. The items
// are scratch, which it returns for the next draw.
func (o *Order) draw(epoch uint64, items []item) []item {
	o.epoch = epoch
	for i, b := range o.set.buckets {
		items = items[:0]
		for _, row := range b.rows {
			for copy := range o.set.copies(row, o.seed, epoch) {
				items = append(items, item{o.key(o.set.places[row], uint16(copy)), row, uint16(copy)})
			}
		}
		// Row numbers rise with (place, id), so they settle equal keys the same in every root.
		slices.SortFunc(items, func(a, b item) int {
			if c := cmp.Compare(a.key, b.key); c != 0 {
				return c
			}
			if c := cmp.Compare(a.row, b.row); c != 0 {
				return c
			}
			return cmp.Compare(a.copy, b.copy)
		})
		o.buckets[i].keep(items, o.set.weights != nil)
	}
	return items
}

// keep is what has to be remembered of the items; keys can be computed again.
func (q *sequence) keep(items []item, copies bool) {
	q.rows = slices.Grow(q.rows[:0], len(items))
	if copies {
		q.copies = slices.Grow(q.copies[:0], len(items))
	}
	for _, it := range items {
		q.rows = append(q.rows, it.row)
		if copies {
			q.copies = append(q.copies, it.copy)
		}
	}
}

// key is where a copy of the id with this place comes in the epoch.
func (o *Order) key(place uint64, copy uint16) uint64 {
	return orderKey(o.shuffle, o.seed, o.epoch, place, copy)
}

func orderKey(shuffle Shuffle, seed, epoch, place uint64, copy uint16) uint64 {
	if shuffle == None {
		return place
	}
	return draw(forOrder, seed, epoch, place, uint32(copy))
}

// keyAt is the key of the i-th delivery of a queue.
func (o *Order) keyAt(q sequence, i int) uint64 {
	return o.key(o.set.places[q.rows[i]], q.copy(i))
}

func (q sequence) copy(i int) uint16 {
	if q.copies == nil {
		return 0
	}
	return q.copies[i]
}

// locate is where a delivery stands in the order; bucket is gone where the
// order does not have it.
func (o *Order) locate(t Turn) (bucket, i int, err error) {
	place := store.Place(t.ID)
	for row, to := o.set.placed(place); row < to; row++ {
		if id, err := o.set.ID(row); err != nil || id != t.ID {
			if err != nil {
				return gone, 0, err
			}
			continue
		}
		if bucket = o.set.bucketOf(row); bucket == gone || int(t.Copy) >= o.set.copies(row, o.seed, o.epoch) {
			return gone, 0, nil
		}
		q, key := o.buckets[bucket], o.key(place, t.Copy)
		i = sort.Search(len(q.rows), func(i int) bool { return o.keyAt(q, i) >= key })
		for q.rows[i] != row || q.copy(i) != t.Copy {
			i++
		}
		return bucket, i, nil
	}
	return gone, 0, nil
}

// has reports whether the order has a copy of the row of a place. Two ids of one
// place, of which a build of 2^32 rows has one pair or none, are one here.
func (o *Order) has(place uint64, copy uint16) bool {
	row, to := o.set.placed(place)
	return row < to && o.set.bucketOf(row) != gone && int(copy) < o.set.copies(row, o.seed, o.epoch)
}
