package main

import (
	"time"

	"voxpack/bench/calibration"
	"voxpack/textnorm"
)

// bench is the lines of a language and what reads them.
type bench struct {
	lang  string
	lines []string
	norm  *textnorm.Normalizer
}

func newBench(o options, lang string) (*bench, error) {
	lines, err := linesOf(lang, o.sets, o.n)
	if err != nil {
		return nil, err
	}
	norm, err := textnorm.NewNormalizer(textnorm.Config{Verbalise: true})
	if err != nil {
		return nil, err
	}
	norm.Normalize(lines[0], lang) // the rules of numbers are read when first used
	return &bench{lang, lines, norm}, nil
}

// lap is some passes, timed.
type lap struct {
	Lines   int     `json:"lines"`
	Seconds float64 `json:"seconds"`
	CPU     float64 `json:"cpu_seconds"`
}

// rate is in lines a second of processor time, the collector's included.
func (l lap) rate() float64 { return float64(l.Lines) / l.CPU }

// lap reads lines until the time is over, which it looks at now and then.
func (b *bench) lap(seconds float64) lap {
	const between = 500
	var l lap
	cpu, start := calibration.OwnTime(), time.Now()
	for l.Seconds < seconds {
		for range between {
			b.norm.Normalize(b.lines[l.Lines%len(b.lines)], b.lang)
			l.Lines++
		}
		l.Seconds = time.Since(start).Seconds()
	}
	l.CPU = (calibration.OwnTime() - cpu).Seconds()
	return l
}

// something is the share of lines that are read otherwise than they are written.
func (b *bench) something() float64 {
	changed := 0
	for _, line := range b.lines {
		if said, _ := b.norm.Normalize(line, b.lang); said != line {
			changed++
		}
	}
	return float64(changed) / float64(len(b.lines))
}
