//go:build !linux

package feedrun

import "time"

// processAge is not known: what is in main counts, and the processor's time
// before.
func processAge() time.Duration { return 0 }
