package gpufeed

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"voxpack/gpufeed/cuda"
	"voxpack/gpufeed/driver"
	"voxpack/gpufeed/fakecuda"
	"voxpack/gpufeed/sim"
)

// A slow link moves about a slot in the time that its latency takes: a slot that
// is used before a copy has ended shows.
const (
	slowGBps    = 1
	slowLatency = 50 * time.Microsecond
)

// gpus lends a combination its devices. ended is called after the feed and
// says what that has left behind.
type gpus func(c combination) (d driver.Driver, ended func() error)

// none is the gpus of the host.
func none(combination) (driver.Driver, func() error) { return nil, func() error { return nil } }

// simulatedGPUs are others each time.
func simulatedGPUs(c combination) (driver.Driver, func() error) {
	o := sim.Options{Pace: sim.Unpaced, NoPeer: c.noPeer}
	if c.slow {
		link := sim.Link{BytesPerSecond: slowGBps * 1e9, Latency: slowLatency}
		o.Pace, o.In, o.Out, o.Peer = sim.Linked, link, link, link
	}
	d := sim.New(o)
	return d, func() error { return errors.Join(left(d.Live()), d.Close()) }
}

// fakeGPUs are those of the C fake, one library for each kind of platform, since
// a library reads its environment once.
func fakeGPUs(t *testing.T) gpus {
	built := fakecuda.Build(t)
	type platform struct{ noPeer, slow bool }
	type loaded struct {
		driver driver.Driver
		dir    string
	}
	known := map[platform]loaded{}
	for _, p := range []platform{{false, false}, {true, false}, {false, true}, {true, true}} {
		peer, rate, latency := "1", "0", "0"
		if p.noPeer {
			peer = "0"
		}
		if p.slow {
			rate, latency = fmt.Sprint(slowGBps), fmt.Sprint(slowLatency.Microseconds())
		}
		t.Setenv("FAKECUDA_P2P", peer)
		t.Setenv("FAKECUDA_GBPS", rate)
		t.Setenv("FAKECUDA_PEER_GBPS", rate)
		t.Setenv("FAKECUDA_LATENCY_US", latency)
		dir := fakecuda.Copy(t, built)
		d, err := cuda.Load(filepath.Join(dir, fakecuda.Library))
		if errors.Is(err, driver.ErrNoDriver) {
			t.Skipf("NOTICE: CUDA is not tested: %v", err)
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		})
		known[p] = loaded{d, dir}
	}
	return func(c combination) (driver.Driver, func() error) {
		l := known[platform{c.noPeer, c.slow}]
		return l.driver, func() error { return left(fakecuda.Live(t, l.dir)) }
	}
}

// left is the error of what a driver has not got back.
func left(live map[string]int) error {
	var errs []error
	for what, n := range live {
		if n != 0 {
			errs = append(errs, fmt.Errorf("%d %s left behind", n, what))
		}
	}
	return errors.Join(errs...)
}
