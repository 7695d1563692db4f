package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

const (
	// aheadFrom is how much a pack has to hold before it is worth the while.
	aheadFrom = 16 << 20
	// aheadStep is what is made ready at a time: some milliseconds of work, and a
	// multiple of the 2 MiB that the largest page of x86 and arm64 has.
	aheadStep = 8 << 20
	// aheadWindow is how far ahead of the writer pages are ready: eight blocks of
	// LJSpeech's mels. What is not used of it at the end is given back.
	aheadWindow = 32 << 20
	// behindStep is how much is sent to the disk at a time behind the writer.
	behindStep = 32 << 20
)

// ahead goes beside the one goroutine that writes a large pack and takes work
// off it that other cores can do. Badger copies every value into a mapped value
// log, a file full of holes, and each first touch of a page there means: find
// and clear memory, reserve a place on the disk. That was half of the writer's
// time and the writer the slowest part of a first build. When a value log is
// full Badger waits until the disk has all of it.
//
// So ahead of the writer the file gets its place on the disk and its pages, in
// large pieces, which also costs less than page by page; behind it the disk is
// told to begin. None of this changes a byte of the file: pages are touched
// through a mapping of our own, as if to be written. Of Badger it knows the
// names of value logs and that they are only appended to. Where the kernel or
// the file system refuses, it ends, and the writer does all by itself.
type ahead struct {
	dir     string
	reserve int64 // of space on the disk, see WriterOptions
	done    sync.WaitGroup

	mu      sync.Mutex
	turn    *sync.Cond // on mu: one of these changed
	written int64      // by the writer, in bytes
	made    int64      // of written: pages are ready up to here
	busy    bool       // there may be something to make ready
	quit    bool

	// Of the goroutine.
	file   *os.File
	pages  []byte
	number int   // of the value log
	base   int64 // of written, when the file was new
	ready  int64 // in the file: pages below are ready
	sent   int64 // in the file: the disk has been told of what is below

	sending atomic.Bool // one send at a time
	sends   sync.WaitGroup
}

// startAhead begins beside the writer of a new pack that has got so many bytes.
func startAhead(dir string, written, reserve int64) *ahead {
	a := &ahead{dir: dir, reserve: reserve, written: written, busy: true}
	a.turn = sync.NewCond(&a.mu)
	a.done.Go(a.run)
	return a
}

// await waits until the pages of the next n bytes are ready, or nobody is at it.
// A writer that overtakes gets small pages one at a time, and each of those costs
// an interrupt of the other processors when it is sent to the disk: a tenth of the
// time of a first build was that (13,100 clips, 2 cores, 2026-11-22).
func (a *ahead) await(n int64) {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for a.busy && a.made < a.written+n {
		a.turn.Wait()
	}
}

// moved tells that the writer has stored so many bytes more.
func (a *ahead) moved(n int64) {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.written += n
	a.busy = !a.quit
	a.turn.Broadcast()
}

// stop ends it, and must come before the pack is closed. It may be called again.
func (a *ahead) stop() {
	if a == nil {
		return
	}
	a.end()
	a.done.Wait()
}

// end lets nobody wait any more.
func (a *ahead) end() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.quit, a.busy = true, false
	a.turn.Broadcast()
}

func (a *ahead) run() {
	defer a.end()
	defer a.leave()
	for {
		at, ok := a.next()
		if !ok {
			return
		}
		if err := a.follow(at); err != nil {
			return
		}
		more := false
		if a.file != nil {
			var err error
			if more, err = a.prepare(at - a.base); err != nil {
				return
			}
		}
		a.did(at, more)
	}
}

// next waits until there may be something to do, and says how far the writer is.
func (a *ahead) next() (written int64, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for !a.busy && !a.quit {
		a.turn.Wait()
	}
	return a.written, !a.quit
}

// did tells of a step, for which the writer was at so many bytes.
func (a *ahead) did(at int64, more bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.made = a.base + a.ready
	a.busy = !a.quit && (more || a.written != at)
	a.turn.Broadcast()
}

// follow goes to the value log that the writer has come to, at so many bytes.
func (a *ahead) follow(written int64) error {
	for {
		file, err := os.OpenFile(filepath.Join(a.dir, fmt.Sprintf("%06d.vlog", a.number+1)), os.O_RDWR, 0)
		if err != nil {
			return nil // not there yet
		}
		info, err := file.Stat()
		if err != nil || info.Size() < valueLogSize { // Badger is just making it
			return file.Close()
		}
		a.leave()
		a.file, a.number = file, a.number+1
		if a.number > 1 {
			a.base = written
		}
		a.ready, a.sent = 0, 0
		if a.pages, err = unix.Mmap(int(file.Fd()), 0, valueLogSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED); err != nil {
			return err
		}
		if unix.Madvise(a.pages, unix.MADV_HUGEPAGE) == nil { // refused where there are no such pages
			// Without this the kernel reads ahead of its own accord, behind Badger's
			// page of 4 KiB at the front, in pages that grow: 40 MiB of small ones.
			_ = unix.Madvise(a.pages, unix.MADV_RANDOM)
		}
	}
}

// leave ends with the value log.
func (a *ahead) leave() {
	a.sends.Wait()
	if a.pages != nil {
		_ = unix.Munmap(a.pages)
	}
	if a.file != nil {
		a.file.Close()
	}
	a.file, a.pages = nil, nil
}

// send tells the disk of the next n bytes, beside the rest: it takes as long as
// the disk's queue is full, and nobody is to wait for pages meanwhile. That it
// failed is seen when the log is synced.
func (a *ahead) send(n int64) {
	file, from := int(a.file.Fd()), a.sent
	a.sent += n
	a.sending.Store(true)
	a.sends.Go(func() {
		_ = unix.SyncFileRange(file, from, n, unix.SYNC_FILE_RANGE_WRITE)
		a.sending.Store(false)
	})
}

// prepare does one step for a writer that is at this place of the value log, and
// reports whether there is another to do. The place is counted without what
// Badger writes between the values, so it is rather before than behind.
func (a *ahead) prepare(at int64) (more bool, err error) {
	// A full value log is longer than valueLogSize, so what is made ready below
	// that is never behind the end of one.
	a.ready = max(a.ready, at&^(aheadStep-1))
	end := min(at+aheadWindow, valueLogSize)
	if behind := (at - a.sent) &^ (behindStep - 1); behind > 0 && !a.sending.Load() {
		a.send(behind)
	}
	if a.ready >= end {
		return false, nil
	}
	if free, err := Free(a.dir); err != nil || free < a.reserve+4*aheadWindow {
		return false, err // the last of the space is for values
	}
	if err := unix.Fallocate(int(a.file.Fd()), unix.FALLOC_FL_KEEP_SIZE, a.ready, aheadStep); err != nil && err != unix.EOPNOTSUPP {
		return false, err
	}
	if err := populate(a.pages[a.ready : a.ready+aheadStep]); err != nil {
		return false, err
	}
	a.ready += aheadStep
	return true, nil
}

// populate touches all pages, by two processors: the writer waits for it while
// workers keep one busy (first builds by turns, five pairs: 10.7 and 9.9 s).
func populate(pages []byte) error {
	half := len(pages) / 2
	second := make(chan error)
	go func() { second <- unix.Madvise(pages[half:], unix.MADV_POPULATE_WRITE) }() // from Linux 5.14 on
	return errors.Join(unix.Madvise(pages[:half], unix.MADV_POPULATE_WRITE), <-second)
}
