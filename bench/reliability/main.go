package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"voxpack/bench/program"
	"voxpack/store"
)

func main() {
	program.Run("reliability", func(ctx context.Context) error {
		log.SetOutput(store.CatchFatal(os.Stderr, func(err error) { fmt.Fprintln(os.Stderr, err) }))
		if len(os.Args) == 4 && os.Args[1] == aloud {
			return buildAloud(ctx, os.Args[2], os.Args[3], os.Stdout)
		}
		return run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	})
}

// options holds the values of the command-line flags.
type options struct {
	program, out           string
	kills, faults, flips   int
	limits, harms, seconds int
	rows, every, desks     int
	minutes                float64
	seed                   uint64
	one                    string
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var o options
	began := time.Now()
	fs := flag.NewFlagSet("reliability", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.StringVar(&o.program, "program", "bin/voxpack", "the program to try")
	fs.StringVar(&o.out, "out", "", "keep the tables in `FILE`, below its line of hyphens")
	fs.IntVar(&o.kills, "kills", 550, "kills, half of them at random moments")
	fs.IntVar(&o.faults, "faults", 250, "system calls that fail")
	fs.IntVar(&o.limits, "limits", 5, "full disks, and few descriptors, of each scene")
	fs.IntVar(&o.every, "every", 1, "flip a bit of every `N`th byte of a small store, and kill at every `N`th call that writes")
	fs.IntVar(&o.flips, "flips", 10_000, "random bytes of a large store of which a bit is flipped")
	fs.IntVar(&o.harms, "harms", 1, "harm every `N`th file of a store in each way")
	fs.IntVar(&o.seconds, "seconds", 40, "how long commands run beside each other")
	fs.IntVar(&o.rows, "rows", 200_000, "rows of the large cache write; 0: leave it out")
	fs.Float64Var(&o.minutes, "minutes", 0, "begin no trial after so many; all parts come as far. 0: make all")
	fs.IntVar(&o.desks, "desks", max(2, runtime.NumCPU()), "trials at a time")
	fs.Uint64Var(&o.seed, "seed", uint64(time.Now().Unix()), "what is drawn follows from it")
	fs.StringVar(&o.one, "scene", "", "only the scene, or the part, of this name")
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
	if o.program, err = filepath.Abs(o.program); err != nil {
		return err
	}
	l := &lab{program: o.program, dir: dir, desks: max(1, o.desks), rand: rand.New(rand.NewPCG(o.seed, 15)), table: &table{}, log: stderr}
	if o.minutes > 0 {
		l.until = began.Add(time.Duration(o.minutes * float64(time.Minute)))
	}
	fmt.Fprintf(stderr, "seed %d\n", o.seed)
	if err := l.prepare(ctx, o.rows); err != nil {
		return err
	}
	if err := l.all(ctx, o); err != nil {
		return err
	}
	text := l.table.text()
	fmt.Fprint(stdout, text)
	if o.out != "" {
		head := fmt.Sprintf("%s, %d cores, one run of %.0f s with seed %d.\n\n", began.Format(time.DateOnly), runtime.NumCPU(), time.Since(began).Seconds(), o.seed)
		if err := keep(o.out, head+text); err != nil {
			return err
		}
	}
	if n := l.table.failures(); n > 0 {
		return fmt.Errorf("%d trials ended as they must not", n)
	}
	return ctx.Err()
}

// ranked is a trial, and how much of its part comes before it.
type ranked struct {
	make func(context.Context, *desk) error
	rank float64
}

func unranked(trials []func(context.Context, *desk) error) (list []ranked) {
	for _, t := range trials {
		list = append(list, ranked{make: t})
	}
	return list
}

// all makes the trials of all parts, or of one, each part in step with the others: so that
// the one that takes long begins at once, and what is cut short is of all. What runs beside
// itself comes last, and alone.
func (l *lab) all(ctx context.Context, o options) error {
	var trials []ranked
	for _, part := range []struct {
		name string
		plan func(options) []func(context.Context, *desk) error
	}{
		{"large", l.largeTrials}, {"", l.sceneTrials}, {"every", l.everyTrials}, {"counted", l.countedTrials}, {"limits", l.limitTrials}, {"names", l.nameTrials},
		{"clock", l.clockTrials}, {"cut", l.cutTrials}, {"bits", l.bitTrials}, {"files", l.fileTrials},
	} {
		if part.name == "" || o.one == "" || o.one == part.name {
			planned := part.plan(o)
			l.rand.Shuffle(len(planned), func(i, j int) { planned[i], planned[j] = planned[j], planned[i] })
			fmt.Fprintf(l.log, "%-8s %5d trials\n", part.name, len(planned))
			for i, trial := range planned {
				trials = append(trials, ranked{trial, float64(i) / float64(len(planned))})
			}
		}
	}
	slices.SortStableFunc(trials, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
	if err := l.each(ctx, trials); err != nil || o.one != "" && o.one != "together" {
		return err
	}
	l.until = time.Time{}
	return l.each(ctx, unranked(l.togetherTrials(o)))
}
