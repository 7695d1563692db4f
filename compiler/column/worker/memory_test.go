package worker

import (
	"math/rand/v2"
	"runtime"
	"testing"
)

// TestMemoryIsOneRowsAtATime: no two parts overlap, and all of it is there again when all was given back.
func TestMemoryIsOneRowsAtATime(t *testing.T) {
	const all = 64 << 10
	m := newMemory(all)
	defer m.close()
	if (m.seen != nil) != (runtime.GOOS == "linux") {
		t.Errorf("workers see it: %v", m.seen)
	}
	r := rand.New(rand.NewPCG(1, 2))
	owner := make([]int, all)
	var held []part
	for n := range 5000 {
		size := r.IntN(3000)
		if len(held) > 0 && (r.IntN(2) == 0 || len(held) == 20) { // 20 of 3,000 fit, wherever they lie
			i := r.IntN(len(held))
			p := held[i]
			held = append(held[:i], held[i+1:]...)
			for at := p.at; at < p.at+p.size; at++ {
				owner[at] = 0
			}
			m.give(p)
			continue
		}
		if len(m.free) == 0 || !fits(m, size) {
			continue
		}
		p, ok := m.take(size)
		if !ok || p.size < size || p.at%partAlign != 0 || p.at < markBytes || p.at+p.size > all {
			t.Fatalf("take(%d) = %v %v", size, p, ok)
		}
		for at := p.at; at < p.at+p.size; at++ {
			if owner[at] != 0 {
				t.Fatalf("byte %d is held twice", at)
			}
			owner[at] = n + 1
		}
		held = append(held, p)
	}
	for _, p := range held {
		m.give(p)
	}
	if len(m.free) != 1 || m.free[0] != (part{partAlign, all - partAlign}) {
		t.Errorf("free at the end: %v", m.free)
	}
}

func fits(m *memory, size int) bool {
	for _, f := range m.free {
		if f.size >= size+partAlign {
			return true
		}
	}
	return false
}

// TestWhoFindsNoRoomWaits, until there is some or the end comes; what is larger than all of it has all of it.
func TestWhoFindsNoRoomWaits(t *testing.T) {
	m := newMemory(4096)
	defer m.close()
	small, _ := m.take(100)
	got := make(chan part)
	go func() {
		p, _ := m.take(1 << 20)
		got <- p
		p, ok := m.take(1)
		if ok {
			t.Errorf("after the end there is %v", p)
		}
		got <- p
	}()
	select {
	case p := <-got:
		t.Errorf("all of it is %v while %v is held", p, small)
	default:
	}
	m.give(small)
	if p := <-got; p != (part{partAlign, 4096 - partAlign}) {
		t.Errorf("all of it is %v", p)
	}
	m.stop()
	<-got
}

// TestARowLargerThanTheMemory gets memory of its own, and is sent.
func TestARowLargerThanTheMemory(t *testing.T) {
	dir := t.TempDir()
	p := NewPool(t.Context(), config("", dir))
	p.mem = newMemory(4096)
	got := submit(t, p, []*Row{newRow("a", 999), newRow("b", 999), newRow("c", 999), newRow("d", 5), newRow("e", 999)})
	for i, id := range []string{"a", "b", "c", "d", "e"} {
		n := 999
		if id == "d" {
			n = 5
		}
		if r := got[id]; r.Err != nil || string(r.Array.Bytes) != string(want(newRow(id, n))) {
			t.Errorf("row %d: %v", i, r)
		}
	}
	big := &Row{ID: "f"}
	q := NewPool(t.Context(), config("", dir))
	q.mem = newMemory(4096)
	if err := q.Samples(big, 2000); err != nil || len(big.PCM) != 8000 || big.shared {
		t.Fatalf("%v, %d bytes, shared %v", err, len(big.PCM), big.shared)
	}
	if err := q.Submit(big, func(r Result) {
		if r.Err != nil {
			t.Error(r.Err)
		}
	}); err != nil {
		t.Error(err)
	}
	q.Close()
	if there := lines(t, dir, "there"); len(there) != 3 {
		t.Errorf("%v were read where they lie, want b, c and e", there)
	}
}
