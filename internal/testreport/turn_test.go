package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// turn is what .ci/turn makes of targets in a folder on a day.
func turn(t *testing.T, dir, targets string, day int) []string {
	t.Helper()
	script, err := filepath.Abs(filepath.Join("..", "..", ".ci", "turn"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("bash", script)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(targets)
	// No checkout above the folder is meant.
	cmd.Env = append(os.Environ(), fmt.Sprint("DAY=", day), "MOST=20", "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v", cmd, err)
	}
	return strings.Fields(strings.ReplaceAll(string(out), " ", ":"))
}

// fuzzTargets are so many in each of the folders.
func fuzzTargets(each int, folders ...string) string {
	var list strings.Builder
	for _, folder := range folders {
		for i := range each {
			fmt.Fprintf(&list, "%s Fuzz%d\n", folder, i)
		}
	}
	return list.String()
}

// checkout makes a repository whose branch left main with a change of some files.
func checkout(t *testing.T, changed ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=x", "-c", "user.email=x@localhost", "-c", "commit.gpgsign=false"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", cmd, err, out)
		}
	}
	git("init", "-q")
	git("checkout", "-q", "-b", "main")
	git("commit", "-q", "--allow-empty", "-m", "first")
	git("checkout", "-q", "-b", "branch")
	for _, name := range changed {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	git("add", ".")
	git("commit", "-q", "--allow-empty", "-m", "second")
	return dir
}

// TestFuzzTargetsHaveTheirTurn: a run takes no more than 20 targets, those of what
// changed where git tells, and all come within as few runs as that allows.
func TestFuzzTargetsHaveTheirTurn(t *testing.T) {
	for _, program := range []string{"bash", "git"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("NOTICE: no %s: .ci/turn is not tried", program)
		}
	}
	all := fuzzTargets(29, "./store", "./compiler", "./compiler/intake")
	for _, c := range []struct {
		name, dir, targets string
		runs               int
		want               string // all that come in so many runs
	}{
		{"without git each has its turn", t.TempDir(), all, 5, all},
		{"few need no turns", t.TempDir(), fuzzTargets(20, "./store"), 1, fuzzTargets(20, "./store")},
		{"no change: all", checkout(t), all, 5, all},
		{"a change that has no target: all", checkout(t, "README.md", "docs/x.md"), all, 5, all},
		{"what changed alone, in turn", checkout(t, "store/pack.go"), all, 2, fuzzTargets(29, "./store")},
		{"a corpus is of its package", checkout(t, "compiler/intake/testdata/fuzz/FuzzX/a"), all, 2, fuzzTargets(29, "./compiler/intake")},
		{"few that changed come in each run", checkout(t, "store/pack.go", "audio/mel.go"), fuzzTargets(6, "./store", "./compiler", "./audio", "./textnorm"), 1, fuzzTargets(6, "./store", "./audio")},
	} {
		for _, first := range []int{0, 20780} {
			var came []string
			for day := range c.runs {
				list := turn(t, c.dir, c.targets, first+day)
				if len(list) == 0 || len(list) > 20 {
					t.Errorf("%s: a run has %d targets, want 1 to 20", c.name, len(list))
				}
				came = append(came, list...)
			}
			want := strings.Fields(strings.ReplaceAll(c.want, " ", ":"))
			slices.Sort(came)
			slices.Sort(want)
			if !slices.Equal(came, want) {
				t.Errorf("%s: in %d runs came %d targets, want each of %d once", c.name, c.runs, len(came), len(want))
			}
		}
	}
}
