package main

import (
	"os"
	"strconv"
	"strings"

	"voxpack/bench/calibration"
)

// machine is how fast the machine was while the rounds ran, a sample a round.
type machine struct {
	Touch []float64 `json:"first_touch_gb_per_second"` // writing to memory that the process never had
	Copy  []float64 `json:"copy_gb_per_second"`        // copying memory that it has
	Write []float64 `json:"plain_write_gb_per_second"` // of 8 MiB, a batch of 32, to a new file, without fsync
	Load  []float64 `json:"load"`                      // processes that ran or waited, mean of the last minute

	Others float64 `json:"cpu_of_others"` // share of all cores; < 0 unknown
}

const writeBytes = 8 << 20

// add takes over the samples of another process.
func (m *machine) add(other machine) {
	m.Touch = append(m.Touch, other.Touch...)
	m.Copy = append(m.Copy, other.Copy...)
	m.Write = append(m.Write, other.Write...)
	m.Load = append(m.Load, other.Load...)
}

// calibrate takes a sample of everything.
func (m *machine) calibrate() error {
	if err := m.memory(); err != nil {
		return err
	}
	if b, err := os.ReadFile("/proc/loadavg"); err == nil {
		first, _, _ := strings.Cut(string(b), " ")
		if load, err := strconv.ParseFloat(first, 64); err == nil {
			m.Load = append(m.Load, load)
		}
	}
	return m.write()
}

// memory takes a sample of what memory does.
func (m *machine) memory() error {
	touch, copied, err := calibration.Memory()
	if err != nil {
		return err
	}
	m.Touch, m.Copy = append(m.Touch, touch), append(m.Copy, copied)
	return nil
}

func (m *machine) write() error {
	b := make([]byte, writeBytes)
	for i := range b {
		b[i] = byte(i * 7)
	}
	wrote, _, err := calibration.TimedWrite("", b, 1)
	if err != nil {
		return err
	}
	m.Write = append(m.Write, calibration.Rate(writeBytes, wrote))
	return nil
}

// freeMemory is what could be had without swapping, in bytes; 0 unknown.
func freeMemory() int64 {
	b, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(b), "\nMemAvailable:")
	words := strings.Fields(rest)
	if len(words) < 2 || words[1] != "kB" {
		return 0
	}
	kb, _ := strconv.ParseInt(words[0], 10, 64)
	return kb << 10
}
