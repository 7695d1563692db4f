package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"voxpack/audio"
	"voxpack/audio/codec"
	"voxpack/bench/calibration"
	"voxpack/textnorm"
)

// lap is all rows, timed.
type lap struct {
	Clips   int     `json:"clips"`
	Frames  int64   `json:"frames"`
	Tokens  int64   `json:"tokens"`
	Seconds float64 `json:"seconds"`
	CPU     float64 `json:"cpu_seconds"`
}

// row is what a worker needs of a line of the metadata.
type row struct{ clip, text string }

func readRows(dir string, n int) ([]row, error) {
	b, err := os.ReadFile(filepath.Join(dir, "metadata.csv"))
	if err != nil {
		return nil, err
	}
	var rows []row
	for line := range strings.Lines(string(b)) {
		if len(rows) == n {
			break
		}
		fields := strings.Split(strings.TrimRight(line, "\r\n"), "|")
		if len(fields) < 2 {
			return nil, fmt.Errorf("metadata.csv:%d: want id|text|normalised", len(rows)+1)
		}
		rows = append(rows, row{filepath.Join(dir, "wavs", fields[0]+".wav"), fields[len(fields)-1]})
	}
	return rows, nil
}

// runLap lets workers draw rows until none is left. The first error ends the
// work of all.
func runLap(rows []row, workers int) (lap, error) {
	all := make([]*worker, workers)
	for i := range all {
		var err error
		if all[i], err = newWorker(); err != nil {
			return lap{}, err
		}
	}
	cpu, start := calibration.OwnTime(), time.Now()
	var next atomic.Int64
	var failed atomic.Bool
	errs := make([]error, workers)
	var wg sync.WaitGroup
	for i, w := range all {
		wg.Go(func() {
			for !failed.Load() {
				at := int(next.Add(1)) - 1
				if at >= len(rows) {
					return
				}
				if errs[i] = w.compute(rows[at]); errs[i] != nil {
					failed.Store(true)
				}
			}
		})
	}
	wg.Wait()
	l := lap{Clips: len(rows), Seconds: time.Since(start).Seconds(), CPU: (calibration.OwnTime() - cpu).Seconds()}
	for _, w := range all {
		l.Frames += w.frames
		l.Tokens += w.count
	}
	return l, errors.Join(errs...)
}

// worker owns the engines and the memory of one goroutine.
type worker struct {
	text   *textnorm.Normalizer
	tokens *textnorm.Tokenizer
	mel    *audio.Mel

	file  []byte
	pcm   []float32
	block []float32
	ids   []int32

	frames, count int64
}

func newWorker() (w *worker, err error) {
	w = &worker{}
	if w.text, err = textnorm.NewNormalizer(textnorm.Config{}); err != nil {
		return nil, err
	}
	if w.tokens, err = textnorm.NewTokenizer(textnorm.TokenizerConfig{}); err != nil {
		return nil, err
	}
	w.mel, err = audio.NewMel(audio.MelConfig{})
	return w, err
}

// compute is one row: everything between the files and the bytes of a sample.
func (w *worker) compute(r row) error {
	spoken, _ := w.text.Normalize(r.text, "en")
	ids, _, err := w.tokens.Encode(w.ids[:0], spoken)
	if err != nil {
		return err
	}
	w.ids = ids
	w.count += int64(len(ids))
	if err := w.read(r.clip); err != nil {
		return err
	}
	w.pcm, _, err = codec.Decode(w.pcm[:0], bytes.NewReader(w.file), int64(len(w.file)))
	if err != nil {
		return fmt.Errorf("%s: %w", r.clip, err)
	}
	n := w.mel.Frames(int64(len(w.pcm)))
	bands := w.mel.Config().NMels
	if n*bands > len(w.block) {
		w.block = make([]float32, n*bands)
	}
	w.mel.Compute(w.block[:n*bands], w.pcm)
	w.frames += int64(n)
	return nil
}

// read fills w.file, which keeps its memory from clip to clip.
func (w *worker) read(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	b := bytes.NewBuffer(w.file[:0])
	_, err = b.ReadFrom(f)
	w.file = b.Bytes()
	return err
}
