package align

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ReadCTM reads time marks of conversations, as sclite of NIST takes them and Kaldi and
// NeMo write them: lines of a recording, a channel, start and length in seconds, and a
// word or phone, perhaps with a confidence and more; ;; begins a line for people. Each
// recording has one tier without a name, in the order of time.
func ReadCTM(b []byte) (map[string]*Alignment, error) {
	s := strings.TrimPrefix(string(b), "\ufeff")
	if !utf8.ValidString(s) {
		return nil, fmt.Errorf("it is not UTF-8")
	}
	found := map[string]*Alignment{}
	channels := map[string]string{}
	n := 0
	for line := range strings.Lines(s) {
		n++
		f := strings.Fields(line)
		if len(f) == 0 || strings.HasPrefix(f[0], ";;") {
			continue
		}
		i, err := markOf(f)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		a := found[f[0]]
		if a == nil {
			a = &Alignment{Tiers: make([]Tier, 1)}
			found[f[0]], channels[f[0]] = a, f[1]
		}
		if channels[f[0]] != f[1] {
			return nil, fmt.Errorf("line %d: %s has channels %s and %s; one of them can be read, in a file of its own", n, f[0], channels[f[0]], f[1])
		}
		a.Tiers[0].Intervals = append(a.Tiers[0].Intervals, i)
	}
	for _, a := range found {
		slices.SortStableFunc(a.Tiers[0].Intervals, func(x, y Interval) int {
			switch {
			case x.Start < y.Start:
				return -1
			case x.Start > y.Start:
				return 1
			}
			return 0
		})
	}
	return found, nil
}

// markOf is the interval of a line. An alternation has * for times.
func markOf(f []string) (i Interval, err error) {
	if len(f) < 5 {
		return i, fmt.Errorf("it has %d words; a recording, a channel, start, length and word are needed", len(f))
	}
	start, err := strconv.ParseFloat(f[2], 64)
	length, err2 := strconv.ParseFloat(f[3], 64)
	if err != nil || err2 != nil {
		return i, fmt.Errorf("%.20q and %.20q are no start and length in seconds", f[2], f[3])
	}
	return Interval{start, start + length, f[4]}, checkSpan(start, start+length)
}
