package gpufeed

import (
	"fmt"
	"math"
)

// Tail says what becomes of rows that do not fill a bucket's last batch.
type Tail string

// The tails.
const (
	Drop Tail = "drop" // they are not delivered in this epoch
	Pad  Tail = "pad"  // the batch comes with fewer rows, the rest of the slot is zero
	Wrap Tail = "wrap" // rows from the beginning of the bucket's order fill it
)

// Plan is how an epoch is cut into batches.
type Plan struct {
	Batch int  // samples of a global batch, at least 1
	Rank  int  // this consumer, 0 to World-1
	World int  // ranks; 0 means 1. It must divide Batch: every rank has the same shape
	Tail  Tail // "" is Drop
}

func (p Plan) normal() Plan {
	if p.World == 0 {
		p.World = 1
	}
	if p.Tail == "" {
		p.Tail = Drop
	}
	return p
}

func (p Plan) check() error {
	switch {
	case p.Batch < 1 || p.Batch > math.MaxInt32:
		return fmt.Errorf("batch of %d samples: want at least 1", p.Batch)
	case p.World < 1 || p.Rank < 0 || p.Rank >= p.World:
		return fmt.Errorf("rank %d of %d: want 0 to one less than the world", p.Rank, p.World)
	case p.Batch%p.World != 0:
		return fmt.Errorf("a global batch of %d cannot be shared by %d ranks; take a multiple of %d", p.Batch, p.World, p.World)
	case p.Tail != Drop && p.Tail != Pad && p.Tail != Wrap:
		return fmt.Errorf("tail %q: want drop, pad or wrap", p.Tail)
	}
	return nil
}

// Batches walks an epoch batch by batch. Next and Cursor are for one
// goroutine; a second walk over the same order may follow at its own pace, as
// one does that keeps the cursor of what was consumed.
type Batches struct {
	order  *Order
	plan   Plan
	queues []sequence // by bucket: the order's, or where an edit had moved rows those of settle
	at     []int      // next delivery of each
	count  uint64     // delivered in this epoch, tails apart

	from      *resumed // nil: this epoch began at its beginning
	uncertain int
}

// Share is this rank's part of a global batch.
type Share struct {
	Bucket int      // index into Set.Buckets
	Rows   []uint32 // row numbers; fewer than Plan.Share only in a padded tail
	Fresh  int      // rows of the global batch that no tail repeats
}

// Batches starts at the beginning of the epoch.
func (o *Order) Batches(p Plan) (*Batches, error) {
	p = p.normal()
	if err := p.check(); err != nil {
		return nil, err
	}
	b := &Batches{plan: p, queues: make([]sequence, len(o.buckets)), at: make([]int, len(o.buckets))}
	b.restart(o)
	return b, nil
}

// restart goes to the beginning of another epoch of the same set.
func (b *Batches) restart(o *Order) {
	b.order, b.count, b.from, b.uncertain = o, 0, nil, 0
	copy(b.queues, o.buckets)
	clear(b.at)
}

// Share is the number of samples that a rank's slot holds.
func (p Plan) Share() int { p = p.normal(); return p.Batch / p.World }

// Next puts the next batch's row numbers into dst, which has room for
// Plan.Share of them; ok is false at the end of the epoch. All ranks get the
// same buckets in the same order. It allocates nothing.
func (b *Batches) Next(dst []uint32) (s Share, ok bool) {
	bucket := b.next()
	if bucket < 0 {
		return Share{}, false
	}
	rows := b.queues[bucket].rows
	share := b.plan.Batch / b.plan.World
	from := b.at[bucket] + b.plan.Rank*share
	n := 0
	for ; n < share; n++ {
		i := from + n
		if i < len(rows) {
			dst[n] = rows[i]
			continue
		}
		if b.plan.Tail != Wrap {
			break
		}
		dst[n] = b.order.buckets[bucket].rows[i%len(rows)]
	}
	fresh := min(b.plan.Batch, len(rows)-b.at[bucket])
	b.at[bucket] += fresh
	b.count += uint64(fresh)
	return Share{Bucket: bucket, Rows: dst[:n], Fresh: fresh}, true
}

// next is the bucket whose next key is smallest among those that have a batch
// left, -1 when none has.
func (b *Batches) next() int {
	best, bestKey := -1, uint64(0)
	for i, q := range b.queues {
		left := len(q.rows) - b.at[i]
		if left == 0 || left < b.plan.Batch && b.plan.Tail == Drop {
			continue
		}
		if key := b.order.keyAt(q, b.at[i]); best < 0 || key < bestKey {
			best, bestKey = i, key
		}
	}
	return best
}

// Samples is how many rows were delivered in this epoch, over all ranks and
// what came before a resume; rows that a tail repeats do not count.
func (b *Batches) Samples() uint64 { return b.count }
