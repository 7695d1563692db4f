package store

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestChild is not a test: it is what the tests that kill run in a process of
// its own, this binary again with VOXPACK_STORE_CHILD set to the work to do.
func TestChild(t *testing.T) {
	work, dir := os.Getenv("VOXPACK_STORE_CHILD"), os.Getenv("VOXPACK_STORE_DIR")
	if work == "" {
		t.Skip("runs as a child of other tests only")
	}
	o := testOptions()
	if r, err := strconv.ParseInt(os.Getenv("VOXPACK_STORE_RESERVE"), 10, 64); err == nil {
		o.Reserve = r
	}
	step := os.Getenv("VOXPACK_STORE_KILL")
	o.hook = func(at string) {
		if at == step {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {} // the signal is on its way
		}
	}
	var err error
	switch work {
	case "build":
		err = childBuild(dir, o, 1, os.Stdout)
	case "builds":
		for n := uint64(1); err == nil; n++ {
			err = childBuild(dir, o, n, os.Stdout)
		}
	case "merge":
		o.MaxSmall, o.DeadSlack = 2, 1
		_, err = Merge(context.Background(), dir, o, liveOfModel)
	case "hold":
		var lock *Lock
		if lock, err = TakeLock(dir); err == nil {
			fmt.Println("held")
			_, _ = io.ReadAll(os.Stdin)
			err = lock.Release()
		}
	case "copy":
		var snapshot Digest
		var s *Store
		if snapshot, err = ParseDigest(os.Getenv("VOXPACK_STORE_SNAPSHOT")); err == nil {
			if s, err = Open(os.Getenv("VOXPACK_STORE_FROM")); err == nil {
				_, err = s.Copy(context.Background(), dir, o, snapshot, "heads/main", nil)
			}
		}
	case "gc":
		o.MaxPack = gcTestPack
		_, err = GC(context.Background(), dir, o, liveOfModel, true)
	case "adopt":
		err = childAdopt(dir, o)
	case "fill":
		err = childFill(dir, o)
	case "cache":
		err = childCache(dir, step)
	case "fatal":
		go func() { log.Fatal("while flushing: open " + dir + "/DISCARD: input/output error") }()
		select {}
	}
	if err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
}

// childEntries are two puts of build n and its snapshot.
func childEntries(n uint64) (first, second []Entry) {
	a, b := entry(KindBlock, noise(1000+n, 60_000)), entry(KindBlock, noise(2000+n, 300))
	first = []Entry{a, {KindTrace, Key(Sum([]byte{byte(n)})), a.Name[:]}}
	second = []Entry{b, entry(KindSnapshot, noise(3000+n, 40))}
	return first, second
}

// childBuild is one build that says what it has reached.
func childBuild(dir string, o WriterOptions, n uint64, say io.Writer) error {
	w, err := OpenWriter(dir, o)
	if err != nil {
		return err
	}
	first, second := childEntries(n)
	if err := w.Put(first); err != nil {
		return err
	}
	fmt.Fprintln(say, "put", n)
	if err := w.Put(second); err != nil {
		return err
	}
	if err := w.Commit(context.Background(), "heads/main", second[1].Name); err != nil {
		return err
	}
	fmt.Fprintln(say, "commit", n)
	return w.Close()
}

// childFill puts blocks until something says no.
func childFill(dir string, o WriterOptions) error {
	w, err := OpenWriter(dir, o)
	if err != nil {
		return err
	}
	for n := uint64(0); ; n++ {
		if err := w.Put([]Entry{entry(KindBlock, noise(n, 300_000))}); err != nil {
			return errors.Join(err, w.Close())
		}
	}
}

// cachePair is entry n of a cache as many rows make it.
func cachePair(n int) Pair { return Pair{fmt.Appendf(nil, "row %06d", n), noise(uint64(n), 60)} }

// childCache writes a cache of many rows, and can be killed before it is closed.
func childCache(dir, step string) error {
	rows, err := strconv.Atoi(os.Getenv("VOXPACK_STORE_ROWS"))
	if err != nil {
		return err
	}
	c, err := OpenCache(dir)
	if err != nil {
		return err
	}
	pairs := make([]Pair, rows)
	for n := range pairs {
		pairs[n] = cachePair(n)
	}
	if err := c.Put(pairs...); err != nil {
		return err
	}
	if step == "cache put" {
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {} // the signal is on its way
	}
	return c.Close()
}

// child prepares this binary as a child process.
func child(work, dir string, env ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], "-test.run=^TestChild$")
	cmd.Env = append(os.Environ(), append(env, "VOXPACK_STORE_CHILD="+work, "VOXPACK_STORE_DIR="+dir)...)
	return cmd
}

// wantKilled checks that a child ended by SIGKILL and not by itself.
func wantKilled(t *testing.T, err error, out []byte) {
	t.Helper()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Fatalf("the child ended with %v, want it killed; it said:\n%s", err, out)
	}
}

// recovered takes over what a killed build left and checks the store.
func recovered(t *testing.T, dir string) (adopted, deleted int) {
	t.Helper()
	w, err := OpenWriter(dir, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	if HasLeftovers(dir) {
		if adopted, deleted, err = w.Adopt(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if HasLeftovers(dir) {
		t.Errorf("Adopt left something in %s", packsDir(dir))
	}
	s := open(t, dir)
	if err := s.Verify(context.Background(), true, func(d Damage) { t.Error(d) }); err != nil {
		t.Error(err)
	}
	s.Close()
	return adopted, deleted
}

func TestKilledBuildIsTakenOver(t *testing.T) {
	first, second := childEntries(1)
	for _, c := range []struct {
		step             string
		adopted, deleted int
		entries          []Entry // what must have survived
	}{
		{"open", 0, 1, nil},
		{"put", 1, 0, first},
		{"sync", 1, 0, append(first, second...)},
		{"close", 1, 0, append(first, second...)},
		{"seal", 1, 0, append(first, second...)},
		{"rename", 0, 0, append(first, second...)},
		{"before ref", 0, 0, append(first, second...)},
	} {
		t.Run(c.step, func(t *testing.T) {
			dir := memoryDir(t)
			block := entry(KindBlock, noise(1, 50_000))
			before := put(t, dir, testOptions(), block)
			reader := open(t, dir)
			out, err := child("build", dir, "VOXPACK_STORE_KILL="+c.step).CombinedOutput()
			wantKilled(t, err, out)
			wantEntries(t, reader, block, before)
			if adopted, deleted := recovered(t, dir); adopted != c.adopted || deleted != c.deleted {
				t.Errorf("Adopt = %d adopted, %d deleted, want %d, %d", adopted, deleted, c.adopted, c.deleted)
			}
			wantEntries(t, reader, append(c.entries, block, before)...)
			if got, err := reader.Ref("heads/main"); err != nil || got != Digest(before.Name) {
				t.Errorf("the ref is %v, %v, want the snapshot before", got, err)
			}
			if err := childBuild(dir, testOptions(), 1, io.Discard); err != nil {
				t.Errorf("the build after the kill: %v", err)
			}
			wantEntries(t, open(t, dir), append(first, second...)...)
		})
	}
}

// TestKilledAtRandomMoments kills a child that builds without pause: what it
// said it had put or committed must be there.
func TestKilledAtRandomMoments(t *testing.T) {
	rounds := 4
	if testing.Short() {
		rounds = 2
	}
	killOften(t, memoryDir(t), rounds)
}

// TestSoakKilledAtRandomMoments is the same on a disk.
func TestSoakKilledAtRandomMoments(t *testing.T) {
	soak(t)
	killOften(t, t.TempDir(), 40)
}

func killOften(t *testing.T, dir string, rounds int) {
	for round := range rounds {
		cmd := child("builds", dir)
		var out bytes.Buffer
		cmd.Stdout = &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(60+37*round) * time.Millisecond)
		cmd.Process.Kill()
		wantKilled(t, cmd.Wait(), out.Bytes())
		recovered(t, dir)
		s := open(t, dir)
		var committed Digest
		for scan := bufio.NewScanner(&out); scan.Scan(); {
			word, num, _ := strings.Cut(scan.Text(), " ")
			n, _ := strconv.ParseUint(num, 10, 64)
			first, second := childEntries(n)
			wantEntries(t, s, first...)
			if word == "commit" {
				wantEntries(t, s, second...)
				committed = second[1].Name
			}
		}
		head, err := s.Ref("heads/main")
		if !committed.IsZero() && err != nil {
			t.Errorf("round %d: a commit was announced and there is no ref: %v", round, err)
		}
		if err == nil && !s.Has(KindSnapshot, head) {
			t.Errorf("round %d: the ref names %v, which is not there", round, head)
		}
		s.Close()
	}
}

func TestKilledMergeLosesNothing(t *testing.T) {
	killedMerges(t, "merge", func(dir string) error {
		_, err := Merge(context.Background(), dir, eager(), liveOfModel)
		return err
	})
}

func TestKilledGCLosesNothing(t *testing.T) {
	killedMerges(t, "gc", func(dir string) error {
		_, err := GC(context.Background(), dir, testOptions(), liveOfModel, true)
		return err
	})
}

// killedMerges kills a child at each step of a work, and does it again.
func killedMerges(t *testing.T, work string, again func(dir string) error) {
	for _, step := range []string{"merge open", "merge put", "sync", "close", "seal", "rename", "merge rename", "merge remove"} {
		t.Run(step, func(t *testing.T) {
			dir, m := storeOfEdits(t, 8)
			out, err := child(work, dir, "VOXPACK_STORE_KILL="+step).CombinedOutput()
			wantKilled(t, err, out)
			if adopted, deleted := recovered(t, dir); adopted+deleted != 0 {
				t.Errorf("a build adopted %d and deleted %d of a merge's packs", adopted, deleted)
			}
			compareNow(t, dir, m.all())
			if err := again(dir); err != nil {
				t.Fatal(err)
			}
			compareNow(t, dir, m.all())
			for _, prefix := range []string{mergePrefix, gonePrefix} {
				if left, _ := leftovers(dir, prefix); len(left) > 0 {
					t.Errorf("the next merge left %v", left)
				}
			}
			if ids, _ := packIDs(dir); len(ids) > 3 {
				t.Errorf("%d packs after the next merge, want at most 3", len(ids))
			}
		})
	}
}

// compareNow opens the store, compares and closes it: an open store would keep
// a merge from removing packs.
func compareNow(t *testing.T, dir string, entries []Entry) {
	t.Helper()
	s := open(t, dir)
	defer s.Close()
	compare(t, s, entries)
}

// storeOfEdits makes a base and n one-row edits, a pack each.
func storeOfEdits(t *testing.T, n int) (string, *model) {
	t.Helper()
	dir, m := memoryDir(t), newModel(20)
	commit(t, dir, testOptions(), m.all())
	for i := range n {
		fresh := m.edit(i%len(m.shards), i%2 == 0)
		commit(t, dir, testOptions(), append(fresh, m.top()...))
	}
	return dir, m
}

// TestFullDisk needs a small file system of its own, which takes root to mount.
func TestFullDisk(t *testing.T) {
	mount := t.TempDir()
	if err := mountTmpfs(mount, "48m"); err != nil {
		t.Skipf("no small tmpfs to fill: %v", err)
	}
	t.Cleanup(func() { unmount(mount) })
	dir := filepath.Join(mount, "store")
	block := entry(KindBlock, noise(1, 50_000))
	o := testOptions()
	before := put(t, dir, o, block)
	out, err := child("fill", dir, "VOXPACK_STORE_RESERVE="+strconv.Itoa(8<<20)).CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 || !bytes.Contains(out, []byte("no space left")) {
		t.Fatalf("the child ended with %v, want exit code 1 and a clear error:\n%s", err, out)
	}
	s := open(t, dir)
	wantEntries(t, s, block, before)
	if err := s.Verify(context.Background(), true, func(d Damage) { t.Error(d) }); err != nil {
		t.Error(err)
	}
	s.Close() // unmounting wants no open files
}
