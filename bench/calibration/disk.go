package calibration

import (
	"errors"
	"os"
	"time"
)

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
