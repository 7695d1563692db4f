package store

import (
	"errors"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// freshMemory is how many bytes of pages a processor makes ready in a second at
	// least where memory is at hand. A virtual machine that gave its free memory back
	// to its host gets it at 0.4 to 2.3 GB/s, memory freed a moment before at 4.8 to
	// 7.9 (64 MiB each, in pages of 2 MiB, both of 2 processors at work, 2026-11-22).
	freshMemory = 3e9
	// faultTime is what a page takes at most beside that, however small it is. Pages
	// of 4 KiB, which ext4 has before Linux 6.16, take 1.6 µs in all.
	faultTime = 3 * time.Microsecond
)

// effort is what it took to make pages ready.
type effort struct {
	bytes  int64
	faults int64 // one a page, which may be a huge one
	time   time.Duration
}

func (e *effort) add(o effort) {
	e.bytes, e.faults, e.time = e.bytes+o.bytes, e.faults+o.faults, e.time+o.time
}

// dear: memory was not at hand.
func (e effort) dear() bool {
	return e.time > time.Duration(float64(e.bytes)/freshMemory*float64(time.Second))+time.Duration(e.faults)*faultTime
}

// populate touches the pages between two places. Two processors do it: the writer
// waits for it while workers keep one busy (first builds by turns, five pairs:
// 10.7 and 9.9 s).
func populate(pages mapping, from, to int64) (effort, error) {
	middle := from + (to-from)/2
	var other effort
	second := make(chan error)
	go func() {
		var err error
		other, err = touch(pages, middle, to)
		second <- err
	}()
	e, err := touch(pages, from, middle)
	err = errors.Join(err, <-second)
	e.add(other)
	return e, err
}

// touch is populate by one processor.
func touch(pages mapping, from, to int64) (effort, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := threadEffort()
	err := pages.advise(from, to, unix.MADV_POPULATE_WRITE) // from Linux 5.14 on
	after := threadEffort()
	return effort{to - from, after.faults - before.faults, after.time - before.time}, err
}

// threadEffort is that of this thread so far, in the kernel too.
func threadEffort() effort {
	var u unix.Rusage
	_ = unix.Getrusage(unix.RUSAGE_THREAD, &u) // the kernel has had it since 2.6
	return effort{faults: int64(u.Minflt) + int64(u.Majflt), time: time.Duration(u.Utime.Nano() + u.Stime.Nano())}
}
