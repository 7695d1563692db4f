//go:build !linux || portable

package serve

import (
	"sync/atomic"
	"time"
)

// populate: pages come when they are first written.
const populate = 0

// glance is how long a word of the ring is not looked at: a batch takes longer, and
// 2,000 looks a second cost 1 % of a core.
const glance = 500 * time.Microsecond

// futexWait returns when the word has another value, or after so long. The systems
// other than Linux have no wait for a word of shared memory that programs may rely on.
func futexWait(word *atomic.Uint32, value uint32, limit time.Duration) {
	for end := time.Now().Add(limit); word.Load() == value; time.Sleep(min(glance, limit)) {
		if !time.Now().Before(end) {
			return
		}
	}
}

// futexWake does nothing: who waits looks at the word.
func futexWake(*atomic.Uint32) {}
