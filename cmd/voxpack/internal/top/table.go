package top

import (
	"fmt"
	"strings"

	"voxpack/cmd/voxpack/internal/term"
)

// column is a column of the table of consumers. Those of a lower rank are there
// on narrower screens.
type column struct {
	title string
	width int
	rank  int
	text  bool // at the left
	value func(tableRow) string
}

// tableRow is a consumer in the table.
type tableRow struct {
	shownConsumer
	rate
	place int // from 1
}

// columns are the table's, from left to right.
var columns = []column{
	{"#", 3, 0, false, func(r tableRow) string { return fmt.Sprint(r.place) }},
	{"process", 15, 0, true, func(r tableRow) string { return r.process() }},
	{"dataset", 13, 5, true, func(r tableRow) string { return term.Line(term.Short(r.feeder.Dataset)) }},
	{"rank", 6, 3, false, func(r tableRow) string { return fmt.Sprintf("%d/%d", r.Rank, max(1, r.World)) }},
	{"batch", 6, 6, false, func(r tableRow) string { return term.Commas(r.Batch) }},
	{"batches", 11, 6, false, func(r tableRow) string { return term.Commas(r.Batches) }},
	{"samples/s", 10, 0, false, func(r tableRow) string { return r.live(r.samples, perSecond) }},
	{"data", 11, 5, false, func(r tableRow) string { return r.live(r.bytes, bytesText) }},
	{"step", 9, 1, false, func(r tableRow) string { return r.live(r.step, term.Milliseconds) }},
	{"p99", 9, 7, false, func(r tableRow) string { return r.live(r.p99(), term.Milliseconds) }},
	{"stall", 8, 0, false, func(r tableRow) string { return r.live(r.stall, percent) }},
	{"P R T", 7, 2, false, func(r tableRow) string {
		return fmt.Sprintf("%d %d %d", r.Ring.Preparing, r.Ring.Ready, r.Ring.Training)
	}},
	{"lies on", 9, 8, false, func(r tableRow) string { return term.Line(r.Device) }},
	{"findings", 9, 4, false, func(r tableRow) string { return fmt.Sprint(len(r.Findings)) }},
}

// process names who takes the batches.
func (c Consumer) process() string {
	switch {
	case c.PID == 0:
		return "not known"
	case c.Name == "":
		return fmt.Sprint(c.PID)
	}
	return fmt.Sprintf("%d %s", c.PID, term.Line(c.Name))
}

// live is a figure of consumers that are there, - where it is not known.
func (r tableRow) live(v float64, text func(float64) string) string {
	switch {
	case r.left:
		return "ended"
	case v < 0:
		return "-"
	}
	return text(v)
}

// p99 is that of the last steps; -1 is not known.
func (c Consumer) p99() float64 {
	if c.Steps == nil || c.Steps.Count == 0 {
		return -1
	}
	return c.Steps.P99MS
}

// perSecond keeps digits of small rates.
func perSecond(v float64) string {
	if v >= 100 || v == 0 {
		return term.Commas(int64(v))
	}
	return fmt.Sprintf("%.3g", v)
}

func bytesText(v float64) string { return term.Size(int64(v)) + "/s" }

func percent(part float64) string { return fmt.Sprintf("%.1f %%", 100*part) }

// marker is the room in front of a row.
const marker = 2

// fitting are the columns that a screen of so many columns has room for.
func fitting(width int) []column {
	take := make([]bool, len(columns))
	for rank := range 10 {
		room := width - marker + 1 // nothing stands after the last one
		for i, c := range columns {
			if take[i] = take[i] || c.rank == rank; take[i] {
				room -= c.width + 1
			}
		}
		if room >= 0 {
			continue
		}
		for i, c := range columns {
			take[i] = take[i] && (c.rank < rank || rank == 0)
		}
		break
	}
	var list []column
	for i, c := range columns {
		if take[i] {
			list = append(list, c)
		}
	}
	return list
}

// table is the list of consumers, of so many lines at most, around the chosen one.
func (s screen) table(lines int) []string {
	list := s.h.shown()
	if len(list) == 0 {
		return nil
	}
	cells := fitting(s.width)
	var head strings.Builder
	head.WriteString(strings.Repeat(" ", marker))
	for _, c := range cells {
		head.WriteString(c.cell(c.title) + " ")
	}
	out := []string{styled(faint, head.String(), s.colour)}
	at, room := s.u.place(list), max(1, lines-1)
	if room < len(list) {
		room = max(1, room-1) // and a line that says so
	}
	first := min(max(0, at-room/2), max(0, len(list)-room))
	for i := first; i < min(first+room, len(list)); i++ {
		row := tableRow{list[i], s.h.rate(list[i].id), i + 1}
		var line strings.Builder
		for _, c := range cells {
			line.WriteString(c.cell(c.value(row)) + " ")
		}
		switch {
		case i == at:
			out = append(out, styled(chosen, "> "+line.String(), s.colour))
		case row.left:
			out = append(out, styled(faint, "  "+line.String(), s.colour))
		default:
			out = append(out, "  "+line.String())
		}
	}
	if room < len(list) && lines > 2 {
		out = append(out, fmt.Sprintf("  %d to %d of %s", first+1, first+room, term.Count(len(list), "consumer")))
	}
	return out
}

func (c column) cell(text string) string {
	if c.text {
		return left(text, c.width)
	}
	return right(text, c.width)
}
