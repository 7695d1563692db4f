package column

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"voxpack/compiler/column/array"
	"voxpack/compiler/column/worker"
	"voxpack/compiler/kind"
	"voxpack/store"
)

// Run is the program that computes a column's values, in place of Config.From.
type Run struct {
	Command []string // program and arguments
	Dir     string   // in which it runs; "": the dataset's folder
	Version string   // as declared: another one computes all rows again
	Files   []string // below Dir, whose bytes the values depend on
	Digest  store.Digest

	Rate         int // Hz of the samples that it gets; 0: none
	Text, Tokens bool

	Workers, Batch int           // 0: 1 program, 16 rows
	Timeout        time.Duration // of a batch; 0: 10 minutes
}

const runVersion = "computed/1"

// StageVersion is the version of the stage that fills the column: another one whenever values of the
// same rows may differ.
func (c Config) StageVersion() string {
	switch {
	case c.Sound != nil:
		return c.Sound.version()
	case c.Run == nil:
		return Version
	}
	return fmt.Sprintf("%s %s %s", runVersion, c.Run.Version, c.Run.Digest.String()[:16])
}

// reads is what a program is told of each row.
func (r *Run) reads() string {
	var list []string
	if r.Rate > 0 {
		list = append(list, fmt.Sprintf("pcm@%d", r.Rate))
	}
	if r.Text {
		list = append(list, "text")
	}
	if r.Tokens {
		list = append(list, "tokens")
	}
	return strings.Join(list, " ")
}

func (c Config) checkRun(bad func(part, format string, args ...any)) {
	r := c.Run
	if c.From != "" || c.Field != "" {
		bad("from", "a column is computed (run) or imported (from), not both")
	}
	if len(r.Command) == 0 {
		bad("run", "is empty: name a program, as in python3 embed.py")
	}
	if v := r.Version; v == "" || len(v) > 64 || strings.ContainsFunc(v, func(r rune) bool { return r <= ' ' || r > '~' }) {
		bad("version", "%q: give the program a version, 1 to 64 signs of ASCII without spaces; another one computes all rows again", v)
	}
	if r.reads() == "" {
		bad("input", "is missing: pcm@RATE, text, tokens, or a list of them")
	}
	if r.Rate != 0 && (r.Rate < 1000 || r.Rate > 384_000) {
		bad("input", "pcm@%d: want a rate of 1000 to 384000 Hz", r.Rate)
	}
	if r.Workers < 0 || r.Workers > 64 {
		bad("workers", "%d: want 1 to 64", r.Workers)
	}
	if r.Batch < 0 || r.Batch > 4096 {
		bad("batch", "%d: want 1 to 4096", r.Batch)
	}
	if r.Timeout < 0 {
		bad("timeout", "%v: want more than 0", r.Timeout)
	}
	for _, name := range r.Files {
		if !filepath.IsLocal(name) {
			bad("files", "%q is not a path below the dataset", name)
		}
	}
	if c.Scalar() {
		bad("dtype", "a number that is computed needs a dtype of floats")
	}
}

// Sum is the run with the digest of its command and its files, which it reads.
func (r Run) Sum() (*Run, error) {
	var recipe store.Recipe
	b := recipe.Start("program", "1")
	for _, arg := range r.Command {
		b = b.Text("argument", arg)
	}
	for _, name := range r.Files {
		f, err := os.OpenFile(filepath.Join(r.Dir, name), os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe would wait for who writes into it
		if err != nil {
			return nil, err
		}
		info, err := f.Stat()
		if err == nil && !info.Mode().IsRegular() {
			err = fmt.Errorf("%s is not a file", name)
		}
		var sum store.Digest
		if err == nil {
			sum, _, err = store.SumFrom(f, make([]byte, 1<<20)) // a model may have gigabytes
		}
		if f.Close(); err != nil {
			return nil, err
		}
		b = b.Text("file", name).Name("bytes", sum)
	}
	r.Digest = store.Digest(b.Key())
	return &r, nil
}

// Worker is the configuration of the column's programs.
func (c Config) Worker(l Limits, cut bool) worker.Config {
	w := worker.Config{Column: c.Name, Version: c.Run.Version, Command: c.Run.Command, Dir: c.Run.Dir, DType: c.DType, Shape: c.axes(l), Rate: c.Run.Rate,
		Workers: c.Run.Workers, Batch: c.Run.Batch, Limit: c.Run.Timeout}
	switch w.Shorter = c.Length == Tokens || c.Length == Frames || c.Length == Own; {
	case c.Length == Own: // what max says decides the build, so that what the program gave is remembered whatever it says
		step := c.DType.Size()
		for _, axis := range c.Shape {
			step *= axis
		}
		w.Shape[0] = max(c.Steps, array.MaxBytes/step)
	case w.Shorter && cut:
		w.Shape[0] = min(16*w.Shape[0], 1<<20) // the value is of all of the row, of which the column has the first steps
	}
	return w
}

// Computed is the value that a program gave, with its steps, checked against the column and the row's
// tokens and frames.
func (c Config) Computed(a worker.Array, tokens, frames int) (value *array.Array, steps int, err error) {
	value, steps, err = c.Fit(&array.Array{DType: typeOf(c.DType), Shape: a.Shape, Data: a.Bytes})
	if err == nil {
		err = c.Suits(steps, tokens, frames)
	}
	return value, steps, err
}

// BadOf is what a program's refusal is to a row.
func BadOf(r *worker.Refusal) *Bad {
	switch r.Cause {
	case worker.WrongType, worker.WrongShape, worker.NotFinite:
		return &Bad{kind.BadValue, r}
	default:
		return &Bad{kind.NoValue, r}
	}
}
