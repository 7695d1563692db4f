package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"time"

	"voxpack/bench/calibration"
	"voxpack/bench/program"
)

// Goals in lines a second of one core: English and Persian on made-up lines, every
// other language on its set.
var goals = map[string]float64{"en": 150e3, "fa": 100e3}

const otherGoal = 50e3

// measure prints the tables.
func measure(o options, stdout, stderr io.Writer) error {
	var benches []*bench
	for _, lang := range o.langs {
		b, err := newBench(o, lang)
		if errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(stderr, "no lines of %s: %v\n", lang, err)
			continue
		}
		if err != nil {
			return err
		}
		benches = append(benches, b)
	}
	before := runtime.GOMAXPROCS(1)
	r, err := rounds(o, benches, stderr)
	runtime.GOMAXPROCS(before)
	if err != nil {
		return err
	}
	r.print(stdout, benches)
	if o.rows == 0 {
		return nil
	}
	return whole(o, stdout, stderr)
}

// results are rates, a sample a round.
type results struct {
	rate        map[string][]float64
	copy, plain []float64 // GB/s of copying memory; of going over text byte by byte
	others      float64   // share of all cores that others took
}

func rounds(o options, benches []*bench, stderr io.Writer) (*results, error) {
	r := &results{rate: map[string][]float64{}}
	others := calibration.Others()
	for n := range o.rounds {
		_, copied, err := calibration.Memory()
		if err != nil {
			return nil, err
		}
		r.copy, r.plain = append(r.copy, copied), append(r.plain, plainLoop())
		for _, b := range benches {
			r.rate[b.lang] = append(r.rate[b.lang], b.lap(o.lap).rate())
		}
		fmt.Fprintf(stderr, "round %d of %d\n", n+1, o.rounds)
	}
	r.others = others()
	return r, nil
}

// plainLoop is how fast this core goes over text with a look at every byte, in GB/s:
// what no rule of a language can change.
func plainLoop() float64 {
	text, letters := []byte(strings.Repeat("the old miller, 42 and weary, took the letter; ", 1<<14)), 0
	started := time.Now()
	for range 8 {
		for _, c := range text {
			if c|0x20 >= 'a' && c|0x20 <= 'z' {
				letters++
			}
		}
	}
	if letters == 0 {
		return 0
	}
	return calibration.Rate(8*len(text), time.Since(started))
}

func (r *results) print(w io.Writer, benches []*bench) {
	fmt.Fprintf(w, "## Text on one core\n\nLines a second of processor time, full rules; medians of %d rounds, by turns.\n\n", len(r.plain))
	fmt.Fprint(w, "| language | lines with something to read, % | characters a line | 1000 lines/s | min | max | goal | |\n|---|---|---|---|---|---|---|---|\n")
	for _, b := range benches {
		goal := goals[b.lang]
		if goal == 0 {
			goal = otherGoal
		}
		rates := r.rate[b.lang]
		fmt.Fprintf(w, "| %s | %.0f | %.0f | %.0f | %.0f | %.0f | ≥ %.0f | %s |\n", b.lang, 100*b.something(), b.length(), program.Median(rates)/1e3,
			slices.Min(rates)/1e3, slices.Max(rates)/1e3, goal/1e3, program.Verdict(program.Median(rates) >= goal))
	}
	fmt.Fprintf(w, "\nThe machine in the same rounds: memory copied at %.1f GB/s, text gone over byte by byte at %.2f GB/s (medians); processor taken by others: %s.\n\n",
		program.Median(r.copy), program.Median(r.plain), share(r.others))
}

// length is the mean of characters a line.
func (b *bench) length() float64 {
	sum := 0
	for _, line := range b.lines {
		sum += len([]rune(line))
	}
	return float64(sum) / float64(len(b.lines))
}

func share(of float64) string {
	if of < 0 {
		return "unknown"
	}
	return fmt.Sprintf("%.1f %% of all cores", 100*of)
}
