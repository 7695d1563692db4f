package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/sys/unix"
)

const (
	// aheadFrom is how much a pack has to hold before it is worth the while.
	aheadFrom = 16 << 20
	// aheadStep is what is made ready at a time: some milliseconds of work, and a
	// multiple of the 2 MiB that the largest page of x86 and arm64 has.
	aheadStep = 8 << 20
	// aheadWindow is how far ahead of the writer pages are ready: four blocks of
	// LJSpeech's mels, or two of what is longer, up to aheadMost. What is not used of
	// it at the end is given back. 32 MiB ahead and 32 behind instead of 16 and 8:
	// 6.0 s instead of 5.4 for 13,100 clips where fresh memory is dear (2026-11-22).
	aheadWindow = 16 << 20
	aheadMost   = 64 << 20
)

// ahead goes beside the one goroutine that writes a large pack and takes work
// off it that other cores can do. Badger copies every value into a mapped value
// log, a file full of holes, and each first touch of a page there means: find
// and clear memory, reserve a place on the disk. That was half of the writer's
// time and the writer the slowest part of a first build. When a value log is
// full Badger waits until the disk has all of it, and the seal needs a sum of it.
//
// So ahead of the writer the file gets its place on the disk and its pages, in
// large pieces, which also costs less than page by page; of what lies behind, the
// sum is taken, and the disk is told to begin (see behind). None of this changes a
// byte of the file. Of Badger it knows the names of value logs, that they are only appended
// to, and that each stays mapped until Close. Where the kernel or the file system
// refuses, it ends, and the writer does all by itself.
type ahead struct {
	dir     string
	reserve int64 // of space on the disk, see WriterOptions
	done    sync.WaitGroup

	mu      sync.Mutex
	turn    *sync.Cond // on mu: one of these changed
	written int64      // by the writer, in bytes of values: no less lies in the logs
	pending int64      // at most so many more are being written
	made    int64      // of written: pages are ready up to here
	window  int64      // see aheadWindow
	busy    bool       // there may be something to make ready
	quit    bool

	// Of the goroutine.
	log    *valueLog
	number int   // of log, 0 before the first
	base   int64 // of written, when the log was new
	ready  int64 // in the log: pages below are ready
	behind *behind

	effort effort // of the window that is being weighed
}

// startAhead begins beside the writer of a new pack that has got so many bytes.
func startAhead(dir string, written, reserve int64) *ahead {
	a := &ahead{dir: dir, reserve: reserve, written: written, window: aheadWindow, busy: true, behind: startBehind()}
	a.turn = sync.NewCond(&a.mu)
	a.done.Go(a.run)
	return a
}

// await waits until the pages of the next n bytes are ready, or nobody is at it:
// the writer begins with no more than these then.
// A writer that overtakes gets small pages one at a time, and each of those costs
// an interrupt of the other processors when it is sent to the disk: a tenth of the
// time of a first build was that (13,100 clips, 2 cores, 2026-11-22).
func (a *ahead) await(n int64) {
	if a == nil {
		return
	}
	if n >= valueLogSize {
		a.stop() // Badger may make the log longer for them, and move its mapping
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.window = max(a.window, min(2*n, aheadMost))
	for a.busy && a.made < a.written+n {
		a.turn.Wait()
	}
	a.pending = n
}

// moved tells that the writer has stored so many bytes more, and is at rest.
func (a *ahead) moved(n int64) {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.written, a.pending = a.written+n, 0
	a.busy = !a.quit
	a.turn.Broadcast()
}

// stop ends it, and must come before the pack is closed. It gives what is summed
// up of the value logs, and may be called again.
func (a *ahead) stop() map[string]*begunSum {
	if a == nil {
		return nil
	}
	a.end()
	a.done.Wait()
	return a.behind.sums
}

// end lets nobody wait any more.
func (a *ahead) end() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.quit, a.busy = true, false
	a.turn.Broadcast()
}

func (a *ahead) run() {
	defer a.behind.stop()
	defer a.end()
	for {
		at, window, ok := a.next()
		if !ok {
			return
		}
		if err := a.follow(); err != nil {
			return
		}
		more := false
		if a.log != nil {
			var err error
			if more, err = a.prepare(at-a.base, window); err != nil {
				return
			}
		}
		a.did(at, more)
	}
}

// next waits until there may be something to do, and says how far the writer is
// and how far ahead of it pages are to be ready.
func (a *ahead) next() (written, window int64, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for !a.busy && !a.quit {
		a.turn.Wait()
	}
	return a.written, a.window, !a.quit
}

// did tells of a step, for which the writer was at so many bytes.
func (a *ahead) did(at int64, more bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.made = a.base + a.ready
	a.busy = !a.quit && (more || a.written != at)
	a.turn.Broadcast()
}

// follow goes to the value log that the writer has come to.
func (a *ahead) follow() error {
	for {
		log, err := openValueLog(filepath.Join(a.dir, fmt.Sprintf("%06d.vlog", a.number+1)))
		if log == nil || err != nil {
			return err
		}
		a.behind.follow(log)
		a.log, a.number = log, a.number+1
		if a.number > 1 {
			a.base = a.most()
		}
		a.ready = 0
	}
}

// most is what the logs can hold by now: what lies in those before the one that is
// there is no more than that.
func (a *ahead) most() int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.written + a.pending
}

// prepare does one step for a writer that is at this place of the value log or
// behind it, and reports whether there is another to do. What is before that place
// has its last bytes: of a put only values that lie in the log are counted, when it
// is done, and nothing of what Badger writes between them.
func (a *ahead) prepare(at, window int64) (more bool, err error) {
	a.behind.at(at)
	// A full value log is longer than valueLogSize, so what is made ready below
	// that is never behind the end of one.
	a.ready = max(a.ready, at&^(aheadStep-1))
	end := min(at+window, valueLogSize)
	if a.ready >= end {
		return false, nil
	}
	if free, err := Free(a.dir); err != nil || free < a.reserve+2*aheadMost {
		return false, err // the last of the space is for values
	}
	if err := unix.Fallocate(int(a.log.file.Fd()), unix.FALLOC_FL_KEEP_SIZE, a.ready, aheadStep); err != nil && err != unix.EOPNOTSUPP {
		return false, err
	}
	effort, err := populate(a.log.pages, a.ready, a.ready+aheadStep)
	if err != nil {
		return false, err
	}
	a.ready += aheadStep
	a.weigh(effort)
	return true, nil
}

// weigh takes in what it took to make a step ready. Where memory proves dear, what
// lies behind the writer is given back to be used again: it has to be read from
// the disk afterwards, but a first build of 13,100 clips takes 6 s instead of 11.
func (a *ahead) weigh(e effort) {
	if a.effort.add(e); a.effort.bytes < aheadWindow {
		return
	}
	if a.effort.dear() {
		a.behind.recycle.Store(true)
	}
	a.effort = effort{}
}

// valueLog is one value log of a pack that is being written.
type valueLog struct {
	file  *os.File // of our own
	pages mapping  // Badger's, of at least valueLogSize bytes; it lasts until the pack is closed
	local bool     // see localDisk
}

// openValueLog is nil where Badger has not made the log yet.
func openValueLog(path string) (*valueLog, error) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, nil
	}
	info, err := file.Stat()
	if err != nil || info.Size() < valueLogSize { // Badger is just making it
		return nil, file.Close()
	}
	pages, ok, err := mappingOf(path, valueLogSize)
	if !ok {
		return nil, errors.Join(err, file.Close())
	}
	whole := int64(pages.to - pages.from)                  // a part would divide the mapping, which Badger moves as one
	if pages.advise(0, whole, unix.MADV_HUGEPAGE) == nil { // refused where there are no such pages
		// Without this the kernel reads ahead of its own accord, behind Badger's
		// page of 4 KiB at the front, in pages that grow: 40 MiB of small ones. What
		// it has read ahead already goes.
		_ = pages.advise(0, whole, unix.MADV_RANDOM)
		_ = unix.Fadvise(int(file.Fd()), 0, 0, unix.FADV_DONTNEED)
	}
	return &valueLog{file, pages, localDisk(file)}, nil
}

// localDisk reports whether a file is on a file system that is known to read what
// was written through a mapping (9p, with which WSL2 mounts Windows, need not) and
// to have a disk below it (a page of tmpfs would only be swapped out).
func localDisk(file *os.File) bool {
	var fs unix.Statfs_t
	if unix.Fstatfs(int(file.Fd()), &fs) != nil {
		return false
	}
	switch int64(fs.Type) {
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC, unix.OVERLAYFS_SUPER_MAGIC:
		return true
	}
	return false
}
