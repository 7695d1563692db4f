package gpufeed

import (
	"sync/atomic"
	"time"
)

// The rules of the depth.
const (
	// stallLimit: a wait of more than 1/stallLimit of a step is one.
	stallLimit = 100
	// shrinkAfter is how many steps in a row must find the ring full before it
	// gets smaller.
	shrinkAfter = 2000
)

// depth moves the number of batches that are prepared ahead. The ring grows
// where the consumer waits although fillers and links keep up in the mean: then
// they were late in a burst, which a deeper ring outlasts. Where they do not
// keep up, no depth helps, and the ring stays.
type depth struct {
	host   *ring
	config Config
	loans  *loans
	extra  int // host slots that hold no batch ahead: the consumer's
	train  average
	full   int // steps in a row that found the ring full
	grown  atomic.Int64
	shrunk atomic.Int64
}

func newDepth(f *Feed) *depth {
	d := &depth{host: f.route.host, config: f.config, loans: &f.loans}
	if f.route.dev == nil {
		d.extra = 1
	}
	return d
}

// now is the number of batches that are prepared ahead.
func (d *depth) now() int { return d.host.size() - d.extra }

// observe is told of every batch that was handed out, by the goroutine that
// calls Next.
func (d *depth) observe(m *meter) {
	if m.steps.lastStep == 0 || d.config.FixedDepth {
		return
	}
	d.train.add(m.steps.lastStep - m.steps.lastStall)
	train := time.Duration(d.train.value.Load())
	if m.steps.lastStall*stallLimit > train {
		d.full = 0
		d.stalled(m, train)
		return
	}
	if d.ahead() < d.now()-1 {
		d.full = 0
		return
	}
	if d.full++; d.full < shrinkAfter {
		return
	}
	d.full = 0
	if now := d.now(); now > min(2, d.config.Depth) {
		d.host.resize(now - 1 + d.extra)
		d.shrunk.Add(1)
	}
}

// held gives a consumer one slot more if it holds all that are in circulation:
// else it would block itself. The slots of GPUs stay as they are.
func (d *depth) held() {
	if d.extra > 0 && d.loans.held.Load() >= int64(d.host.size()) && d.host.size() < len(d.host.slots) {
		d.host.resize(d.host.size() + 1)
		d.grown.Add(1)
	}
}

// stalled grows the ring by as many steps as the consumer waited, if the mean
// of the supply is faster than the consumer.
func (d *depth) stalled(m *meter, train time.Duration) {
	now := d.now()
	most := len(d.host.slots) - d.extra
	if now >= most || train <= 0 {
		return
	}
	if m.supply(d.config.Fillers) > int64(train) {
		return
	}
	more := int((m.steps.lastStall + train - 1) / train)
	d.host.resize(min(most, now+more) + d.extra)
	d.grown.Add(int64(min(most, now+more) - now))
}

// ahead is the number of host slots whose batch is filled.
func (d *depth) ahead() int {
	var n [Failed + 1]int
	d.host.count(&n)
	return n[Filled] + n[Copying]
}
