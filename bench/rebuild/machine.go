package main

import (
	"os"
	"path/filepath"
	"time"

	"voxpack/bench/calibration"
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

const editBytes = 2 << 20 // one shard's mels, as an edited clip rewrites them

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
	touch, copied, err := calibration.Memory()
	if err != nil {
		return err
	}
	m.touch, m.copy = append(m.touch, touch), append(m.copy, copied)
	return nil
}

// disk writes what an edit writes, and then what a ref is.
func (m *machine) disk(dir string) error {
	write, sync, tiny, err := calibration.Disk(dir, editBytes)
	m.write, m.sync, m.tiny = append(m.write, write), append(m.sync, sync), append(m.tiny, tiny)
	return err
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
	m.lstat = append(m.lstat, calibration.Milliseconds(time.Since(started)))
	return nil
}
