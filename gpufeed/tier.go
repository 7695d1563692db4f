package gpufeed

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"voxpack/gpufeed/driver"
)

// tierUnit is the step of addresses in the tier: 32 bits then reach 1 TB.
const tierUnit = 256

// tier keeps samples on the first GPU of the way, so that they cross from the
// host once. A batch is gathered there from what it has; only the rest comes
// from the host. It costs 4 B a row on the host.
//
// Fillers ask it which rows they may leave out; the submitter alone fills it.
// It puts a row in after it has queued the copy that brings the row, and every
// batch that relies on that is queued after, on the same stream. Whoever wants its
// memory back gets it when no filled slot relies on it any more.
type tier struct {
	mu      sync.Mutex // of what follows, and of the memory's use
	dropped bool       // its memory is wanted back: nothing new relies on it
	relying int        // filled slots that left rows out, and are not queued yet

	base    driver.Ptr
	size    uint32          // in units
	used    atomic.Uint32   // in units
	where   []atomic.Uint32 // by row number: its unit + 1; 0: not here
	records []record        // by bucket
	spans   []driver.Span   // room for one batch
}

// record is how a sample of a bucket lies in the tier: its fields one after the
// other, each on a multiple of 16 B.
type record struct {
	offsets []int
	units   uint32
}

// openTier takes what the GPU's limit leaves, at most what the set needs.
func (d *devices) openTier(t driver.Thread) error {
	first := d.first()
	tier := &tier{where: make([]atomic.Uint32, d.content.set.Len())}
	need := uint64(0)
	for i, l := range d.content.layouts {
		var m record
		at := 0
		for _, field := range l.Fields {
			m.offsets = append(m.offsets, at)
			at += (field.Size + 15) &^ 15
		}
		m.units = uint32((at + tierUnit - 1) / tierUnit)
		tier.records = append(tier.records, m)
		need += uint64(m.units) * tierUnit * uint64(len(d.content.set.BucketRows(i)))
		tier.spans = make([]driver.Span, 0, max(cap(tier.spans), len(l.Fields)*l.Samples))
	}
	budget, _, err := first.budget(t)
	if err != nil {
		return err
	}
	if first.cap > 0 { // the slots count against the limit
		budget = min(budget, first.cap-min(first.cap, uint64(first.size)))
	} else if share := d.config.CacheShare; share > 0 {
		budget = uint64(share * float64(budget))
	}
	size := min(need, budget) / tierUnit * tierUnit
	for ; size >= tierUnit; size = size / 2 / tierUnit * tierUnit {
		if tier.base, err = t.Alloc(int(size)); err == nil {
			break
		}
		if !errors.Is(err, driver.ErrOutOfMemory) {
			return err
		}
	}
	if size < need {
		more := fmt.Sprintf("--%s-gpu-memory", first.role)
		if d.config.CacheShare > 0 {
			more = "gpu_memory"
		}
		d.notes.add("the cache on GPU %d holds %s of %s; the rest comes from the host in every epoch (%s)",
			first.gpu.Info().Ordinal, megabytes(size), megabytes(need), more)
	}
	if size < tierUnit {
		return nil
	}
	tier.size = uint32(size / tierUnit)
	d.tier = tier
	return nil
}

// look marks the rows of a slot that need not come from the host, for a filler to
// leave out.
func (c *tier) look(s *slot) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mark(s)
	if s.relies = s.cached; s.relies {
		c.relying++
	}
}

func (c *tier) mark(s *slot) {
	s.cached = false
	for i, row := range s.Rows {
		s.skip[i] = !c.dropped && c.where[row].Load() != 0
		s.cached = s.cached || s.skip[i]
	}
}

// copyIn queues a batch: from the host what the filler wrote, from the tier
// what it left out. Then it keeps what is new. bytes is what comes from the
// host.
func (c *tier) copyIn(t driver.Thread, stream driver.Stream, l *Layout, s, d *slot) (bytes int, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.dropped { // rows may have come since the slot was filled ahead
		c.mark(s)
	}
	bytes, err = c.queue(t, stream, l, s, d)
	if err != nil {
		return 0, err
	}
	if s.relies {
		s.relies = false
		c.relying--
	}
	return bytes, c.giveBack(t, stream)
}

// drop gives the tier's memory back as soon as no slot that is filled relies on it.
// It says how much that is.
func (c *tier) drop(t driver.Thread, stream driver.Stream) (bytes uint64, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dropped {
		return 0, nil
	}
	c.dropped, bytes = true, uint64(c.size)*tierUnit
	return bytes, c.giveBack(t, stream)
}

// giveBack frees the memory if it is wanted back and nothing needs it, after the
// copies that were queued.
func (c *tier) giveBack(t driver.Thread, stream driver.Stream) error {
	if !c.dropped || c.relying > 0 || c.base == 0 {
		return nil
	}
	e, err := t.NewEvent(false)
	if err != nil {
		return err
	}
	err = t.Record(e, stream)
	if err == nil {
		err = t.Synchronize(e)
	}
	if err = errors.Join(err, t.CloseEvent(e)); err != nil {
		return err
	}
	base := c.base
	c.base, c.size = 0, 0
	c.used.Store(0)
	return t.Free(base)
}

func (c *tier) queue(t driver.Copier, stream driver.Stream, l *Layout, s, d *slot) (bytes int, err error) {
	if s.cached {
		bytes, err = c.mix(t, stream, l, s, d)
	} else {
		bytes, err = l.Bytes, t.CopyIn(d.dev, s.host[:l.Bytes], stream)
	}
	if err != nil {
		return 0, err
	}
	return bytes, c.keep(t, stream, l, s, d)
}

// mix queues the runs of samples that the filler wrote, the samples that are
// here, and zeros after the last.
func (c *tier) mix(t driver.Copier, stream driver.Stream, l *Layout, s, d *slot) (bytes int, err error) {
	spans := c.spans[:0]
	n := len(s.Rows)
	for i := range l.Fields {
		f := &l.Fields[i]
		for from := 0; from < n; from++ {
			if s.skip[from] {
				spans = append(spans, driver.Span{
					Dst: d.dev + driver.Ptr(f.Offset+from*f.Size), Src: c.at(s.Rows[from], s.Bucket, i), Bytes: f.Size,
				})
				continue
			}
			to := from + 1
			for to < n && !s.skip[to] {
				to++
			}
			begin, end := f.Offset+from*f.Size, f.Offset+to*f.Size
			if err := t.CopyIn(d.dev+driver.Ptr(begin), s.host[begin:end], stream); err != nil {
				return 0, err
			}
			bytes += end - begin
			from = to - 1
		}
		if rest := (l.Samples - n) * f.Size; rest > 0 {
			if err := t.Clear(d.dev+driver.Ptr(f.Offset+n*f.Size), rest, stream); err != nil {
				return 0, err
			}
		}
	}
	return bytes, t.Copy(spans, stream)
}

// keep queues copies of the batch's new rows into the tier, as far as it has
// room.
func (c *tier) keep(t driver.Copier, stream driver.Stream, l *Layout, s, d *slot) error {
	if c.dropped {
		return nil
	}
	m := &c.records[s.Bucket]
	spans := c.spans[:0]
	for n, row := range s.Rows {
		if c.where[row].Load() != 0 || c.size-c.used.Load() < m.units {
			continue
		}
		at := c.base + driver.Ptr(c.used.Load())*tierUnit
		for i := range l.Fields {
			f := &l.Fields[i]
			spans = append(spans, driver.Span{
				Dst: at + driver.Ptr(m.offsets[i]), Src: d.dev + driver.Ptr(f.Offset+n*f.Size), Bytes: f.Size,
			})
		}
		c.where[row].Store(c.used.Add(m.units) - m.units + 1)
	}
	if len(spans) == 0 {
		return nil
	}
	return t.Copy(spans, stream)
}

// at is where a field of a row lies.
func (c *tier) at(row uint32, bucket, field int) driver.Ptr {
	unit := c.where[row].Load() - 1
	return c.base + driver.Ptr(unit)*tierUnit + driver.Ptr(c.records[bucket].offsets[field])
}

// bytes is what is in use and what there is.
func (c *tier) bytes() (used, size uint64) {
	if c == nil {
		return 0, 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return uint64(c.used.Load()) * tierUnit, uint64(c.size) * tierUnit
}

func (c *tier) close(t driver.Allocator) error {
	if c == nil || c.base == 0 {
		return nil
	}
	return t.Free(c.base)
}
