package feedrun

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// trainer stands for one that trains: it holds a batch for the time of a step.
type trainer struct {
	step   time.Duration
	jitter float64 // part of the step, 0 to 1
	random *rand.Rand
	timer  *time.Timer
}

// newTrainer makes a trainer whose steps last ms, each drawn evenly from
// ms ± jitter. The draws are the same for the same seed. Without ms there is
// none.
func newTrainer(ms, jitter float64, seed uint64) *trainer {
	if ms == 0 {
		return nil
	}
	t := &trainer{step: time.Duration(ms * float64(time.Millisecond)), jitter: jitter, timer: time.NewTimer(time.Hour)}
	t.timer.Stop()
	t.random = rand.New(rand.NewPCG(seed, 0x7261696e)) // a stream of its own beside the shuffle's
	return t
}

// next is how long the next step takes.
func (t *trainer) next() time.Duration {
	return time.Duration(float64(t.step) * (1 + t.jitter*(2*t.random.Float64()-1)))
}

// hold lasts as long as a step, or until ctx is done, and says how long it was: a
// machine may let it sleep longer. A nil trainer holds nothing.
func (t *trainer) hold(ctx context.Context) time.Duration {
	if t == nil {
		return 0
	}
	begin := time.Now()
	t.timer.Reset(t.next())
	select {
	case <-t.timer.C:
	case <-ctx.Done():
		t.timer.Stop()
	}
	return time.Since(begin)
}

// parseJitter reads "20%", or "20", as 0.2.
func parseJitter(s string) (float64, error) {
	if s == "" {
		return 0, nil
	}
	percent, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(s, "%")), 64)
	if err != nil || !(percent >= 0 && percent <= 100) {
		return 0, fmt.Errorf("--jitter %q: want a percentage from 0 to 100, as in 20%%", s)
	}
	return percent / 100, nil
}
