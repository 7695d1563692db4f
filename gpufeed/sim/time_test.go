package sim

import (
	"testing"
	"testing/synctest"
	"time"

	"voxpack/gpufeed/driver"
)

// TestCost: a copy takes latency + bytes / rate, exactly, by the clock and by
// its events.
func TestCost(t *testing.T) {
	o := Options{
		In:     Link{25e9, 10 * time.Microsecond},
		Out:    Link{20e9, 20 * time.Microsecond},
		Peer:   Link{10e9, 30 * time.Microsecond},
		Within: Link{100e9, 5 * time.Microsecond},
	}
	for _, tt := range []struct {
		name   string
		copies func(k *desk, near, far driver.Ptr, host []byte, s driver.Stream) error
		want   time.Duration
	}{
		{"in", func(k *desk, near, _ driver.Ptr, host []byte, s driver.Stream) error {
			return k.on[0].CopyIn(near, host, s)
		}, 410 * time.Microsecond},
		{"a byte in", func(k *desk, near, _ driver.Ptr, host []byte, s driver.Stream) error {
			return k.on[0].CopyIn(near, host[:25], s)
		}, 10*time.Microsecond + time.Nanosecond},
		{"out", func(k *desk, near, _ driver.Ptr, host []byte, s driver.Stream) error {
			return k.on[0].CopyOut(host, near, s)
		}, 520 * time.Microsecond},
		{"within, in pieces", func(k *desk, near, _ driver.Ptr, host []byte, s driver.Stream) error {
			return k.on[0].Copy([]driver.Span{
				{Dst: near, Src: near + 5*mega, Bytes: 2 * mega},
				{Dst: near + 2*mega, Src: near + 7*mega, Bytes: 3 * mega},
			}, s)
		}, 55 * time.Microsecond},
		{"peer to itself", func(k *desk, near, _ driver.Ptr, host []byte, s driver.Stream) error {
			return k.on[0].CopyPeer(near, k.gpus[0], near+5*mega, 5*mega, s)
		}, 55 * time.Microsecond},
		{"clear", func(k *desk, near, _ driver.Ptr, host []byte, s driver.Stream) error {
			return k.on[0].Clear(near, 10*mega, s)
		}, 105 * time.Microsecond},
		{"peer, staged", func(k *desk, near, far driver.Ptr, host []byte, s driver.Stream) error {
			return k.on[0].CopyPeer(far, k.gpus[1], near, 10*mega, s)
		}, (520 + 410) * time.Microsecond},
		{"peer, enabled", func(k *desk, near, far driver.Ptr, host []byte, s driver.Stream) error {
			if ok, err := k.on[0].EnablePeer(k.gpus[1]); !ok || err != nil {
				k.Errorf("EnablePeer = %v, %v, want true, nil", ok, err)
			}
			return k.on[0].CopyPeer(far, k.gpus[1], near, 10*mega, s)
		}, 1030 * time.Microsecond},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, o, func(k *desk) {
				near, far, host, s := k.alloc(0, 10*mega), k.alloc(1, 10*mega), k.host(10*mega, 1), k.stream(0)
				time.Sleep(time.Second)
				var from, to driver.Event
				clock := took(func() {
					from = k.mark(0, s)
					k.must(tt.copies(k, near, far, host, s))
					to = k.mark(0, s)
					k.must(k.on[0].Synchronize(to))
				})
				events, err := k.on[0].Elapsed(from, to)
				k.must(err)
				if clock != tt.want || events != tt.want {
					t.Errorf("took %v by the clock and %v by events, want %v", clock, events, tt.want)
				}
			})
		})
	}
}

// TestEngines: one copy per direction and device at a time, whatever the
// streams; directions and devices overlap.
func TestEngines(t *testing.T) {
	in := func(k *desk, device int, s driver.Stream) {
		k.must(k.on[device].CopyIn(k.alloc(device, mega), k.host(mega, 1), s))
	}
	out := func(k *desk, device int, s driver.Stream) {
		k.must(k.on[device].CopyOut(k.host(mega, 1), k.alloc(device, mega), s))
	}
	within := func(k *desk, s driver.Stream) {
		k.must(k.on[0].Copy([]driver.Span{{Dst: k.alloc(0, mega), Src: k.alloc(0, mega), Bytes: mega}}, s))
	}
	push := func(k *desk, s driver.Stream) {
		k.must(k.on[0].CopyPeer(k.alloc(1, mega), k.gpus[1], k.alloc(0, mega), mega, s))
	}
	for _, tt := range []struct {
		name string
		work func(k *desk, a, b, other driver.Stream)
		want time.Duration
	}{
		{"in and in take turns", func(k *desk, a, b, _ driver.Stream) { in(k, 0, a); in(k, 0, b) }, 2 * perMega},
		{"out and out take turns", func(k *desk, a, b, _ driver.Stream) { out(k, 0, a); out(k, 0, b) }, 2 * perMega},
		{"in and out overlap", func(k *desk, a, b, _ driver.Stream) { in(k, 0, a); out(k, 0, b) }, perMega},
		{"in, out, within overlap", func(k *desk, a, b, _ driver.Stream) { in(k, 0, a); out(k, 0, b); within(k, k.stream(0)) }, perMega},
		{"one stream does in and out in turn", func(k *desk, a, _, _ driver.Stream) { in(k, 0, a); out(k, 0, a) }, 2 * perMega},
		{"devices overlap", func(k *desk, a, _, other driver.Stream) { in(k, 0, a); in(k, 1, other) }, perMega},
		{"a staged copy takes the way out and the other's way in", func(k *desk, a, b, other driver.Stream) {
			push(k, a)      // out until 1.1 ms, then in until 2.2 ms
			synctest.Wait() // or the copy below, on another stream, may be the first to get the way out
			out(k, 0, b)    // from 1.1 ms
			in(k, 1, other)
		}, 2 * perMega},
		{"an enabled peer copy leaves both alone", func(k *desk, a, b, other driver.Stream) {
			_, err := k.on[0].EnablePeer(k.gpus[1])
			k.must(err)
			push(k, a)
			out(k, 0, b)
			in(k, 1, other)
		}, perMega},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, Options{}, func(k *desk) {
				a, b, other := k.stream(0), k.stream(0), k.stream(1)
				got := took(func() {
					tt.work(k, a, b, other)
					for _, s := range []driver.Stream{a, b} {
						k.must(k.settle(0, s))
					}
					k.must(k.settle(1, other))
				})
				if got != tt.want {
					t.Errorf("took %v, want %v", got, tt.want)
				}
			})
		})
	}
}

// TestQueue: more ops than a stream holds are done without a gap, and the
// caller is held up only until there is room.
func TestQueue(t *testing.T) {
	inBubble(t, Options{}, func(k *desk) {
		p, host, s := k.alloc(0, mega), k.host(mega, 1), k.stream(0)
		const more = 10
		held := took(func() {
			for range maxOps + more {
				k.must(k.on[0].CopyIn(p, host, s))
			}
		})
		if want := more * perMega; held != want {
			t.Errorf("asking for %d copies took %v, want %v", maxOps+more, held, want)
		}
		rest := took(func() { k.must(k.settle(0, s)) })
		if want := maxOps * perMega; rest != want {
			t.Errorf("the copies in the queue took %v, want %v", rest, want)
		}
	})
}

// TestManyPieces: pieces in any number cost one latency.
func TestManyPieces(t *testing.T) {
	inBubble(t, Options{}, func(k *desk) {
		s := k.stream(0)
		from, to := k.alloc(0, mega), k.alloc(0, mega)
		pieces := make([]driver.Span, 5*maxSpans)
		for i := range pieces {
			at := driver.Ptr(40 * i)
			pieces[i] = driver.Span{Dst: to + at, Src: from + at, Bytes: 25}
		}
		got := took(func() {
			k.must(k.on[0].Copy(pieces, s))
			k.must(k.settle(0, s))
		})
		if want := link.cost(25 * len(pieces)); got != want {
			t.Errorf("%d pieces took %v, want %v", len(pieces), got, want)
		}
		if c := k.driver.Counts(); c.Copies != 1 || c.WithinDevice != 25*uint64(len(pieces)) {
			t.Errorf("counted %d copies of %d bytes, want 1 of %d", c.Copies, c.WithinDevice, 25*len(pieces))
		}
	})
}

// TestHalves: a source that is filled again, or a destination that is read,
// before the copy is done shows half of the bytes wrong.
func TestHalves(t *testing.T) {
	check := func(t *testing.T, what string, b []byte, first, second byte) {
		t.Helper()
		if b[0] != first || b[len(b)/2-1] != first || b[len(b)/2] != second || b[len(b)-1] != second {
			t.Errorf("%s: %d … %d, %d … %d, want %d and %d", what, b[0], b[len(b)/2-1], b[len(b)/2], b[len(b)-1], first, second)
		}
	}
	inBubble(t, Options{}, func(k *desk) {
		p, src, got, s := k.alloc(0, mega), k.host(mega, 1), k.host(mega, 9), k.stream(0)
		k.must(k.on[0].CopyIn(p, src, s))
		time.Sleep(perMega / 2)
		set(src, 2) // too early
		k.must(k.settle(0, s))
		set(src, 3) // not
		k.must(k.on[0].CopyOut(got, p, s))
		time.Sleep(perMega / 2)
		check(t, "read under the copy", got, 1, 9)
		k.must(k.settle(0, s))
		check(t, "filled again under the copy", got, 1, 2)
	})
}
