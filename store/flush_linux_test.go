package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// newPackFolder is a folder with a name of its own, as packs have one.
func newPackFolder(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), tempPrefix+randomHex(8))
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

// newValueLog makes a log as Badger does: a file longer than it will be, and mapped.
func newValueLog(t *testing.T, dir string, number int, content []byte) (f *os.File, pages []byte) {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, fmt.Sprintf("%06d.vlog", number)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	const size = 2 * valueLogSize
	if err := f.Truncate(size); err != nil {
		t.Fatal(err)
	}
	pages, err = unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Munmap(pages) })
	copy(pages, content)
	return f, pages
}

// endValueLog cuts a log to its length as Badger does before the next one.
func endValueLog(t *testing.T, f *os.File, pages []byte, size int) {
	t.Helper()
	if err := unix.Msync(pages[:size], unix.MS_SYNC); err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(int64(size)); err != nil {
		t.Fatal(err)
	}
}

// addressOf is what the writer tells of a value.
func addressOf(b []byte) uintptr { return uintptr(unsafe.Pointer(&b[0])) }

// cachedPages counts the pages of a file that are in memory.
func cachedPages(t *testing.T, f *os.File, size int) (n int) {
	t.Helper()
	pages, err := unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(pages)
	state := make([]byte, (size+os.Getpagesize()-1)/os.Getpagesize())
	if _, _, errno := unix.Syscall(unix.SYS_MINCORE, uintptr(unsafe.Pointer(&pages[0])), uintptr(size), uintptr(unsafe.Pointer(&state[0]))); errno != 0 {
		t.Fatal(errno)
	}
	for _, s := range state {
		n += int(s & 1)
	}
	return n
}

// TestALogIsSummedAsItGrows follows two logs by steps that end within pages. The
// second half of each is written after the first was summed.
func TestALogIsSummedAsItGrows(t *testing.T) {
	for _, reuse := range []bool{false, true} {
		dir := newPackFolder(t)
		if reuse && !localDisk(dir) {
			t.Skipf("%s is on no local disk", dir)
		}
		f := newFlusher(dir, reuse)
		f.least = 1
		const size = 6<<20 + 123
		for number := 1; number <= 2; number++ {
			content := bytes.Repeat([]byte{1, 2, 3, byte(number)}, size/4+1)[:size]
			log, pages := newValueLog(t, dir, number, content[:size/2])
			for _, at := range []int{20, 1<<20 + 77, 1<<20 + 78, 1 << 20, size / 2} { // one goes back
				f.step(addressOf(pages[at:]))
			}
			copy(pages[size/2:], content[size/2:]) // after the sum of the first half
			f.step(addressOf(pages[size-9:]))
			endValueLog(t, log, pages, size)
			if number == 1 {
				continue // the next log's first step ends it
			}
			f.endLog(reuse)
			for i, name := range []string{"000001.vlog", "000002.vlog"} {
				if want, err := fileSum(dir, name, true, false); err != nil || f.sums[name] != want {
					t.Errorf("reuse %v: log %d has the sum %v, want %v (%v)", reuse, i+1, f.sums[name], want, err)
				}
			}
		}
	}
}

// TestPagesAreGivenBackAStepLater: the disk may not have the last step yet.
func TestPagesAreGivenBackAStepLater(t *testing.T) {
	for _, reuse := range []bool{false, true} {
		dir := newPackFolder(t)
		if !localDisk(dir) {
			t.Skipf("%s is on no local disk", dir)
		}
		const step = 2 << 20
		f := newFlusher(dir, reuse)
		f.least = 1
		log, pages := newValueLog(t, dir, 1, bytes.Repeat([]byte("abcd"), 3*step/4))
		var cached []int // of the first step, after each
		for i := 1; i <= 3; i++ {
			f.step(addressOf(pages[i*step-1:]))
			cached = append(cached, cachedPages(t, log, step))
		}
		all := step / os.Getpagesize()
		if cached[0] < all/2 {
			t.Errorf("reuse %v: %d of %d pages are in memory after the first step", reuse, cached[0], all)
		}
		if gone := cached[2] < all/10; gone != reuse {
			t.Errorf("reuse %v: %d of %d pages of the first step are in memory after the third", reuse, cached[2], all)
		}
		if !bytes.Equal(pages[:step], bytes.Repeat([]byte("abcd"), step/4)) {
			t.Errorf("reuse %v: other bytes are read back", reuse)
		}
	}
}

// TestASumThatFailedIsLeftToTheSeal: of a file that somebody cut short, here.
func TestASumThatFailedIsLeftToTheSeal(t *testing.T) {
	dir := newPackFolder(t)
	f := newFlusher(dir, false)
	f.least = 1
	log, pages := newValueLog(t, dir, 1, make([]byte, 1<<20))
	f.step(addressOf(pages[1000:]))
	if err := log.Truncate(5000); err != nil {
		t.Fatal(err)
	}
	f.step(addressOf(pages[10000:]))
	if sums := f.finish(); len(sums) != 0 {
		t.Errorf("sums %v of a log that was cut short", sums)
	}
}

// TestALogThatLostSummedBytesIsNotSealed: its sum is of bytes that it no longer has.
func TestALogThatLostSummedBytesIsNotSealed(t *testing.T) {
	dir := newPackFolder(t)
	f := newFlusher(dir, false)
	f.least = 1
	log, pages := newValueLog(t, dir, 1, bytes.Repeat([]byte{7}, 1<<20))
	f.step(addressOf(pages[10000:]))
	if err := log.Truncate(5000); err != nil {
		t.Fatal(err)
	}
	if err := writeSeal(dir, 1, nil, f.finish()); !errors.Is(err, ErrDamaged) {
		t.Errorf("writeSeal = %v, want ErrDamaged", err)
	}
}

// TestOnlyLogsOfThePackAreFollowed: an address may be anything's.
func TestOnlyLogsOfThePackAreFollowed(t *testing.T) {
	dir, other := newPackFolder(t), newPackFolder(t)
	f := newFlusher(dir, true)
	_, elsewhere := newValueLog(t, other, 1, make([]byte, 1<<20))
	_, ours := newValueLog(t, dir, 1, make([]byte, 1<<20))
	heap := make([]byte, 100)
	for name, address := range map[string]uintptr{"of another pack": addressOf(elsewhere), "of Go's memory": addressOf(heap), "of nothing": 1} {
		if f.step(address); f.log != nil {
			t.Errorf("an address %s made a log", name)
		}
		if _, _, _, err := f.logAt(address); !errors.Is(err, errNoLog) {
			t.Errorf("logAt an address %s: %v, want errNoLog", name, err)
		}
	}
	number, begin, end, err := f.logAt(addressOf(ours[4321:]))
	if number != 1 || begin != addressOf(ours) || end-begin != 2*valueLogSize || err != nil {
		t.Errorf("logAt = %d, %x to %x, %v, want log 1 at %x", number, begin, end, err, addressOf(ours))
	}
}

// TestAFlusherNeverStopsTheWriter: whatever becomes of the files.
func TestAFlusherNeverStopsTheWriter(t *testing.T) {
	var none *flusher
	none.close()
	if sums := none.finish(); len(sums) != 0 {
		t.Errorf("sums %v of no flusher", sums)
	}
	dir := newPackFolder(t)
	if !localDisk(dir) {
		t.Skipf("%s is on no local disk", dir)
	}
	_, pages := newValueLog(t, dir, 1, make([]byte, 4096))
	f := startFlusher(dir)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		f.wrote(pages[100:]) // does not wait for the goroutine
	}
	f.close()
	if sums := f.finish(); len(sums) != 0 {
		t.Errorf("sums %v of logs that are gone", sums)
	}
}

// TestTheFlusherTakesLongSteps: the log is not touched before flushStep is final.
func TestTheFlusherTakesLongSteps(t *testing.T) {
	f := newFlusher(newPackFolder(t), false)
	_, pages := newValueLog(t, f.dir, 1, []byte("content"))
	for _, at := range []struct{ value, final int64 }{{5, 0}, {flushStep - 1, 0}, {flushStep, flushStep}, {2*flushStep - 1, flushStep}, {2*flushStep + 9, 2 * flushStep}, {5*flushStep + 5, 5 * flushStep}, {flushStep, 5 * flushStep}} {
		if f.step(addressOf(pages[at.value:])); f.log.final != at.final {
			t.Errorf("a value at %d: final up to %d, want %d", at.value, f.log.final, at.final)
		}
	}
	f.wrote(nil) // a put without a value in a log
	if len(f.wake) != 0 {
		t.Error("woken without an address")
	}
	f.wrote(pages[1:])
	f.wrote(pages[2:])
	if got := <-f.wake; got != addressOf(pages[1:]) || len(f.wake) != 0 {
		t.Error("a writer that is faster than the flusher has to wait")
	}
}

// TestASealTakesKnownSums and refuses a file that changed after its sum.
func TestASealTakesKnownSums(t *testing.T) {
	dir := newPackFolder(t)
	for name, content := range map[string]string{"000001.vlog": "content", "000002.vlog": "more"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	known, err := fileSum(dir, "000001.vlog", true, false)
	if err != nil {
		t.Fatal(err)
	}
	known.sum = "0123456789abcdef" // to be recognised
	if err := writeSeal(dir, 2, nil, map[string]sealedFile{"000001.vlog": known}); err != nil {
		t.Fatal(err)
	}
	s, err := readSeal(dir)
	if err != nil {
		t.Fatal(err)
	}
	second, err := fileSum(dir, "000002.vlog", true, false)
	if err != nil || len(s.files) != 2 || s.files[0] != known || s.files[1] != second {
		t.Errorf("sealed %v (%v), want %v and %v", s.files, err, known, second)
	}
	known.size++
	if err := writeSeal(dir, 2, nil, map[string]sealedFile{"000001.vlog": known}); err == nil {
		t.Error("a log that lost a byte after its sum was sealed")
	}
}

// TestALargePackIsSealedWithoutWaste writes over the end of a value log with a
// flusher beside it, as where memory is at hand and as where it is dear. Small values
// and values put twice lie in no log, and must not confuse the sums.
func TestALargePackIsSealedWithoutWaste(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 600 MB")
	}
	for _, reuse := range []bool{false, true} {
		t.Run(fmt.Sprintf("reuse=%v", reuse), func(t *testing.T) {
			t.Parallel()
			testLargePack(t, reuse)
		})
	}
}

func testLargePack(t *testing.T, reuse bool) {
	dir := t.TempDir()
	if free, err := Free(dir); err != nil || free < 2<<30 || !localDisk(dir) {
		t.Skipf("%d bytes free, %v", free, err)
	}
	w, err := OpenWriter(dir, WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	const values, size = 34, 8 << 20 // 272 MiB: a log and a little
	block := make([]byte, size)
	var names []Digest
	for i := range values {
		for at := 0; at < size; at += 4096 {
			copy(block[at:], fmt.Sprint(i, at))
		}
		small := bytes.Repeat([]byte{byte(i)}, mappedAbove/2)
		entries := []Entry{{KindBlock, Sum(block), block}, {KindBlock, Sum(small), small}}
		if i%3 == 0 {
			entries = append(entries, entries[0])
		}
		names = append(names, entries[0].Name, entries[1].Name)
		if err := w.Put(entries); err != nil {
			t.Fatal(err)
		}
		if f := w.draft.flusher; f != nil && i == 3 {
			f.close() // and again with the setting that is tested
			f.finish()
			w.draft.flusher = newFlusher(w.draft.dir, reuse)
			w.draft.flusher.start()
		}
	}
	f := w.draft.flusher
	if f == nil {
		t.Fatal("a large pack has no flusher")
	}
	for _, name := range names { // from the logs as they are, given back or not
		if value, err := w.Store().Get(KindBlock, name); err != nil || Sum(value) != name {
			t.Errorf("block %v cannot be read while the pack is written: %v", name.Short(), err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if len(f.sums) != 2 {
		t.Errorf("%d logs were summed beside the writer, want 2", len(f.sums))
	}
	checkPack(t, dir, names)
}

// checkPack reads every block, holds every file to its SEAL, and its place on the
// disk to its length.
func checkPack(t *testing.T, dir string, names []Digest) {
	t.Helper()
	s := open(t, dir)
	defer s.Close()
	for _, name := range names {
		if !s.Check(KindBlock, name) {
			t.Errorf("block %v cannot be read back", name.Short())
		}
	}
	logs, err := filepath.Glob(filepath.Join(dir, "packs", "*", "*.vlog"))
	if err != nil || len(logs) != 2 {
		t.Fatalf("value logs %v (%v), want two", logs, err)
	}
	for _, path := range logs {
		if info, err := os.Stat(path); err != nil || blocksOf(info) > info.Size()+1<<20 {
			t.Errorf("%s of %d bytes occupies %d (%v)", filepath.Base(path), info.Size(), blocksOf(info), err)
		}
	}
	pack := filepath.Dir(logs[0])
	seal, err := readSeal(pack)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range seal.files {
		if problem, err := f.check(pack, true); err != nil || problem != "" {
			t.Errorf("%s, summed while the pack was written: %s (%v)", f.name, problem, err)
		}
	}
}

func TestWhatTheKernelSaysOfReporting(t *testing.T) {
	for order, want := range map[string]bool{
		"9\n": true, "0\n": true, "-1\n": false, "4294967295\n": false, "": false, "none": false,
	} {
		if got := reportsMemory(order); got != want {
			t.Errorf("reportsMemory(%q) = %v, want %v", order, got, want)
		}
	}
}

// TestAFileInMemoryHasNoDisk: its pages would go to swap.
func TestAFileInMemoryHasNoDisk(t *testing.T) {
	var fs unix.Statfs_t
	if err := unix.Statfs("/dev/shm", &fs); err != nil || fs.Type != unix.TMPFS_MAGIC {
		t.Skipf("/dev/shm is on another file system: %x, %v", fs.Type, err)
	}
	if localDisk("/dev/shm") || startFlusher("/dev/shm") != nil {
		t.Error("/dev/shm is taken for a disk")
	}
}
