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
	program.Run("feed", func(ctx context.Context) error { return run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr) })
}

// options are the flags.
type options struct {
	store  string // "" builds one
	ref    string
	n      int // clips to generate
	batch  int
	rounds int
	starts int  // processes started for the first batch
	noCold bool // leave out the epochs over a cold page cache
	json   bool
	// voxpack is the program that builds the store and is started beside the
	// pieces; "": that of this tree.
	voxpack string

	make   string // build a store here, and nothing else
	export string // write .npy files here, and nothing else

	// for the pieces
	piece   string
	fillers int
	advice  int   // index into advices
	began   int64 // when the process was started, in ns since 1970
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	fs := flag.NewFlagSet("feed", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.StringVar(&o.store, "store", "", "measure over `STORE` instead of a new one")
	fs.StringVar(&o.ref, "ref", "main", "of -store")
	fs.IntVar(&o.n, "n", 13100, "clips to generate where there is no -store")
	fs.IntVar(&o.batch, "batch", 32, "samples of a batch")
	fs.IntVar(&o.rounds, "rounds", 9, "rounds; medians count")
	fs.IntVar(&o.starts, "starts", 20, "processes started for the first batch")
	fs.BoolVar(&o.noCold, "no-cold", false, "leave out the epochs over a cold page cache")
	fs.BoolVar(&o.json, "json", false, "print one JSON object")
	fs.StringVar(&o.voxpack, "voxpack", "", "use the program `FILE` instead of building voxpack")
	fs.StringVar(&o.make, "make", "", "build a store in the new folder `STORE`, and end")
	fs.StringVar(&o.export, "export", "", "write the samples of -store to .npy files in `DIR`, and end")
	fs.StringVar(&o.piece, "piece", "", "measure one thing in this process: steady, first, start, cold, laps or machine")
	fs.IntVar(&o.fillers, "fillers", 2, "of -piece laps")
	fs.IntVar(&o.advice, "advice", 0, "of -piece cold, 0 to 2")
	fs.Int64Var(&o.began, "began", 0, "when -piece start was started, in ns since 1970")
	if err := fs.Parse(args); err != nil {
		return o, fmt.Errorf("%w: %w", program.ErrUsage, err)
	}
	if fs.NArg() > 0 || o.n < 10 || o.batch < 1 || o.rounds < 1 || o.starts < 0 || o.fillers < 1 || o.advice < 0 || o.advice >= len(advices) {
		return o, fmt.Errorf("%w: want no arguments, -n of at least 10, -batch, -rounds and -fillers of at least 1, -advice of 0 to 2 and nothing below 0", program.ErrUsage)
	}
	if o.store == "" && (o.export != "" || o.piece != "" && o.piece != "machine") {
		return o, fmt.Errorf("%w: -export and -piece need a -store", program.ErrUsage)
	}
	return o, nil
}

// run does what the flags say.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	say := func(format string, args ...any) { fmt.Fprintf(stderr, format+"\n", args...) }
	switch {
	case o.piece != "":
		return runPiece(ctx, o, stdin, stdout)
	case o.make != "":
		return makeStore(ctx, o, o.make, stderr)
	case o.export != "":
		return export(ctx, o, say)
	}
	return measure(ctx, o, stdout, stderr, say)
}

// measure runs all pieces, over a store that it builds where none is given, and
// prints.
func measure(ctx context.Context, o options, stdout, stderr io.Writer, say func(string, ...any)) (err error) {
	temp, err := os.MkdirTemp("", "voxpack-feed-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	if o.store == "" {
		o.store = filepath.Join(temp, "store")
		if err := makeStore(ctx, o, o.store, stderr); err != nil {
			return err
		}
	}
	if o.voxpack, err = o.program(ctx, temp, stderr); err != nil {
		return err
	}
	r, err := measureAll(ctx, o, o.voxpack, say)
	if err != nil {
		return err
	}
	if o.json {
		return r.printJSON(stdout)
	}
	r.print(stdout)
	return nil
}

// program is voxpack, which is built in dir where none is given.
func (o options) program(ctx context.Context, dir string, stderr io.Writer) (string, error) {
	if o.voxpack != "" {
		return o.voxpack, nil
	}
	path := filepath.Join(dir, "voxpack")
	return path, program.Go(ctx, stderr, "build", "-trimpath", "-o", path, "voxpack/cmd/voxpack")
}
