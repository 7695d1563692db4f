package feedrun

import (
	"bytes"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// processAge is how long the process has run, up to a tick too much; 0 where
// the system does not tell. Field 22 of /proc/self/stat (proc_pid_stat(5)) is
// the start in ticks since the boot; the second may hold spaces and brackets.
func processAge() time.Duration {
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return 0
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	const start = 22 - 3 // the first behind the bracket is number 3
	if len(fields) <= start {
		return 0
	}
	ticks, err := strconv.ParseInt(string(fields[start]), 10, 64)
	var now unix.Timespec
	if err != nil || unix.ClockGettime(unix.CLOCK_BOOTTIME, &now) != nil {
		return 0
	}
	return time.Duration(now.Nano()) - time.Duration(ticks)*tick
}
