package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// report prints what go test would print, and keeps the times.
type report struct {
	out      io.Writer
	running  map[string]*pack
	tests    []timed
	packages []timed
	notices  map[string]int // what this machine lacks, as skipped tests say it, and how many do
	failed   bool
}

// timed is a test or a package and how long it took.
type timed struct {
	name    string
	seconds float64
}

// pack is a package whose tests run.
type pack struct {
	said   strings.Builder // what its tests and the package itself print
	nodes  map[string]*node
	order  []*node
	tests  []timed
	cached bool // the go command remembers that it passed: the times are those of another run
}

// node is a test. Its log waits for its end: go test puts "--- FAIL" before it.
type node struct {
	log    strings.Builder
	passed bool
}

func newReport(out io.Writer) *report {
	return &report{out: out, running: map[string]*pack{}, notices: map[string]int{}}
}

func (r *report) event(e event) {
	if e.Action == "build-output" {
		io.WriteString(r.out, e.Output)
		return
	}
	if e.Package == "" {
		return
	}
	p := r.running[e.Package]
	if p == nil {
		p = &pack{nodes: map[string]*node{}}
		r.running[e.Package] = p
	}
	if e.Action == "output" {
		p.output(e.Test, e.Output)
		return
	}
	if e.Action != "pass" && e.Action != "fail" && e.Action != "skip" {
		return
	}
	name := strings.TrimPrefix(e.Package, "voxpack/")
	if e.Test != "" {
		p.node(e.Test).passed = e.Action != "fail"
		if _, notice, said := strings.Cut(p.node(e.Test).log.String(), "NOTICE: "); said && e.Action == "skip" {
			notice, _, _ = strings.Cut(notice, "\n")
			r.notices[notice]++
		}
		if !strings.Contains(e.Test, "/") {
			p.tests = append(p.tests, timed{name + " " + e.Test, e.Elapsed})
		}
		return
	}
	r.failed = r.failed || e.Action == "fail"
	io.WriteString(r.out, p.end(e.Action == "fail"))
	if !p.cached {
		r.tests = append(r.tests, p.tests...)
		r.packages = append(r.packages, timed{name, e.Elapsed})
	}
	delete(r.running, e.Package)
}

func (p *pack) node(test string) *node {
	n := p.nodes[test]
	if n == nil {
		n = &node{}
		p.nodes[test] = n
		p.order = append(p.order, n)
	}
	return n
}

// output takes one line. That with "--- FAIL" ends a test: its log goes to its
// parent, further in, as go test without -v writes it.
func (p *pack) output(test, line string) {
	trimmed := strings.TrimLeft(line, " ")
	if test == "" {
		p.cached = p.cached || strings.HasPrefix(line, "ok ") && strings.Contains(line, "(cached)")
		p.said.WriteString(line)
		return
	}
	n := p.node(test)
	switch {
	case strings.HasPrefix(trimmed, "=== "), strings.HasPrefix(trimmed, "--- PASS"), strings.HasPrefix(trimmed, "--- SKIP"):
	case strings.HasPrefix(trimmed, "--- FAIL"):
		log := trimmed + n.log.String()
		n.log.Reset()
		if i := strings.LastIndexByte(test, '/'); i < 0 {
			p.said.WriteString(log)
		} else {
			p.node(test[:i]).log.WriteString(indent(log))
		}
	default:
		n.log.WriteString(line)
	}
}

// indent puts four spaces before each line.
func indent(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString("    " + line)
	}
	return b.String()
}

// end is what a package prints: its own line alone where nothing failed. What a
// panic says comes after "--- FAIL" and belongs to a test that has ended.
func (p *pack) end(failed bool) string {
	var b strings.Builder
	for line := range strings.Lines(p.said.String()) {
		if failed && strings.HasPrefix(line, "FAIL") {
			for _, n := range p.order {
				if !n.passed {
					b.WriteString(n.log.String())
					n.log.Reset()
				}
			}
		}
		if failed || strings.HasPrefix(line, "ok ") || strings.HasPrefix(line, "? ") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// slowest prints the times of the tests that ran.
func (r *report) slowest(took time.Duration) {
	longest := func(list []timed, most int, least float64) {
		slices.SortStableFunc(list, func(a, b timed) int { return cmp.Compare(b.seconds, a.seconds) })
		for _, t := range list[:min(most, len(list))] {
			if t.seconds >= least {
				fmt.Fprintf(r.out, "%8.1f s  %s\n", t.seconds, t.name)
			}
		}
	}
	fmt.Fprintf(r.out, "\n%d packages with %d tests ran in %.0f s; the slowest tests:\n", len(r.packages), len(r.tests), took.Seconds())
	longest(r.tests, 10, 0.1)
	fmt.Fprintln(r.out, "the slowest packages:")
	longest(r.packages, 5, 0.1)
	for _, notice := range slices.Sorted(maps.Keys(r.notices)) {
		fmt.Fprintf(r.out, "NOTICE: %d skipped: %s\n", r.notices[notice], notice)
	}
	if r.failed {
		fmt.Fprintln(r.out, "FAIL")
	}
}
