package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"voxpack/bench/program"
)

func main() {
	program.Run("scale", func(ctx context.Context) error { return run(ctx, os.Args[1:], os.Stdout, os.Stderr) })
}

// options are the flags.
type options struct {
	n       int
	dir     string // where corpus and store are put; "" is the folder for temporary files
	program string // "" builds one
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	fs := flag.NewFlagSet("scale", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.IntVar(&o.n, "n", 1_000_000, "rows")
	fs.StringVar(&o.dir, "dir", "", "work in a new folder below `DIR`")
	fs.StringVar(&o.program, "program", "", "measure this voxpack instead of the one of these sources")
	if err := fs.Parse(args); err != nil {
		return o, fmt.Errorf("%w: %w", program.ErrUsage, err)
	}
	if fs.NArg() > 0 || o.n < 100 {
		return o, fmt.Errorf("%w: want no arguments and -n of at least 100", program.ErrUsage)
	}
	return o, nil
}

// run measures and prints.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp(o.dir, "voxpack-scale-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	if o.program == "" {
		o.program = filepath.Join(temp, "voxpack")
		if err := program.Go(ctx, stderr, "build", "-trimpath", "-o", o.program, "voxpack/cmd/voxpack"); err != nil {
			return err
		}
	}
	fmt.Fprintf(stderr, "making %d rows in %s\n", o.n, temp)
	c, err := newCorpus(filepath.Join(temp, "corpus"), o.n)
	if err != nil {
		return err
	}
	return measure(ctx, o.program, c, stdout)
}
