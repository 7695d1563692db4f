package top

import (
	"time"

	"voxpack/internal/perf"
)

// most is how many looks are kept: what the widest graph shows, and two minutes
// at one a second.
const most = 120

// History is the last looks, oldest first.
type History struct {
	looks []Look
}

// Add keeps a look.
func (h *History) Add(l Look) {
	h.looks = append(h.looks, l)
	h.looks = h.looks[max(0, len(h.looks)-most):]
}

// last is the newest look; the zero Look where there is none.
func (h *History) last() Look {
	if len(h.looks) == 0 {
		return Look{}
	}
	return h.looks[len(h.looks)-1]
}

// rate is what a consumer did between two looks; -1 is not known.
type rate struct {
	samples float64 // a second
	bytes   float64 // a second
	step    float64 // ms, mean
	stall   float64 // part of the step
}

var unknown = rate{-1, -1, -1, -1}

// rateOf compares two states of one consumer; without a time between them only its
// steps are known.
func rateOf(before, now Consumer, passed time.Duration) rate {
	r := unknown
	r.stall = now.Steps.stall()
	if now.Steps != nil && now.Steps.Count > 0 {
		r.step = now.Steps.MeanMS
	}
	seconds, batches := passed.Seconds(), now.Batches-before.Batches
	if seconds <= 0 || batches < 0 {
		return r
	}
	r.samples, r.bytes = float64(now.Samples-before.Samples)/seconds, float64(now.Bytes-before.Bytes)/seconds
	if r.step < 0 && batches > 0 {
		r.step = 1000 * seconds / float64(batches)
	}
	return r
}

// since is the count and the total of what came after an earlier summary of the
// same; the other figures cannot be told apart.
func since(before, now perf.Summary) perf.Summary {
	return perf.Summary{Count: max(0, now.Count-before.Count), TotalMS: max(0, now.TotalMS-before.TotalMS)}
}

// rates are those of a consumer, one for each look; not known where a look does not
// have it.
func (h *History) rates(id consumerID) []rate {
	all := make([]rate, 0, len(h.looks))
	before, was, at := Consumer{}, false, time.Time{}
	for _, l := range h.looks {
		now, is := l.consumer(id)
		switch {
		case !is:
			all = append(all, unknown)
		case !was:
			all = append(all, rateOf(now, now, 0))
		default:
			all = append(all, rateOf(before, now, l.At.Sub(at)))
		}
		before, was, at = now, is, l.At
	}
	return all
}

// rate is the newest one.
func (h *History) rate(id consumerID) rate {
	if all := h.rates(id); len(all) > 0 {
		return all[len(all)-1]
	}
	return unknown
}

// ended is how long a consumer that left is shown, in looks.
const ended = 10

// shown are the consumers of the screen, in their order: those of the last look,
// and those that left lately, with what was last known of them.
func (h *History) shown() []shownConsumer {
	var list []shownConsumer
	place := map[consumerID]int{}
	for i, l := range h.looks[max(0, len(h.looks)-1-ended):] {
		l.eachConsumer(func(id consumerID, f Feeder, c Consumer) {
			s := shownConsumer{id: id, feeder: f, Consumer: c, seen: i}
			if at, is := place[id]; is {
				list[at] = s
				return
			}
			place[id] = len(list)
			list = append(list, s)
		})
	}
	now := min(len(h.looks)-1, ended)
	for i := range list {
		list[i].left = list[i].seen < now
	}
	return list
}

// shownConsumer is a line of the screen's table.
type shownConsumer struct {
	id     consumerID
	feeder Feeder
	Consumer
	seen int  // the number of the look
	left bool // it is not there any more
}

// gpuSeries are the figures of a GPU over all looks, -1 where they are not known.
func (h *History) gpuSeries(bus string, of func(GPU) (float64, bool)) []float64 {
	var all []float64
	for _, l := range h.looks {
		v := -1.0
		for _, g := range l.GPUs {
			if n, known := of(g); g.Bus == bus && known {
				v = n
			}
		}
		all = append(all, v)
	}
	return all
}
