package gpufeed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"voxpack/gpufeed/datatest"
	"voxpack/gpufeed/driver"
	"voxpack/gpufeed/plan"
	"voxpack/gpufeed/sim"
)

// TestUnpinnable: only where the driver names want of memory is its advice, which
// is about GPUs, left out.
func TestUnpinnable(t *testing.T) {
	const needs = "a batch needs 2.0 MB of pinned host memory: take a smaller batch, or end what else has memory pinned"
	for _, tt := range []struct {
		kind       error
		hint, want string
	}{
		{driver.ErrOutOfMemory, "lower the caps", needs},
		{nil, "this GPU cannot do it", needs + "; or this GPU cannot do it"},
		{nil, "", needs},
		{driver.ErrLost, "reset the GPU", "reset the GPU"},
	} {
		var got *driver.Error
		err := unpinnable(&driver.Error{Call: "cuMemHostRegister", Code: 801, Hint: tt.hint, Kind: tt.kind}, 2e6)
		if !errors.As(err, &got) || got.Hint != tt.want || got.Code != 801 || got.Kind != tt.kind {
			t.Errorf("%v with %q = %v, want a hint of %q", tt.kind, tt.hint, err, tt.want)
		}
	}
}

// simulated is a driver that is closed, and found empty, at the end of the test.
func simulated(t testing.TB, o sim.Options) *sim.Driver {
	t.Helper()
	d := sim.New(o)
	t.Cleanup(func() { closeSim(t, d) })
	return d
}

func closeSim(t testing.TB, d *sim.Driver) {
	t.Helper()
	for what, n := range d.Live() {
		if n != 0 {
			t.Errorf("%d %s left behind", n, what)
		}
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

// TestBatchesReachTheModelGPU: whatever the way, what arrives is what the order
// says, byte for byte.
func TestBatchesReachTheModelGPU(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(57)), plan.Selection{Buckets: []int{3, 6}})
	for name, way := range map[string]struct {
		options sim.Options
		config  Config
	}{
		"direct":                  {sim.Options{}, Config{}},
		"direct, second GPU":      {sim.Options{}, Config{Mode: Direct, ModelGPU: 1}},
		"direct with cache":       {sim.Options{}, Config{Cache: CacheOn}},
		"dual":                    {sim.Options{}, Config{ModelGPU: 1}},
		"dual without cache":      {sim.Options{}, Config{ModelGPU: 1, Cache: CacheOff}},
		"dual without P2P":        {sim.Options{NoPeer: true}, Config{DataGPU: 1, ModelGPU: 0}},
		"both roles on one":       {sim.Options{}, Config{Mode: Dual}},
		"one slot on each device": {sim.Options{}, Config{ModelGPU: 1, DeviceDepth: 1}},
		"cache of a few rows":     {sim.Options{}, Config{ModelGPU: 1, DataCap: 3*4096 + 20*256}},
	} {
		t.Run(name, func(t *testing.T) {
			way.options.Pace = sim.Unpaced
			for _, tail := range []plan.Tail{plan.Drop, plan.Pad, plan.Wrap} {
				c := way.config
				c.Driver = simulated(t, way.options)
				c.Plan, c.Plan.Epochs, c.Plan.Seed = plan.Options{Batch: 6, Tail: tail}, 4, 9
				f, err := Open(context.Background(), set, c)
				if err != nil {
					t.Fatal(err)
				}
				same(t, set, 6, collect(t, f), expect(t, set, c))
			}
		})
	}
}

// TestACacheIsGivenBack: whenever it is asked for, batches stay what they are, the
// memory is free, and every row crosses from then on.
func TestACacheIsGivenBack(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(48)), plan.Selection{})
	for _, after := range []int{0, 1, 7, 20} { // batches
		d := simulated(t, sim.Options{Pace: sim.Unpaced})
		c := Config{Driver: d, ModelGPU: 1, Plan: plan.Options{Batch: 8, Epochs: 5}}
		f, err := Open(context.Background(), set, c)
		if err != nil {
			t.Fatal(err)
		}
		_, size := f.route.tier().bytes()
		n, freed := 0, uint64(0)
		taken, left := d.CountsOf(0).Bytes, uint64(0)
		give := func() {
			if n++; n == after+1 {
				freed, err = f.FreeCache()
			}
			left = d.CountsOf(0).Bytes // at last that with nothing on its way
		}
		same(t, set, 8, collect(t, f, give), expect(t, set, c))
		if err != nil || freed != size || size == 0 {
			t.Errorf("after %d batches FreeCache = %d, %v, want %d", after, freed, err, size)
		}
		if taken-left != size {
			t.Errorf("after %d batches %d bytes were given back, want %d", after, taken-left, size)
		}
		if again, err := f.FreeCache(); again != 0 || err != nil {
			t.Errorf("a second FreeCache = %d, %v, want 0", again, err)
		}
	}
}

// TestACacheTakesAShare of what is free unless a cap says how much.
func TestACacheTakesAShare(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(48)), plan.Selection{})
	const free = reserve + 3*4096 + 16<<10
	for _, tt := range []struct {
		share    float64
		cap      uint64
		at, most uint64
	}{{0, 0, 12 << 10, 16 << 10}, {0.5, 0, 6 << 10, 8 << 10}, {0.5, 3*4096 + 12<<10, 9 << 10, 12 << 10}} {
		f, err := Open(context.Background(), set, Config{Driver: simulated(t, sim.Options{Pace: sim.Unpaced, FreeBytes: free}),
			Cache: CacheOn, CacheShare: tt.share, DataCap: tt.cap, ModelCap: tt.cap, Plan: plan.Options{Batch: 8}})
		if err != nil {
			t.Fatal(err)
		}
		if size := f.Stats().CacheSize; size < tt.at || size > tt.most {
			t.Errorf("share %v, cap %d: the cache has %d bytes, want %d to %d", tt.share, tt.cap, size, tt.at, tt.most)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestTheCacheTierSparesTheLink: rows that are on the data GPU never cross from
// the host again, and where it holds a part, the rest does.
func TestTheCacheTierSparesTheLink(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(48)), plan.Selection{})
	const batch = 8
	row := layout(t, datatest.Schema, 1, 0).held(1)
	for _, tt := range []struct {
		name   string
		cap    uint64
		cached int // rows
	}{
		{"all", 0, 48},
		{"a third", 3*4096 + 16*256, 16},
		{"none", 3 * 4096, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := simulated(t, sim.Options{Pace: sim.Unpaced})
			f, err := Open(context.Background(), set, Config{Driver: d, ModelGPU: 1, DataCap: tt.cap, Plan: plan.Options{Batch: batch, Epochs: 4}})
			if err != nil {
				t.Fatal(err)
			}
			before, epoch := uint64(0), uint64(0)
			for {
				b, err := f.Next(context.Background())
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				if b.Epoch == 2 && epoch == 1 { // a batch or two of epoch 2 may have crossed
					before = uint64(d.Counts().HostToDevice)
				}
				if first := uint64(48 / batch * f.content.layouts[0].Bytes); tt.cached == 48 && b.Epoch > 0 && uint64(d.Counts().HostToDevice) != first {
					t.Errorf("epoch %d: %d bytes crossed in all, want the first epoch's %d, whatever was filled ahead", b.Epoch, d.Counts().HostToDevice, first)
				}
				epoch = b.Epoch
				b.Release()
			}
			crossed := uint64(d.Counts().HostToDevice) - before
			if told := f.Stats().HostBytes; uint64(told) != uint64(d.Counts().HostToDevice) {
				t.Errorf("the feed counts %d bytes from the host, the driver %d", told, d.Counts().HostToDevice)
			}
			least, most := uint64(48-tt.cached)*uint64(row), uint64(2*(48-tt.cached))*uint64(row)
			if tt.cached == 0 {
				most = 1 << 30 // whole slots, with their gaps
			}
			if crossed < least || crossed > most {
				t.Errorf("%d bytes crossed after the second epoch, want %d to %d", crossed, least, most)
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestMemoryLimitsShrinkTheRing(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(40)), plan.Selection{})
	slot := uint64(4096) // of a batch of 8, in whole pages
	for _, tt := range []struct {
		name    string
		options sim.Options
		config  Config
		slots   int
		note    string
	}{
		{"a limit for all", sim.Options{}, Config{ModelCap: 3 * slot}, 3, ""},
		{"a limit for two", sim.Options{}, Config{ModelCap: 2*slot + 5}, 2, "--model-gpu-memory"},
		{"a limit for one", sim.Options{}, Config{ModelCap: slot}, 1, "--model-gpu-memory"},
		{"little free memory", sim.Options{FreeBytes: reserve + 2*slot}, Config{}, 2, "free"},
		{"out of memory at start", sim.Options{Faults: map[int]sim.Fault{0: {OutOfMemoryAfter: slot}}}, Config{}, 1, "holds 1 of 3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.options.Pace = sim.Unpaced
			c := tt.config
			c.Driver = simulated(t, tt.options)
			c.Plan, c.Plan.Epochs = plan.Options{Batch: 8}, 1
			f, err := Open(context.Background(), set, c)
			if err != nil {
				t.Fatal(err)
			}
			if n := len(f.route.last.slots); n != tt.slots {
				t.Errorf("%d slots on the GPU, want %d", n, tt.slots)
			}
			if notes := strings.Join(f.Notes(), "\n"); !strings.Contains(notes, tt.note) || tt.note == "" && notes != "" {
				t.Errorf("notes %q, want %q in them", notes, tt.note)
			}
			same(t, set, 8, collect(t, f), expect(t, set, c))
		})
	}
	for _, c := range []Config{{ModelCap: slot - 1}, {ModelGPU: 1, DataCap: 100}, {ModelGPU: 1, ModelCap: 100}} {
		c.Driver = simulated(t, sim.Options{Pace: sim.Unpaced})
		c.Plan = plan.Options{Batch: 8}
		_, err := Open(context.Background(), set, c)
		if !errors.Is(err, driver.ErrOutOfMemory) || !strings.Contains(fmt.Sprint(err), "-gpu-memory") {
			t.Errorf("limits %d and %d: %v, want out of memory and the setting", c.DataCap, c.ModelCap, err)
		}
	}
}

// TestAFaultEndsTheFeed in virtual time: the batches before it arrive, then its
// error, and Close gives everything back.
func TestAFaultEndsTheFeed(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(40)), plan.Selection{})
	for _, tt := range []struct {
		name   string
		fault  sim.Fault
		config Config
		want   error
		stays  bool // memory, until the process ends
	}{
		{"the third copy fails", sim.Fault{FailCopy: 3}, Config{}, driver.ErrLost, false},
		{"the third copy of two hops fails", sim.Fault{FailCopy: 3}, Config{ModelGPU: 1, Cache: CacheOff}, driver.ErrLost, false},
		{"the third copy hangs", sim.Fault{HangCopy: 3}, Config{}, ErrCopyTimeout, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := sim.New(sim.Options{Faults: map[int]sim.Fault{0: tt.fault}})
				c := tt.config
				c.Driver, c.Plan, c.CopyTimeout = d, plan.Options{Batch: 8}, 2*time.Second
				f, err := Open(context.Background(), set, c)
				if err != nil {
					t.Fatal(err)
				}
				start, n := time.Now(), 0
				for ; err == nil; n++ {
					var b Batch
					b, err = f.Next(context.Background())
					b.Release()
				}
				var stage *StageError
				if !errors.Is(err, tt.want) || !errors.As(err, &stage) || stage.Seq != uint64(n-1) {
					t.Errorf("after %d batches: %v, want %v", n-1, err, tt.want)
				}
				if took := time.Since(start); took > 3*time.Second {
					t.Errorf("it took %v", took)
				}
				if _, again := f.Next(context.Background()); again != err {
					t.Errorf("the next call says %v, the first %v", again, err)
				}
				if err := f.Close(); tt.stays != errors.Is(err, ErrCopyTimeout) {
					t.Errorf("Close: %v", err)
				}
				if err := d.Close(); err != nil {
					t.Log(err)
				}
			})
		})
	}
}

func TestAConsumerThatReleasesNothingIsTold(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(40)), plan.Selection{})
	for _, device := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			c := Config{Plan: plan.Options{Batch: 4}, WaitTimeout: time.Second}
			if device {
				d := sim.New(sim.Options{})
				defer closeSim(t, d)
				c.Driver = d
			}
			f, err := Open(context.Background(), set, c)
			if err != nil {
				t.Fatal(err)
			}
			var held []Batch
			for err == nil {
				var b Batch
				if b, err = f.Next(context.Background()); err == nil {
					held = append(held, b)
				}
			}
			if !errors.Is(err, ErrWaitTimeout) || !strings.Contains(err.Error(), "release") {
				t.Errorf("%v, want %v and what to do", err, ErrWaitTimeout)
			}
			for _, b := range held {
				b.Release()
				b.Release() // once more does nothing
			}
			b, err := f.Next(context.Background())
			if err != nil {
				t.Errorf("after the release: %v", err)
			}
			held[0].Release() // of a slot that another batch has by now
			if f.loans.held.Load() != 1 {
				t.Errorf("%d batches held, want 1", f.loans.held.Load())
			}
			b.Release()
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
