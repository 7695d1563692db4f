package feedrun

import (
	"runtime"
	"testing"
	"time"
)

// TestTheStartOfTheProcessIsBeforeMain: the kernel's note of it is rounded down,
// so that the age is never too small.
func TestTheStartOfTheProcessIsBeforeMain(t *testing.T) {
	inMain := time.Since(entered.at)
	if got := sinceStart(); got < inMain+entered.cpu || got > inMain+time.Minute {
		t.Errorf("sinceStart() = %v, want a little more than the %v in main and the %v of work before", got, inMain, entered.cpu)
	}
	if age := processAge(); runtime.GOOS == "linux" && (age < inMain || age > inMain+time.Minute) {
		t.Errorf("processAge() = %v, want a little more than the %v in main", age, inMain)
	}
}
