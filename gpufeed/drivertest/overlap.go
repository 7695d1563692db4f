package drivertest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"voxpack/gpufeed/driver"
)

// place is a buffer of checkOverlap: in memory of the device or of the host,
// with what it has to hold when all is done.
type place struct {
	dev   driver.Ptr
	host  []byte
	want  []byte
	wrote use   // the last write
	reads []use // since then
}

// use is an op in a stream and the event after it; no event: none.
type use struct {
	stream int
	event  driver.Event
}

// checkOverlap: random copies in four streams, each waiting for nothing but the
// ops whose bytes it needs or would spoil, end where one stream would.
func checkOverlap(r *rig) {
	const ops, bytes = 120, 96 << 10
	h := r.first()
	for seed := range uint64(4) {
		random := rand.New(rand.NewPCG(seed, 130))
		streams := [4]driver.Stream{h.stream(), h.stream(), h.stream(), h.stream()}
		var places [8]place // half of them on the device
		for i := range places {
			p := &places[i]
			p.host, p.want = h.pattern(bytes, uint64(i)+seed*100), filled(bytes, uint64(i)+seed*100)
			if i%2 == 0 {
				p.dev = h.alloc(bytes)
				h.write(p.dev, p.host)
			}
		}
		for range ops {
			n := random.IntN(len(streams))
			dst, src := &places[random.IntN(8)], &places[random.IntN(8)]
			if dst == src || dst.dev == 0 && src.dev == 0 {
				continue
			}
			at := random.IntN(bytes - 1)
			size := 1 + random.IntN(bytes-at)
			waits := slices.Concat([]use{src.wrote, dst.wrote}, dst.reads)
			for _, u := range waits {
				if u.event != 0 && u.stream != n {
					h.hold(streams[n], u.event)
				}
			}
			h.move(dst, src, at, size, streams[n])
			u := use{n, h.event(false)}
			h.mark(u.event, streams[n])
			src.reads = append(src.reads, u)
			dst.wrote, dst.reads = u, nil
		}
		for _, s := range streams {
			h.settle(s)
		}
		for i, p := range places {
			got := p.host
			if p.dev != 0 {
				got = h.read(p.dev, bytes)
			}
			same(r.T, fmt.Sprintf("seed %d, buffer %d", seed, i), got, p.want)
		}
	}
}

// move copies size bytes at the same place of two buffers, now in the model and
// in its turn on the device.
func (h *hands) move(dst, src *place, at, size int, s driver.Stream) {
	h.t.Helper()
	copy(dst.want[at:at+size], src.want[at:])
	p := driver.Ptr(at)
	switch {
	case dst.dev != 0 && src.dev != 0:
		h.within(dst.dev+p, src.dev+p, size, s)
	case dst.dev != 0:
		h.in(dst.dev+p, src.host[at:at+size], s)
	default:
		h.out(dst.host[at:at+size], src.dev+p, s)
	}
}
