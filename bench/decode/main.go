package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"voxpack/audio/codec"
	"voxpack/bench/calibration"
	"voxpack/bench/program"
)

func main() { program.Exit("decode", run(os.Args[1:], os.Stdin, os.Stdout), 2) }

// run answers lines until stdin ends.
func run(args []string, stdin io.Reader, stdout io.Writer) error {
	if len(args) != 1 {
		return errors.New("want a folder of recordings")
	}
	names, err := filepath.Glob(filepath.Join(args[0], "*"))
	if err != nil || len(names) == 0 {
		return errors.Join(fmt.Errorf("%s: no recordings", args[0]), err)
	}
	var files [][]byte
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		files = append(files, b)
	}
	return program.Answer(stdin, stdout, func(line string) (any, error) {
		seconds, err := strconv.ParseFloat(line, 64)
		if err != nil {
			return nil, fmt.Errorf("%q on stdin: want seconds", line)
		}
		return decode(files, seconds)
	})
}

// lap is some passes over all files, timed.
type lap struct {
	Samples int     `json:"samples"`
	Seconds float64 `json:"seconds"`
	CPU     float64 `json:"cpu_seconds"`
}

func decode(files [][]byte, seconds float64) (l lap, err error) {
	var pcm []float32
	cpu, start := calibration.OwnTime(), time.Now()
	for l.Seconds < seconds {
		for _, file := range files {
			if pcm, _, err = codec.Decode(pcm[:0], bytes.NewReader(file), int64(len(file))); err != nil {
				return lap{}, err
			}
			l.Samples += len(pcm)
		}
		l.Seconds = time.Since(start).Seconds()
	}
	l.CPU = (calibration.OwnTime() - cpu).Seconds()
	return l, nil
}
