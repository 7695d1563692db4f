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
	"slices"
	"strings"
	"sync"

	"voxpack/bench/program"
	"voxpack/textnorm"
)

func main() { program.Exit("wild", run(os.Args[1:], os.Stdout, os.Stderr), 2) }

func run(args []string, stdout, stderr io.Writer) error {
	fs := flag.NewFlagSet("wild", flag.ContinueOnError)
	fs.SetOutput(stderr)
	languages := fs.String("lang", "", "read these `CODES` only, as in en,de")
	top := fs.Int("top", 50, "list so many readings of a language")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if fs.NArg() != 1 {
		return errors.New("want the folder that fetch.py wrote")
	}
	codes := textnorm.VerbalisedLanguages()
	if *languages != "" {
		codes = strings.Split(*languages, ",")
	}
	w := bufio.NewWriter(stdout)
	var all tally
	for _, code := range codes {
		t, err := readFile(filepath.Join(fs.Arg(0), code+".txt"), code)
		if err != nil {
			return err
		}
		t.print(w, *top)
		all.lines += t.lines
		all.faults = append(all.faults, t.faults...)
	}
	fmt.Fprintf(w, "%d lines in %d languages, %d findings\n", all.lines, len(codes), len(all.faults))
	if err := w.Flush(); err != nil {
		return err
	}
	if len(all.faults) > 0 {
		return fmt.Errorf("%d findings", len(all.faults))
	}
	return nil
}

// readFile reads a file by as many goroutines as there are processors.
func readFile(path, code string) (*tally, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	workers := runtime.GOMAXPROCS(0)
	parts := make([]*tally, workers)
	var wait sync.WaitGroup
	for i := range workers {
		r, err := newReader(code)
		if err != nil {
			return nil, err
		}
		parts[i] = r.tally
		wait.Go(func() {
			for _, line := range lines[len(lines)*i/workers : len(lines)*(i+1)/workers] {
				r.read(line)
			}
		})
	}
	wait.Wait()
	for _, p := range parts[1:] {
		parts[0].add(p)
	}
	return parts[0], nil
}

// print writes what was found in a language.
func (t *tally) print(w io.Writer, top int) {
	fmt.Fprintf(w, "%s: %d lines, %d changed\n", t.code, t.lines, t.changed)
	for _, f := range t.faults {
		fmt.Fprintf(w, "  FINDING %s\n", f)
	}
	for _, c := range ranked(t.notes, len(t.notes)) {
		fmt.Fprintf(w, "  note %s: %d\n", c.key, c.n)
	}
	for _, c := range ranked(t.rules, len(t.rules)) {
		fmt.Fprintf(w, "  rule %s: %d\n", c.key, c.n)
	}
	for _, c := range ranked(t.unread, top) {
		fmt.Fprintf(w, "  unread %d × %s\n", c.n, c.key)
	}
	for _, c := range ranked(t.bare, top) {
		fmt.Fprintf(w, "  reading %d × %s    e.g. %s\n", c.n, c.key, t.examples[c.key])
	}
}

// counted is how often something was seen.
type counted struct {
	key string
	n   int
}

// ranked is the most frequent of a map, equals by their names.
func ranked(m map[string]int, most int) []counted {
	var list []counted
	for key, n := range m {
		list = append(list, counted{key, n})
	}
	slices.SortFunc(list, func(a, b counted) int {
		if a.n != b.n {
			return b.n - a.n
		}
		return strings.Compare(a.key, b.key)
	})
	return list[:min(most, len(list))]
}
