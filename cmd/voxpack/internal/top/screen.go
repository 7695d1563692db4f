package top

import (
	"fmt"
	"slices"
	"strings"

	"voxpack/cmd/voxpack/internal/term"
)

// screen is one drawing: all that it depends on.
type screen struct {
	h             *History
	u             UI
	width, height int
	colour        bool
}

// Screen is what a terminal of so many columns and lines shows of a history. It
// has at most these, and no code of a terminal but styles, and those only with
// colour.
func Screen(h *History, u UI, width, height int, colour bool) string {
	s := screen{u.shows(h), u, max(1, width), max(1, height), colour}
	lines := s.lines()
	for i := range lines {
		lines[i] = strings.TrimRight(cut(lines[i], s.width), " ")
	}
	return strings.Join(lines, "\n")
}

// section is a part of the screen; of several those of the highest rank go first
// where the lines are short.
type section struct {
	rank  int
	lines []string
}

// lines are the sections that fit, from top to bottom.
func (s screen) lines() []string {
	head := []string{s.header()}
	if s.height < 3 {
		return head
	}
	foot := []string{styled(faint, "q quit  ↑↓ 1-9 consumer  p pause  ? help", s.colour)}
	if s.u.help {
		return s.fill([]section{{0, head}, {1, helpLines}}, foot)
	}
	sections := slices.Concat([]section{{0, head}, {0, s.feeders()}, {1, s.table(max(3, s.height/3))}}, s.details())
	sections = s.fitting(sections, len(foot))
	if len(sections) > 2 { // what is left is the table's
		sections[2].lines = s.table(len(sections[2].lines) + s.height - len(foot) - count(sections))
	}
	return s.fill(sections, foot)
}

// count is how many lines sections have.
func count(sections []section) (n int) {
	for _, p := range sections {
		n += len(p.lines)
	}
	return n
}

// fitting leaves out sections that there are no lines for.
func (s screen) fitting(sections []section, foot int) []section {
	for count(sections) > s.height-foot {
		dear := slices.MaxFunc(sections, func(a, b section) int { return a.rank - b.rank })
		if dear.rank <= 1 {
			break
		}
		sections = slices.DeleteFunc(sections, func(p section) bool { return p.rank == dear.rank })
	}
	return sections
}

// fill puts the keys in the last line.
func (s screen) fill(sections []section, foot []string) []string {
	var all []string
	for _, p := range sections {
		all = append(all, p.lines...)
	}
	room := s.height - len(foot)
	all = all[:min(len(all), room)]
	return slices.Concat(all, make([]string, room-len(all)), foot)
}

// header says what is looked at, and when.
func (s screen) header() string {
	last := s.h.last()
	up, consumers := 0, 0
	for _, f := range last.Feeders {
		if f.Error == "" {
			up++
		}
		consumers += len(f.Consumers)
	}
	when := "--:--:--"
	if !last.At.IsZero() {
		when = last.At.Format("15:04:05")
	}
	if s.u.frozen != nil {
		when = "paused at " + when
	}
	title := "voxpack top  " + term.Count(up, "feeder") + ", " + term.Count(consumers, "consumer")
	gap := s.width - width(title) - width(when)
	if gap < 1 {
		return styled(strong, cut(title, s.width), s.colour)
	}
	return styled(strong, title, s.colour) + strings.Repeat(" ", gap) + when
}

// feeders are a line for each feeder: what it serves, or why nothing is known.
func (s screen) feeders() []string {
	var lines []string
	for _, f := range s.h.last().Feeders {
		if f.Error != "" {
			for _, line := range term.WrappedTo("feeder at "+term.Line(f.Socket)+": "+term.Line(f.Error), s.width-2) {
				lines = append(lines, styled(warning, line, s.colour))
			}
			continue
		}
		text := fmt.Sprintf("feeder %d serves %s", f.PID, term.Line(term.Short(f.Dataset)))
		if len(f.Consumers) == 0 {
			text += ": nobody takes batches"
		} else if s.width >= wide {
			text += " at " + term.Line(f.Socket)
		}
		lines = append(lines, text)
	}
	if most := max(2, s.height/4); len(lines) > most {
		lines = append(lines[:most-1], "and more feeders: --plain has all")
	}
	return lines
}

// helpLines are the keys and what the screen shows.
var helpLines = strings.Split(`
q          quit
↑ ↓ 1-9    choose a consumer
p          pause, and go on
?          this page, and back

samples/s  that the consumer took, of this rank
step       from one batch to the next
stall      the part of it that it waited for a batch
P R T      batches of the ring: that are prepared, ready,
           in training
stages     what each did lately: waited for input,
           worked, waited for room; time for a batch
GPU        busy and memory in use, where NVML tells
findings   what limits the training, by gain

Graphs go from old to new, one bar for each look.`, "\n")
