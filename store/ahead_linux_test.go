package store

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

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

// newValueLog makes a file as Badger does: full of holes, longer than it will be, and mapped.
func newValueLog(t *testing.T, dir string, number int) (file *os.File, pages []byte) {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, fmt.Sprintf("%06d.vlog", number)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if err := f.Truncate(2 * valueLogSize); err != nil {
		t.Fatal(err)
	}
	pages, err = unix.Mmap(int(f.Fd()), 0, 2*valueLogSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Munmap(pages) })
	return f, pages
}

// awaitBlocks waits until a file occupies so many bytes.
func awaitBlocks(t *testing.T, f *os.File, least int64) {
	t.Helper()
	var got int64
	for range 3000 { // others may have the processors
		info, err := f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		if got = blocksOf(info); got >= least {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s occupies %d bytes, want at least %d", filepath.Base(f.Name()), got, least)
}

// await waits as the writer does, and fails where that has no end.
func await(t *testing.T, a *ahead, n int64) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		a.await(n)
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatalf("the writer waits for %d bytes for ever", n)
	}
}

// TestAheadHoldsNoWriterWithoutALog: a pack that Badger names otherwise, say.
func TestAheadHoldsNoWriterWithoutALog(t *testing.T) {
	a := startAhead(t.TempDir(), 64<<20, 0)
	await(t, a, 1)
	a.moved(1)
	await(t, a, 1)
	a.stop()
	await(t, nil, 1)
}

// TestAheadHoldsNoWriterWhenItFails: here because the folder is gone.
func TestAheadHoldsNoWriterWhenItFails(t *testing.T) {
	dir := newPackFolder(t)
	newValueLog(t, dir, 1)
	a := startAhead(dir, 0, 0)
	defer a.stop()
	await(t, a, aheadStep)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	a.moved(2 * aheadWindow)
	await(t, a, aheadStep)
	a.moved(1)
	await(t, a, aheadStep)
}

// TestAheadEndsBeforeALogGrows: Badger may map it elsewhere then.
func TestAheadEndsBeforeALogGrows(t *testing.T) {
	dir := newPackFolder(t)
	newValueLog(t, dir, 1)
	a := startAhead(dir, 0, 0)
	await(t, a, valueLogSize)
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.quit {
		t.Error("ahead goes on beside a put that is longer than a log")
	}
}

func TestAheadReadiesWhatTheWriterComesTo(t *testing.T) {
	dir := newPackFolder(t)
	if free, err := Free(dir); err != nil || free < 1<<30 {
		t.Skipf("%d bytes free, %v: ahead leaves the last of the space alone", free, err)
	}
	first, _ := newValueLog(t, dir, 1)
	page, err := unix.Mmap(int(first.Fd()), 0, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(page)
	if err := unix.Madvise(page, unix.MADV_POPULATE_WRITE); err != nil {
		t.Skipf("this kernel cannot populate mappings: %v", err)
	}
	value := bytes.Repeat([]byte("value"), 4<<20)
	if _, err := first.WriteAt(value, 0); err != nil {
		t.Fatal(err)
	}
	a := startAhead(dir, int64(len(value)), 0)
	defer a.stop()
	await(t, a, aheadStep)
	if info, err := first.Stat(); err != nil || blocksOf(info) < int64(len(value))+aheadStep {
		t.Errorf("%d bytes are ready (%v) for a writer that waited for %d behind %d", blocksOf(info), err, aheadStep, len(value))
	}
	await(t, a, 3*aheadMost) // more than is ever made ready
	awaitBlocks(t, first, int64(len(value))+aheadWindow-aheadStep)
	later := make([]byte, len(value)) // what the writer does among ready pages
	copy(later, "later")
	if _, err := first.WriteAt(later, int64(len(value))); err != nil {
		t.Fatal(err)
	}
	a.moved(int64(len(later)))
	awaitBlocks(t, first, int64(len(value)+len(later))+aheadWindow-aheadStep)

	second, _ := newValueLog(t, dir, 2)
	a.moved(aheadMost) // all that was ready of the first
	await(t, a, aheadStep)
	if info, err := second.Stat(); err != nil || blocksOf(info) < aheadStep {
		t.Errorf("%d bytes of the second log are ready (%v) for a writer that waited for %d", blocksOf(info), err, aheadStep)
	}
	awaitBlocks(t, second, aheadWindow-aheadStep)
	a.stop()
	a.stop()
	a.moved(1)
	await(t, a, 1)
	got := make([]byte, len(value)+len(later)+aheadWindow)
	if _, err := first.ReadAt(got, 0); err != nil {
		t.Fatal(err)
	}
	if want := append(append(value, later...), make([]byte, aheadWindow)...); !bytes.Equal(got, want) {
		t.Error("the value log has other bytes than were written")
	}
	for _, f := range []*os.File{first, second} {
		if info, err := f.Stat(); err != nil || info.Size() != 2*valueLogSize {
			t.Errorf("%s has %d bytes (%v), want %d as before", f.Name(), info.Size(), err, int64(2*valueLogSize))
		}
	}
}

func TestAheadLeavesTheLastOfTheSpaceAlone(t *testing.T) {
	dir := newPackFolder(t)
	f, _ := newValueLog(t, dir, 1)
	a := startAhead(dir, 64<<20, 1<<50)
	await(t, a, 1)
	a.stop()
	if info, err := f.Stat(); err != nil || blocksOf(info) > 1<<20 {
		t.Errorf("it took %d bytes (%v)", blocksOf(info), err)
	}
}

// TestALargePackIsSealedWithoutWaste writes a pack with ahead beside it, over the
// end of a value log, as where memory is at hand and as where it is dear.
func TestALargePackIsSealedWithoutWaste(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 600 MB")
	}
	for _, dear := range []bool{false, true} {
		t.Run(fmt.Sprintf("dear=%v", dear), func(t *testing.T) { testLargePack(t, dear) })
	}
}

func testLargePack(t *testing.T, dear bool) {
	dir := t.TempDir()
	if free, err := Free(dir); err != nil || free < 2<<30 {
		t.Skipf("%d bytes free, %v", free, err)
	}
	w, err := OpenWriter(dir, WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	const values, size = 75, 4 << 20
	block := make([]byte, size)
	var names []Digest
	for i := range values {
		for at := 0; at < size; at += 4096 {
			copy(block[at:], fmt.Sprint(i, at))
		}
		names = append(names, Sum(block))
		if err := w.Put([]Entry{{KindBlock, names[i], block}}); err != nil {
			t.Fatal(err)
		}
		if a := w.draft.ahead; a != nil && dear {
			a.behind.recycle.Store(true)
		}
	}
	if w.draft.ahead == nil {
		t.Error("nothing went ahead of the writer of a large pack")
	}
	for i, name := range names { // from the log that is being written, given back or not
		if value, err := w.Store().Get(KindBlock, name); err != nil || Sum(value) != name {
			t.Errorf("block %d cannot be read while the pack is written: %v", i, err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for i, name := range names {
		if !s.Check(KindBlock, name) {
			t.Errorf("block %d cannot be read back", i)
		}
	}
	logs, err := filepath.Glob(filepath.Join(dir, "packs", "*", "*.vlog"))
	if err != nil || len(logs) < 2 {
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
			t.Errorf("%s, summed up as it was written: %s (%v)", f.name, problem, err)
		}
	}
}
