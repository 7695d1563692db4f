package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"voxpack/bench/program"
	"voxpack/textnorm"
)

// Goals of all rows of LJSpeech on two cores.
const (
	coldGoal = 500 * time.Millisecond
	memoGoal = 50 * time.Millisecond
)

// workers are the -j that are measured.
var workers = []int{1, 2, 4}

// whole measures all rows through the text side: cold, in a process of its own
// each time, and from the memo.
func whole(o options, stdout, stderr io.Writer) (err error) {
	dir, err := os.MkdirTemp("", "voxpack-text-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	texts, whose, err := readTexts(o)
	if err != nil {
		return err
	}
	list := filepath.Join(dir, "texts")
	if err := os.WriteFile(list, []byte(strings.Join(texts, "\n")), 0o666); err != nil {
		return err
	}
	memo, err := newMemoed(filepath.Join(dir, "corpus"), texts)
	if err != nil {
		return err
	}
	took := map[int]*[3][]time.Duration{}
	for _, j := range workers {
		took[j] = new([3][]time.Duration)
	}
	for n := range o.rounds {
		for _, j := range workers {
			t := took[j]
			if t[0], err = addTime(t[0], func() (time.Duration, error) { return coldRun(list, j) }); err != nil {
				return err
			}
			for i, at := range []int{1, 2} {
				if t[at], err = addTime(t[at], func() (time.Duration, error) { return memo.survey(j, i == 0) }); err != nil {
					return err
				}
			}
		}
		fmt.Fprintf(stderr, "whole text side: round %d of %d\n", n+1, o.rounds)
	}
	printWhole(stdout, took, len(texts), whose)
	return nil
}

func addTime(to []time.Duration, measure func() (time.Duration, error)) ([]time.Duration, error) {
	d, err := measure()
	return append(to, d), err
}

func printWhole(w io.Writer, took map[int]*[3][]time.Duration, rows int, whose string) {
	fmt.Fprintf(w, "## The whole text side\n\n%d rows, %s. Cold: check, normalise, say in words, tokenise, in a fresh process from its start to its end. "+
		"From the memo: the survey of a build, which also asks the file system for every clip; medians of %d rounds, ms.\n\n", rows, whose, len(took[workers[0]][0]))
	fmt.Fprintf(w, "| -j | cold | goal | | from the memo, nothing changed | every key hashed anew | goal | |\n|---|---|---|---|---|---|---|---|\n")
	for _, j := range workers {
		var ms [3]float64
		for i, list := range took[j] {
			ms[i] = float64(slices.Sorted(slices.Values(list))[len(list)/2]) / 1e6
		}
		fmt.Fprintf(w, "| %d | %.0f | < %d | %s | %.0f | %.0f | < %d | %s |\n", j, ms[0], coldGoal.Milliseconds(), program.Verdict(ms[0] < 500),
			ms[1], ms[2], memoGoal.Milliseconds(), program.Verdict(ms[1] < 50))
	}
	fmt.Fprintln(w)
}

// readTexts is the column of LJSpeech before anybody normalised it, or English lines.
func readTexts(o options) (texts []string, whose string, err error) {
	path := program.Transcripts()
	if path == "" {
		texts, err = linesOf("en", o.sets, o.rows)
		return texts, "made-up English lines", err
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, "", err
	}
	for line := range strings.Lines(string(b)) {
		if columns := strings.Split(strings.TrimSpace(line), "|"); len(columns) == 3 && len(texts) < o.rows {
			texts = append(texts, columns[1])
		}
	}
	return texts, "texts of LJSpeech as they are written", nil
}

// coldRun times a process of this program that takes the texts of a file through.
func coldRun(list string, j int) (time.Duration, error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	started := time.Now()
	out, err := exec.Command(self, "-cold", list, "-j", strconv.Itoa(j)).CombinedOutput()
	took := time.Since(started)
	if err != nil {
		return 0, fmt.Errorf("cold run: %w\n%s", err, out)
	}
	return took, nil
}

// cold takes the texts of a file, one a line, through the whole text side.
func cold(o options, stdout io.Writer) error {
	b, err := os.ReadFile(o.cold)
	if err != nil {
		return err
	}
	texts := strings.Split(string(b), "\n")
	counts := make([]int, o.j)
	failed := make([]error, o.j)
	var all sync.WaitGroup
	for w := range o.j {
		all.Go(func() { counts[w], failed[w] = through(texts[len(texts)*w/o.j : len(texts)*(w+1)/o.j]) })
	}
	all.Wait()
	ids := 0
	for _, n := range counts {
		ids += n
	}
	fmt.Fprintf(stdout, "%d rows, %d ids\n", len(texts), ids)
	return errors.Join(failed...)
}

// through is what one goroutine does; it counts the ids.
func through(texts []string) (count int, err error) {
	norm, err := textnorm.NewNormalizer(textnorm.Config{Verbalise: true})
	if err != nil {
		return 0, err
	}
	tokens, err := textnorm.NewTokenizer(textnorm.TokenizerConfig{})
	if err != nil {
		return 0, err
	}
	var ids []int32
	for _, text := range texts {
		if at := textnorm.CheckUTF8([]byte(text)); at >= 0 {
			return 0, fmt.Errorf("%q: no UTF-8 at byte %d", text, at)
		}
		said, _ := norm.Normalize(text, "en")
		if ids, _, err = tokens.Encode(ids[:0], said); err != nil {
			return 0, err
		}
		count += len(ids)
	}
	return count, nil
}
