//go:build linux && (amd64 || arm64) && !nogpu

package nvml

import (
	"errors"
	"testing"

	"voxpack/gpufeed/topology"
)

func TestPairs(t *testing.T) {
	for _, tt := range []struct {
		name          string
		env           []string
		class         topology.Class
		write, nvlink int
		lost          bool
	}{
		{"a host bridge", nil, topology.PHB, 1, 0, false},
		{"one board", []string{"ANCESTOR", "0"}, topology.PIX, 1, 0, false},
		{"two nodes", []string{"ANCESTOR", "50"}, topology.SYS, 1, 0, false},
		{"a level of the future", []string{"ANCESTOR", "35"}, topology.UnknownClass, 1, 0, false},
		{"NVLink", []string{"NVLINK", "0"}, topology.PHB, 1, 1, false},
		{"a chipset that forbids it", []string{"P2P", "1"}, topology.PHB, 0, 0, false},
		{"a status that is not known", []string{"P2P", "6", "NVLINK", "6"}, topology.PHB, Unknown, Unknown, false},
		{"a virtual GPU", []string{"UNSUPPORTED", "nvmlDeviceGetTopologyCommonAncestor,nvmlDeviceGetP2PStatus"}, topology.UnknownClass, Unknown, Unknown, false},
		{"a lost device", []string{"LOST", "0"}, topology.UnknownClass, Unknown, Unknown, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := fake(t, tt.env...)
			a, b := device(t, n, bus0), device(t, n, bus1)
			class, err1 := a.Between(b)
			write, err2 := a.May(b, PeerWrite)
			nvlink, err3 := a.May(b, PeerNVLink)
			if class != tt.class || write != tt.write || nvlink != tt.nvlink {
				t.Errorf("%v, write %d, NVLink %d, want %v, %d, %d", class, write, nvlink, tt.class, tt.write, tt.nvlink)
			}
			for _, err := range []error{err1, err2, err3} {
				if errors.Is(err, ErrLost) != tt.lost || !tt.lost && err != nil {
					t.Errorf("error %v, lost %v", err, tt.lost)
				}
			}
		})
	}
}

// TestOldDriverOfPairs: functions that the library lacks make a pair unknown.
func TestOldDriverOfPairs(t *testing.T) {
	n := fake(t)
	a, b := device(t, n, bus0), device(t, n, bus1)
	n.lib[fnAncestor], n.lib[fnP2P] = 0, 0
	class, err := a.Between(b)
	if class != topology.UnknownClass || err != nil {
		t.Errorf("Between = %v, %v, want unknown", class, err)
	}
	if got, err := a.May(b, PeerWrite); got != Unknown || err != nil {
		t.Errorf("May = %d, %v, want unknown", got, err)
	}
}
