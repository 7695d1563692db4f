package diagnosis

import "testing"

// TestTheHost holds the rules of processors, swap and memory to their targets.
func TestTheHost(t *testing.T) {
	for _, tt := range []struct {
		name, rule, says string // no rule: none fires
		h                Host
	}{
		{"all at their targets", "", "", Host{FeederCPU: 40, CPU: 70, Swapping: 3, GrowthMB: 50, Steps: 1000, Trained: true}},
		{"the feeder is busy", "feeder-cpu", "the feeder uses 41 % of all cores (limit 40 %)", Host{FeederCPU: 41, CPU: 95, Trained: true}},
		{"others are", "host-cpu", "71 % of all cores work (limit 70 %), 10 % for the feeder", Host{FeederCPU: 10, CPU: 71, Trained: true}},
		{"nobody trains: the feed may have all", "", "", Host{FeederCPU: 99, CPU: 100}},
		{"swap", "swap", "the machine moved 3.1 MB a second to swap and back (limit 3)", Host{Swapping: 3.1}},
		{"growth", "memory-growth", "memory grows by 51 MB in 1,000 steps (limit 50 MB)", Host{GrowthMB: 51, Steps: 1000}},
		{"growth of a start", "", "", Host{GrowthMB: 5000, Steps: 999}},
	} {
		wantVerdict(t, tt.name, tt.rule, tt.rule != "", tt.says, Observation{Host: &tt.h})
	}
}
