package gpufeed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"voxpack/gpufeed/datatest"
	"voxpack/gpufeed/driver"
	"voxpack/gpufeed/plan"
	"voxpack/gpufeed/sim"
)

// unreliable is a driver of which one call fails: the nth of those that take
// something, queue something or wait.
type unreliable struct {
	driver.Driver
	calls, nth *atomic.Int64
}

type unreliableGPU struct {
	driver.GPU
	of unreliable
}

type unreliableThread struct {
	driver.Thread
	of unreliable
}

// fails is the error of the nth call.
func (u unreliable) fails(call string) error {
	if u.calls.Add(1) != u.nth.Load() {
		return nil
	}
	return &driver.Error{Call: call, Name: "made to fail"}
}

func (u unreliable) Open(ordinal int) (driver.GPU, error) {
	if err := u.fails("Open"); err != nil {
		return nil, err
	}
	g, err := u.Driver.Open(ordinal)
	if err != nil {
		return nil, err
	}
	return unreliableGPU{g, u}, nil
}

func (g unreliableGPU) Thread() (driver.Thread, error) {
	t, err := g.GPU.Thread()
	if err != nil {
		return nil, err
	}
	return unreliableThread{t, g.of}, nil
}

func (t unreliableThread) Memory() (free, total uint64, err error) {
	if err := t.of.fails("Memory"); err != nil {
		return 0, 0, err
	}
	return t.Thread.Memory()
}

func (t unreliableThread) Alloc(bytes int) (driver.Ptr, error) {
	if err := t.of.fails("Alloc"); err != nil {
		return 0, err
	}
	return t.Thread.Alloc(bytes)
}

func (t unreliableThread) Pin(b []byte) error {
	if err := t.of.fails("Pin"); err != nil {
		return err
	}
	return t.Thread.Pin(b)
}

func (t unreliableThread) NewStream(high bool) (driver.Stream, error) {
	if err := t.of.fails("NewStream"); err != nil {
		return 0, err
	}
	return t.Thread.NewStream(high)
}

func (t unreliableThread) NewEvent(timed bool) (driver.Event, error) {
	if err := t.of.fails("NewEvent"); err != nil {
		return 0, err
	}
	return t.Thread.NewEvent(timed)
}

func (t unreliableThread) EnablePeer(other driver.GPU) (bool, error) {
	if err := t.of.fails("EnablePeer"); err != nil {
		return false, err
	}
	return t.Thread.EnablePeer(other.(unreliableGPU).GPU)
}

func (t unreliableThread) CopyIn(dst driver.Ptr, src []byte, s driver.Stream) error {
	if err := t.of.fails("CopyIn"); err != nil {
		return err
	}
	return t.Thread.CopyIn(dst, src, s)
}

func (t unreliableThread) Copy(pieces []driver.Span, s driver.Stream) error {
	if err := t.of.fails("Copy"); err != nil {
		return err
	}
	return t.Thread.Copy(pieces, s)
}

func (t unreliableThread) CopyPeer(dst driver.Ptr, other driver.GPU, src driver.Ptr, bytes int, s driver.Stream) error {
	if err := t.of.fails("CopyPeer"); err != nil {
		return err
	}
	return t.Thread.CopyPeer(dst, other.(unreliableGPU).GPU, src, bytes, s)
}

func (t unreliableThread) Record(e driver.Event, s driver.Stream) error {
	if err := t.of.fails("Record"); err != nil {
		return err
	}
	return t.Thread.Record(e, s)
}

func (t unreliableThread) Synchronize(e driver.Event) error {
	if err := t.of.fails("Synchronize"); err != nil {
		return err
	}
	return t.Thread.Synchronize(e)
}

func (t unreliableThread) Elapsed(from, to driver.Event) (time.Duration, error) {
	if err := t.of.fails("Elapsed"); err != nil {
		return 0, err
	}
	return t.Thread.Elapsed(from, to)
}

// TestAnyCallMayFail: whichever call of the driver fails, in Open or in the
// middle of a batch, the batches before it arrive, its error follows, and Close
// waits for what is under way and gives everything back, at the second try if
// the call that failed was its own. The simulated driver ends the process when
// memory is given back under a copy.
func TestAnyCallMayFail(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(30)), plan.Selection{Buckets: []int{4}})
	l := layout(t, datatest.Schema, 8, 0)
	for name, c := range map[string]Config{"dual": {ModelGPU: 1}, "direct with cache": {Cache: CacheOn}, "both roles on one": {Mode: Dual}} {
		t.Run(name, func(t *testing.T) {
			calls := int64(0)
			for nth := int64(1); ; nth++ {
				whole := false
				synctest.Test(t, func(t *testing.T) { whole = failNth(t, set, c, l.Bytes, nth) })
				if calls = nth; whole || t.Failed() {
					break
				}
			}
			if calls < 60 {
				t.Errorf("the run was whole with %d calls, too few to say anything", calls)
			}
		})
	}
}

// failNth runs a feed whose nth call fails; whole is true when there was none.
func failNth(t *testing.T, set *plan.Set, c Config, bytes int, nth int64) (whole bool) {
	slow := sim.Link{BytesPerSecond: float64(bytes) / 1e-3}
	real := sim.New(sim.Options{In: slow, Peer: slow, Within: slow})
	u := unreliable{real, new(atomic.Int64), new(atomic.Int64)}
	u.nth.Store(nth)
	c.Driver, c.Plan, c.Plan.Epochs = u, plan.Options{Batch: 8, Tail: plan.Pad}, 2
	f, err := Open(context.Background(), set, c)
	if err == nil {
		n := uint64(0)
		for ; err == nil; n++ {
			var b Batch
			b, err = f.Next(context.Background())
			b.Release()
		}
		var stage *StageError
		if err != io.EOF && (!errors.As(err, &stage) || stage.Seq != n-1) {
			t.Errorf("call %d: after %d batches %v", nth, n-1, err)
		}
		if err := f.Close(); err != nil && f.Close() != nil {
			t.Errorf("call %d: Close: %v", nth, err)
		}
	}
	for what, n := range real.Live() {
		if n != 0 {
			t.Errorf("call %d: %d %s left behind after %v", nth, n, what, err)
		}
	}
	if err := real.Close(); err != nil {
		t.Error(err)
	}
	return u.calls.Load() < nth
}

// TestCloseWaitsForTheConsumersWork that was queued on batches before they were
// released.
func TestCloseWaitsForTheConsumersWork(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(57)), plan.Selection{})
	for range 20 { // goroutines may see the end in any order
		synctest.Test(t, func(t *testing.T) { closeOnQueuedWork(t, set) })
	}
}

func closeOnQueuedWork(t *testing.T, set *plan.Set) {
	l := layout(t, datatest.Schema, 8, 0)
	d := sim.New(sim.Options{Out: sim.Link{BytesPerSecond: float64(l.Bytes)}}) // a batch a second
	defer closeSim(t, d)
	f, err := Open(context.Background(), set, Config{Driver: d, Plan: plan.Options{Batch: 8}, CopyTimeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	own, err := d.Open(0) // a trainer has a context of its own, which outlives the feed's
	if err != nil {
		t.Fatal(err)
	}
	hands, err := own.Thread()
	if err != nil {
		t.Fatal(err)
	}
	buffer := make([]byte, l.Bytes)
	stream, err := hands.NewStream(false)
	if err = errors.Join(err, hands.Pin(buffer)); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	for range 3 {
		b, err := f.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(hands.CopyOut(buffer, b.Device.Ptr, stream), b.ReleaseAfter(hands, stream)); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if took := time.Since(start); took < 3*time.Second {
		t.Errorf("Close came back after %v, three copies out of batches take 3 s", took)
	}
	err = errors.Join(hands.CloseStream(stream), hands.Unpin(buffer))
	hands.Leave()
	if err := errors.Join(err, own.Close()); err != nil {
		t.Error(err)
	}
}

// TestCloseMayBeRepeated once the consumer has let go of what it held.
func TestCloseMayBeRepeated(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(57)), plan.Selection{})
	d := simulated(t, sim.Options{Pace: sim.Unpaced})
	f, err := Open(context.Background(), set, Config{Driver: d, Plan: plan.Options{Batch: 8}})
	if err != nil {
		t.Fatal(err)
	}
	b, err := f.Next(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := f.Close(); err == nil {
			t.Error("Close with a batch in the consumer's hands: no error")
		}
	}
	b.Release()
	for range 2 {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestLostDeliveriesAreCountedOnce, not the repeats that would have replaced
// others.
func TestLostDeliveriesAreCountedOnce(t *testing.T) {
	samples := datatest.Samples(16)
	set := choose(t, datatest.Dataset(t, samples), plan.Selection{})
	for _, id := range idsOf(t, set.Rows, []uint32{0, 1, 2, 3}) {
		for i := range samples {
			if samples[i].ID == id {
				samples[i].Spoilt = "mel"
			}
		}
	}
	set = choose(t, datatest.Dataset(t, samples), plan.Selection{})
	for _, tail := range []plan.Tail{plan.Drop, plan.Pad} {
		f, err := Open(context.Background(), set, Config{Plan: plan.Options{Batch: 6, Tail: tail, Shuffle: plan.None, Epochs: 1}, SkipCorrupt: true})
		if err != nil {
			t.Fatal(err)
		}
		b, err := f.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if b.Lost != 4 {
			t.Errorf("tail %s: %d lost, want 4", tail, b.Lost)
		}
		b.Release()
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestNothingReadableIsNoPlainEnd, whatever the bound of the run.
func TestNothingReadableIsNoPlainEnd(t *testing.T) {
	samples := datatest.Samples(16)
	for i := range samples {
		samples[i].Spoilt = "mel"
	}
	set := choose(t, datatest.Dataset(t, samples), plan.Selection{})
	for _, c := range []Config{{Plan: plan.Options{Epochs: 1}}, {Plan: plan.Options{Epochs: 2}}, {Plan: plan.Options{Steps: 2}}, {}} {
		c.Plan.Batch, c.SkipCorrupt = 8, true
		f, err := Open(context.Background(), set, c)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.Next(context.Background())
		if err == nil || err == io.EOF {
			t.Errorf("%d epochs, %d steps: %v, want an error", c.Plan.Epochs, c.Plan.Steps, err)
		}
		if err := f.Close(); err != nil {
			t.Error(fmt.Errorf("Close: %w", err))
		}
	}
}
