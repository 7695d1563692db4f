package perf

import (
	"cmp"
	"slices"
	"time"
)

// maxLanes is how many rows one track may become. Nobody reads more, and the
// bound keeps the search for a free one short.
const maxLanes = 64

// lane is a row of the picture, as far as it is filled: the ends of the events
// around the present, the innermost last.
type lane []time.Duration

// take puts an event on the lane if it follows or lies inside what is there.
// Events come in the order of their starts, the longer one of two first.
func (l *lane) take(start, end time.Duration) bool {
	open := *l
	for len(open) > 0 && open[len(open)-1] <= start {
		open = open[:len(open)-1]
	}
	fits := len(open) == 0 || end <= open[len(open)-1]
	if fits {
		open = append(open, end)
	}
	*l = open
	return fits
}

// spread sorts the events of a track by time and deals them out on lanes so
// that on each the complete ones are nested or disjoint, as the format wants
// them; Perfetto draws no others (perfetto.dev/docs/faq). What finds no room is
// counted.
func spread(events []event) (lanes [][]event, noRoom uint64) {
	slices.SortStableFunc(events, func(a, b event) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.length, a.length))
	})
	lanes = make([][]event, 1, maxLanes) // a track without events is a row all the same
	filled := make([]lane, maxLanes)
	for _, e := range events {
		i := 0
		for e.phase == complete && i < maxLanes && !filled[i].take(e.start, e.start+e.length) {
			i++
		}
		switch {
		case i == maxLanes:
			noRoom++
			continue
		case i == len(lanes):
			lanes = append(lanes, nil)
		}
		lanes[i] = append(lanes[i], e)
	}
	return lanes, noRoom
}
