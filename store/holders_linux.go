package store

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// holders are the other processes that hold a lock of flock on one of some files or
// folders, as far as the kernel tells this user: none of another PID namespace.
func holders(paths ...string) (pids []int) {
	var places []string
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil {
			if st, ok := info.Sys().(*syscall.Stat_t); ok {
				places = append(places, fmt.Sprintf("%02x:%02x:%d", unix.Major(uint64(st.Dev)), unix.Minor(uint64(st.Dev)), st.Ino))
			}
		}
	}
	b, err := os.ReadFile("/proc/locks")
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(b)) {
		f := strings.Fields(line) // 1: FLOCK ADVISORY READ 4711 fd:00:1234 0 EOF; see proc_locks(5)
		if len(f) < 6 || f[1] != "FLOCK" || !slices.Contains(places, f[5]) {
			continue
		}
		if pid, err := strconv.Atoi(f[4]); err == nil && pid > 0 && pid != os.Getpid() && !slices.Contains(pids, pid) {
			pids = append(pids, pid)
		}
	}
	slices.Sort(pids)
	return pids
}

// processName is the name of a process's program, "" where it cannot be told.
func processName(pid int) string {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid)) // else the process has ended
	return strings.TrimSpace(string(b))
}
