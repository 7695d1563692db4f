package plan

// Tail says what becomes of rows that do not fill a bucket's last batch.
type Tail string

// The tails.
const (
	Drop Tail = "drop" // they are not delivered in this epoch
	Pad  Tail = "pad"  // the batch comes with fewer rows, the rest of the slot is zero
	Wrap Tail = "wrap" // rows from the beginning of the bucket's order fill it
)

// Batches walks an epoch batch by batch. Next and Cursor are for one
// goroutine; a second walk over the same order may follow at its own pace, as
// one does that keeps the cursor of what was consumed.
type Batches struct {
	order  *Order
	plan   Options
	queues []sequence // by bucket: the order's, or where an edit had moved rows those of settle
	at     []int      // next delivery of each
	count  uint64     // delivered in this epoch, tails apart

	from      *resumed // nil: this epoch began at its beginning
	uncertain int
}

// Share is this rank's part of a global batch.
type Share struct {
	Bucket int      // index into Set.Buckets
	Rows   []uint32 // row numbers; fewer than Options.Share only in a padded tail
	Fresh  int      // rows of the global batch that no tail repeats
}

// Batches starts at the beginning of the epoch. Of the options it takes Batch,
// Rank, World and Tail; the order has the others.
func (o *Order) Batches(p Options) (*Batches, error) {
	p = p.Normal()
	if err := p.Check(); err != nil {
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

// Next puts the next batch's row numbers into dst, which has room for
// Options.Share of them; ok is false at the end of the epoch. All ranks get the
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

// EpochBatches is how many batches an epoch has.
func (s *Set) EpochBatches(p Options, epoch uint64) int {
	p = p.Normal()
	n := 0
	for _, b := range s.buckets {
		rows := 0
		for _, row := range b.rows {
			rows += s.copies(row, p.Seed, epoch)
		}
		if p.Tail != Drop {
			rows += p.Batch - 1
		}
		n += rows / p.Batch
	}
	return n
}
