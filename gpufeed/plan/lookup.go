package plan

import (
	"fmt"
	"sync"
)

// Lookup finds batches by their number in an epoch. It remembers the epoch that
// was asked for last: 4 B a delivery. It is safe for concurrent use.
type Lookup struct {
	set     *Set
	options Options

	mu      sync.Mutex
	batches *Batches
}

// Lookup finds the batches of epochs that begin at their beginning.
func (s *Set) Lookup(o Options) *Lookup { return &Lookup{set: s, options: o} }

// Batch is a batch of an epoch, by its number from 0. Of an epoch other than the
// last one asked for it draws the order anew; finding a batch walks over the row
// numbers of those before it. A number that the epoch does not have: ErrConfig.
func (l *Lookup) Batch(epoch uint64, index int) (Share, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.batches == nil || l.batches.order.epoch != epoch {
		order, err := l.set.Order(l.options.Shuffle, l.options.Seed, epoch)
		if err != nil {
			return Share{}, err
		}
		if l.batches, err = order.Batches(l.options); err != nil {
			return Share{}, err
		}
	}
	l.batches.restart(l.batches.order)
	rows := make([]uint32, l.options.Share())
	for i := 0; index >= 0; i++ {
		share, ok := l.batches.Next(rows)
		if !ok {
			break
		}
		if i == index {
			return share, nil
		}
	}
	return Share{}, configError{fmt.Errorf("epoch %d has no batch %d: there are %d", epoch, index, l.set.EpochBatches(l.options, epoch))}
}
