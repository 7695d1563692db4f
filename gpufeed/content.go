package gpufeed

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"voxpack/gpufeed/plan"
)

// source fills slots: a Reader.
type source interface {
	Fill(l *Layout, d Delivery, slot []byte) error
}

// content is what a feed delivers: which rows, in which shapes, and where their
// bytes are read. Fillers share it.
type content struct {
	set     *plan.Set
	course  *plan.Course
	lookup  *plan.Lookup // for BatchAt, beside the course
	layouts []*Layout    // by bucket
	bytes   int          // of the largest layout
	source  source
	seed    uint64
	skip    bool // leave corrupt samples out
	pad     bool // a batch that loses samples gets shorter
	losses  losses
}

func newContent(set *plan.Set, c Config, from source) (_ *content, err error) {
	k := &content{
		set: set, lookup: set.Lookup(c.Plan), source: from, seed: c.Plan.Seed,
		skip: c.SkipCorrupt, pad: c.Plan.Tail == plan.Pad, losses: losses{rows: map[uint32]*plan.CorruptError{}},
	}
	if k.course, err = set.Course(c.Plan); err != nil {
		return nil, err
	}
	k.layouts, k.bytes, err = c.layouts(set)
	return k, err
}

// fill reads the samples of a slot's rows, apart from those that the tier has.
// Corrupt ones are left out, where the config says so.
func (k *content) fill(s *slot, tier *tier) error {
	for want := len(s.Rows); ; {
		tier.look(s)
		d := Delivery{Seed: k.seed, Epoch: s.At.Epoch, Rows: s.Rows}
		if s.cached {
			d.Skip = s.skip
		}
		err := k.source.Fill(k.layouts[s.Bucket], d, s.host)
		if err == nil {
			return nil
		}
		if err := k.leaveOut(s, err, want); err != nil {
			return err
		}
	}
}

// leaveOut takes the row that is corrupt out of a slot, if it may. Others of the
// batch replace it: a trainer that asked for full batches may not be ready for a
// sample of nothing. A padded batch gets shorter.
func (k *content) leaveOut(s *slot, err error, want int) error {
	var corrupt *plan.CorruptError
	if !k.skip || !errors.As(err, &corrupt) {
		return err
	}
	s.Rows = slices.DeleteFunc(s.Rows[:s.due], func(row uint32) bool { return row == corrupt.For })
	gone := s.due - len(s.Rows)
	if gone == 0 {
		return err
	}
	s.due -= gone
	s.lost += gone
	s.spoilt = err
	k.losses.add(corrupt, gone)
	if !k.pad {
		s.repeat(want)
	}
	return nil
}

// repeat fills the rows up to n with those that are there.
func (l *load) repeat(n int) {
	sound := len(l.Rows)
	for i := 0; sound > 0 && len(l.Rows) < n; i++ {
		l.Rows = append(l.Rows, l.Rows[i%sound])
	}
}

// losses are the samples that were left out.
type losses struct {
	mu         sync.Mutex
	rows       map[uint32]*plan.CorruptError // the damaged rows
	deliveries int64
}

func (l *losses) add(e *plan.CorruptError, deliveries int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rows[e.Row] = e
	l.deliveries += int64(deliveries)
}

// list is the number of deliveries that were left out, and the damaged rows by
// number.
func (l *losses) list() (deliveries int64, rows []*plan.CorruptError) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, row := range slices.Sorted(maps.Keys(l.rows)) {
		rows = append(rows, l.rows[row])
	}
	return l.deliveries, rows
}

// Apart is a batch of an epoch that was asked for by its number. It is no part
// of what Next delivers, and moves nothing there.
type Apart struct {
	Epoch  uint64
	Index  int      // in the epoch, from 0
	Bucket int      // index into Feed.Layouts
	Rows   []uint32 // row numbers, as in Batch
	IDs    []string // of them, from FillApart on
	Lost   int      // corrupt samples that Fill has left out
}

// BatchAt finds the batch of an epoch that begins at its beginning: the one that
// Next delivers there, unless it began in the middle of an epoch with another
// size of batches. It may be called beside Next, from any goroutine, until Close;
// see plan.Lookup for what it costs.
func (f *Feed) BatchAt(epoch uint64, index int) (Apart, error) {
	share, err := f.content.lookup.Batch(epoch, index)
	if err != nil {
		return Apart{}, err
	}
	return Apart{Epoch: epoch, Index: index, Bucket: share.Bucket, Rows: share.Rows}, nil
}

// FillApart writes a batch into memory of the caller's, of the bytes that its
// layout has, as a filler does: Config.SkipCorrupt holds here too. A batch of
// which nothing is left, which Next passes over, is ErrCorrupt.
func (f *Feed) FillApart(a *Apart, dst []byte) error {
	s := &slot{host: dst}
	s.Bucket, s.Rows, s.due, s.At.Epoch = a.Bucket, a.Rows, len(a.Rows), a.Epoch
	if err := f.content.fill(s, nil); err != nil {
		return err
	}
	if len(s.Rows) == 0 && s.lost > 0 {
		return fmt.Errorf("nothing is left of batch %d of epoch %d: %w", a.Index, a.Epoch, s.spoilt)
	}
	a.Rows, a.Lost, a.IDs = s.Rows, s.lost, a.IDs[:0]
	for _, row := range a.Rows {
		id, err := f.content.set.ID(row)
		if err != nil {
			return err
		}
		a.IDs = append(a.IDs, id)
	}
	return nil
}
