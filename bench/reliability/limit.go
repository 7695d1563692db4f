package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// usedOf is how many bytes of a file system are in use.
func usedOf(path string) (int64, error) {
	var st unix.Statfs_t
	err := unix.Statfs(path, &st)
	return int64(st.Blocks-st.Bfree) * int64(st.Bsize), err
}

// stated is the memory of its own that a command may take, mapped files apart: 200 MB, and so
// much a row. 4.5 kB is what a first build has been measured to take; the aim is 500 bytes, and
// 200,000 rows took 4,700.
const (
	stated    = 200 << 20
	statedRow = 4500
)

// limitTrials plans what a machine has too little of: room, descriptors, the right to
// write. Memory is measured: no limit of Linux that takes no cgroup counts what a process
// has in memory, ulimit -v and -d count what Go and Badger only reserve.
func (l *lab) limitTrials(o options) (trials []func(context.Context, *desk) error) {
	add := func(s *scene, f fault) {
		trials = append(trials, func(ctx context.Context, d *desk) error { return d.trial(ctx, s, f) })
	}
	root := os.Getuid() == 0
	if !root {
		fmt.Fprintln(l.log, "NOTICE: not root: no full disk and no disk that is read-only")
	}
	for _, s := range l.scenes {
		if s.each {
			continue // the larger ones of the same commands have less room
		}
		rows := 10
		fmt.Sscanf(strings.ReplaceAll(s.name, ",", ""), "cache of %d rows", &rows)
		add(s, fault{what: "memory beyond the stated bound + 20 %", memory: (stated + statedRow*int64(rows)) / 5 * 6})
		if rows > 14_000 {
			continue // the others show the same
		}
		add(s, fault{what: "64 descriptors", limit: "ulimit -n 64"})
		for range o.limits {
			add(s, fault{what: "fewer than 64 descriptors", limit: fmt.Sprintf("ulimit -n %d", 6+l.rand.IntN(50))})
		}
		if !root {
			continue
		}
		add(s, fault{what: "a disk that is read-only", disk: &disk{readOnly: true}})
		for range o.limits {
			add(s, fault{what: "a full disk", disk: &disk{room: l.rand.Int64N(1 << (12 + l.rand.IntN(11)))}})
		}
	}
	return trials
}
