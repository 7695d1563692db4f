package hftok

import (
	_ "embed"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// unicodeText is how the package tokenizers classes and maps code points, as
// testdata/tokenizer_tables.py asked it. Its parts know different editions of
// Unicode, none of which is the one of the Go that built this.
//
//go:embed unicode.txt
var unicodeText string

// points is a set of code points in ranges, in their order, without overlaps.
type points []pointRange

type pointRange struct{ from, to rune }

func (p points) has(r rune) bool {
	i := sort.Search(len(p), func(i int) bool { return p[i].to >= r })
	return i < len(p) && p[i].from <= r
}

// complement has the code points that p has not, up to U+10FFFF; surrogates count.
func (p points) complement() (out points) {
	next := rune(0)
	for _, in := range p {
		if next < in.from {
			out = append(out, pointRange{next, in.from - 1})
		}
		next = in.to + 1
	}
	if next <= unicode.MaxRune {
		out = append(out, pointRange{next, unicode.MaxRune})
	}
	return out
}

// inBrackets is the set as it stands in a class of a regular expression.
func (p points) inBrackets() string {
	var b strings.Builder
	for _, in := range p {
		fmt.Fprintf(&b, `\x{%X}-\x{%X}`, in.from, in.to)
	}
	return b.String()
}

// unicodeTables are the sets by name, and what has another small letter.
type unicodeTables struct {
	sets  map[string]points
	lower map[rune]rune
}

// tables reads the text at the first use, so that a program that reads no
// vocabulary does not pay for it at its start.
var tables = sync.OnceValue(func() *unicodeTables {
	t := &unicodeTables{sets: map[string]points{}, lower: map[rune]rune{}}
	for line := range strings.Lines(unicodeText) {
		name, list, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch name {
		case "#":
		case "lower":
			t.readLower(list)
		default:
			t.sets[name] = readPoints(list)
		}
	}
	for name, set := range t.sets {
		if len(name) == 2 { // Lu is part of L
			t.sets[name[:1]] = append(t.sets[name[:1]], set...)
		}
	}
	for name, set := range t.sets {
		if len(name) == 1 {
			slices.SortFunc(set, func(a, b pointRange) int { return int(a.from - b.from) })
		}
	}
	return t
})

// readPoints reads ranges such as "41-5A 5F", in hexadecimal.
func readPoints(list string) points {
	set := make(points, 0, strings.Count(list, " ")+1)
	for part := range strings.SplitSeq(list, " ") {
		from, to, ok := strings.Cut(part, "-")
		if !ok {
			to = from
		}
		set = append(set, pointRange{hexRune(from), hexRune(to)})
	}
	return set
}

// readLower reads parts such as 100-12E/2+1: each second letter of the range has
// the next one as its small letter.
func (t *unicodeTables) readLower(list string) {
	for part := range strings.SplitSeq(list, " ") {
		bounds, rule, _ := strings.Cut(part, "/")
		from, to, _ := strings.Cut(bounds, "-")
		stride := rune(rule[0] - '0')
		step, err := strconv.Atoi(rule[1:])
		if err != nil {
			panic("unicode.txt: " + part)
		}
		for r := hexRune(from); r <= hexRune(to); r += stride {
			t.lower[r] = r + rune(step)
		}
	}
}

// hexRune panics where unicode.txt, which is part of the program, is wrong.
func hexRune(s string) rune {
	n, err := strconv.ParseInt(s, 16, 32)
	if err != nil {
		panic("unicode.txt: " + s)
	}
	return rune(n)
}
