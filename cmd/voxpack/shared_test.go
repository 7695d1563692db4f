package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"voxpack/internal/corpustest"
	"voxpack/internal/exectest"
)

// asUser is a command of the program, as another user of one group.
func asUser(program string, uid int, umask string, args ...string) *exec.Cmd {
	const group = 61000
	cmd := exec.Command("/bin/sh", append([]string{"-c", `umask "$0"; exec "$@"`, umask, program}, args...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: group, Groups: []uint32{group}}}
	cmd.Env, cmd.Dir = []string{"HOME=/", "PATH=" + os.Getenv("PATH")}, "/"
	return cmd
}

// sharedPlace is a folder of a group with setgid, a corpus in it, and the program
// where every user can run it.
func sharedPlace(t *testing.T) (ours, dataset string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("NOTICE: not root, so that no second user can be tried")
	}
	b, err := os.ReadFile(program(t))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	ours, dataset = filepath.Join(dir, "voxpack"), filepath.Join(dir, "team", "corpus")
	exectest.Write(t, ours, string(b))
	if err := os.CopyFS(dataset, corpustest.Files(filepath.Join("..", "..", "testdata", "corpus", "en"))); err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(filepath.Join(dir, "team"), func(path string, d fs.DirEntry, err error) error {
		mode := fs.FileMode(0o664)
		if d.IsDir() {
			mode = 0o775 | fs.ModeSetgid
		}
		if err == nil {
			err = os.Chown(path, 61001, 61000)
		}
		if err == nil {
			err = os.Chmod(path, mode)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := age(dataset); err != nil {
		t.Fatal(err)
	}
	if err := asUser(ours, 61002, "002", "version").Run(); err != nil {
		t.Skipf("NOTICE: another user cannot run programs in %s: %v", dir, err)
	}
	return ours, dataset
}

// TestTwoUsersShareAStore: in a folder of a group both build, and read what the
// other has built.
func TestTwoUsersShareAStore(t *testing.T) {
	t.Parallel()
	program, dataset := sharedPlace(t)
	build := func(uid int) (computed int) {
		t.Helper()
		out, err := asUser(program, uid, "002", "build", dataset, "--json").Output()
		if err != nil {
			t.Fatalf("build of user %d: %v\n%s", uid, err, out)
		}
		var r struct {
			Stages   map[string]struct{ Run int }
			Warnings []string
		}
		if err := json.Unmarshal(out, &r); err != nil {
			t.Fatal(err)
		}
		if len(r.Warnings) > 0 {
			t.Errorf("build of user %d warns: %q", uid, r.Warnings)
		}
		for _, s := range r.Stages {
			computed += s.Run
		}
		return computed
	}
	if n := build(61001); n == 0 {
		t.Fatal("the first build computed nothing")
	}
	meta := filepath.Join(dataset, "metadata.csv")
	rounds := 18 // so many that one merges the packs of both
	if testing.Short() {
		rounds = 2
	}
	for round := range rounds {
		uid := 61002 - round%2
		if n := build(uid); n != 0 {
			t.Errorf("a build of user %d computed %d results that are there", uid, n)
		}
		b, err := os.ReadFile(meta)
		if err != nil {
			t.Fatal(err)
		}
		b = bytes.Replace(b, []byte("\n"), []byte(" indeed\n"), 1)
		if err := os.WriteFile(meta, b, 0o664); err != nil {
			t.Fatal(err)
		}
		if n := build(uid); n == 0 || n > 4 {
			t.Errorf("a build of user %d computed %d results for one edited row", uid, n)
		}
		if round != 0 && round != rounds-1 {
			continue
		}
		for _, reader := range []int{61001, 61002} {
			for _, args := range [][]string{{"show", dataset}, {"verify", dataset, "--full"}, {"feed", dataset, "--epochs", "1", "--batch-size", "4"}} {
				if out, err := asUser(program, reader, "002", args...).CombinedOutput(); err != nil {
					t.Errorf("round %d, user %d: voxpack %v: %v\n%s", round, reader, args, err, out)
				}
			}
		}
	}
	if packs, err := filepath.Glob(filepath.Join(dataset, ".voxpack", "packs", "*")); err != nil || len(packs) > 16 {
		t.Errorf("%d packs (%v): those of the other user were not merged", len(packs), err)
	}
	err := filepath.WalkDir(filepath.Join(dataset, ".voxpack"), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o664 != 0o664 {
			t.Errorf("%s has mode %v, under umask 002", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestTheLeftoverOfAnotherUser: what a killed build of earlier versions left to
// its owner stops nobody, and waits for the owner's next build.
func TestTheLeftoverOfAnotherUser(t *testing.T) {
	t.Parallel()
	program, dataset := sharedPlace(t)
	if out, err := asUser(program, 61001, "002", "build", dataset).CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	left := filepath.Join(dataset, ".voxpack", "packs", ".tmp-left")
	manifest := filepath.Join(left, "MANIFEST")
	err := errors.Join(os.Mkdir(left, 0o775), os.WriteFile(manifest, []byte("x"), 0o600), os.Chown(left, 61001, 61000), os.Chown(manifest, 61001, 61000))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		uid  int
		gone bool
	}{{61002, false}, {61001, true}} {
		if out, err := asUser(program, c.uid, "002", "build", dataset).CombinedOutput(); err != nil {
			t.Errorf("build of user %d: %v\n%s", c.uid, err, out)
		}
		if _, err := os.Stat(left); errors.Is(err, fs.ErrNotExist) != c.gone {
			t.Errorf("after the build of user %d the leftover: %v", c.uid, err)
		}
	}
}

// TestAStoreThatIsNotShared: it is not damaged, and nothing is computed again
// without a word.
func TestAStoreThatIsNotShared(t *testing.T) {
	t.Parallel()
	program, dataset := sharedPlace(t)
	if out, err := asUser(program, 61001, "002", "build", dataset).CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	packs, err := filepath.Glob(filepath.Join(dataset, ".voxpack", "packs", "*"))
	if err != nil || len(packs) != 1 {
		t.Fatal(packs, err)
	}
	// As earlier versions left it.
	if err := os.Chmod(filepath.Join(packs[0], "MANIFEST"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"show", dataset}, {"verify", dataset}, {"verify", dataset, "--full"}, {"build", dataset}, {"feed", dataset}} {
		out, err := asUser(program, 61002, "002", args...).CombinedOutput()
		if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != exitEnvironment {
			t.Errorf("voxpack %v: %v, want exit code 3", args, err)
		}
		said := string(out)
		if !strings.Contains(said, "MANIFEST: permission denied (it belongs to user 61001, you are 61002); its owner can share it with: chmod -R g+rX ") {
			t.Errorf("voxpack %v says:\n%s", args, said)
		}
		if strings.Contains(said, "damaged") || strings.Contains(said, "rehash") {
			t.Errorf("voxpack %v speaks of damage:\n%s", args, said)
		}
	}
	if out, err := asUser(program, 61001, "002", "verify", dataset, "--full").CombinedOutput(); err != nil {
		t.Errorf("its owner: %v\n%s", err, out)
	}
}
