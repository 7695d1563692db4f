package gpufeed

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"voxpack/gpufeed/driver"
)

// reserve is what a GPU's free memory keeps for others: contexts, kernels that
// are loaded later, and what a framework allocates outside of its pool.
const reserve = 512 << 20

// devices is the way from the host's ring to the GPU that trains. A nil one
// says that batches stay on the host.
type devices struct {
	config  Config
	content *content
	run     *run
	gauges  *gauges
	notes   *notes

	stations []*station // in the order of the way: one or two
	hops     []*hop     // hop i leads to station i
	tier     *tier      // on the first station; nil: none
	pinned   []byte     // of the host's arena
	events   []owned    // of slots
	drains   chan int32
	export   *Export // nil: nobody else can have the memory
}

// station is a GPU on the way with its slots.
type station struct {
	role string // "data" or "model"
	gpu  driver.GPU
	cap  uint64
	base driver.Ptr
	slot int // bytes
	size int // bytes that were allocated for the slots
	ring *ring
}

// bytes is what the slots have of that.
func (p *station) bytes() int { return len(p.ring.slots) * p.slot }

// owned is an event with the GPU that made it, on whose streams alone it may be
// recorded.
type owned struct {
	gpu   driver.GPU
	event driver.Event
}

// event makes an event that close gives back.
func (d *devices) event(t driver.Queues, gpu driver.GPU, timed bool) (driver.Event, error) {
	e, err := t.NewEvent(timed)
	if err == nil {
		d.events = append(d.events, owned{gpu, e})
	}
	return e, err
}

// DeviceMemory is where a batch lies on a GPU.
type DeviceMemory struct {
	GPU int // ordinal
	Ptr driver.Ptr
}

// onThread runs f with a device current, on a goroutine of its own: the caller's
// thread keeps what it has.
func onThread(gpu driver.GPU, f func(driver.Thread) error) error {
	done := make(chan error)
	go func() {
		t, err := gpu.Thread()
		if err == nil {
			err = f(t)
			t.Leave()
		}
		done <- err
	}()
	return <-done
}

// open opens the GPUs of the way.
func (d *devices) open(ctx context.Context) error {
	c := d.config
	stations := []*station{{role: "model", cap: c.ModelCap}}
	ordinals := []int{c.ModelGPU}
	if c.Mode == Dual {
		stations = []*station{{role: "data", cap: c.DataCap}, stations[0]}
		ordinals = []int{c.DataGPU, c.ModelGPU}
	}
	for i, p := range stations {
		if err := ctx.Err(); err != nil {
			return err
		}
		gpu, err := c.Driver.Open(ordinals[i])
		if err != nil {
			return err
		}
		p.gpu = gpu
		d.stations = append(d.stations, p)
	}
	return nil
}

// first is the station that host memory is copied to, model the one that trains.
func (d *devices) first() *station { return d.stations[0] }
func (d *devices) model() *station { return d.stations[len(d.stations)-1] }

// connect takes the GPUs' memory and makes the hops that lead from the host's ring
// to the GPU that trains, whose ring and line it returns. What does not fit makes
// rings smaller, with a note, and fails only when not one batch fits.
func (d *devices) connect(ctx context.Context, from *ring, in *line) (last *ring, out *line, err error) {
	for i, p := range d.stations {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		if err := onThread(p.gpu, func(t driver.Thread) error { return d.furnish(t, p) }); err != nil {
			return nil, nil, err
		}
		h := newHop(d, i, from, in, p)
		d.hops = append(d.hops, h)
		if err := onThread(h.gpu, h.prepare); err != nil {
			return nil, nil, err
		}
		from, in = p.ring, h.out
	}
	d.drains = make(chan int32, len(from.slots))
	if d.config.Shared {
		if err := onThread(d.model().gpu, d.openExport); err != nil {
			return nil, nil, err
		}
	}
	if !d.config.caches() {
		return from, in, nil
	}
	if d.content.layouts[0].Form.Drawn() {
		d.notes.add("the cache on GPU %d is off: with --segment or --reference a row is another in every epoch", d.first().gpu.Info().Ordinal)
		return from, in, nil
	}
	return from, in, onThread(d.first().gpu, d.openTier)
}

// furnish gives a station its slots.
func (d *devices) furnish(t driver.Thread, p *station) error {
	p.slot = (d.content.bytes + 4095) &^ 4095
	budget, free, err := p.budget(t)
	if err != nil {
		return err
	}
	block := 1
	if d.shares(p) {
		block = sharedBlock
	}
	n := min(d.config.DeviceDepth, int(min((budget-budget%uint64(block))/uint64(p.slot), 1<<20)))
	for ; n > 0; n /= 2 {
		p.size = (n*p.slot + block - 1) / block * block
		if p.base, err = t.Alloc(p.size); err == nil {
			break
		}
		if !errors.Is(err, driver.ErrOutOfMemory) {
			return err
		}
	}
	if n == 0 {
		return &driver.Error{
			Call: "slots", Name: "out of memory", Device: p.gpu.Info().Ordinal, Kind: driver.ErrOutOfMemory,
			Hint: fmt.Sprintf("a batch needs %s; the limit is %s, free are %s: take a smaller batch, or %s",
				megabytes(uint64(p.slot)), limit(p.cap), megabytes(free), p.more(budget)),
		}
	}
	if n < d.config.DeviceDepth {
		d.notes.add("GPU %d holds %d of %d batches: %s are free, the limit is %s (--%s-gpu-memory)",
			p.gpu.Info().Ordinal, n, d.config.DeviceDepth, megabytes(free), limit(p.cap), p.role)
	}
	p.ring = newRing(n, n, d.config.Plan.Share(), len(d.content.layouts))
	for i := range p.ring.slots {
		s := &p.ring.slots[i]
		s.dev = p.base + driver.Ptr(i*p.slot)
		if s.consumed, err = d.consumedEvent(t, p); err != nil {
			return err
		}
	}
	return nil
}

// more is how a station gets more memory than it has: by its limit where that is
// what held it to its budget, else from what else uses the GPU.
func (p *station) more(budget uint64) string {
	if p.cap > 0 && p.cap <= budget {
		return fmt.Sprintf("raise --%s-gpu-memory", p.role)
	}
	return "end what else uses the GPU (nvidia-smi lists it)"
}

// budget is how much of a GPU's memory may still be taken.
func (p *station) budget(t driver.Allocator) (budget, free uint64, err error) {
	if free, _, err = t.Memory(); err != nil {
		return 0, 0, err
	}
	budget = free - min(free, reserve)
	if p.cap > 0 {
		budget = min(budget, p.cap)
	}
	return budget, free, nil
}

// pin page-locks the first slots of the host's arena, half as many as long as
// the driver refuses them, and says how many. It is not asked why: the kernel's
// module has one answer for all, so that a driver may say "invalid value" or
// "operating system" where there is no memory. RLIMIT_MEMLOCK does not count.
func (d *devices) pin(a *arena, slots int) (int, error) {
	wanted := slots
	for ; ; slots /= 2 {
		mem := a.mem[:slots*a.slot]
		err := onThread(d.first().gpu, func(t driver.Thread) error { return t.Pin(mem) })
		if err == nil {
			d.pinned = mem
			break
		}
		if !errors.As(err, new(*driver.Error)) || errors.Is(err, driver.ErrLost) {
			return 0, err
		}
		if slots == 1 {
			return 0, unpinnable(err, a.slot)
		}
	}
	if slots < wanted {
		d.notes.add("the host could pin memory for %d batches in place of %d; end what else has memory pinned, or take a smaller --prefetch-buffer-size", slots, wanted)
	}
	return slots, nil
}

// unpinnable is the error of a host that pins no memory for one batch. Where the
// driver says that there is none, what its error advises is about the memory of
// GPUs; else it may be the cause.
func unpinnable(err error, slot int) error {
	var refused *driver.Error
	if !errors.As(err, &refused) || errors.Is(err, driver.ErrLost) {
		return err
	}
	e := *refused
	e.Hint = fmt.Sprintf("a batch needs %s of pinned host memory: take a smaller batch, or end what else has memory pinned", megabytes(uint64(slot)))
	if refused.Kind != driver.ErrOutOfMemory && refused.Hint != "" {
		e.Hint += "; or " + refused.Hint
	}
	return &e
}

// memory is where a slot's batch lies.
func (d *devices) memory(s *slot) DeviceMemory {
	if d == nil {
		return DeviceMemory{}
	}
	return DeviceMemory{d.model().gpu.Info().Ordinal, s.dev}
}

// staged reports whether copies between the GPUs go through the host.
func (d *devices) staged() bool {
	return d != nil && slices.ContainsFunc(d.hops, func(h *hop) bool { return h.staged })
}

// start runs the goroutines of the way.
func (d *devices) start() {
	if d == nil {
		return
	}
	for _, h := range d.hops {
		d.run.work.Go(h.submit)
		d.run.work.Go(h.await)
	}
	d.run.work.Go(d.drainer)
	d.run.work.Go(d.watchdog)
}

// drainer frees slots whose consumer has queued work on them.
func (d *devices) drainer() {
	last := d.model()
	t, err := last.gpu.Thread()
	if err != nil {
		d.run.failure.set("release", 0, err)
		return
	}
	defer t.Leave()
	for {
		select {
		case i := <-d.drains:
			s := &last.ring.slots[i]
			ok, err := d.drained(t, s)
			if err != nil {
				d.run.failure.set("release", s.Seq, err)
				return
			}
			if !ok {
				return
			}
			d.gauges.signs.kept.add(time.Since(s.handed))
			s.move(Draining, Free)
			last.ring.put(i)
		case <-d.run.stop:
			return
		}
	}
}

// watchdog ends the feed when a copy does not end.
func (d *devices) watchdog() {
	limit := d.config.CopyTimeout
	tick := time.NewTicker(max(limit/8, time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			for _, h := range d.hops {
				if since := h.since.Load(); since != 0 && time.Since(d.run.begin)-time.Duration(since) > limit {
					d.run.failure.set(h.name, h.seq.Load(), copyTimeout(limit))
				}
			}
		case <-d.run.stop:
			return
		}
	}
}

func megabytes(n uint64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

func limit(n uint64) string {
	if n == 0 {
		return "what is free"
	}
	return megabytes(n)
}
