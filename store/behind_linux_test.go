package store

import (
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/sys/unix"
)

// cachedPages counts the pages of a file's stretch that are in memory.
func cachedPages(t *testing.T, f *os.File, from, to int64) (n int) {
	t.Helper()
	pages, err := unix.Mmap(int(f.Fd()), from, int(to-from), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(pages)
	state := make([]byte, len(pages)/os.Getpagesize())
	if _, _, errno := unix.Syscall(unix.SYS_MINCORE, uintptr(unsafe.Pointer(&pages[0])), uintptr(len(pages)), uintptr(unsafe.Pointer(&state[0]))); errno != 0 {
		t.Fatal(errno)
	}
	for _, s := range state {
		n += int(s & 1)
	}
	return n
}

// TestBehindSumsUpAndGivesBack follows two logs and compares the sums that it has
// begun, and what is left of the pages.
func TestBehindSumsUpAndGivesBack(t *testing.T) {
	for _, recycle := range []bool{false, true} {
		dir := newPackFolder(t)
		b := startBehind()
		b.recycle.Store(recycle)
		var files []*os.File
		var contents [][]byte
		for number := 1; number <= 2; number++ {
			f, pages := newValueLog(t, dir, number)
			content := bytes.Repeat([]byte{1, 2, 3, byte(number)}, (3*behindStep+12)/4)
			copy(pages, content)
			log, err := openValueLog(f.Name())
			if log == nil || err != nil {
				t.Fatalf("%s was not found to be mapped: %v", f.Name(), err)
			}
			if !log.local {
				t.Skipf("%s is on no local disk", f.Name())
			}
			b.follow(log)
			b.at(behindStep - 1)
			b.at(behindStep)
			b.at(3*behindStep + 7)
			files, contents = append(files, f), append(contents, content)
		}
		b.stop()
		for i, f := range files {
			name := filepath.Base(f.Name())
			sum := b.sums[name]
			want := []int64{valueLogSize, 3 * behindStep}[i] // the first to its end
			if sum == nil || sum.n != want {
				t.Fatalf("recycle %v: %s is summed up as %v, want %d bytes", recycle, name, sum, want)
			}
			got, err := sumFile(dir, name, true, false, sum)
			if err != nil {
				t.Fatal(err)
			}
			h := xxhash.New()
			h.Write(contents[i])
			for rest := 2*valueLogSize - len(contents[i]); rest > 0; rest -= behindStep {
				h.Write(make([]byte, min(rest, behindStep)))
			}
			if got.size != 2*valueLogSize || got.sum != hex.EncodeToString(h.Sum(nil)) {
				t.Errorf("recycle %v: %s has %d bytes and the sum %s", recycle, name, got.size, got.sum)
			}
		}
		// Of the last log the last stretch stays: the disk may not have it yet.
		for _, at := range []struct {
			f        *os.File
			from, to int64
			gone     bool
		}{{files[0], 0, 3 * behindStep, true}, {files[1], 0, behindStep, true}, {files[1], 3 * behindStep, 3*behindStep + 64<<10, false}} {
			n := cachedPages(t, at.f, at.from, at.to)
			if all := int(at.to-at.from) / os.Getpagesize(); recycle && at.gone && n > all/10 || !(recycle && at.gone) && n == 0 {
				t.Errorf("recycle %v: %d of %d pages of %s from %d on are in memory", recycle, n, all, filepath.Base(at.f.Name()), at.from)
			}
		}
		got := make([]byte, len(contents[0]))
		if _, err := files[0].ReadAt(got, 0); err != nil || !bytes.Equal(got, contents[0]) {
			t.Errorf("recycle %v: the log has other bytes than before (%v)", recycle, err)
		}
	}
}

// TestASumThatFailedIsTakenAnew: of a file that somebody cut short, here.
func TestASumThatFailedIsTakenAnew(t *testing.T) {
	dir := newPackFolder(t)
	f, _ := newValueLog(t, dir, 1)
	log, err := openValueLog(f.Name())
	if log == nil || err != nil {
		t.Fatal(log, err)
	}
	if !log.local {
		t.Skipf("%s is on no local disk", f.Name())
	}
	if err := f.Truncate(behindStep + 5); err != nil {
		t.Fatal(err)
	}
	b := startBehind()
	b.follow(log)
	b.at(2 * behindStep)
	b.at(3 * behindStep)
	b.stop()
	sum := b.sums["000001.vlog"]
	if sum == nil || sum.n >= 0 {
		t.Fatalf("the sum is %v", sum)
	}
	begun, err := sumFile(dir, "000001.vlog", true, false, sum)
	if err != nil {
		t.Fatal(err)
	}
	if anew, err := fileSum(dir, "000001.vlog", true, false); err != nil || begun != anew {
		t.Errorf("the sum is %v, anew it is %v (%v)", begun, anew, err)
	}
}

func TestMemoryThatIsDearIsUsedAgain(t *testing.T) {
	const huge, small = 2 << 20, 4 << 10
	for _, test := range []struct {
		name    string
		page    int64
		speeds  []float64 // of steps, in bytes a second
		recycle bool
	}{
		{"at hand", huge, []float64{6e9, 5e9, 7e9, 5e9, 6e9, 6e9, 6e9, 6e9}, false},
		{"one slow step", huge, []float64{6e9, 22e8, 6e9, 6e9}, false},
		{"dear", huge, []float64{1e9, 1e9, 2e9, 1e9}, true},
		{"dear from some place on", huge, []float64{6e9, 5e9, 7e9, 5e9, 1e9, 1e9, 1e9, 1e9}, true},
		{"too little to tell", huge, []float64{1e9}, false},
		{"at hand, in small pages", small, []float64{25e8, 2e9, 15e8, 2e9}, false},
		{"dear, in small pages", small, []float64{3e8, 4e8, 6e8, 5e8}, true},
	} {
		a := &ahead{behind: &behind{}}
		for _, speed := range test.speeds {
			a.weigh(effort{aheadStep, aheadStep / test.page, time.Duration(aheadStep / speed * 1e9)})
		}
		if got := a.behind.recycle.Load(); got != test.recycle {
			t.Errorf("%s: used again %v, want %v", test.name, got, test.recycle)
		}
	}
}

// TestTheEffortOfPages holds what the kernel tells to what is made of it.
func TestTheEffortOfPages(t *testing.T) {
	dir := newPackFolder(t)
	f, _ := newValueLog(t, dir, 1)
	pages, ok, err := mappingOf(f.Name(), valueLogSize)
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	if err := pages.advise(0, 2*valueLogSize, unix.MADV_NOHUGEPAGE); err != nil && err != unix.EINVAL {
		t.Fatal(err)
	}
	e, err := populate(pages, 0, aheadStep)
	if err != nil {
		t.Skipf("this kernel cannot populate mappings: %v", err)
	}
	most := int64(aheadStep / os.Getpagesize())
	if e.bytes != aheadStep || e.faults < 2 || e.faults > most+100 || e.time <= 0 || e.time > time.Minute {
		t.Errorf("the effort of %d bytes in up to %d pages was %+v", int64(aheadStep), most, e)
	}
}

// TestAFileInMemoryHasNoDisk: nothing of it is to be given back.
func TestAFileInMemoryHasNoDisk(t *testing.T) {
	f, err := os.CreateTemp("/dev/shm", tempPrefix+"*")
	if err != nil {
		t.Skipf("no memory for files here: %v", err)
	}
	defer os.Remove(f.Name())
	defer f.Close()
	var fs unix.Statfs_t
	if err := unix.Fstatfs(int(f.Fd()), &fs); err != nil || fs.Type != unix.TMPFS_MAGIC {
		t.Skipf("%s is on another file system: %x, %v", f.Name(), fs.Type, err)
	}
	if localDisk(f) {
		t.Errorf("%s is said to be on a disk", f.Name())
	}
}

// TestALogBeginsBehindWhatIsBeingWritten: where ahead meets the next log while a
// put is under way, all of that may lie in the log before.
func TestALogBeginsBehindWhatIsBeingWritten(t *testing.T) {
	dir := newPackFolder(t)
	newValueLog(t, dir, 1)
	newValueLog(t, dir, 2)
	a := &ahead{dir: dir, written: 1000, behind: startBehind()}
	a.turn = sync.NewCond(&a.mu)
	a.await(70)
	if err := a.follow(); err != nil || a.number != 2 || a.base != 1070 {
		t.Errorf("log %d begins at %d (%v), want the second, at 1070", a.number, a.base, err)
	}
	a.moved(60)
	if got := a.most(); got != 1060 {
		t.Errorf("a log would begin at %d behind the put, want 1060", got)
	}
	a.behind.stop()
}

// TestSumsAreOfWhatIsWritten: small values are not in a value log, and of two that
// are the same one is, so that neither says how far it is written.
func TestSumsAreOfWhatIsWritten(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 250 MB")
	}
	for _, test := range []struct {
		name      string
		puts      int
		small     int // values in each put
		twiceEach int
	}{
		{"small values", 15, 40, 0},
		{"twice the same", 21, 0, 5},
		{"both", 19, 7, 4},
	} {
		dir := t.TempDir()
		w, err := OpenWriter(dir, WriterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range test.puts {
			block := bytes.Repeat([]byte{byte(i + 1), 7, byte(test.small)}, (4<<20-3000)/3)
			entries := []Entry{{KindBlock, Sum(block), block}}
			for j := range test.small {
				value := bytes.Repeat([]byte{byte(i), byte(j), 1, 2}, 125)
				entries = append(entries, Entry{KindBlock, Sum(value), value})
			}
			if test.twiceEach > 0 && i%test.twiceEach == 1 {
				entries = append(entries, entries[0])
			}
			if err := w.Put(entries); err != nil {
				t.Fatal(err)
			}
			time.Sleep(20 * time.Millisecond) // behind gets to work before the next
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		seals, err := filepath.Glob(filepath.Join(dir, "packs", "*", sealName))
		if err != nil || len(seals) != 1 {
			t.Fatal(seals, err)
		}
		pack := filepath.Dir(seals[0])
		seal, err := readSeal(pack)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range seal.files {
			if problem, err := f.check(pack, true); err != nil || problem != "" {
				t.Errorf("%s: %s of %d bytes: %s (%v)", test.name, f.name, f.size, problem, err)
			}
		}
	}
}

func TestMappingOf(t *testing.T) {
	dir := newPackFolder(t)
	f, _ := newValueLog(t, dir, 1)
	m, ok, err := mappingOf(f.Name(), valueLogSize)
	if !ok || err != nil || m.to-m.from != 2*valueLogSize {
		t.Fatalf("mapping %x to %x, %v, %v", m.from, m.to, ok, err)
	}
	if _, ok, err := mappingOf(f.Name(), 2*valueLogSize+1); ok || err != nil {
		t.Errorf("a mapping longer than there is: %v, %v", ok, err)
	}
	if _, ok, err := mappingOf(filepath.Join(dir, "000002.vlog"), 1); ok || err != nil {
		t.Errorf("the mapping of a file that is not there: %v, %v", ok, err)
	}
	if err := m.advise(0, 4096, unix.MADV_POPULATE_WRITE); err != nil && err != unix.EINVAL {
		t.Error(err)
	}
}
