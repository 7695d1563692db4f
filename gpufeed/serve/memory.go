package serve

import (
	"fmt"
	"sync"

	"voxpack/gpufeed"
)

// memory is what a feeder gives its consumers in all: their arenas, their rings
// and what is kept of the rows for each.
type memory struct {
	most uint64

	mu    sync.Mutex
	taken uint64
}

// newMemory is so much, by default half of what the machine, or the group of
// this process, has: the trainers are there too.
func newMemory(most uint64) *memory {
	if most == 0 {
		most = gpufeed.HostMemory() / 2
	}
	return &memory{most: most}
}

// take takes bytes for something, or says in words that so much is not left.
func (m *memory) take(bytes uint64, what string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if bytes > m.most-m.taken {
		return asked("%.1f MB of shared memory for %s: this feeder gives its consumers %.1f MB in all (--max-memory), of which others have %.1f MB; "+
			"take a smaller batch or fewer batches ahead", megabytes(bytes), what, megabytes(m.most), megabytes(m.taken))
	}
	m.taken += bytes
	return nil
}

// give gives bytes back.
func (m *memory) give(bytes uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.taken -= bytes
}

// state is how many bytes are taken, of how many.
func (m *memory) state() (taken, most uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.taken, m.most
}

// long reserves what reading a long message takes: its bytes as they grow, as a
// value of JSON and as what it says.
func (x *session) long(bytes uint64) error {
	if bytes <= mostShort {
		return nil
	}
	return x.reserve(4*bytes, "a message of %d bytes", bytes)
}

func megabytes(n uint64) float64 { return float64(n) / 1e6 }

// reserve takes memory for the session, which gives it back at its end.
func (x *session) reserve(bytes uint64, what string, args ...any) error {
	if err := x.server.memory.take(bytes, fmt.Sprintf(what, args...)); err != nil {
		return err
	}
	x.memory += bytes
	return nil
}
