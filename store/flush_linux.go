package store

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unsafe"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/sys/unix"
)

const (
	// flushFrom is the pack size in bytes from which a flusher pays. An edit stays
	// below it and gets none.
	flushFrom = 16 << 20
	// flushStep is how much of a log is handled at a time: some milliseconds of the
	// disk, and little that has to be written when the build is at its end. Steps begin
	// at multiples of it. It must be a multiple of the largest page (2 MiB): a page that
	// is sent in two parts is sent twice, and has to be divided to be given back.
	flushStep = 8 << 20
)

// flusher works beside the one goroutine that writes a large pack. Badger writes
// values through a mapped file, the value log; when a log is full it waits until
// the disk has all of it, and only then begins the next. The flusher tells the disk
// to begin earlier. It also computes the sums of the logs, which the seal needs,
// while the bytes are in memory, and where fresh memory is dear (memoryIsDear) it
// then gives their pages back, so that the next ones are made of them.
//
// It changes no byte, and every step may fail: what it leaves out is done when the
// pack is sealed. How far a log is final it learns from the address of a value that
// Badger has stored: logs are only appended to, so that what lies before it stays.
// Of Badger it relies on that, on the logs' names and numbers, and on their mappings
// staying where they are until Close.
type flusher struct {
	dir   string
	reuse bool  // give pages back
	least int64 // steps are multiples of it: flushStep but in tests, a power of two
	wake  chan uintptr
	done  sync.WaitGroup

	// Of the goroutine until close.
	log  *growingLog // the one that the writer was last seen in, nil before the first
	sums map[string]sealedFile
	buf  [sumBuffer]byte
}

// startFlusher is nil where files are not on a local disk.
func startFlusher(dir string) *flusher {
	if !localDisk(dir) {
		return nil
	}
	f := newFlusher(dir, memoryIsDear())
	f.start()
	return f
}

func newFlusher(dir string, reuse bool) *flusher {
	return &flusher{dir: dir, reuse: reuse, least: flushStep, wake: make(chan uintptr, 1), sums: map[string]sealedFile{}}
}

func (f *flusher) start() {
	f.done.Go(func() {
		for address := range f.wake {
			f.step(address)
		}
	})
}

// wrote tells of a value that Badger has stored, as it lies in a log. It never
// waits: while the goroutine is at work, later values stand for this one.
func (f *flusher) wrote(value []byte) {
	if len(value) == 0 {
		return
	}
	select {
	case f.wake <- uintptr(unsafe.Pointer(&value[0])): // memory of a mapping, which no collector moves
	default:
	}
}

// close ends the flusher, before the database is closed.
func (f *flusher) close() {
	if f != nil {
		close(f.wake)
		f.done.Wait()
	}
}

// finish returns the sums of the logs by name, once the database is closed and with
// it the last log cut to its length.
func (f *flusher) finish() map[string]sealedFile {
	if f == nil {
		return nil
	}
	f.endLog(false)
	return f.sums
}

// step handles what lies before a value, if that is enough.
func (f *flusher) step(address uintptr) {
	// A full log is longer than valueLogSize, so that nothing else can be mapped within
	// that distance of its beginning. (Badger also ends a log at a million values, but a
	// million of mappedAbove bytes are longer.)
	if f.log == nil || address-f.log.pages >= valueLogSize {
		if err := f.follow(address); err != nil {
			return
		}
	}
	if to := int64(address-f.log.pages) &^ (f.least - 1); to > f.log.final {
		f.log.advance(to, f.reuse, f.buf[:])
	}
}

// follow goes to the log that has an address.
func (f *flusher) follow(address uintptr) error {
	number, pages, end, err := f.logAt(address)
	if err != nil || f.log != nil && f.log.number == number {
		return err
	}
	f.endLog(f.reuse)
	file, err := os.Open(filepath.Join(f.dir, fmt.Sprintf("%06d.vlog", number)))
	if err != nil {
		return err
	}
	f.log = &growingLog{number: number, file: file, pages: pages, hash: xxhash.New()}
	whole := int64(end - pages) // advice for a part would divide the mapping, which Badger resizes as one
	f.log.advise(0, whole, unix.MADV_HUGEPAGE)
	// Without this the kernel reads ahead of Badger's first pages, in small ones: 8 to
	// 40 MiB. What it has read already goes.
	f.log.advise(0, whole, unix.MADV_RANDOM)
	_ = unix.Fadvise(int(file.Fd()), 0, 0, unix.FADV_DONTNEED)
	return nil
}

// endLog handles the rest of a log that the writer has left, and what it sums up to.
func (f *flusher) endLog(reuse bool) {
	log := f.log
	if f.log = nil; log == nil {
		return
	}
	defer log.file.Close()
	info, err := log.file.Stat()
	if err != nil {
		return
	}
	size := info.Size()
	log.advance(size, reuse, f.buf[:])
	if reuse {
		log.giveBack(size)
	}
	if !log.failed {
		name := filepath.Base(log.file.Name())
		// Not size: a file that somebody cut short after its sum has to fail at the seal.
		f.sums[name] = sealedFile{name, log.final, hex.EncodeToString(log.hash.Sum(nil))}
	}
}

var errNoLog = errors.New("the address is in no value log")

// logAt finds the value log that is mapped at an address, and where its mapping
// begins and ends. A pack's folder has a name of its own, so that it identifies the file.
func (f *flusher) logAt(address uintptr) (number int, begin, end uintptr, err error) {
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return 0, 0, 0, err
	}
	defer maps.Close()
	lines := bufio.NewScanner(maps)
	for lines.Scan() {
		var from, to uintptr
		var offset int64
		var rights string
		line := lines.Text()
		if _, err := fmt.Sscanf(line, "%x-%x %s %x", &from, &to, &rights, &offset); err != nil {
			return 0, 0, 0, fmt.Errorf("/proc/self/maps: %q: %w", line, err)
		}
		if address < from || address >= to {
			continue
		}
		_, name, found := strings.Cut(line, string(filepath.Separator)+filepath.Base(f.dir)+string(filepath.Separator))
		if _, err := fmt.Sscanf(name, "%06d.vlog", &number); !found || err != nil || offset != 0 {
			return 0, 0, 0, errNoLog
		}
		return number, from, to, nil
	}
	return 0, 0, 0, errors.Join(errNoLog, lines.Err())
}

// growingLog is a value log from whose beginning on bytes are final.
type growingLog struct {
	number int
	file   *os.File
	pages  uintptr // where Badger's mapping begins
	hash   *xxhash.Digest
	final  int64 // what lies before is summed and on its way to the disk
	given  int64 // what lies before is given back, whole pages
	failed bool  // to sum
}

// advance takes in that the log is final up to an offset. The step before, which the
// disk has by now or soon, is given back.
func (l *growingLog) advance(to int64, reuse bool, buf []byte) {
	if to <= l.final {
		return
	}
	// Not through the mapping: a file that somebody cut short would end the process.
	n, err := io.CopyBuffer(struct{ io.Writer }{l.hash}, io.NewSectionReader(l.file, l.final, to-l.final), buf)
	l.failed = l.failed || err != nil || n != to-l.final
	// That it failed is seen when the log is synced.
	_ = unix.SyncFileRange(int(l.file.Fd()), l.final, to-l.final, unix.SYNC_FILE_RANGE_WRITE)
	if reuse {
		l.giveBack(l.final)
	}
	l.final = to
}

// giveBack gives pages back to the kernel up to an offset, as soon as the disk has
// them. What is dirty stays: this is no way to lose a byte. Who reads them again gets
// them from the disk.
func (l *growingLog) giveBack(to int64) {
	if to &^= int64(os.Getpagesize() - 1); to <= l.given {
		return
	}
	_ = unix.SyncFileRange(int(l.file.Fd()), l.given, to-l.given, unix.SYNC_FILE_RANGE_WAIT_BEFORE)
	l.advise(l.given, to, unix.MADV_PAGEOUT) // from Linux 5.4 on
	l.given = to
}

// advise is madvise for a part of Badger's mapping. A refusal costs speed alone.
func (l *growingLog) advise(from, to int64, advice uintptr) {
	_, _, _ = unix.Syscall(unix.SYS_MADVISE, l.pages+uintptr(from), uintptr(to-from), advice)
}

// reportOrder exists in kernels that can report free memory to a host. It holds the
// size of what is reported, a power of two in pages, and -1 while nothing asks for it.
const reportOrder = "/sys/module/page_reporting/parameters/page_reporting_order"

// memoryIsDear reports whether this machine is virtual and gives free memory back to
// its host. It then gets fresh memory at 0.4 to 2.3 GB/s, against 4.8 to 7.9 for
// memory that was freed a moment before (64 MiB each, 2026-11-22).
func memoryIsDear() bool {
	order, err := os.ReadFile(reportOrder)
	return err == nil && reportsMemory(string(order))
}

func reportsMemory(order string) bool {
	var n int64
	_, err := fmt.Sscan(order, &n)
	return err == nil && n >= 0 && n < 64 // older kernels print -1 as 2^32 - 1
}

// localDisk reports whether a folder is on a file system that is known to read what
// was written through a mapping (9p, with which WSL2 mounts Windows, need not) and
// to have a disk below it (a page of tmpfs would only be swapped out).
func localDisk(dir string) bool {
	var fs unix.Statfs_t
	if unix.Statfs(dir, &fs) != nil {
		return false
	}
	switch int64(fs.Type) {
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC, unix.OVERLAYFS_SUPER_MAGIC:
		return true
	}
	return false
}
