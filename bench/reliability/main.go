package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"voxpack/bench/program"
)

func main() {
	program.Run("reliability", func(ctx context.Context) error { return run(ctx, os.Args[1:], os.Stdout, os.Stderr) })
}

// options holds the values of the command-line flags.
type options struct {
	program, out         string
	kills, faults, flips int
	rows                 int
	seed                 uint64
	one                  string
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var o options
	fs := flag.NewFlagSet("reliability", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.StringVar(&o.program, "program", "bin/voxpack", "the program to try")
	fs.StringVar(&o.out, "out", "", "keep the tables in `FILE`, below its line of hyphens")
	fs.IntVar(&o.kills, "kills", 500, "kills, half of them at random moments")
	fs.IntVar(&o.faults, "faults", 300, "system calls that fail")
	fs.IntVar(&o.flips, "flips", 300, "flipped bits")
	fs.IntVar(&o.rows, "rows", 200_000, "rows of the large cache write")
	fs.Uint64Var(&o.seed, "seed", uint64(time.Now().Unix()), "what is drawn follows from it")
	fs.StringVar(&o.one, "scene", "", "only the scene of this name")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if _, err := exec.LookPath("strace"); err != nil {
		return fmt.Errorf("needs strace: %w", err)
	}
	dir, err := os.MkdirTemp("", "voxpack-reliability-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program, err := filepath.Abs(o.program)
	if err != nil {
		return err
	}
	l := &lab{program: program, dir: dir, rand: rand.New(rand.NewPCG(o.seed, 15)), log: stderr}
	if err := l.prepare(ctx, o.rows); err != nil {
		return err
	}
	fmt.Fprintf(stderr, "seed %d\n", o.seed)
	t := &table{}
	for _, s := range l.scenes {
		if o.one != "" && o.one != s.name {
			continue
		}
		if err := l.killScene(ctx, s, o.kills, t); err != nil {
			return err
		}
		if err := l.faultScene(ctx, s, o.faults, t); err != nil {
			return err
		}
	}
	if o.one == "" || o.one == "flip" {
		if err := l.flipScene(ctx, o.flips, t); err != nil {
			return err
		}
	}
	text := t.text()
	fmt.Fprint(stdout, text)
	if o.out != "" {
		if err := keep(o.out, text); err != nil {
			return err
		}
	}
	if n := t.failures(); n > 0 {
		return fmt.Errorf("%d trials ended as they must not", n)
	}
	return ctx.Err()
}
