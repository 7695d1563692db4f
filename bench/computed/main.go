package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"voxpack/bench/calibration"
	"voxpack/bench/program"
)

func main() {
	program.Run("computed", func(ctx context.Context) error { return run(ctx, os.Args[1:], os.Stdout, os.Stderr) })
}

// goal is the most that a build with a column may cost, of that without one.
const goal = 1.25

// options are the flags.
type options struct {
	n, runs int
	python  string
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	fs := flag.NewFlagSet("computed", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.IntVar(&o.n, "n", 13100, "clips to generate")
	fs.IntVar(&o.runs, "runs", 5, "rounds; the median counts")
	fs.StringVar(&o.python, "python", "python3", "`PROGRAM` with NumPy")
	if err := fs.Parse(args); err != nil {
		return o, fmt.Errorf("%w: %w", program.ErrUsage, err)
	}
	if fs.NArg() > 0 || o.n < 10 || o.runs < 1 {
		return o, fmt.Errorf("%w: want no arguments, -n of at least 10 and -runs of at least 1", program.ErrUsage)
	}
	return o, nil
}

// kind is a build: without a column, or with one that a function computes.
type kind struct {
	name, input, value string // value: of row
}

var kinds = []kind{
	{name: "no column"},
	{"a column of text", "text", "len(row.text.split())"},
	{"a column of samples", "pcm", "20 * np.log10(np.sqrt(np.mean(row.pcm ** 2)) + 1e-6)"},
}

const script = `import sys

import numpy as np

sys.path.insert(0, %q)
import voxpack


@voxpack.column
def value(rows):
    return [np.float32([%s]) for row in rows]


if __name__ == "__main__":
    value.run()
`

// results are the outcomes of all rounds, by kind.
type results struct{ elapsed, cpu [][]float64 }

func run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	packages, err := filepath.Abs("python")
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "voxpack-computed-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	voxpack, corpus := filepath.Join(temp, "voxpack"), filepath.Join(temp, "corpus")
	if err := program.Go(ctx, stderr, "build", "-trimpath", "-o", voxpack, "voxpack/cmd/voxpack"); err != nil {
		return err
	}
	if err := program.Corpus(ctx, stderr, corpus, o.n); err != nil {
		return err
	}
	r := results{make([][]float64, len(kinds)), make([][]float64, len(kinds))}
	others := calibration.Others()
	for round := range o.runs {
		for turn := range kinds {
			at := (round + turn) % len(kinds)
			u, err := build(ctx, o, voxpack, corpus, packages, kinds[at])
			if err != nil {
				return fmt.Errorf("round %d: %s: %w", round+1, kinds[at].name, err)
			}
			r.elapsed[at], r.cpu[at] = append(r.elapsed[at], u.Wall.Seconds()), append(r.cpu[at], u.CPU.Seconds())
		}
		fmt.Fprintf(stderr, "round %d of %d\n", round+1, o.runs)
	}
	touch, copied, err := calibration.Memory()
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "First builds of %d clips, %d rounds by turns, medians; %d cores, CPU taken by others %.0f %%, first touch %.1f GB/s, copy %.1f GB/s.\n\n",
		o.n, o.runs, runtime.NumCPU(), 100*others(), touch, copied)
	r.print(stdout)
	return nil
}

// build makes a store of a kind, and forgets it.
func build(ctx context.Context, o options, voxpack, corpus, packages string, k kind) (u program.Usage, err error) {
	config := "data: {}\n"
	if k.value != "" {
		text := fmt.Sprintf(script, packages, k.value)
		if err := os.WriteFile(filepath.Join(corpus, "value.py"), []byte(text), 0o666); err != nil {
			return u, err
		}
		config = fmt.Sprintf("data:\n  columns:\n    value: {run: %q, input: %s, shape: [1], version: \"1\", files: value.py}\n", o.python+" value.py", k.input)
	}
	if err := os.WriteFile(filepath.Join(corpus, "voxpack.yaml"), []byte(config), 0o666); err != nil {
		return u, err
	}
	store := corpus + ".store"
	defer func() { err = errors.Join(err, os.RemoveAll(store)) }()
	u, stdout, err := program.Measure(exec.CommandContext(ctx, voxpack, "build", "-q", "--json", "-o", store, corpus))
	if err != nil {
		return u, err
	}
	var report struct {
		Rows   struct{ Kept int }
		Stages map[string]struct{ Run int }
	}
	if err := json.Unmarshal(stdout, &report); err != nil {
		return u, fmt.Errorf("build --json: %w", err)
	}
	if ran := report.Stages["value"].Run; report.Rows.Kept == 0 || k.value != "" && ran != report.Rows.Kept {
		return u, fmt.Errorf("%d rows kept, %d computed", report.Rows.Kept, ran)
	}
	return u, nil
}

func (r *results) print(w io.Writer) {
	fmt.Fprintln(w, "| build | s | of the build without | CPU s | of the build without | < 1.25 |\n|---|---:|---:|---:|---:|---|")
	for at, k := range kinds {
		elapsed, cpu := ratio(r.elapsed[at], r.elapsed[0]), ratio(r.cpu[at], r.cpu[0])
		verdict := "–"
		if at > 0 {
			verdict = program.Verdict(elapsed < goal && cpu < goal)
		}
		fmt.Fprintf(w, "| %s | %.2f | %.2f | %.2f | %.2f | %s |\n", k.name, program.Median(r.elapsed[at]), elapsed, program.Median(r.cpu[at]), cpu, verdict)
	}
}

// ratio is the median of the ratios of rounds.
func ratio(a, b []float64) float64 {
	var list []float64
	for i := range a {
		list = append(list, a[i]/b[i])
	}
	return program.Median(list)
}
