package main

import (
	"voxpack/bench/calibration"
)

// machine is one calibration.
type machine struct {
	Touch float64 `json:"touch"` // GB/s of writing to memory that the process never had
	Copy  float64 `json:"copy"`  // GB/s of copying memory that it has
	Write float64 `json:"write"` // GB/s of a plain write of writeBytes, without fsync
	Sync  float64 `json:"sync"`  // ms of the fsync after it
	Tiny  float64 `json:"tiny"`  // ms of fsync after 4 KiB, which is what moving a ref waits for
}

// writeBytes is a value log's file: the largest piece that a build writes before
// it waits for the disk.
const writeBytes = 256 << 20

func calibrate(dir string) (m machine, err error) {
	if m.Touch, m.Copy, err = calibration.Memory(); err != nil {
		return m, err
	}
	m.Write, m.Sync, m.Tiny, err = calibration.Disk(dir, writeBytes)
	return m, err
}
