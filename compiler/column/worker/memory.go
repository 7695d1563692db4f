package worker

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"slices"
	"sync"
)

// memory is where samples lie until their row is answered. Where the system lets them, workers read them there, so
// that nothing is sent or copied.
type memory struct {
	bytes []byte
	seen  *seen  // nil: workers cannot see it
	close func() // gives all of it back

	mu   sync.Mutex
	room sync.Cond
	free []part // in the order of their places; no two touch
	over bool   // nothing is given out any more
}

// part is a stretch of memory.
type part struct{ at, size int }

// seen is what a worker is told of memory that it may read.
type seen struct {
	Path  string `json:"path"` // of a file
	Bytes int    `json:"bytes"`
	Mark  string `json:"mark"` // with which it begins, in hexadecimal digits; what does not is another's
}

// Places are multiples of partAlign; at the first one stands the mark.
const (
	partAlign = 64
	markBytes = 16
)

func newMemory(size int) *memory {
	m := &memory{}
	m.room.L = &m.mu
	var path string
	if m.bytes, path, m.close = mapMemory(size); path != "" {
		rand.Read(m.bytes[:markBytes]) // never fails
		m.seen = &seen{path, size, hex.EncodeToString(m.bytes[:markBytes])}
	}
	m.free = []part{{partAlign, len(m.bytes) - partAlign}}
	return m
}

// take gives out memory, from the lowest place on, so that pages that were touched are used again. It waits until there is
// room. Where not even all of it is enough, the caller gets all of it, to hold others off while it uses
// memory of its own. False: the end has come.
func (m *memory) take(size int) (part, bool) {
	size = min((size+partAlign-1)/partAlign*partAlign, len(m.bytes)-partAlign)
	m.mu.Lock()
	defer m.mu.Unlock()
	for !m.over {
		if i := slices.IndexFunc(m.free, func(f part) bool { return f.size >= size }); i >= 0 {
			f := m.free[i]
			if m.free[i] = (part{f.at + size, f.size - size}); f.size == size {
				m.free = slices.Delete(m.free, i, i+1)
			}
			return part{f.at, size}, true
		}
		m.room.Wait()
	}
	return part{}, false
}

// give takes memory back.
func (m *memory) give(p part) {
	m.mu.Lock()
	defer m.mu.Unlock()
	i, _ := slices.BinarySearchFunc(m.free, p.at, func(f part, at int) int { return cmp.Compare(f.at, at) })
	if i < len(m.free) && p.at+p.size == m.free[i].at {
		p.size += m.free[i].size
		m.free = slices.Delete(m.free, i, i+1)
	}
	if i > 0 && m.free[i-1].at+m.free[i-1].size == p.at {
		m.free[i-1].size += p.size
	} else {
		m.free = slices.Insert(m.free, i, p)
	}
	m.room.Broadcast()
}

// stop ends all waiting for room.
func (m *memory) stop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.over = true
	m.room.Broadcast()
}
