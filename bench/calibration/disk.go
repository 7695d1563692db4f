package calibration

import (
	"errors"
	"os"
	"time"
)

// Disk measures a plain write of so many bytes in GB/s, without fsync, and in ms
// the fsync after it and one after 4 KiB, which is what moving a ref waits for.
func Disk(dir string, bytes int) (write, sync, tiny float64, err error) {
	b := make([]byte, min(bytes, 1<<20))
	for i := range b {
		b[i] = byte(i * 7)
	}
	wrote, synced, err := TimedWrite(dir, b, bytes/len(b))
	if err != nil {
		return 0, 0, 0, err
	}
	write, sync = Rate(bytes, wrote), Milliseconds(synced)
	_, synced, err = TimedWrite(dir, b[:4096], 1)
	return write, sync, Milliseconds(synced), err
}

// TimedWrite writes b so many times to a new file in dir, which it removes, and says how long the writes took and the fsync after
// them.
func TimedWrite(dir string, b []byte, times int) (wrote, synced time.Duration, err error) {
	f, err := os.CreateTemp(dir, "calibration-")
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, f.Close(), os.Remove(f.Name())) }()
	started := time.Now()
	for range times {
		if _, err := f.Write(b); err != nil {
			return 0, 0, err
		}
	}
	wrote = time.Since(started)
	started = time.Now()
	err = f.Sync()
	return wrote, time.Since(started), err
}
