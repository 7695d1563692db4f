package gpufeed

import (
	"fmt"
	"math"
	"sort"

	"voxpack/store"
)

// Rows numbers the samples of a dataset from 0 in the order of the trie, which
// is the order of (place, id). A number means a row of this root only. It
// costs 8 B a row.
type Rows struct {
	data   *store.Dataset
	first  []uint32 // number of each leaf's first row, and the end
	places []uint64 // by row number
}

// scan numbers the rows and hands every shard record to visit, once, with the
// number of its first row.
func scan(d *store.Dataset, visit func(first uint32, s *store.Shard) error) (*Rows, error) {
	total := 0
	for _, l := range d.Shards {
		total += l.Rows
	}
	if total > math.MaxUint32 {
		return nil, fmt.Errorf("%d rows; a row number has 32 bits", total)
	}
	r := &Rows{data: d, first: make([]uint32, 1, len(d.Shards)+1), places: make([]uint64, 0, total)}
	for leaf := range d.Shards {
		s, err := d.Shard(leaf)
		if err != nil {
			return nil, err
		}
		first := uint32(len(r.places))
		for _, id := range s.IDs {
			r.places = append(r.places, store.Place(id))
		}
		r.first = append(r.first, uint32(len(r.places)))
		if err := visit(first, s); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// Dataset is what the numbers stand for.
func (r *Rows) Dataset() *store.Dataset { return r.data }

// Len is the number of rows.
func (r *Rows) Len() int { return len(r.places) }

// At is where a row stands.
func (r *Rows) At(row uint32) store.At {
	leaf := sort.Search(len(r.first), func(i int) bool { return r.first[i] > row }) - 1
	return store.At{Leaf: leaf, Row: int(row - r.first[leaf])}
}

// ID is the utterance id of a row. It reads the shard's record again, some
// microseconds: ids are wanted for reports, not on the way of a batch.
func (r *Rows) ID(row uint32) (string, error) {
	at := r.At(row)
	s, err := r.data.Shard(at.Leaf)
	if err != nil {
		return "", fmt.Errorf("row %d: %w", row, err)
	}
	return s.IDs[at.Row], nil
}
