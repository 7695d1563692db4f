package store

import (
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
	written atomic.Int64
	wake    chan struct{} // room for one: more than one call to look again says no more
	quit    chan struct{}
	once    sync.Once
	done    sync.WaitGroup

	// Of the goroutine.
	file   *os.File
	pages  []byte
	number int   // of the value log
	base   int64 // of written, when the file was new
	ready  int64 // in the file: pages below are ready
	sent   int64 // in the file: the disk has been told of what is below
}

// startAhead begins beside the writer of a new pack that has got so many bytes.
func startAhead(dir string, written, reserve int64) *ahead {
	a := &ahead{dir: dir, reserve: reserve, wake: make(chan struct{}, 1), quit: make(chan struct{})}
	a.done.Go(a.run)
	a.moved(written)
	return a
}

// moved tells that the writer has stored so many bytes more.
func (a *ahead) moved(n int64) {
	if a == nil {
		return
	}
	a.written.Add(n)
	select {
	case a.wake <- struct{}{}:
	default:
	}
}

// stop ends it, and must come before the pack is closed. It may be called again.
func (a *ahead) stop() {
	if a == nil {
		return
	}
	a.once.Do(func() { close(a.quit) })
	a.done.Wait()
}

func (a *ahead) run() {
	defer a.leave()
	for {
		select {
		case <-a.quit:
			return
		case <-a.wake:
		}
		if err := a.follow(); err != nil {
			return
		}
		for a.file != nil {
			more, err := a.prepare()
			if err != nil {
				return
			}
			if !more {
				break
			}
		}
	}
}

// follow goes to the value log that the writer has come to.
func (a *ahead) follow() error {
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
			a.base = a.written.Load()
		}
		a.ready, a.sent = 0, 0
		if a.pages, err = unix.Mmap(int(file.Fd()), 0, valueLogSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED); err != nil {
			return err
		}
		_ = unix.Madvise(a.pages, unix.MADV_HUGEPAGE) // refused where there are no such pages
	}
}

// leave ends with the value log.
func (a *ahead) leave() {
	if a.pages != nil {
		_ = unix.Munmap(a.pages)
	}
	if a.file != nil {
		a.file.Close()
	}
	a.file, a.pages = nil, nil
}

// prepare does one step and reports whether there is another to do.
func (a *ahead) prepare() (bool, error) {
	select {
	case <-a.quit:
		return false, nil
	default:
	}
	at := a.written.Load() - a.base // without what Badger writes between the values, so rather too little
	if at-a.sent >= behindStep {
		n := (at - a.sent) &^ (behindStep - 1)
		if err := unix.SyncFileRange(int(a.file.Fd()), a.sent, n, unix.SYNC_FILE_RANGE_WRITE); err != nil {
			return false, err
		}
		a.sent += n
		return true, nil
	}
	// A full value log is longer than valueLogSize, so what is made ready below
	// that is never behind the end of one.
	a.ready = max(a.ready, at&^(aheadStep-1))
	if a.ready >= min(at+aheadWindow, valueLogSize) {
		return false, nil
	}
	if free, err := Free(a.dir); err != nil || free < a.reserve+4*aheadWindow {
		return false, err // the last of the space is for values
	}
	if err := unix.Fallocate(int(a.file.Fd()), unix.FALLOC_FL_KEEP_SIZE, a.ready, aheadStep); err != nil && err != unix.EOPNOTSUPP {
		return false, err
	}
	if err := unix.Madvise(a.pages[a.ready:a.ready+aheadStep], unix.MADV_POPULATE_WRITE); err != nil { // from Linux 5.14 on
		return false, err
	}
	a.ready += aheadStep
	return true, nil
}
