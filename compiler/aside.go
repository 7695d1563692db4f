package compiler

import (
	"errors"
	"fmt"
	"os"
	"sync/atomic"

	"voxpack/compiler/intake"
	"voxpack/store"
)

// aside is where the records of surveyed rows wait for the work on their leaves: a file that has no name and ends with
// the process. A record is half a kilobyte, so those of a million rows would be most of what a first build holds.
type aside struct {
	file *os.File
	size atomic.Int64
	full atomic.Bool // no more can be put there
}

// newAside is nil without a folder for temporary files; records stay in memory then.
func newAside() *aside {
	f, err := os.CreateTemp("", "voxpack-rows-")
	if err == nil {
		err = os.Remove(f.Name())
	}
	if err != nil {
		return nil
	}
	return &aside{file: f}
}

func (a *aside) close() {
	if a != nil {
		a.file.Close() // nobody reads it any more
	}
}

// recall reads the records of rows that have none in memory.
func (a *aside) recall(rows []*item) error {
	if a == nil {
		return nil
	}
	for _, it := range rows {
		if it.made != nil || it.asideSize == 0 {
			continue
		}
		b := make([]byte, it.asideSize)
		_, err := a.file.ReadAt(b, it.asideFrom)
		one, bad := store.DecodeOrigin(b)
		if err = errors.Join(err, bad); err != nil {
			return fmt.Errorf("read back a record from the folder for temporary files: %w", intake.Machine(err))
		}
		it.made = &one.Rows[0]
	}
	return nil
}

// asideRun is how much of the file one goroutine writes at once.
const asideRun = 64 << 10

// putter puts records of one goroutine there.
type putter struct {
	*aside // nil: all records stay in memory
	held   []*item
	sizes  []int // of their records in bytes
	bytes  []byte
	one    []byte // scratch
	shared sharedRemains
}

// put takes the record of a row that is kept.
func (p *putter) put(it *item) {
	if p.aside == nil || p.full.Load() || !it.kept() {
		return
	}
	p.one = (&store.Origin{Rows: []store.OriginRow{*it.made}}).AppendTo(p.one)
	p.held, p.sizes, p.bytes = append(p.held, it), append(p.sizes, len(p.one)), append(p.bytes, p.one...)
	if len(p.bytes) >= asideRun {
		p.flush()
	}
}

// flush writes what is held. Where there is no room for it, it stays in memory.
func (p *putter) flush() {
	if len(p.held) == 0 {
		return
	}
	from := p.size.Add(int64(len(p.bytes))) - int64(len(p.bytes))
	if _, err := p.file.WriteAt(p.bytes, from); err != nil {
		p.full.Store(true)
		p.held = p.held[:0] // of what was written in part nobody reads
	}
	for i, it := range p.held {
		it.asideFrom, it.asideSize = from, uint32(p.sizes[i])
		it.remains, it.made = p.shared.of(it.made), nil
		from += int64(p.sizes[i])
	}
	clear(p.held)
	p.held, p.sizes, p.bytes = p.held[:0], p.sizes[:0], p.bytes[:0]
}
