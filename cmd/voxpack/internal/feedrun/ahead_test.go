package feedrun

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"voxpack/diagnosis"
	"voxpack/gpufeed"
)

// TestHowManyAheadAreEnough, in virtual time: filling takes 95 % of a step in the mean
// and varies by 60 % up and down. With LeastAhead prepared ahead steps are a few
// percent longer than they could be, with one less a tenth.
func TestHowManyAheadAreEnough(t *testing.T) {
	sets := caseSets(t)
	step := func(ahead int) float64 {
		fill := func(f gpufeed.Fill) time.Duration {
			r := rand.New(rand.NewPCG(uint64(f.Seq), 7))
			return time.Duration(9.5e6 * (1 + 0.6*(2*r.Float64()-1)))
		}
		c := plantedCase{args: fmt.Sprintf("--batch-size 16 --workers 1 --step-ms 10 --steps 400 --prefetch-buffer-size %d", ahead),
			rig: rig{fill: fill}, alter: func(o *Options) { o.fixed, o.Device, o.Mode = true, "host", "auto" }}
		return c.report(t, sets).Step.Mean
	}
	if got := step(diagnosis.LeastAhead); got < 10 || got > 10.3 {
		t.Errorf("with %d ahead a step takes %.2f ms, want 10 and 3 %% more at most", diagnosis.LeastAhead, got)
	}
	if got := step(diagnosis.LeastAhead - 1); got < 11 {
		t.Errorf("with one less it takes %.2f ms, want 11 and more", got)
	}
}
