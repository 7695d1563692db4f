package serve

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"voxpack/gpufeed"
	"voxpack/gpufeed/driver"
	"voxpack/gpufeed/plan"
)

// The transports: where the slots of a session are.
const (
	transportHost   = "host"   // in a file that the consumer maps
	transportDevice = "device" // on a GPU, whose memory the consumer opens
)

// partWithin is how long a feeder waits for a consumer that hung up, or is to,
// to let go of the GPU's memory: as long as for a copy.
const partWithin = 10 * time.Second

// errNoGPU says that the feeder does not see a GPU.
var errNoGPU = errors.New("no such GPU")

// GPU names a device by what feeder and consumer both know. Ordinals follow the
// CUDA_VISIBLE_DEVICES of each process.
type GPU struct {
	UUID    string `json:"uuid,omitempty"`    // "GPU-…" or "MIG-…"
	Bus     string `json:"bus,omitempty"`     // "0000:65:00.0"
	Ordinal *int   `json:"ordinal,omitempty"` // the feeder's
}

// Device is the memory of a device ring.
type Device struct {
	UUID     string   `json:"uuid"`
	Bus      string   `json:"bus"`
	Ordinal  int      `json:"ordinal"` // the feeder's
	Memory   []byte   `json:"memory"`  // a handle for cuIpcOpenMemHandle
	Bytes    int      `json:"bytes"`
	Slots    int      `json:"slots"`
	Slot     int      `json:"slot_bytes"`
	Consumed [][]byte `json:"consumed"` // by slot: handles for cuIpcOpenEventHandle; none where the GPU has no such events
}

// gpus are the devices of the machine, from the first session on that asks for
// one: host consumers neither wait for a driver nor need one.
type gpus struct {
	mu     sync.Mutex
	open   func(name string) (driver.Driver, string, error)
	driver driver.Driver
	left   error // the first of what could not be given back
	lost   error // of a GPU that this process cannot use any more
}

// get is the driver. The error of a lost GPU is as the driver said it: fail adds
// the process.
func (g *gpus) get() (driver.Driver, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.lost != nil {
		return nil, g.lost
	}
	if g.driver != nil {
		return g.driver, nil
	}
	if g.open == nil {
		return nil, fmt.Errorf("%w: this feeder uses none", errNoGPU)
	}
	d, _, err := g.open("cuda")
	if err != nil {
		return nil, noGPUs(err)
	}
	g.driver = d
	return d, nil
}

// noGPUs is the error of a feeder without a driver, with what a consumer can do.
func noGPUs(err error) error {
	var refused *driver.Error
	if errors.As(err, &refused) {
		e := *refused
		e.Hint = "the transport host needs no GPU in the feeder"
		err = &e
	}
	return fmt.Errorf("transport device: %w", err)
}

// keep remembers an error that no consumer is there to hear.
func (g *gpus) keep(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err == nil || g.left != nil {
		return
	}
	for joined, ok := err.(interface{ Unwrap() []error }); ok; joined, ok = err.(interface{ Unwrap() []error }) {
		err = joined.Unwrap()[0] // of a lost GPU every call says the same
	}
	g.left = fmt.Errorf("what was taken from a GPU could not be given back: %w", err)
}

// lose remembers that a GPU is lost to this process; first says that none was
// before.
func (g *gpus) lose(err error) (first bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	first = g.lost == nil
	if first {
		g.lost = err
	}
	return first
}

// gone is the error of the GPU that was lost; nil: none was.
func (g *gpus) gone() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.lost
}

// ends is the error of a lost GPU, with the process that has to end.
func ends(err error) error {
	return fmt.Errorf("%w; that is the feeder, process %d: it takes no new consumers, and ends when those that it has are gone", err, os.Getpid())
}

// close gives the driver back, and is the errors that were kept.
func (g *gpus) close() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	err := g.left
	if err == nil && g.lost != nil {
		err = fmt.Errorf("a GPU was lost: %w", g.lost)
	}
	if g.driver != nil {
		err = errors.Join(err, g.driver.Close())
	}
	return err
}

// chooseGPUs settles where the batches of a session go.
func (s *Server) chooseGPUs(r Start, c *gpufeed.Config) error {
	switch r.Transport {
	case "", transportHost:
		if r.GPU != nil || r.DataGPU != nil || r.GPUBatches != nil || r.GPUMemory != nil || r.Cache != "" {
			return fmt.Errorf("%w: gpu, data_gpu, gpu_batches, gpu_memory and cache are for the transport device", plan.ErrConfig)
		}
		return nil
	case transportDevice:
	default:
		return fmt.Errorf("%w: transport %q: want host or device", plan.ErrConfig, r.Transport)
	}
	if r.GPU == nil {
		return fmt.Errorf("%w: the transport device needs gpu: a uuid, a bus or an ordinal", plan.ErrConfig)
	}
	d, err := s.gpus.get()
	if err != nil {
		return err
	}
	list, err := d.Devices()
	if err != nil {
		return noGPUs(err)
	}
	c.Driver = d
	if c.ModelGPU, err = r.GPU.find(list); err != nil {
		return err
	}
	c.DataGPU = c.ModelGPU
	if r.DataGPU != nil {
		if c.DataGPU, err = r.DataGPU.find(list); err != nil {
			return err
		}
	}
	take(&c.DeviceDepth, r.GPUBatches)
	c.Cache, c.CacheShare = gpufeed.Cache(r.Cache), cacheShare
	if r.GPUMemory != nil {
		c.ModelCap = uint64(*r.GPUMemory) * 1e6
		c.DataCap = c.ModelCap
	}
	return shared(d, c.ModelGPU, c.DataGPU)
}

// cacheShare is the part of a GPU's free memory that a cache takes unless a
// consumer says otherwise: a trainer on that GPU has not grown yet when its feed is
// opened, and other ranks may want some.
const cacheShare = 0.5

// The compute modes of a GPU that two processes cannot share.
var alone = map[int]string{2: "prohibited", 3: "exclusive process"}

// shared refuses GPUs that the feeder's process and the consumer's cannot both use:
// whichever came second would fail with less to say.
func shared(d driver.Driver, ordinals ...int) error {
	modes, ok := d.(interface {
		ComputeMode(ordinal int) (int, error)
	})
	if !ok {
		return nil
	}
	for _, n := range ordinals {
		mode, err := modes.ComputeMode(n)
		if err != nil {
			return err
		}
		if name := alone[mode]; name != "" {
			return fmt.Errorf("%w: GPU %d is in the compute mode %q, and the feeder is a process beside the trainer: nvidia-smi -c 0 lets both use it; the transport host needs no GPU in the feeder", errNoGPU, n, name)
		}
	}
	return nil
}

// find is the ordinal of a GPU here.
func (g GPU) find(list []driver.Info) (int, error) {
	var wanted string
	var is func(driver.Info) bool
	switch {
	case g.UUID != "":
		wanted, is = g.UUID, func(d driver.Info) bool { return bare(d.UUID) == bare(g.UUID) }
	case g.Bus != "":
		wanted, is = "at "+g.Bus, func(d driver.Info) bool { return strings.EqualFold(d.Bus, g.Bus) }
	case g.Ordinal != nil:
		wanted, is = fmt.Sprint(*g.Ordinal), func(d driver.Info) bool { return d.Ordinal == *g.Ordinal }
	default:
		return 0, fmt.Errorf("%w: a GPU is named by uuid, bus or ordinal", plan.ErrConfig)
	}
	var here []string
	for _, d := range list {
		if is(d) {
			return d.Ordinal, nil
		}
		here = append(here, fmt.Sprintf("%d: %s, %s at %s", d.Ordinal, d.Name, d.UUID, d.Bus))
	}
	return 0, fmt.Errorf("%w: %s; the feeder sees %s, as its CUDA_VISIBLE_DEVICES says; the transport host needs no GPU there", errNoGPU, wanted, strings.Join(here, "; "))
}

// bare is a uuid without its kind: the driver has the bytes of a MIG device's
// only, which nvidia-smi prints after "MIG-", and other programs after "GPU-".
func bare(uuid string) string {
	uuid = strings.ToLower(uuid)
	return strings.TrimPrefix(strings.TrimPrefix(uuid, "gpu-"), "mig-")
}

// slots is where the session's slots are, with the descriptors that come with
// them; device is nil where that is the host.
func (x *session) slots() (m gpufeed.Memory, device *Device, files []int) {
	x.free = gpufeed.Batch.Release
	e, ok := x.feed.Export()
	if !ok {
		m, _ = x.feed.Memory()
		return m, nil, []int{m.File}
	}
	x.process = processOf(x.conn)
	x.device.Store(true)
	d := &Device{UUID: e.GPU.UUID, Bus: e.GPU.Bus, Ordinal: e.GPU.Ordinal, Memory: e.Memory[:], Bytes: e.Bytes, Slots: e.Slots, Slot: e.Slot}
	for i := range e.Consumed {
		d.Consumed = append(d.Consumed, e.Consumed[i][:])
		x.free = gpufeed.Batch.ReleaseRecorded
	}
	return gpufeed.Memory{File: -1, Slots: e.Slots, Slot: e.Slot}, d, nil
}

// freeCache gives back what the feed keeps on a GPU for later epochs.
func (x *session) freeCache() error {
	if x.feed == nil {
		return fmt.Errorf("%w: free_cache is for a feed that has started", plan.ErrConfig)
	}
	bytes, err := x.feed.FreeCache()
	if err != nil {
		return x.server.lose(err)
	}
	return x.send(Freed{"freed", bytes})
}

// interrupt wakes the session when the server ends. A consumer of GPU memory has
// to be heard until it lets go, so that its socket stays.
func (x *session) interrupt() {
	if x.device.Load() {
		_ = x.conn.SetReadDeadline(time.Unix(1, 0))
		return
	}
	x.conn.Close()
}

// part waits until the consumer has its hands off the GPU's memory, which
// nobody may free under them: it says bye when it closed what it opened, and a
// process that has ended has nothing any more, its work on the GPU included. Who
// does neither in time loses the memory all the same.
func (x *session) part() {
	defer x.process.Close() // of nil too
	if !x.device.Load() {
		return
	}
	end := time.Now().Add(partWithin)
	_ = x.conn.CloseWrite() // it hears that this is the end
	_ = x.conn.SetReadDeadline(end)
	for !x.bye {
		var r Request
		if read(x.conn, mostHello, nil, &r) != nil {
			break
		}
		x.bye = r.Type == "bye"
	}
	if !x.bye && x.process != nil {
		awaitEnd(x.process, time.Until(end))
	}
}
