package plan

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"sort"
	"sync"

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

// number numbers the rows; their places are not known yet.
func number(d *store.Dataset) (*Rows, error) {
	r := &Rows{data: d, first: make([]uint32, 0, len(d.Shards)+1)}
	total := 0
	for _, l := range d.Shards {
		r.first = append(r.first, uint32(total))
		if total += l.Rows; total > math.MaxUint32 {
			return nil, fmt.Errorf("over %d rows; a row number has 32 bits", total-1)
		}
	}
	r.first = append(r.first, uint32(total))
	r.places = make([]uint64, total)
	return r, nil
}

// scanners is how many goroutines a scan takes at most. Each walks over all
// records, 0.3 ms for 1,162 of them, and reads its part, of 1.6 ms in all: more
// than four would mostly walk (AMD EPYC, 2026-11-21).
const scanners = 4

// scan hands every shard record to visit, once, with the number of its first
// row. Goroutines call visit at the same time, in no order. A record that
// cannot be read: ErrCorrupt.
func (r *Rows) scan(visit func(first uint32, s *store.ShardRows) error) error {
	const fewest = 64 // shards of a part: 0.1 ms of work, several times what a goroutine costs
	parts := max(1, min(scanners, runtime.GOMAXPROCS(0), len(r.data.Shards)/fewest))
	errs := make([]error, parts)
	var wg sync.WaitGroup
	for i := range errs[1:] {
		wg.Go(func() { errs[1+i] = r.scanPart(1+i, parts, visit) })
	}
	errs[0] = r.scanPart(0, parts, visit)
	wg.Wait()
	return cmp.Or(errs...)
}

func (r *Rows) scanPart(part, parts int, visit func(first uint32, s *store.ShardRows) error) error {
	var missed []int
	err := store.Shielded(func() (err error) {
		missed, err = r.data.ScanShards(part, parts, func(leaf int, rows *store.ShardRows) error { return visit(r.first[leaf], rows) })
		return err
	})
	if err != nil {
		return err
	}
	for _, leaf := range missed {
		if err := r.visit(leaf, r.first[leaf], visit); err != nil {
			return err
		}
	}
	return nil
}

// visit looks the record of a leaf up. Damage is an error about the given row.
func (r *Rows) visit(leaf int, row uint32, visit func(first uint32, s *store.ShardRows) error) error {
	err := store.Shielded(func() error {
		var rows store.ShardRows
		if err := r.data.ShardRows(leaf, &rows); err != nil {
			return err
		}
		return visit(r.first[leaf], &rows)
	})
	if err != nil && IsLost(err) {
		return &CorruptError{Row: row, For: row, Err: err}
	}
	return err
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

// OfLeaf are the rows of a leaf: from the first up to the second.
func (r *Rows) OfLeaf(leaf int) (from, to uint32) { return r.first[leaf], r.first[leaf+1] }

// placed are the rows of a place: from the first up to the second.
func (r *Rows) placed(place uint64) (from, to uint32) {
	i := sort.Search(len(r.places), func(i int) bool { return r.places[i] >= place })
	n := i
	for n < len(r.places) && r.places[n] == place {
		n++
	}
	return uint32(i), uint32(n)
}

// ID is the utterance id of a row. It reads the shard's record again, some
// microseconds: ids are wanted for reports, not on the way of a batch. A record
// that cannot be read: ErrCorrupt.
func (r *Rows) ID(row uint32) (id string, err error) {
	at := r.At(row)
	err = r.visit(at.Leaf, row, func(_ uint32, s *store.ShardRows) error {
		id = s.ID(at.Row)
		return nil
	})
	if err != nil {
		return "", fmt.Errorf("id of row %d: %w", row, err)
	}
	return id, nil
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
	err = store.Shielded(func() error {
		o, err := r.data.Origin(at.Leaf)
		if err == nil {
			from = o.Rows[at.Row]
		}
		return err
	})
	if err != nil && IsLost(err) {
		err = &CorruptError{Row: row, For: row, Err: err}
	}
	return from, err
}

// Records are what is stored of the rows of a leaf, blocks apart. A record that
// cannot be read: ErrCorrupt.
func (r *Rows) Records(leaf int) (o *store.Origin, shard *store.Shard, err error) {
	err = store.Shielded(func() (err error) {
		if o, err = r.data.Origin(leaf); err == nil {
			shard, err = r.data.Shard(leaf)
		}
		return err
	})
	if err != nil && IsLost(err) {
		err = &CorruptError{Row: r.first[leaf], For: r.first[leaf], Err: err}
	}
	return o, shard, err
}
