//go:build linux && (amd64 || arm64) && !nogpu

package cuda

import (
	"testing"

	"voxpack/gpufeed/driver"
	"voxpack/gpufeed/drivertest"
	"voxpack/gpufeed/fakecuda"
)

// counted is a driver whose leaks drivertest asks for.
type counted struct {
	*Driver
	t   *testing.T
	dir string
}

func (c counted) Live() map[string]int { return fakecuda.Live(c.t, c.dir) }

func TestConformance(t *testing.T) {
	for _, tt := range []struct {
		name    string
		without []string
		env     []string
		short   bool // with -short too: all calls that the driver makes
	}{
		{"as fast as memory", nil, nil, true},
		{"links of 2 GB/s", nil, []string{"GBPS", "2", "LATENCY_US", "20"}, false},
		{"without P2P", nil, []string{"P2P", "0"}, false},
		{"without batches and the second elapsed time", []string{"cuMemcpyBatchAsync", "cuEventElapsedTime_v2"}, nil, true},
		{"one device", nil, []string{"DEVICES", "1"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if testing.Short() && !tt.short {
				t.Skip("another platform")
			}
			built := fakecuda.Build(t, tt.without...)
			ask(t, append(tt.env, "TOTAL_MB", "256")...)
			drivertest.Run(t, func(t *testing.T) driver.Driver {
				dir := fakecuda.Copy(t, built)
				return counted{load(t, dir), t, dir}
			})
		})
	}
}
