package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"voxpack/bench/program"
)

func main() { program.Exit("gencorpus", run(os.Args[1:], os.Stdout, os.Stderr), 2) }

// options are the flags.
type options struct {
	out        string
	n          int    // clips; 0 means 13,100, or all lines of texts
	seed       uint64 // names the corpus
	texts      string // file of id|text|normalised, or "" for made-up words
	maxSeconds float64
	workers    int
}

// run parses args, writes the corpus and prints one line about it.
func run(args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	start := time.Now()
	rows, err := plan(o)
	if err != nil {
		return err
	}
	if err := prepare(o.out); err != nil {
		return err
	}
	bytes, err := writeClips(o, rows)
	if err != nil {
		return err
	}
	if err := writeMetadata(filepath.Join(o.out, "metadata.csv"), rows); err != nil {
		return err
	}
	var seconds float64
	for _, r := range rows {
		seconds += float64(r.samples) / sampleRate
	}
	fmt.Fprintf(stdout, "%d clips, %.0f s of sound (mean %.2f s), %.2f GB, in %.1f s\n",
		len(rows), seconds, seconds/float64(len(rows)), float64(bytes)/1e9, time.Since(start).Seconds())
	return nil
}

// parse reads the flags, before or after OUT.
func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	fs := flag.NewFlagSet("gencorpus", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.IntVar(&o.n, "n", 0, "number of clips (default 13100, or every line of -texts)")
	fs.Uint64Var(&o.seed, "seed", 1, "another seed gives another corpus")
	fs.StringVar(&o.texts, "texts", "", "take ids and texts from `FILE` of id|text|normalised lines")
	fs.Float64Var(&o.maxSeconds, "max-seconds", 0, "longest clip (default 10.10, with -texts 9.28)")
	fs.IntVar(&o.workers, "j", runtime.GOMAXPROCS(0), "workers; the bytes do not depend on it")
	fs.Usage = func() {
		fmt.Fprintln(stderr, "usage: gencorpus [flags] OUT")
		fs.PrintDefaults()
	}
	var rest []string
	for left := args; ; {
		if err := fs.Parse(left); err != nil {
			return o, err
		}
		if fs.NArg() == 0 {
			break
		}
		rest = append(rest, fs.Arg(0))
		left = fs.Args()[1:]
	}
	if len(rest) != 1 {
		return o, fmt.Errorf("want one folder OUT, got %d arguments", len(rest))
	}
	o.out = rest[0]
	return o, o.check()
}

// check fills the defaults and refuses what makes no corpus.
func (o *options) check() error {
	if o.maxSeconds == 0 {
		o.maxSeconds = longest
		if o.texts != "" {
			o.maxSeconds = longestFitting
		}
	}
	if o.n == 0 && o.texts == "" {
		o.n = defaultClips
	}
	switch {
	case o.n < 0:
		return fmt.Errorf("-n %d: want a positive number", o.n)
	case o.workers < 1:
		return fmt.Errorf("-j %d: want at least 1", o.workers)
	case !(o.maxSeconds >= shortest && o.maxSeconds <= 3600):
		return fmt.Errorf("-max-seconds %g: want %g to 3600", o.maxSeconds, shortest)
	}
	return nil
}

// prepare makes OUT/wavs; it refuses a folder that holds anything, so that two
// corpora never mix.
func prepare(out string) error {
	entries, err := os.ReadDir(out)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if len(entries) > 0 {
		return fmt.Errorf("%s is not empty; name a new folder", out)
	}
	return os.MkdirAll(filepath.Join(out, "wavs"), 0o777)
}

// writeClips lets the workers draw indices until none is left, and gives the
// bytes written. The first error ends the work of all.
func writeClips(o options, rows []row) (int64, error) {
	p := newPool(o.seed)
	var next, bytes atomic.Int64
	var failed atomic.Pointer[error]
	var wg sync.WaitGroup
	for range min(o.workers, len(rows)) {
		wg.Go(func() {
			var buf []byte
			for failed.Load() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(rows) {
					return
				}
				buf = appendClip(buf[:0], p, o.seed, i, rows[i].samples)
				if err := os.WriteFile(filepath.Join(o.out, "wavs", rows[i].id+".wav"), buf, 0o666); err != nil {
					failed.Store(&err)
					return
				}
				bytes.Add(int64(len(buf)))
			}
		})
	}
	wg.Wait()
	if err := failed.Load(); err != nil {
		return 0, *err
	}
	return bytes.Load(), nil
}

// writeMetadata writes one line a row.
func writeMetadata(path string, rows []row) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	for _, r := range rows {
		fmt.Fprintf(w, "%s|%s|%s\n", r.id, r.text, r.spoken)
	}
	return errors.Join(w.Flush(), f.Close())
}
