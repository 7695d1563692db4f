package sim

import (
	"testing"
	"testing/synctest"

	"voxpack/gpufeed/driver"
	"voxpack/gpufeed/drivertest"
)

func opener(o Options) func(*testing.T) driver.Driver {
	return func(*testing.T) driver.Driver { return New(o) }
}

func TestConformance(t *testing.T) {
	for _, tt := range []struct {
		name    string
		options Options
	}{
		{"linked", Options{}},
		{"unpaced", Options{Pace: Unpaced}},
		{"unpaced, no peer access", Options{Pace: Unpaced, NoPeer: true}},
		{"unpaced, one device", Options{Pace: Unpaced, Devices: 1}},
	} {
		t.Run(tt.name, func(t *testing.T) { drivertest.Run(t, opener(tt.options)) })
	}
}

// TestConformanceInVirtualTime: on links so slow that whoever does not wait is
// always too early. A goroutine that outlives its case fails the bubble.
func TestConformanceInVirtualTime(t *testing.T) {
	slow := Link{BytesPerSecond: 1e6}
	for _, o := range []Options{
		{In: slow, Out: slow, Peer: slow, Within: slow},
		{In: slow, Out: slow, Within: slow, NoPeer: true},
	} {
		name := "peer access"
		if o.NoPeer {
			name = "no peer access"
		}
		t.Run(name, func(t *testing.T) {
			for _, c := range drivertest.Cases() {
				t.Run(c.Name, func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) { c.Run(t, opener(o)) })
				})
			}
		})
	}
}
