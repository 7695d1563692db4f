package main

import (
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"voxpack/audio"
	"voxpack/bench/calibration"
	"voxpack/bench/program"
)

func main() { program.Exit("mel", run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr), 2) }

// options are the flags.
type options struct {
	corpus    string
	clips     int
	variant   string
	precision string
	portable  bool
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	fs := flag.NewFlagSet("mel", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.StringVar(&o.corpus, "corpus", "", "folder with metadata.csv and wavs")
	fs.IntVar(&o.clips, "clips", 200, "of the corpus, from its beginning")
	fs.StringVar(&o.variant, "variant", "hifigan", "row of the feature table")
	fs.StringVar(&o.precision, "precision", "f32", "f32 or f64")
	fs.BoolVar(&o.portable, "portable", false, "no vector instructions")
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	if fs.NArg() > 0 || o.corpus == "" || o.clips < 1 {
		return o, errors.New("want -corpus DIR, -clips of at least 1 and no arguments")
	}
	return o, nil
}

// run answers lines until stdin ends.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	b := bench{}
	if b.mel, err = newMel(o); err != nil {
		return err
	}
	if b.clips, err = readClips(o.corpus, o.clips); err != nil {
		return err
	}
	b.pass(nil)
	return program.Answer(stdin, stdout, b.answer)
}

// bench is one kernel with the clips it is timed over.
type bench struct {
	mel   *audio.Mel
	clips [][]float32
	block []float32 // the frames of one clip, in place
}

// lap is some passes, timed.
type lap struct {
	Frames  int     `json:"frames"`
	Seconds float64 `json:"seconds"`
	CPU     float64 `json:"cpu_seconds"`
}

func (b *bench) answer(line string) (any, error) {
	words := strings.Fields(line)
	switch {
	case len(words) == 2 && words[0] == "lap":
		seconds, err := strconv.ParseFloat(words[1], 64)
		if err != nil {
			return nil, fmt.Errorf("%q on stdin: %w", line, err)
		}
		return b.lap(seconds), nil
	case len(words) == 3 && words[0] == "write":
		return b.write(words[1], words[2])
	case len(words) == 1 && words[0] == "versions":
		return map[string]string{"go": strings.TrimPrefix(runtime.Version(), "go"), "mel": audio.MelVersion}, nil
	}
	return nil, fmt.Errorf("%q on stdin: want lap SECONDS, write DIR FILE or versions", line)
}

func (b *bench) lap(seconds float64) lap {
	var l lap
	cpu, start := calibration.OwnTime(), time.Now()
	for l.Seconds < seconds {
		l.Frames += b.pass(nil)
		l.Seconds = time.Since(start).Seconds()
	}
	l.CPU = (calibration.OwnTime() - cpu).Seconds()
	return l
}

// pass computes every clip once. each, where there is one, gets a clip's frames
// before the next clip overwrites them.
func (b *bench) pass(each func(frames []float32)) int {
	total, bands := 0, b.mel.Config().NMels
	for _, pcm := range b.clips {
		n := b.mel.Frames(int64(len(pcm)))
		if n*bands > len(b.block) {
			b.block = make([]float32, n*bands)
		}
		b.mel.Compute(b.block[:n*bands], pcm)
		if each != nil {
			each(b.block[:n*bands])
		}
		total += n
	}
	return total
}

// write computes another corpus and keeps what came out.
func (b *bench) write(dir, path string) (any, error) {
	clips, err := readClips(dir, 0)
	if err != nil {
		return nil, err
	}
	var out []byte
	frames := (&bench{mel: b.mel, clips: clips}).pass(func(frames []float32) {
		out, _ = binary.Append(out, binary.LittleEndian, frames) // a slice of float32 has a fixed size: no error
	})
	return map[string]int{"frames": frames}, os.WriteFile(path, out, 0o666)
}
