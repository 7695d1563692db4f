package plan

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
)

// Batch is one batch of this rank: what has to be known to fill and to deliver it.
type Batch struct {
	Seq    uint64 // from 0 in this run
	Bucket int
	Rows   []uint32 // as drawn, until a corrupt row is left out or replaced
	At     Position // after the batch
}

// Course hands out the batches of epoch after epoch. While fillers are busy with
// one epoch's order, the next is drawn into the memory of the one before it.
type Course struct {
	set     *Set
	options Options

	mu      sync.Mutex
	batches *Batches
	seq     uint64       // number of the next batch
	epochs  int          // epochs that may still begin; -1: no bound
	steps   int64        // batches that may still be handed out; -1: no bound
	empty   int          // epochs without a batch, one after the other
	begun   bool         // this epoch has handed out a batch, or was resumed
	last    atomic.Int64 // the number of batches, once it is known; -1. Length reads it without the lock

	spare chan *Order // to draw into; nobody closes either
	drawn chan *Order // to use
}

// ErrNoBatch says that epochs have no batch.
var ErrNoBatch = errors.New("no batch in an epoch")

// Course begins with the epoch of the options' cursor, or with epoch 0.
func (s *Set) Course(o Options) (*Course, error) {
	epoch := uint64(0)
	if o.Resume != nil {
		epoch = o.Resume.Epoch
	}
	order, err := s.Order(o.Shuffle, o.Seed, epoch)
	if err != nil {
		return nil, err
	}
	next, err := s.newOrder(o.Shuffle, o.Seed)
	if err != nil {
		return nil, err
	}
	c := &Course{set: s, options: o, epochs: o.Epochs - 1, steps: int64(o.Steps), spare: make(chan *Order, 2), drawn: make(chan *Order, 1)}
	c.last.Store(-1)
	if o.Epochs == 0 {
		c.epochs = -1
	}
	if o.Steps == 0 {
		c.steps = -1
	}
	c.spare <- next
	if o.Resume != nil {
		c.begun = true
		c.batches, err = order.Resume(o, *o.Resume)
	} else {
		c.batches, err = order.Batches(o)
	}
	if err != nil {
		return nil, err
	}
	return c, c.check()
}

// check refuses a first epoch that has not one batch.
func (c *Course) check() error {
	if c.begun || c.batches.next() >= 0 {
		return nil
	}
	largest := 0
	for _, q := range c.batches.order.buckets {
		largest = max(largest, len(q.rows))
	}
	where := fmt.Sprintf("the selection leaves %d rows", c.set.Selected())
	if len(c.set.buckets) > 1 || c.set.weights != nil {
		where += fmt.Sprintf(", of which the largest bucket delivers %d in this epoch", largest)
	}
	return configError{fmt.Errorf("%w: a batch has %d samples, %s; take a smaller batch, or the tail pad or wrap", ErrNoBatch, c.options.Batch, where)}
}

// Next makes b the next batch, in the memory that b has. ok is false after the
// last one, or when stop is closed while the next epoch is drawn.
func (c *Course) Next(b *Batch, stop <-chan struct{}) (ok bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.last.Load() < 0 {
		if c.steps == 0 {
			c.end()
			break
		}
		share, ok := c.batches.Next(b.Rows[:cap(b.Rows)])
		if ok {
			b.Seq, b.Bucket, b.Rows = c.seq, share.Bucket, share.Rows
			c.batches.position(&b.At)
			c.seq++
			c.begun, c.empty = true, 0
			if c.steps > 0 {
				c.steps--
			}
			// Length is known with the last batch, also while its consumer holds all slots.
			if c.steps == 0 || c.epochs == 0 && c.batches.next() < 0 {
				c.end()
			}
			return true, nil
		}
		if err := c.turn(stop); err != nil {
			b.Seq = c.seq
			return false, err
		}
	}
	return false, nil
}

// turn goes to the next epoch, or ends the course.
func (c *Course) turn(stop <-chan struct{}) error {
	if !c.begun {
		if c.empty++; c.empty >= 2 { // not ended: Next would take that for an end without an error
			return fmt.Errorf("%w %d, nor in the one before", ErrNoBatch, c.batches.order.epoch)
		}
	}
	if c.epochs == 0 {
		c.end()
		return nil
	}
	select {
	case next := <-c.drawn:
		c.spare <- c.batches.order
		c.batches.restart(next)
		c.begun = false
		if c.epochs > 0 {
			c.epochs--
		}
		return nil
	case <-stop:
		c.end()
		return nil
	}
}

// Draw draws the orders of the epochs after the first, each as soon as there is
// memory for it, until stop is closed or no epoch is left.
func (c *Course) Draw(stop <-chan struct{}) {
	epoch, n := uint64(0), c.options.Epochs-1 // below 0: without end
	if c.options.Resume != nil {
		epoch = c.options.Resume.Epoch
	}
	var items []item
	for ; n != 0; n-- {
		var o *Order
		select {
		case o = <-c.spare:
		case <-stop:
			return
		}
		epoch++
		items = o.draw(epoch, items)
		select {
		case c.drawn <- o:
		case <-stop:
			return
		}
	}
}

// end ends the course after the batches so far.
func (c *Course) end() { c.last.Store(int64(c.seq)) }

// Length is the number of batches, once it is known. It may be called beside Next.
func (c *Course) Length() (n uint64, known bool) {
	last := c.last.Load()
	return uint64(last), last >= 0
}

// Position writes where the course stands. It may not be called beside Next.
func (c *Course) Position(p *Position) { c.batches.position(p) }

// Uncertain is that of the first epoch, see Batches.Uncertain.
func (c *Course) Uncertain() int { return c.batches.Uncertain() }

// Cursor is what a position of this course means outside of this root.
func (c *Course) Cursor(p *Position) (Cursor, error) {
	return c.set.cursor(c.options.Shuffle, c.options.Seed, c.options.Tail, p)
}
