package feedrun

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"voxpack/cmd/voxpack/internal/term"
)

// liveState is what a line shows.
type liveState struct {
	epoch, epochs              int // from 1; 0 epochs: without end
	batch, inEpoch             int // of the epoch; 0 inEpoch: not known
	step, steps                int // of the run; 0 steps: no bound
	samples, bytes             float64
	preparing, ready, training int
	stall                      float64 // part of the time
	left                       time.Duration
}

// remaining is how long the run still takes at so many batches a second; 0 where
// nobody knows.
func (s liveState) remaining(rate float64) time.Duration {
	left := 0
	switch {
	case s.steps > 0:
		left = s.steps - s.step
	case s.epochs > 0 && s.inEpoch > 0:
		left = (s.epochs-s.epoch)*s.inEpoch + s.inEpoch - s.batch
	}
	if left <= 0 || rate <= 0 {
		return 0
	}
	return time.Duration(float64(left) / rate * float64(time.Second))
}

// line writes as much as fits: what is least missed goes first.
func (s liveState) line(width int) string {
	where := s.where()
	rate := perSecond(s.samples, "sample")
	bytes := term.Size(int64(s.bytes)) + "/s"
	ring := fmt.Sprintf("%d preparing %d ready %d training", s.preparing, s.ready, s.training)
	short := fmt.Sprintf("P%d R%d T%d", s.preparing, s.ready, s.training)
	stall := fmt.Sprintf("stall %.1f %%", 100*s.stall)
	left := ""
	if s.left >= time.Millisecond {
		left = term.Duration(s.left) + " left"
	}
	line := ""
	for _, parts := range [][]string{
		{where, rate, bytes, ring, stall, left},
		{where, rate, bytes, short, stall, left},
		{where, rate, short, stall, left},
		{where, rate, stall, left},
		{where, rate, left},
		{where, rate},
		{where},
	} {
		line = join(parts, " · ")
		if utf8.RuneCountInString(line) <= width {
			return line
		}
	}
	return string([]rune(line)[:max(0, width)])
}

// where is "epoch 2/5 batch 310/409".
func (s liveState) where() string {
	of := func(n, all int) string {
		if all == 0 {
			return term.Commas(n)
		}
		return term.Commas(n) + "/" + term.Commas(all)
	}
	if s.batch == 0 {
		return "waiting for the first batch"
	}
	text := "epoch " + of(s.epoch, s.epochs) + " batch " + of(s.batch, s.inEpoch)
	if s.steps > 0 {
		text += " step " + of(s.step, s.steps)
	}
	return text
}

// perSecond is "81,300 samples/s"; small rates keep a digit behind the point.
func perSecond(rate float64, noun string) string {
	if rate >= 100 || rate == 0 {
		return term.Commas(int64(rate)) + " " + noun + "s/s"
	}
	return fmt.Sprintf("%.3g %ss/s", rate, noun)
}

// join leaves out what is empty.
func join(parts []string, between string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), between)
}
