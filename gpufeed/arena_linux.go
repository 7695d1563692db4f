package gpufeed

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"voxpack/internal/perf"
)

// hugePages asks for pages of 2 MB: a fresh slot of 8 MB is then touched 4
// times and not 2,000 times. A kernel that has none loses nothing.
func hugePages(mem []byte) { _ = unix.Madvise(mem, unix.MADV_HUGEPAGE) }

// populate touches memory, so that what the machine does not have is an error
// now and not a signal in step 4,000.
func populate(mem []byte) error {
	err := unix.Madvise(mem, unix.MADV_POPULATE_WRITE)
	if errors.Is(err, unix.EINVAL) { // before Linux 5.14
		return nil
	}
	return err
}

// available is how many bytes the machine can give without taking them from
// processes, by its own count and by the limit of this process's group.
func available() uint64 {
	free := uint64(math.MaxUint64)
	if b, err := os.ReadFile("/proc/meminfo"); err == nil {
		_, line, _ := strings.Cut(string(b), "MemAvailable:")
		var kb uint64
		if _, err := fmt.Sscan(line, &kb); err == nil {
			free = kb << 10
		}
	}
	return min(free, perf.MemoryLimit(os.DirFS("/")))
}

// HostMemory is how many bytes processes of this group may have in all: those of
// the machine, or the limit of the group.
func HostMemory() uint64 {
	var s unix.Sysinfo_t
	if err := unix.Sysinfo(&s); err != nil {
		return perf.MemoryLimit(os.DirFS("/"))
	}
	return min(uint64(s.Totalram)*uint64(s.Unit), perf.MemoryLimit(os.DirFS("/")))
}
