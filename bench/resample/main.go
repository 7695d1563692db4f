package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"voxpack/audio/codec"
	"voxpack/audio/resample"
	"voxpack/bench/calibration"
	"voxpack/bench/program"
)

func main() { program.Exit("resample", run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr), 2) }

// run answers lines until stdin ends.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	fs := flag.NewFlagSet("resample", flag.ContinueOnError)
	fs.SetOutput(stderr)
	dir := fs.String("dir", "", "folder with WAV files")
	n := fs.Int("clips", 32, "files of it, by name")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if fs.NArg() > 0 || *dir == "" || *n < 1 {
		return errors.New("want -dir DIR, -clips of at least 1 and no arguments")
	}
	clips, err := readClips(*dir, *n)
	if err != nil {
		return err
	}
	return program.Answer(stdin, stdout, func(line string) (any, error) { return answerLine(clips, line) })
}

// readClips decodes the first n files of a folder.
func readClips(dir string, n int) ([][]float32, error) {
	names, err := fs.Glob(os.DirFS(dir), "*.wav")
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s has no WAV files", dir)
	}
	var clips [][]float32
	for _, name := range names[:min(n, len(names))] {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		pcm, _, err := codec.Decode(nil, bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		clips = append(clips, pcm)
	}
	return clips, nil
}

func answerLine(clips [][]float32, line string) (any, error) {
	words := strings.Fields(line)
	if len(words) == 1 && words[0] == "versions" {
		return map[string]string{"go": strings.TrimPrefix(runtime.Version(), "go"), "resample": resample.Version}, nil
	}
	if len(words) != 4 || words[0] != "lap" && words[0] != "write" {
		return nil, fmt.Errorf("%q on stdin: want lap FROM TO SECONDS, write FROM TO FILE or versions", line)
	}
	from, fromErr := strconv.Atoi(words[1])
	to, toErr := strconv.Atoi(words[2])
	if err := errors.Join(fromErr, toErr); err != nil {
		return nil, fmt.Errorf("%q on stdin: %w", line, err)
	}
	resampler, err := resample.New(from, to)
	if err != nil {
		return nil, err
	}
	b := bench{resampler: resampler, clips: clips}
	if words[0] == "write" {
		return b.write(words[3])
	}
	seconds, err := strconv.ParseFloat(words[3], 64)
	if err != nil {
		return nil, fmt.Errorf("%q on stdin: %w", line, err)
	}
	return b.lap(seconds), nil
}

// bench is a resampler with the clips it is timed over.
type bench struct {
	resampler *resample.Resampler
	clips     [][]float32
	out       []float32 // one clip
}

// lap is some passes, timed.
type lap struct {
	Samples int     `json:"samples"` // that came out
	Seconds float64 `json:"seconds"`
	CPU     float64 `json:"cpu_seconds"`
}

func (b *bench) lap(seconds float64) lap {
	var l lap
	b.pass(nil)
	cpu, start := calibration.OwnTime(), time.Now()
	for l.Seconds < seconds {
		l.Samples += b.pass(nil)
		l.Seconds = time.Since(start).Seconds()
	}
	l.CPU = (calibration.OwnTime() - cpu).Seconds()
	return l
}

// pass converts every clip once. each, where there is one, gets a clip before
// the next one overwrites it.
func (b *bench) pass(each func(pcm []float32)) (samples int) {
	for _, pcm := range b.clips {
		b.out = b.resampler.Resample(b.out, pcm)
		samples += len(b.out)
		if each != nil {
			each(b.out)
		}
	}
	return samples
}

func (b *bench) write(path string) (any, error) {
	var out []byte
	samples := b.pass(func(pcm []float32) {
		out, _ = binary.Append(out, binary.LittleEndian, pcm) // a slice of float32 has a fixed size: no error
	})
	return map[string]int{"samples": samples}, os.WriteFile(path, out, 0o666)
}
