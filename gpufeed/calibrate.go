package gpufeed

import (
	"runtime/debug"
	"slices"
	"time"

	"voxpack/store"
)

// copyMost bounds what CopySpeed takes beside the ring: twice this. Two slots of
// 32 samples of LJSpeech are as much.
const copyMost = 8 << 20

// CopySpeed is how many bytes a second one goroutine copies with the runtime's
// copy, from the mapped blocks that the feed has read into a slot's worth of
// memory: what a fill would reach if it did nothing else. It takes about limit,
// is 0 where nothing was read, and is for the time after the last batch.
func (f *Feed) CopySpeed(limit time.Duration) float64 {
	r, ok := f.content.source.(*Reader)
	if !ok {
		return 0
	}
	a, err := newArena(2, min(f.route.arena.slot, copyMost), false)
	if err != nil {
		return 0
	}
	defer a.close()
	clear(a.mem) // the first touch is not the copy's
	return r.copySpeed(a.mem, limit)
}

// copySpeed copies block after block; the figure is the median of rates over as
// much as to holds.
func (r *Reader) copySpeed(to []byte, limit time.Duration) float64 {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			_ = store.FaultOf(p) // a pack was cut short: the figures so far will do
		}
	}()
	var rates []float64
	begin, start, n := time.Now(), time.Now(), 0
	for any := true; any; {
		any = false
		for i := range r.leaves {
			l := r.leaves[i].Load()
			if l == nil {
				continue
			}
			for _, block := range l.stretches() {
				for any = true; len(block) > 0; {
					k := copy(to[n:], block)
					block = block[k:]
					if n += k; n == len(to) {
						rates = append(rates, float64(n)/time.Since(start).Seconds())
						start, n = time.Now(), 0
					}
				}
			}
			if len(rates) > 0 && time.Since(begin) > limit {
				return median(rates)
			}
		}
	}
	return 0
}

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}
