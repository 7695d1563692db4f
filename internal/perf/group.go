package perf

import (
	"io/fs"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
)

// MemoryLimit is how many bytes the control groups of this process leave to it, on
// the machine whose root folder is given (os.DirFS("/")): the least of its own
// group's limit and of those above. Without a limit it is math.MaxUint64.
func MemoryLimit(root fs.FS) uint64 {
	least := uint64(math.MaxUint64)
	for _, folder := range controlGroups(root, "memory") {
		// Version 2, and version 1, which has a number near 2^63 where there is no limit.
		for _, name := range []string{"memory.max", "memory.limit_in_bytes"} {
			if n, err := strconv.ParseUint(line(root, path.Join(folder, name)), 10, 64); err == nil && n < 1<<60 {
				least = min(least, n)
			}
		}
	}
	return least
}

// controlGroups are the folders that may hold a controller's limits (cpu, memory),
// from this process's group up to the root. A container may see its own group as the root, under a path that
// exists only outside: then the root tells.
func controlGroups(root fs.FS, controller string) []string {
	var folders []string
	for entry := range strings.Lines(line(root, "proc/self/cgroup")) {
		number, rest, _ := strings.Cut(strings.TrimSpace(entry), ":")
		controllers, group, _ := strings.Cut(rest, ":")
		base := "sys/fs/cgroup"
		switch {
		case number == "0" && controllers == "":
		case slices.Contains(strings.Split(controllers, ","), controller):
			base = path.Join(base, controllers)
		default:
			continue
		}
		// Joined, a group above what this process sees ("/../..") would end outside.
		for at := path.Join("/", group); ; at = path.Dir(at) {
			folders = append(folders, path.Join(base, at))
			if at == "/" {
				break
			}
		}
	}
	return folders
}

// line is what a small file of the kernel holds, "" where there is none.
func line(root fs.FS, name string) string {
	content, _ := fs.ReadFile(root, name)
	return strings.TrimSpace(string(content))
}
