package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"voxpack/bench/calibration"
	"voxpack/bench/program"
	"voxpack/textnorm/detect"
)

func main() { program.Exit("detect", run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr), 2) }

// figures are what one run found of itself.
type figures struct {
	Microseconds float64 `json:"microseconds"` // of processor a line, the median of the laps
	LoadSeconds  float64 `json:"load_seconds"`
	Megabytes    float64 `json:"megabytes"` // of heap that the detector holds
	Allocations  uint64  `json:"allocations"`
}

// lapLines is the least number of lines in a lap: the system counts processor
// time in steps of some milliseconds.
const lapLines = 50_000

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	fs := flag.NewFlagSet("detect", flag.ContinueOnError)
	fs.SetOutput(stderr)
	laps := fs.Int("laps", 5, "times that all lines are gone through")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if fs.NArg() > 0 || *laps < 1 {
		return errors.New("want -laps of at least 1 and no arguments")
	}
	data, err := io.ReadAll(stdin)
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")

	var f figures
	before, begin := heap(), time.Now()
	d := detect.New()
	f.LoadSeconds = time.Since(begin).Seconds()
	f.Megabytes = float64(heap().HeapAlloc-before.HeapAlloc) / 1e6

	among, found := detect.Codes(), make([]string, len(lines))
	var seconds []float64
	start := heap()
	rounds := (lapLines + len(lines) - 1) / len(lines)
	for range *laps {
		begin := calibration.OwnTime()
		for range rounds {
			for i, line := range lines {
				found[i], _ = d.Detect(line, among)
			}
		}
		seconds = append(seconds, (calibration.OwnTime() - begin).Seconds())
	}
	f.Allocations = (heap().Mallocs - start.Mallocs) / uint64(*laps*rounds*len(lines))
	slices.Sort(seconds)
	f.Microseconds = seconds[len(seconds)/2] / float64(rounds*len(lines)) * 1e6

	out := bufio.NewWriter(stdout)
	for _, code := range found {
		fmt.Fprintln(out, code)
	}
	if err := json.NewEncoder(out).Encode(f); err != nil {
		return err
	}
	return out.Flush()
}

// heap is the memory in use after a collection.
func heap() runtime.MemStats {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m
}
