package calibration

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Others begins to count CPU time and returns the function that says what share
// of all cores went to other processes and to other guests (steal); below 0 it
// is unknown.
func Others() func() float64 {
	busy, ok := busyTime()
	own, started := ownAndChildren(), time.Now()
	return func() float64 {
		now, still := busyTime()
		if !ok || !still {
			return -1
		}
		cores := time.Since(started).Seconds() * float64(runtime.NumCPU())
		return max(0, (now-busy).Seconds()-(ownAndChildren()-own).Seconds()) / cores
	}
}

// busyTime is the time that all cores together were not idle, from the first
// line of /proc/stat: cpu user nice system idle iowait irq softirq steal guest…,
// in ticks of 1/100 s; guest time is part of user time.
func busyTime() (time.Duration, bool) {
	b, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, false
	}
	line, _, _ := strings.Cut(string(b), "\n")
	words := strings.Fields(line)
	if len(words) < 9 || words[0] != "cpu" {
		return 0, false
	}
	var ticks int64
	for _, i := range []int{1, 2, 3, 6, 7, 8} {
		n, err := strconv.ParseInt(words[i], 10, 64)
		if err != nil {
			return 0, false
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond, true
}

// OwnTime is the CPU time of this process.
func OwnTime() time.Duration { return usage(syscall.RUSAGE_SELF) }

// ownAndChildren is the CPU time of this process and of those that it has waited
// for.
func ownAndChildren() time.Duration { return OwnTime() + usage(syscall.RUSAGE_CHILDREN) }

func usage(who int) time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(who, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
