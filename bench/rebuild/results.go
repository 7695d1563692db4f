package main

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"time"

	"voxpack/bench/calibration"
	"voxpack/bench/program"
)

// results are all figures of a bench.
type results struct {
	rows     int
	first    outcome
	outcomes [][]outcome // by kind
	machine  machine
}

// memoryGoal is the most anonymous memory in bytes that a build may have.
func memoryGoal(rows int) int64 { return 200e6 + 250*int64(rows) }

// print writes the tables in Markdown.
func (r *results) print(w io.Writer) {
	fmt.Fprintf(w, "voxpack build, %d rows (%d kept in %d shards), %d cores, %s/%s, %s; %d rounds, a process each.\n\n",
		r.rows, r.first.report.Rows.Kept, r.first.report.Shards.Total, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version(), len(r.outcomes[0]))
	fmt.Fprintf(w, "| build | median ms | min | max | CPU ms | goal ms | | RssAnon MB | goal MB | | VmHWM MB |\n|---|---|---|---|---|---|---|---|---|---|---|\n")
	r.row(w, "first", 0, []outcome{r.first})
	for i, k := range kinds {
		r.row(w, k.name, k.goal, r.outcomes[i])
	}
	first := r.first.Wall.Seconds()
	fmt.Fprintf(w, "\nThe first build: %.0f clips/s, %.2f GB written, %.2f GB/s.\n\n",
		float64(r.rows)/first, float64(r.first.report.BytesWritten)/1e9, float64(r.first.report.BytesWritten)/1e9/first)
	r.machine.print(w)
}

func (r *results) row(w io.Writer, name string, goal time.Duration, all []outcome) {
	var wall, cpu []float64
	var anon, high int64
	for _, o := range all {
		wall = append(wall, calibration.Milliseconds(o.Wall))
		cpu = append(cpu, calibration.Milliseconds(o.CPU))
		anon, high = max(anon, o.Anon), max(high, o.High)
	}
	goalMS, timely := "–", ""
	if goal > 0 {
		goalMS, timely = strconv.FormatInt(goal.Milliseconds(), 10), program.Verdict(program.Median(wall) < calibration.Milliseconds(goal))
	}
	limit := memoryGoal(r.rows)
	anonMB, lean := "not measured", ""
	if anon > 0 {
		anonMB, lean = megabytes(anon), program.Verdict(anon < limit)
	}
	fmt.Fprintf(w, "| %s | %.0f | %.0f | %.0f | %.0f | %s | %s | %s | %s | %s | %s |\n", name,
		program.Median(wall), slices.Min(wall), slices.Max(wall), program.Median(cpu), goalMS, timely, anonMB, megabytes(limit), lean, megabytes(high))
}

func (m *machine) print(w io.Writer) {
	fmt.Fprintf(w, "The machine in the same rounds:\n\n| | median | min | max |\n|---|---|---|---|\n")
	for _, line := range []struct {
		name    string
		samples []float64
	}{
		{"first touch of memory, GB/s", m.touch},
		{"copy of memory, GB/s", m.copy},
		{"plain write of 2 MiB, GB/s", m.write},
		{"fsync after it, ms", m.sync},
		{"fsync of 4 KiB, ms", m.tiny},
		{"lstat of all clips, one goroutine, ms", m.lstat},
	} {
		fmt.Fprintf(w, "| %s | %.2f | %.2f | %.2f |\n", line.name, program.Median(line.samples), slices.Min(line.samples), slices.Max(line.samples))
	}
	if m.others >= 0 {
		fmt.Fprintf(w, "| CPU taken by others, %% of all cores | %.0f | | |\n", 100*m.others)
	}
}

func megabytes(bytes int64) string { return strconv.FormatFloat(float64(bytes)/1e6, 'f', 0, 64) }
