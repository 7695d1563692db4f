package perf

import (
	"io/fs"
	"math"
	"os"
	"path"
	"runtime"
	"strconv"
	"strings"
)

// Cores is how many cores a process may use. What the machine has says too much in
// a container.
type Cores struct {
	Allowed int     // that it may be scheduled on
	Quota   float64 // processor time that its control groups allow, in cores; 0: no quota
}

// Usable is the smaller of the two. A part of a core counts as one.
func (c Cores) Usable() int {
	if c.Quota > 0 && c.Quota < float64(c.Allowed) {
		return max(1, int(math.Ceil(c.Quota)))
	}
	return max(1, c.Allowed)
}

// ProcessCores are the cores of this process, on this machine.
func ProcessCores() Cores { return ReadCores(os.DirFS("/"), runtime.NumCPU()) }

// ReadCores reads the quotas of this process's control group and of all above it,
// on the machine whose root folder is given (os.DirFS("/")). allowed comes from
// runtime.NumCPU. GOMAXPROCS is no substitute: it makes two of a quota of one core,
// and the environment may set it. python/voxpack/settings/cores.py reads the same.
func ReadCores(root fs.FS, allowed int) Cores {
	c := Cores{Allowed: allowed}
	for _, folder := range controlGroups(root, "cpu") {
		if q := quotaOf(root, folder); q > 0 && (c.Quota == 0 || q < c.Quota) {
			c.Quota = q
		}
	}
	return c
}

// quotaOf is the quota of one group in cores, 0 where it has none.
func quotaOf(root fs.FS, folder string) float64 {
	words := strings.Fields(line(root, path.Join(folder, "cpu.max"))) // version 2: quota or max, and period
	if len(words) == 0 {
		words = []string{line(root, path.Join(folder, "cpu.cfs_quota_us")), line(root, path.Join(folder, "cpu.cfs_period_us"))}
	}
	if len(words) < 2 {
		return 0
	}
	quota, err := strconv.ParseInt(words[0], 10, 64)
	period, err2 := strconv.ParseInt(words[1], 10, 64)
	if err != nil || err2 != nil || quota <= 0 || period <= 0 { // version 1 says -1 where there is none
		return 0
	}
	return float64(quota) / float64(period)
}
