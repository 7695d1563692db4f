package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"voxpack/bench/program"
)

func main() { program.Exit("compile", run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr), 2) }

// options are the flags.
type options struct {
	corpus  string
	clips   int
	workers int
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	fs := flag.NewFlagSet("compile", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.StringVar(&o.corpus, "corpus", "", "folder with metadata.csv and wavs")
	fs.IntVar(&o.clips, "clips", 3000, "of the corpus, from its beginning")
	fs.IntVar(&o.workers, "j", 2, "workers")
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	if fs.NArg() > 0 || o.corpus == "" || o.clips < 1 || o.workers < 1 {
		return o, errors.New("want -corpus DIR, -clips and -j of at least 1 and no arguments")
	}
	return o, nil
}

// run answers lines until stdin ends.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	rows, err := readRows(o.corpus, o.clips)
	if err != nil {
		return err
	}
	return program.Answer(stdin, stdout, func(line string) (any, error) {
		switch line {
		case "machine":
			return calibrate(filepath.Dir(filepath.Clean(o.corpus)))
		case "lap":
			return runLap(rows, o.workers)
		}
		return nil, fmt.Errorf("%q on stdin: want machine or lap", line)
	})
}
