package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// machine is how fast the machine was while the rounds ran, a sample a round.
type machine struct {
	touch []float64 // GB/s of writing to memory that the process never had
	copy  []float64 // GB/s of copying memory that it has
	write []float64 // GB/s of a plain write of an edit's bytes, without fsync
	sync  []float64 // ms of fsync after it
	tiny  []float64 // ms of fsync after 4 KiB, which is what moving a ref waits for
	lstat []float64 // ms of lstat of all clips, one goroutine

	others float64 // CPU taken by others, as a share of all cores; < 0 unknown
}

const (
	memoryBytes = 64 << 20
	editBytes   = 2 << 20 // one shard's mels, as an edited clip rewrites them
)

// calibrate takes a sample of everything.
func (m *machine) calibrate(dir string) error {
	if err := m.memory(); err != nil {
		return err
	}
	if err := m.disk(dir); err != nil {
		return err
	}
	return m.files(filepath.Join(dir, "wavs"))
}

func (m *machine) memory() error {
	fresh, err := syscall.Mmap(-1, 0, memoryBytes, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return fmt.Errorf("map memory: %w", err)
	}
	started := time.Now()
	for i := 0; i < len(fresh); i += 4096 {
		fresh[i] = 1
	}
	m.touch = append(m.touch, rate(memoryBytes, time.Since(started)))
	half := len(fresh) / 2
	started = time.Now()
	for range 4 {
		copy(fresh[:half], fresh[half:])
	}
	m.copy = append(m.copy, rate(2*memoryBytes, time.Since(started)))
	return syscall.Munmap(fresh)
}

// disk writes what an edit writes, and then what a ref is.
func (m *machine) disk(dir string) error {
	b := make([]byte, editBytes)
	for i := range b {
		b[i] = byte(i * 7)
	}
	wrote, synced, err := timedWrite(filepath.Join(dir, "calibration"), b)
	if err != nil {
		return err
	}
	m.write = append(m.write, rate(editBytes, wrote))
	m.sync = append(m.sync, milliseconds(synced))
	_, synced, err = timedWrite(filepath.Join(dir, "calibration"), b[:4096])
	m.tiny = append(m.tiny, milliseconds(synced))
	return err
}

func timedWrite(path string, b []byte) (wrote, synced time.Duration, err error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, 0, err
	}
	defer os.Remove(path)
	defer f.Close()
	started := time.Now()
	if _, err := f.Write(b); err != nil {
		return 0, 0, err
	}
	wrote = time.Since(started)
	started = time.Now()
	err = f.Sync()
	return wrote, time.Since(started), err
}

func (m *machine) files(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	names, err := d.Readdirnames(-1)
	d.Close()
	if err != nil {
		return err
	}
	started := time.Now()
	for _, name := range names {
		if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	m.lstat = append(m.lstat, milliseconds(time.Since(started)))
	return nil
}

// watchOthers begins to count CPU time and returns the function that says what
// share of all cores went to other processes and to other guests (steal).
func watchOthers() func() float64 {
	busy, ok := busyTime()
	own, started := ownTime(), time.Now()
	return func() float64 {
		now, still := busyTime()
		if !ok || !still {
			return -1
		}
		cores := time.Since(started).Seconds() * float64(runtime.NumCPU())
		return max(0, (now-busy).Seconds()-(ownTime()-own).Seconds()) / cores
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

// ownTime is the CPU time of this process and of those that it has waited for.
func ownTime() time.Duration {
	var sum time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) == nil {
			sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}
	return sum
}

func rate(bytes int, d time.Duration) float64 { return float64(bytes) / 1e9 / d.Seconds() }

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
