package feedrun

import (
	"time"

	"golang.org/x/sys/unix"
)

// entered is when main was about to begin: Go runs this after the set-up of
// everything that is imported.
var entered = enter()

type entry struct {
	at  time.Time
	cpu time.Duration // that the process had used by then
}

func enter() entry { return entry{time.Now(), ProcessCPU()} }

// ProcessCPU is the processor time that this process has used, over all cores; 0
// where the system does not tell.
func ProcessCPU() time.Duration {
	var used unix.Timespec
	if unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &used) != nil {
		return 0
	}
	return time.Duration(used.Nano())
}

// sinceStart is how long ago the process started. A time noted in main would
// leave out the loading and set-up of the program, 2.7 to 4.8 ms of processor
// time; the kernel's own note of the start is in ticks of 10 ms, so that it says
// up to 10 too many. Before main there is little but one thread that computes:
// the processor time it took is the time that passed, less 0.2 to 0.4 ms where
// the machine was idle. Where it was not, up to 27 ms passed, and the tick's
// lower end came within 5 of that (twelve starts, timed by their parent, on a VM
// with 2 cores of an AMD EPYC).
func sinceStart() time.Duration {
	before := max(entered.cpu, processAge()-time.Since(entered.at)-tick)
	return time.Since(entered.at) + before
}

// tick is the unit in which Linux notes when a process started.
const tick = 10 * time.Millisecond
