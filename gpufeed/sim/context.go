package sim

import (
	"slices"
	"sync"

	"voxpack/gpufeed/driver"
)

// context is what the opens of one device share.
type context struct {
	driver  *Driver
	dev     *device
	opens   int
	ended   *code         // why nothing can be done any more; nil: it can
	quit    chan struct{} // closed when it ends
	broken  bool          // by a fault: what it holds goes down with it
	engines engines
	peers   []bool    // by ordinal: enabled
	memory  []*memory // by address
	used    uint64
	running []*stream // with a worker
	workers sync.WaitGroup
	made    Counts // what is alive of what was taken in this context
}

// engines are the parts of a device that copy, each by itself.
type engines struct{ in, out, peer, within engine }

func newContext(d *Driver, dev *device) *context {
	o := d.options
	c := &context{driver: d, dev: dev, quit: make(chan struct{}), peers: make([]bool, o.Devices)}
	c.engines = engines{
		in:     engine{link: o.In},
		out:    engine{link: o.Out},
		peer:   engine{link: o.Peer},
		within: engine{link: o.Within},
	}
	return c
}

// end makes the context useless; the first reason stays. The lock is held.
func (c *context) end(why code) {
	if c.ended != nil {
		return
	}
	c.ended = &why
	close(c.quit)
	c.driver.dying += len(c.running)
	c.driver.wake()
}

// lose ends the context by a fault.
func (c *context) lose(why code) {
	c.broken = true
	c.dev.lost = c.dev.lost || why.number == eccUncorrectable.number
	c.end(why)
}

// took and gave count what is alive.
func (c *context) took(n Counts) {
	c.made.add(n)
	counts := &c.dev.counts
	counts.add(n)
	counts.PeakBytes = max(counts.PeakBytes, counts.Bytes)
}

func (c *context) gave(n Counts) {
	c.made.forget(n)
	c.dev.counts.forget(n)
}

// close ends the context and lets the next Open begin anew. The lock is held;
// destroy follows without it.
func (c *context) close() {
	c.end(contextDestroyed)
	if c.dev.ctx == c {
		c.dev.ctx = nil
	}
}

// destroy waits for the workers of a closed context and takes what is left.
func (c *context) destroy() {
	c.workers.Wait()
	d := c.driver
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, m := range c.memory {
		m.drop()
	}
	c.memory = nil
	if !c.broken {
		return // what was not given back stays counted
	}
	c.dev.counts.forget(c.made)
	c.made = Counts{}
	d.pinned = slices.DeleteFunc(d.pinned, func(m *memory) bool { return m.ctx == c })
}

// gpu is one open of a device.
type gpu struct {
	ctx    *context
	closed bool
}

// Info is what Devices said.
func (g *gpu) Info() driver.Info { return g.ctx.dev.info }

// Thread gives hands on the device. No OS thread is locked: nothing here
// depends on one.
func (g *gpu) Thread() (driver.Thread, error) {
	d := g.ctx.driver
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := g.refuse("cuCtxSetCurrent"); err != nil {
		return nil, err
	}
	g.ctx.dev.counts.Threads++
	return &thread{gpu: g, ctx: g.ctx, driver: d}, nil
}

// Close gives the device back; the last one ends it, also in the middle of a
// copy that hangs.
func (g *gpu) Close() error {
	d := g.ctx.driver
	d.mu.Lock()
	if g.closed {
		d.mu.Unlock()
		return invalidContext.refuse("cuDevicePrimaryCtxRelease", g.Info().Ordinal)
	}
	g.closed = true
	g.ctx.opens--
	g.ctx.dev.counts.Open--
	last := g.ctx.opens == 0
	if last {
		g.ctx.close()
	}
	d.mu.Unlock()
	if last {
		g.ctx.destroy()
	}
	return nil
}

// refuse says why nothing can be done with the device, if so.
func (g *gpu) refuse(call string) error {
	switch {
	case g.ctx.ended != nil:
		return g.ctx.ended.refuse(call, g.Info().Ordinal)
	case g.closed:
		return contextDestroyed.refuse(call, g.Info().Ordinal)
	}
	return nil
}
