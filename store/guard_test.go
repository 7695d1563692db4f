package store

import (
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// TestMain lets a fatal end of Badger's be caught as the program does.
func TestMain(m *testing.M) {
	log.SetOutput(CatchFatal(os.Stderr, func(err error) {
		fmt.Fprintln(os.Stderr, "caught:", err)
		os.Exit(3)
	}))
	os.Exit(m.Run())
}

// TestAFatalEndOfBadgerIsAnError: a folder in the place of DISCARD is one of the
// things that Badger ends the process for.
func TestAFatalEndOfBadgerIsAnError(t *testing.T) {
	dir := memoryDir(t)
	put(t, dir, testOptions(), entry(KindBlock, noise(1, 2000)))
	left := filepath.Join(packsDir(dir), tempPrefix+"left")
	if err := os.MkdirAll(filepath.Join(left, discardName, "x"), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := openEngine(left, smallPack, true); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "DISCARD") {
		t.Errorf("openEngine = %v, want ErrDamaged of DISCARD", err)
	}
	cache := filepath.Join(dir, cacheName)
	if err := os.MkdirAll(filepath.Join(cache, discardName, "x"), 0o777); err != nil {
		t.Fatal(err)
	}
	c, err := OpenCache(dir)
	if err != nil || !strings.Contains(c.Note(), "replaced by an empty one") {
		t.Fatalf("OpenCache = %v, note %q, want a new cache", err, c.Note())
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// TestAFatalEndInTheBackground: nobody waits for it, so the program is told.
func TestAFatalEndInTheBackground(t *testing.T) {
	out, err := child("fatal", "/store/cache").CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 3 || !strings.Contains(string(out), "caught: the database of a pack or of the cache: /store/cache/DISCARD: input/output error") {
		t.Errorf("the child ended with %v, want exit code 3 and our sentence:\n%s", err, out)
	}
}

func TestWhatBadgerSays(t *testing.T) {
	for text, want := range map[string]struct {
		of   error
		says string
	}{
		"while opening memtables err: while opening fid: 1 err: unable to open: /s/p/00001.mem: open /s/p/00001.mem: input/output error": {unix.EIO, "/s/p/00001.mem: input/output error"},
		" err: while opening file: DISCARD\n err: cannot truncate: no space left on device":                                              {unix.ENOSPC, "/s/p/DISCARD: no space left on device"},
		"open .: too many open files": {unix.EMFILE, "/s/p: too many open files"},
		`Opening table: "/s/p/000001.sst" err: failed to initialize table err: checksum mismatch`: {ErrDamaged, "/s/p/000001.sst cannot be read (checksum mismatch): damaged"},
		"Arena too small, toWrite:4096 newTotal:1 limit:1":                                        {ErrDamaged, "/s/p cannot be read (Arena too small, toWrite:4096 newTotal:1 limit:1): damaged"},
	} {
		if err := badgerError("/s/p", text); !errors.Is(err, want.of) || err.Error() != want.says {
			t.Errorf("badgerError(%q) = %v, want %s", text, err, want.says)
		}
	}
}

// TestAKilledCacheWriteIsMended: 40,000 rows are more than the table of a small
// pack holds, with whose settings the cache was once opened for reading; Badger
// then ended every later build.
func TestAKilledCacheWriteIsMended(t *testing.T) {
	const rows = 40_000
	dir := memoryDir(t)
	out, err := child("cache", dir, "VOXPACK_STORE_KILL=cache put", "VOXPACK_STORE_ROWS="+strconv.Itoa(rows)).CombinedOutput()
	wantKilled(t, err, out)
	before := times(t, dir)
	if c, err := OpenCacheReadOnly(dir); c != nil || err == nil {
		t.Errorf("OpenCacheReadOnly = %v, %v, want nil and why", c, err)
	}
	for path, at := range times(t, dir) {
		if before[path] != at {
			t.Errorf("reading changed %s", path)
		}
	}
	wantCache(t, dir, rows)
}

// wantCache checks that a cache is mended and keeps what was put; negative rows: any number.
func wantCache(t *testing.T, dir string, rows int) {
	t.Helper()
	c, err := MendCache(dir)
	if err != nil || c.Note() != "" {
		t.Fatalf("MendCache = %v, note %q", err, c.Note())
	}
	for n := 0; n < rows; n += 997 {
		if v, ok := c.Get(cachePair(n).Key); !ok || string(v) != string(cachePair(n).Value) {
			t.Fatalf("entry %d is lost", n)
		}
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if c, err = OpenCacheReadOnly(dir); err != nil {
		t.Errorf("OpenCacheReadOnly = %v after mending", err)
	}
	c.Close()
}

// cacheCalls are the system calls by which a cache write changes files.
var cacheCalls = []string{"openat", "ftruncate", "mmap", "munmap", "msync", "fsync", "renameat", "unlinkat", "fchmodat", "flock", "close", "write"}

// TestKilledAtSystemCallsOfACacheWrite: whichever call the kill comes at, the
// next build has a cache.
func TestKilledAtSystemCallsOfACacheWrite(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a process of strace for each kill")
	}
	killed := 0
	for i, call := range cacheCalls {
		if killAt(t, call, 3+4*(i%5), 2_000) {
			killed++
		}
	}
	if killed < len(cacheCalls)/3 {
		t.Errorf("%d of %d kills came during the write", killed, len(cacheCalls))
	}
}

// TestSoakKilledAtEverySystemCallOfACacheWrite is the same at each call, with
// the rows of a large corpus.
func TestSoakKilledAtEverySystemCallOfACacheWrite(t *testing.T) {
	soak(t)
	kills := 0
	for _, call := range cacheCalls {
		n := 1
		for misses := 0; misses < 3; n++ { // calls are counted for each thread: a few more may come
			if killAt(t, call, n, 200_000) {
				kills, misses = kills+1, 0
			} else {
				misses++
			}
		}
		t.Logf("%s: %d places", call, n-4)
	}
	t.Logf("%d kills during a cache write of 200,000 rows: each time the next build had a cache", kills)
}

// killAt writes a cache in a child that is killed at the n-th call, and reports
// whether it was. Then the cache must be usable.
func killAt(t *testing.T, call string, n, rows int) bool {
	t.Helper()
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("NOTICE: no strace")
	}
	dir, err := os.MkdirTemp(memoryDir(t), "")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	c := child("cache", dir, "VOXPACK_STORE_ROWS="+strconv.Itoa(rows))
	c.Args = append([]string{strace, "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + call, "-e", fmt.Sprintf("inject=%s:signal=KILL:when=%d", call, n)}, c.Args...)
	c.Path = strace
	out, err := c.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) && !exit.Sys().(syscall.WaitStatus).Signaled() {
		t.Fatalf("%s %d: the child ended with %v, want done or killed; it said:\n%s", call, n, err, out)
	}
	if _, none := os.Stat(filepath.Join(dir, cacheName)); !errors.Is(none, fs.ErrNotExist) {
		r, refused := OpenCacheReadOnly(dir)
		r.Close()
		if errors.Is(refused, ErrDamaged) && err == nil {
			t.Errorf("%s %d: %v", call, n, refused)
		}
		t.Run(fmt.Sprintf("%s %d", call, n), func(t *testing.T) { wantCache(t, dir, 0) })
	}
	return err != nil
}
