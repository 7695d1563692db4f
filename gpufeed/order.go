package gpufeed

import (
	"cmp"
	"fmt"
	"slices"
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
	if shuffle != Global && shuffle != None {
		return nil, fmt.Errorf("shuffle %q: want global or none", shuffle)
	}
	o := &Order{set: s, seed: seed, epoch: epoch, shuffle: shuffle}
	var items []item
	for _, b := range s.buckets {
		items = items[:0]
		for _, row := range b.rows {
			for copy := range s.copies(row, seed, epoch) {
				items = append(items, item{o.key(s.places[row], uint16(copy)), row, uint16(copy)})
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
		o.buckets = append(o.buckets, o.keep(items))
	}
	return o, nil
}

// keep is what has to be remembered of the items; keys can be computed again.
func (o *Order) keep(items []item) sequence {
	q := sequence{rows: make([]uint32, len(items))}
	if o.set.weights != nil {
		q.copies = make([]uint16, len(items))
	}
	for i, it := range items {
		q.rows[i] = it.row
		if q.copies != nil {
			q.copies[i] = it.copy
		}
	}
	return q
}

// Len is the number of deliveries of the epoch, over all buckets and ranks.
func (o *Order) Len() int {
	n := 0
	for _, q := range o.buckets {
		n += len(q.rows)
	}
	return n
}

// key is where a copy of the id with this place comes in the epoch.
func (o *Order) key(place uint64, copy uint16) uint64 {
	if o.shuffle == None {
		return place
	}
	return draw(forOrder, o.seed, o.epoch, place, uint32(copy))
}

// keyAt is the key of the i-th delivery of a bucket.
func (o *Order) keyAt(bucket, i int) uint64 {
	q := o.buckets[bucket]
	return o.key(o.set.places[q.rows[i]], q.copy(i))
}

func (q sequence) copy(i int) uint16 {
	if q.copies == nil {
		return 0
	}
	return q.copies[i]
}
