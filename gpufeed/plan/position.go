package plan

// Position is how far an epoch has come, in row numbers of the root at hand.
type Position struct {
	Epoch  uint64
	count  uint64    // delivered in the epoch
	passed uint64    // deliveries of this root up to here
	marks  []reached // by bucket
	from   *resumed  // nil: the epoch began here
}

// reached is the last delivery of a bucket.
type reached struct {
	row  uint32
	copy uint16
	some bool   // false: none since the epoch began or was resumed, apart from owed ones
	owed uint32 // of those that a resumed bucket owed, how many were delivered
}

// NewPosition is a position with memory for its buckets: writing one allocates
// nothing from then on.
func NewPosition(buckets int) Position { return Position{marks: make([]reached, 0, buckets)} }

// Set makes p equal to another position, in its own memory.
func (p *Position) Set(from *Position) {
	marks := append(p.marks[:0], from.marks...)
	*p = *from
	p.marks = marks
}

// position writes where the walk stands. It allocates nothing once p has its
// marks.
func (b *Batches) position(p *Position) {
	p.Epoch, p.count, p.passed, p.from, p.marks = b.order.epoch, b.count, uint64(b.Passed()), b.from, p.marks[:0]
	for i, q := range b.queues {
		first, owed := b.from.begin(i)
		var l reached
		switch n := b.at[i] - first; {
		case n <= owed:
			l.owed = uint32(n)
		default:
			l = reached{q.rows[b.at[i]-1], q.copy(b.at[i] - 1), true, uint32(owed)}
		}
		p.marks = append(p.marks, l)
	}
}

// cursor is what a position means outside of this root.
func (s *Set) cursor(shuffle Shuffle, seed uint64, tail Tail, p *Position) (Cursor, error) {
	c := Cursor{
		Format: cursorFormat, Root: s.data.Snapshot.Root.String(), Snapshot: s.data.Digest.String(), Seed: seed, Epoch: p.Epoch,
		Shuffle: shuffle, Tail: tail, Selection: s.Selection, Samples: p.count, Drift: int64(p.count - p.passed),
	}
	c.Selection.Chosen = s.Selection.Chosen.told()
	for i, bucket := range s.buckets {
		mark := Mark{Frames: bucket.frames, Last: p.from.mark(i)}
		if l := p.marks[i]; l.some {
			id, err := s.ID(l.row)
			if err != nil {
				return Cursor{}, err
			}
			key := orderKey(shuffle, seed, p.Epoch, s.places[l.row], l.copy)
			mark.Last = &Last{Key: Key(key), ID: id, Copy: l.copy}
		}
		c.Buckets = append(c.Buckets, mark)
	}
	p.from.list(&c, p.marks)
	return c, nil
}

// resumed is what an epoch that was resumed began with. It is never changed; nil
// is what an epoch has that began at its beginning.
type resumed struct {
	marks []Mark
	first []int    // by bucket: where its queue goes on
	owed  [][]Turn // by bucket: what comes first there, though before the mark
	ahead []ahead
}

// ahead is a delivery that was had, though it comes after its bucket's mark.
type ahead struct {
	Last
	bucket int // gone: any
}

// gone is the bucket of a row that is not in the set now.
const gone = -1

// begin is where a bucket's queue goes on, and how much of it was owed.
func (r *resumed) begin(bucket int) (first, owed int) {
	if r == nil {
		return 0, 0
	}
	return r.first[bucket], len(r.owed[bucket])
}

// mark is the last delivery that a bucket had when the epoch was resumed.
func (r *resumed) mark(bucket int) *Last {
	if r == nil {
		return nil
	}
	return r.marks[bucket].Last
}

// list writes what does not follow from a cursor's marks any more, or not yet.
// Behind every mark, a row that is gone can come back into no bucket that has
// not passed it.
func (r *resumed) list(c *Cursor, marks []reached) {
	if r == nil {
		return
	}
	for i, owed := range r.owed {
		c.Owed = append(c.Owed, owed[marks[i].owed:]...)
	}
	least, _ := extremes(c.Buckets)
	for _, a := range r.ahead {
		mark := least
		if a.bucket != gone {
			mark = c.Buckets[a.bucket].Last
		}
		if mark == nil || mark.before(a.Last) {
			c.Seen = append(c.Seen, Turn{a.ID, a.Copy})
		}
	}
}

// extremes are the first and the last of marks. One that is nil comes before
// all others.
func extremes(marks []Mark) (least, most *Last) {
	for i, m := range marks {
		switch {
		case i == 0:
			least, most = m.Last, m.Last
		case m.Last == nil:
			least = nil
		default:
			if least != nil && m.Last.before(*least) {
				least = m.Last
			}
			if most == nil || most.before(*m.Last) {
				most = m.Last
			}
		}
	}
	return least, most
}
