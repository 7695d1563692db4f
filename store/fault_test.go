package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestAKilledTakingOverLosesNothing: a build is killed, and then the next one
// while it takes over what the first has left, sound or with damage in it.
func TestAKilledTakingOverLosesNothing(t *testing.T) {
	first, _ := childEntries(1)
	spoilt := entry(KindBlock, noise(9, 50_000))
	for _, damaged := range []bool{false, true} {
		for _, step := range []string{"sync", "close", "seal", "rename"} {
			t.Run(fmt.Sprintf("%s, damaged %v", step, damaged), func(t *testing.T) {
				dir := memoryDir(t)
				block := entry(KindBlock, noise(1, 50_000))
				before := put(t, dir, testOptions(), block)
				if damaged {
					w, err := OpenWriter(dir, testOptions())
					if err != nil {
						t.Fatal(err)
					}
					if err := errors.Join(w.Put(first), w.Put([]Entry{spoilt})); err != nil {
						t.Fatal(err)
					}
					path := w.draft.dir
					abort(w)
					flipHead(t, filepath.Join(path, "000001.vlog"), spoilt.Value[:100], 20_000)
				} else {
					out, err := child("build", dir, "VOXPACK_STORE_KILL=put").CombinedOutput()
					wantKilled(t, err, out)
				}
				out, err := child("adopt", dir, "VOXPACK_STORE_KILL="+step).CombinedOutput()
				wantKilled(t, err, out)
				recovered(t, dir)
				s := open(t, dir)
				wantEntries(t, s, append(first[:len(first):len(first)], block, before)...)
				if s.Has(spoilt.Kind, spoilt.Name) {
					t.Error("the damaged block was taken over")
				}
				if head, err := s.Ref("heads/main"); err != nil || head != Digest(before.Name) {
					t.Errorf("the ref is %v, %v, want it where it was", head, err)
				}
			})
		}
	}
}

// fault is an answer of the kernel to the n-th call of some thread.
type fault struct{ call, answer string }

// TestAFaultOfTheDiskLeavesAWholeStore: the n-th sync, rename and so on of a build
// or of a merge is refused. Whatever they make of it, what was committed is there,
// each ref names a whole snapshot, and the next build and the next merge end well.
func TestAFaultOfTheDiskLeavesAWholeStore(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a process of strace for each fault")
	}
	for f, last := range map[fault]int{{"fsync", "EIO"}: 5, {"renameat", "ENOSPC"}: 4, {"unlinkat", "EIO"}: 2, {"ftruncate", "ENOSPC"}: 2} {
		faults(t, f, 1, last, 3)
	}
}

// TestSoakFaultsAtEveryCall is the same at many more calls. The first ones of some
// belong to the loader of the program.
func TestSoakFaultsAtEveryCall(t *testing.T) {
	soak(t)
	for f, last := range map[fault]int{{"fsync", "EIO"}: 20, {"openat", "EMFILE"}: 60, {"openat", "EIO"}: 60, {"msync", "EIO"}: 10,
		{"flock", "ENOLCK"}: 12, {"getdents64", "EIO"}: 30, {"newfstatat", "EIO"}: 60, {"fstat", "EIO"}: 30, {"renameat", "EIO"}: 12, {"unlinkat", "EIO"}: 20, {"ftruncate", "EIO"}: 10} {
		faults(t, f, map[string]int{"openat": 5, "newfstatat": 3, "fstat": 4}[f.call], last, 0)
	}
}

// faults tries one fault at the calls from first to last; at least some of the
// builds and merges have to meet it.
func faults(t *testing.T, f fault, first, last, least int) {
	t.Helper()
	if exec.Command("strace", "-qq", "-o", os.DevNull, "true").Run() != nil {
		t.Skip("NOTICE: no strace, or it may not trace")
	}
	failed := 0
	for n := max(1, first); n <= last; n++ {
		inject := fmt.Sprintf("inject=%s:error=%s:when=%d", f.call, f.answer, n)
		t.Run("build, "+inject, func(t *testing.T) { failed += buildDespite(t, inject) })
		t.Run("merge, "+inject, func(t *testing.T) { failed += mergeDespiteFault(t, inject) })
	}
	if failed < min(least, last) {
		t.Errorf("%v: %d builds and merges failed", f, failed)
	}
}

// injected runs a child whose calls strace answers, and checks that it ends well
// or with an error of ours.
func injected(t *testing.T, work, dir, inject string) error {
	t.Helper()
	c := child(work, dir)
	cmd := exec.Command("strace", append([]string{"-f", "-qq", "-o", os.DevNull, "-e", inject}, c.Args...)...)
	cmd.Env = c.Env
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1 || !bytes.Contains(out, []byte("error: "))) {
		t.Errorf("the %s ended with %v, want an error of ours:\n%s", work, err, out)
	}
	return err
}

// buildDespite returns 1 for a build that failed.
func buildDespite(t *testing.T, inject string) int {
	first, second := childEntries(1)
	dir := memoryDir(t)
	block, all := entry(KindBlock, noise(1, 50_000)), append(first[:len(first):len(first)], second...)
	before := put(t, dir, testOptions(), block)
	err := injected(t, "build", dir, inject)
	recovered(t, dir)
	s := open(t, dir)
	wantEntries(t, s, block, before)
	head, refErr := s.Ref("heads/main")
	if refErr != nil || !s.Check(KindSnapshot, head) || err == nil && head != Digest(second[1].Name) {
		t.Errorf("the ref is %v, %v after a build that ended with %v", head, refErr, err)
	}
	if head == Digest(second[1].Name) {
		wantEntries(t, s, all...)
	}
	s.Close()
	if out, err := child("build", dir).CombinedOutput(); err != nil {
		t.Errorf("the next build: %v\n%s", err, out)
	}
	wantEntries(t, open(t, dir), all...)
	if err != nil {
		return 1
	}
	return 0
}

// mergeDespiteFault returns 1 for a merge that failed.
func mergeDespiteFault(t *testing.T, inject string) int {
	dir, m := storeOfEdits(t, 4)
	err := injected(t, "merge", dir, inject)
	compareNow(t, dir, m.all())
	recovered(t, dir)
	mustMerge(t, dir, eager())
	compareNow(t, dir, m.all())
	if left, _ := leftovers(dir, "."); len(left) > 0 {
		t.Errorf("the next merge left %v", left)
	}
	if err != nil {
		return 1
	}
	return 0
}

// childAdopt takes over what killed builds left.
func childAdopt(dir string, o WriterOptions) error {
	w, err := OpenWriter(dir, o)
	if err != nil {
		return err
	}
	_, _, err = w.Adopt(context.Background())
	return errors.Join(err, w.Close())
}
