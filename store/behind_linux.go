package store

import (
	"io"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/sys/unix"
)

// behindStep is how much is taken at a time behind the writer: some milliseconds
// of the disk, and little that has to be written when the build is at its end.
const behindStep = 8 << 20

// behind is the other half of ahead. Of what the writer has left behind it takes
// the sum that the seal will need, while the bytes are still in memory, and tells
// the disk to begin. Where fresh memory is dear it then gives the pages back, so
// that the next are made of them.
type behind struct {
	log   *valueLog
	taken int64 // of log: what is below is under way

	steps   chan stretch
	done    sync.WaitGroup
	recycle atomic.Bool
	sums    map[string]*begunSum // of value logs, by name; of the goroutine until stop
	buf     [sumBuffer]byte
}

// stretch is a part of a value log that its writer has left.
type stretch struct {
	log      *valueLog
	from, to int64
	last     bool // of a full log: to its end
}

func startBehind() *behind {
	// Few steps may wait: a writer that is faster than the disk is held up by ahead,
	// which is held up here.
	b := &behind{steps: make(chan stretch, 2), sums: map[string]*begunSum{}}
	b.done.Go(b.run)
	return b
}

// follow goes to the next value log; Badger is done with the one before.
func (b *behind) follow(log *valueLog) {
	if b.log != nil {
		b.steps <- stretch{b.log, b.taken, valueLogSize, true}
	}
	b.log, b.taken = log, 0
}

// at tells that the writer has passed this place of the value log: what is before
// it stays as it is.
func (b *behind) at(place int64) {
	if n := (place - b.taken) &^ (behindStep - 1); n > 0 {
		b.steps <- stretch{b.log, b.taken, b.taken + n, false}
		b.taken += n
	}
}

// stop waits for what is under way.
func (b *behind) stop() {
	close(b.steps)
	b.done.Wait()
	if b.log != nil {
		b.log.file.Close()
	}
}

func (b *behind) run() {
	var sent stretch // the one before, which the disk has by and by
	for s := range b.steps {
		b.sum(s)
		// That it failed is seen when the log is synced.
		_ = unix.SyncFileRange(int(s.log.file.Fd()), s.from, s.to-s.from, unix.SYNC_FILE_RANGE_WRITE)
		b.drop(sent)
		if sent = s; s.last {
			b.drop(s)
			s.log.file.Close()
			sent = stretch{}
		}
	}
}

// sum goes on with the sum of the log.
func (b *behind) sum(s stretch) {
	if !s.log.local {
		return
	}
	name := filepath.Base(s.log.file.Name())
	sum := b.sums[name]
	if sum == nil {
		sum = &begunSum{hash: xxhash.New()}
		b.sums[name] = sum
	}
	if sum.n != s.from {
		return // an earlier read failed
	}
	// Not through the mapping: a file that somebody cut short would end the process.
	n, err := io.CopyBuffer(sum.hash, io.NewSectionReader(s.log.file, s.from, s.to-s.from), b.buf[:])
	if sum.n += n; err != nil || sum.n != s.to {
		sum.n = -1
	}
}

// drop gives pages back as soon as the disk has them, where that is wanted.
// Whoever reads them again gets them from there.
func (b *behind) drop(s stretch) {
	if s.log == nil || !s.log.local || !b.recycle.Load() {
		return
	}
	_ = unix.SyncFileRange(int(s.log.file.Fd()), s.from, s.to-s.from, unix.SYNC_FILE_RANGE_WAIT_BEFORE)
	// What is dirty stays, whatever is said: this is no way to lose a byte.
	_ = s.log.pages.advise(s.from, s.to, unix.MADV_PAGEOUT) // from Linux 5.4 on
}
