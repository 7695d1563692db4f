package main

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"

	"voxpack/bench/program"
)

// The goals.
const (
	ratioGoal  = 0.85    // of the speed of one copy, with as many goroutines
	steadyGoal = 100_000 // samples a second with two fillers
	firstGoal  = 40_000  // samples a second in the verifying epoch
	startGoal  = 50      // ms to the first batch
)

// noisy is the share of all cores that others may have before speeds are not
// worth quoting: with 62 % the feed once came out at 1.23 of the speed of a
// copy, and at 0.79 by CPU time.
const noisy = 0.1

func (r *results) printJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// print writes the tables in Markdown.
func (r *results) print(w io.Writer) {
	fmt.Fprintf(w, "The feed into host slots: %d rows, batches of %d (%.1f MB), %d cores, %s/%s, %s; %d rounds, medians.\n\n",
		r.Rows, r.Samples, float64(r.Bytes)/1e6, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version(), len(r.First))
	r.printLaps(w)
	r.printStart(w)
	if len(r.Cold[0]) > 0 {
		r.printCold(w)
	}
	r.printMachine(w)
}

func (r *results) printLaps(w io.Writer) {
	fmt.Fprintf(w, "| lap | samples/s | min | max | GB/s | CPU s/GB | of the copy | by CPU time | goal | |\n|---|---|---|---|---|---|---|---|---|---|\n")
	for i, n := range []string{"one", "two"} {
		copied, fed := r.Steady.Copy[i], r.Steady.Feed[i]
		printLap(w, "copy, "+n+" goroutine"+plural(i), copied, "|", "", "")
		ratio := program.Median(ratios(copied, fed, func(l lap) float64 { return l.Seconds }))
		byCPU := program.Median(ratios(copied, fed, func(l lap) float64 { return l.CPU }))
		goal, met := fmt.Sprintf("%.2f of the copy", ratioGoal), ratio >= ratioGoal
		printLap(w, "feed, "+n+" filler"+plural(i), fed, fmt.Sprintf("%.2f | %.2f", ratio, byCPU), goal, program.Verdict(met))
	}
	speed := program.Median(each(r.Steady.Feed[1], lap.samplesPerSecond))
	fmt.Fprintf(w, "| feed, two fillers, absolute | %.0f | | | | | | | %d samples/s | %s |\n", speed, steadyGoal, program.Verdict(speed >= steadyGoal))
	speed = program.Median(each(r.First, lap.samplesPerSecond))
	printLap(w, "first epoch of a process from the opening of the feed, checksums compared, two fillers", r.First, "|", fmt.Sprintf("%d samples/s", firstGoal), program.Verdict(speed >= firstGoal))
	fmt.Fprintf(w, "\nCopies are of %.2f GB of ordinary memory, a batch at a time, into %d slots in turn. %d batches of each feed were compared with the store.\n\n",
		float64(r.Steady.Source)/1e9, r.Steady.Slots, r.Steady.Compared)
}

func printLap(w io.Writer, name string, laps []lap, ratios, goal, met string) {
	speeds := each(laps, lap.samplesPerSecond)
	fmt.Fprintf(w, "| %s | %.0f | %.0f | %.0f | %.2f | %.3f | %s | %s | %s |\n", name, program.Median(speeds), slices.Min(speeds), slices.Max(speeds),
		program.Median(each(laps, lap.gigabytesPerSecond)), program.Median(each(laps, func(l lap) float64 { return l.CPU / float64(l.Bytes) * 1e9 })), ratios, goal, met)
}

// ratios are the times of copies over those of the feed, round by round.
func ratios(copied, fed []lap, seconds func(lap) float64) []float64 {
	var list []float64
	for i := range fed {
		list = append(list, seconds(copied[i])/seconds(fed[i]))
	}
	return list
}

func (r *results) printStart(w io.Writer) {
	if len(r.Start) == 0 {
		return
	}
	fmt.Fprintf(w, "| process start to first batch, %d processes | median ms | min | max | goal | |\n|---|---|---|---|---|---|\n", len(r.Start))
	for i, s := range r.Start[0].Steps {
		line(w, s.Name, each(r.Start, func(s *start) float64 { return s.Steps[i].MS }), "| |")
	}
	total := each(r.Start, func(s *start) float64 { return s.Total })
	line(w, "all", total, fmt.Sprintf("%d | %s |", startGoal, program.Verdict(program.Median(total) < startGoal)))
	line(w, "voxpack feed, by its own account", r.Program, fmt.Sprintf("%d | %s |", startGoal, program.Verdict(program.Median(r.Program) < startGoal)))
	fmt.Fprintln(w)
}

// line prints the median, the least and the greatest of some samples.
func line(w io.Writer, name string, samples []float64, rest string) {
	if len(samples) > 0 {
		fmt.Fprintf(w, "| %s | %.2f | %.2f | %.2f | %s\n", name, program.Median(samples), slices.Min(samples), slices.Max(samples), rest)
	}
}

func (r *results) printCold(w io.Writer) {
	fmt.Fprintf(w, "A cold page cache: sync, then posix_fadvise(DONTNEED) on every file of every pack while nobody maps them; %d rounds. "+
		"%s. A virtual disk may still have them in a cache of its host.\n\n", len(r.Cold[0]), r.Disk)
	fmt.Fprintf(w, "| read-ahead | first %d batches, samples/s | all, samples/s | min | max | GB/s | open, ms | GB fetched for each GB fed |\n|---|---|---|---|---|---|---|---|\n",
		r.Cold[0][0].Head.Samples/r.Samples)
	for i, a := range advices {
		epochs := each(r.Cold[i], func(c cold) lap { return c.Epoch })
		speeds := each(epochs, lap.samplesPerSecond)
		fmt.Fprintf(w, "| %s | %.0f | %.0f | %.0f | %.0f | %.2f | %.0f | %.2f |\n", a.name,
			program.Median(each(r.Cold[i], func(c cold) float64 { return c.Head.samplesPerSecond() })),
			program.Median(speeds), slices.Min(speeds), slices.Max(speeds), program.Median(each(epochs, lap.gigabytesPerSecond)),
			program.Median(each(r.Cold[i], func(c cold) float64 { return c.Open })),
			program.Median(each(r.Cold[i], func(c cold) float64 { return float64(c.DiskBytes) / float64(c.Epoch.Bytes) })))
	}
	fmt.Fprintln(w)
}

func (r *results) printMachine(w io.Writer) {
	fmt.Fprintf(w, "The machine in the same rounds:\n\n| | median | min | max | |\n|---|---|---|---|---|\n")
	m := &r.Machine
	line(w, "first touch of memory, GB/s", m.Touch, "|")
	line(w, "copy of memory, one goroutine, GB/s", m.Copy, "|")
	line(w, "plain write of 8 MiB, GB/s", m.Write, "|")
	line(w, "load, one minute", m.Load, "|")
	if m.Others >= 0 {
		fmt.Fprintf(w, "| CPU taken by others, %% of all cores | %s | | | |\n", strconv.FormatFloat(100*m.Others, 'f', 0, 64))
	}
	if m.Others > noisy {
		fmt.Fprintf(w, "\nOthers used this machine: ratios by CPU time still tell something, speeds and other ratios do not.\n")
	}
}

func plural(i int) string {
	if i == 0 {
		return ""
	}
	return "s"
}

// each is what f makes of every element.
func each[T, U any](list []T, f func(T) U) []U {
	made := make([]U, len(list))
	for i, v := range list {
		made[i] = f(v)
	}
	return made
}
