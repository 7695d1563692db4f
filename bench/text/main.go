package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/pprof"
	"strconv"
	"strings"

	"voxpack/bench/program"
	"voxpack/textnorm"
)

func main() { program.Exit("text", run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr), 2) }

// options are the flags.
type options struct {
	n       int
	rounds  int
	lap     float64
	langs   []string
	sets    string
	serve   bool
	rows    int
	profile string
	cold    string // file of texts
	j       int
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	fs := flag.NewFlagSet("text", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.IntVar(&o.n, "n", 20000, "lines of each language")
	fs.IntVar(&o.rounds, "rounds", 5, "of which the median counts")
	fs.Float64Var(&o.lap, "lap", 0.3, "seconds of a lap")
	langs := fs.String("lang", "", "languages, separated by commas (default: all that are said in words)")
	fs.StringVar(&o.sets, "sets", "textnorm/spoken/testdata", "folder with LANG.tsv of written and spoken lines")
	fs.BoolVar(&o.serve, "serve", false, "answer lines on stdin")
	fs.IntVar(&o.rows, "rows", 13100, "texts of LJSpeech through the whole text side; 0 leaves that out")
	fs.StringVar(&o.profile, "profile", "", "write a profile of the processor to this `file`")
	fs.StringVar(&o.cold, "cold", "", "only take the English texts of this `file` through the whole text side")
	fs.IntVar(&o.j, "j", 1, "goroutines, with -cold")
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	o.langs = textnorm.VerbalisedLanguages()
	if *langs != "" {
		o.langs = strings.Split(*langs, ",")
	}
	if fs.NArg() > 0 || o.n < 1 || o.rounds < 1 || o.lap <= 0 || o.rows < 0 || o.j < 1 {
		return o, errors.New("want no arguments, -n and -rounds of at least 1, -lap above 0, -rows of at least 0 and -j of at least 1")
	}
	return o, nil
}

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) (err error) {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	if o.profile != "" {
		f, err := os.Create(o.profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	switch {
	case o.cold != "":
		return cold(o, stdout)
	case o.serve:
		benches := map[string]*bench{}
		return program.Answer(stdin, stdout, func(line string) (any, error) { return answer(o, benches, line) })
	}
	return measure(o, stdout, stderr)
}

func answer(o options, benches map[string]*bench, line string) (any, error) {
	words := strings.Fields(line)
	if len(words) == 1 && words[0] == "versions" {
		return map[string]string{"go": strings.TrimPrefix(runtime.Version(), "go")}, nil
	}
	if len(words) != 3 || words[0] != "lap" && words[0] != "lines" {
		return nil, fmt.Errorf("%q on stdin: want lines LANG FILE, lap LANG SECONDS or versions", line)
	}
	b := benches[words[1]]
	if b == nil {
		var err error
		if b, err = newBench(o, words[1]); err != nil {
			return nil, err
		}
		benches[words[1]] = b
	}
	if words[0] == "lines" {
		return map[string]int{"lines": len(b.lines)}, os.WriteFile(words[2], []byte(strings.Join(b.lines, "\n")+"\n"), 0o666)
	}
	seconds, err := strconv.ParseFloat(words[2], 64)
	if err != nil {
		return nil, fmt.Errorf("%q on stdin: %w", line, err)
	}
	return b.lap(seconds), nil
}
