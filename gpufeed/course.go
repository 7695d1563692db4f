package gpufeed

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
)

// course hands out the shares of epoch after epoch. While fillers are busy with
// one epoch's order, the next is drawn into the memory of the one before it.
type course struct {
	mu      sync.Mutex
	batches *Batches
	seq     uint64       // number of the next batch
	epochs  int          // epochs that may still begin; -1: no bound
	steps   int64        // batches that may still be handed out; -1: no bound
	empty   int          // epochs without a batch, one after the other
	begun   bool         // this epoch has handed out a batch, or was resumed
	last    atomic.Int64 // the number of batches, once it is known; -1. Next reads it without the lock

	spare chan *Order // to draw into; nobody closes either
	drawn chan *Order // to use
}

// errNothing says that epochs have no batch.
var errNothing = errors.New("no batch in an epoch")

// newCourse begins with the epoch of the cursor, or with epoch 0.
func newCourse(set *Set, config Config) (*course, error) {
	epoch := uint64(0)
	if config.Resume != nil {
		epoch = config.Resume.Epoch
	}
	order, err := set.Order(config.Shuffle, config.Seed, epoch)
	if err != nil {
		return nil, err
	}
	next, err := set.newOrder(config.Shuffle, config.Seed)
	if err != nil {
		return nil, err
	}
	c := &course{epochs: config.Epochs - 1, steps: int64(config.Steps), spare: make(chan *Order, 2), drawn: make(chan *Order, 1)}
	c.last.Store(-1)
	if config.Epochs == 0 {
		c.epochs = -1
	}
	if config.Steps == 0 {
		c.steps = -1
	}
	c.spare <- next
	if config.Resume != nil {
		c.begun = true
		c.batches, err = order.Resume(config.Plan, *config.Resume)
	} else {
		c.batches, err = order.Batches(config.Plan)
	}
	if err != nil {
		return nil, err
	}
	return c, c.check(set, config)
}

// check refuses a first epoch that has not one batch.
func (c *course) check(set *Set, config Config) error {
	if c.begun || c.batches.next() >= 0 {
		return nil
	}
	largest := 0
	for _, q := range c.batches.order.buckets {
		largest = max(largest, len(q.rows))
	}
	where := fmt.Sprintf("the selection leaves %d rows", set.Selected())
	if len(set.buckets) > 1 || set.weights != nil {
		where += fmt.Sprintf(", of which the largest bucket delivers %d in this epoch", largest)
	}
	return configError{fmt.Errorf("%w: a batch has %d samples, %s; take a smaller batch, or the tail pad or wrap", errNothing, config.Plan.Batch, where)}
}

// claim gives a slot its batch. ok is false behind the last one, or when stop
// is closed while the next epoch is drawn.
func (c *course) claim(l *load, stop <-chan struct{}) (ok bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.last.Load() < 0 {
		if c.steps == 0 {
			c.end()
			break
		}
		share, ok := c.batches.Next(l.rows[:cap(l.rows)])
		if ok {
			l.seq, l.bucket, l.rows, l.due, l.lost, l.cached = c.seq, share.Bucket, share.Rows, len(share.Rows), 0, false
			c.batches.position(&l.at)
			c.seq++
			c.begun, c.empty = true, 0
			if c.steps > 0 {
				c.steps--
			}
			// Next learns of the end with the last batch, also while it holds all slots.
			if c.steps == 0 || c.epochs == 0 && c.batches.next() < 0 {
				c.end()
			}
			return true, nil
		}
		if err := c.turn(stop); err != nil {
			l.seq = c.seq
			return false, err
		}
	}
	return false, nil
}

// turn goes to the next epoch, or ends the course.
func (c *course) turn(stop <-chan struct{}) error {
	if !c.begun {
		if c.empty++; c.empty >= 2 { // not ended: Next would take that for an end without an error
			return fmt.Errorf("%w %d, nor in the one before", errNothing, c.batches.order.epoch)
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

// draw draws n epochs behind the given one, any number if n is -1, each as soon
// as there is memory for it, until stop is closed.
func (c *course) draw(epoch uint64, n int, stop <-chan struct{}) {
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

// end ends the course behind the batches so far.
func (c *course) end() { c.last.Store(int64(c.seq)) }

// length is the number of batches, once it is known.
func (c *course) length() (n uint64, known bool) {
	last := c.last.Load()
	return uint64(last), last >= 0
}
