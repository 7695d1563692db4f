package perf

import (
	"bytes"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"
)

// Load is what a machine and this process have used so far, as far as the system
// tells. The use of a while is the difference of two.
type Load struct {
	Known   bool  // the machine told; else all is 0
	Busy    int64 // time that the machine's cores worked, in ticks over all of them
	All     int64 // time of all cores, in the same ticks
	Cores   int   // that this is the time of; 0: it does not tell
	Swapped int64 // bytes that the machine moved to swap and from it
	Private int64 // bytes that the process has in memory and that are of no file
	Disk    int64 // bytes that storage gave to the process, by mapped files too
}

// ReadLoad reads what /proc tells of a machine whose root folder is given. Time
// that a host took from a virtual machine counts as work: nobody here had it. Of
// the process only memory of its own counts: a dataset that is read the first
// time grows what is mapped, and the page cache gives that back.
func ReadLoad(root fs.FS) Load {
	var l Load
	stat, _ := fs.ReadFile(root, "proc/stat")
	line, _, _ := strings.Cut(string(stat), "\n")
	fields := strings.Fields(line)
	// user nice system idle iowait irq softirq steal; what guests took is in user.
	const idle, iowait, steal = 4, 5, 8
	if len(fields) <= steal || fields[0] != "cpu" {
		return l
	}
	for i, text := range fields[1 : steal+1] {
		ticks, err := strconv.ParseInt(text, 10, 64)
		if err != nil || ticks < 0 || ticks > mostCount {
			return Load{}
		}
		l.All += ticks
		if i+1 != idle && i+1 != iowait {
			l.Busy += ticks
		}
	}
	l.Known = true
	for line := range strings.Lines(string(stat)) {
		// "cpu" is the sum, "cpu0" and so on are cores.
		if name, found := strings.CutPrefix(line, "cpu"); found && !strings.HasPrefix(name, " ") {
			l.Cores++
		}
	}
	swaps, _ := fs.ReadFile(root, "proc/vmstat")
	l.Swapped = int64(os.Getpagesize()) * (numberAfter(swaps, "pswpin ") + numberAfter(swaps, "pswpout "))
	status, _ := fs.ReadFile(root, "proc/self/status")
	l.Private = numberAfter(status, "RssAnon:") << 10
	io, _ := fs.ReadFile(root, "proc/self/io")
	l.Disk = numberAfter(io, "read_bytes: ")
	return l
}

// ProcessTime is the processor time of any process so far, over all cores, to
// 10 ms; 0 where nobody knows. /proc counts it in hundredths of a second.
func ProcessTime(root fs.FS, pid int) time.Duration {
	stat, _ := fs.ReadFile(root, "proc/"+strconv.Itoa(pid)+"/stat")
	_, rest, _ := strings.Cut(string(stat[max(0, bytes.LastIndexByte(stat, ')')):]), ") ") // its name may have spaces
	fields := strings.Fields(rest)
	const user, system = 11, 12 // after the name, from 0
	if len(fields) <= system {
		return 0
	}
	var total time.Duration
	for _, text := range fields[user : system+1] {
		ticks, err := strconv.ParseInt(text, 10, 64)
		if err != nil || ticks < 0 || ticks > mostTicks {
			return 0
		}
		total += time.Duration(ticks) * (time.Second / 100)
	}
	return total
}

// mostTicks is 31 years, whose nanoseconds still fit.
const mostTicks = 1e11

// mostCount is the largest number that is believed: sums and bytes of it still fit.
const mostCount = 1 << 48

// numberAfter is the number after a word that begins a line, 0 where there is none.
func numberAfter(content []byte, word string) int64 {
	for line := range strings.Lines(string(content)) {
		rest, found := strings.CutPrefix(line, word)
		if !found {
			continue
		}
		number, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
		n, err := strconv.ParseInt(number, 10, 64)
		if err != nil || n < 0 || n > mostCount {
			return 0
		}
		return n
	}
	return 0
}

// CPU is the part of all cores that worked between an earlier look and this one, in
// percent; false where nobody knows.
func (l Load) CPU(since Load) (percent float64, known bool) {
	all, busy := l.All-since.All, l.Busy-since.Busy
	if !l.Known || !since.Known || all <= 0 {
		return 0, false
	}
	return 100 * float64(min(max(busy, 0), all)) / float64(all), true
}
