package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"

	"voxpack/bench/calibration"
	"voxpack/bench/program"
)

func main() {
	program.Run("rebuild", func(ctx context.Context) error { return run(ctx, os.Args[1:], os.Stdout, os.Stderr) })
}

// options are the flags.
type options struct {
	corpus string // folder; "" generates one
	n      int    // clips to generate
	runs   int    // rounds
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	fs := flag.NewFlagSet("rebuild", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.StringVar(&o.corpus, "corpus", "", "measure over a copy of `DIR` (metadata.csv, wavs/)")
	fs.IntVar(&o.n, "n", 13100, "clips to generate where there is no -corpus")
	fs.IntVar(&o.runs, "runs", 9, "rounds; the median of each kind counts")
	if err := fs.Parse(args); err != nil {
		return o, fmt.Errorf("%w: %w", program.ErrUsage, err)
	}
	if fs.NArg() > 0 || o.n < 10 || o.runs < 1 {
		return o, fmt.Errorf("%w: want no arguments, -n of at least 10 and -runs of at least 1", program.ErrUsage)
	}
	return o, nil
}

// run measures and prints.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp(beside(o.corpus), "voxpack-rebuild-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	say := func(format string, args ...any) { fmt.Fprintf(stderr, format+"\n", args...) }
	say("working in %s", temp)
	voxpack := filepath.Join(temp, "voxpack")
	if err := program.Go(ctx, stderr, "build", "-trimpath", "-o", voxpack, "voxpack/cmd/voxpack"); err != nil {
		return err
	}
	c, err := newCorpus(ctx, o, filepath.Join(temp, "corpus"), stderr)
	if err != nil {
		return err
	}
	say("first build of %d rows", len(c.lines))
	r := &results{rows: len(c.lines), outcomes: make([][]outcome, len(kinds))}
	if r.first, err = build(ctx, voxpack, c.dir); err != nil {
		return err
	}
	syscall.Sync() // what the first build wrote must not be written out under the rounds
	if err := rounds(ctx, o.runs, voxpack, c, r, say); err != nil {
		return err
	}
	r.print(stdout)
	return nil
}

// rounds measures every kind once a round, so that all of them see the same
// good and bad minutes of the machine.
func rounds(ctx context.Context, runs int, voxpack string, c *corpus, r *results, say func(string, ...any)) error {
	others := calibration.Others()
	for round := range runs {
		if err := r.machine.calibrate(c.dir); err != nil {
			return fmt.Errorf("calibration: %w", err)
		}
		for i, k := range kinds {
			out, err := k.measure(ctx, voxpack, c, round)
			if err != nil {
				return fmt.Errorf("round %d: %s: %w", round+1, k.name, err)
			}
			r.outcomes[i] = append(r.outcomes[i], out)
		}
		say("round %d of %d", round+1, runs)
	}
	r.machine.others = others()
	return nil
}

// beside is where the copy of a corpus is put: on its file system, for the
// hard links; "" is the folder for temporary files.
func beside(corpus string) string {
	if corpus == "" {
		return ""
	}
	return filepath.Dir(filepath.Clean(corpus))
}
