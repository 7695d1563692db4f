package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// module is a module with tests that pass, fail, panic and do not compile.
var module = map[string]string{
	"go.mod": "module voxpack\n\ngo 1.26\n",
	"a/a_test.go": `package a

import "testing"

func TestPasses(t *testing.T) { t.Log("not shown") }

func TestSub(t *testing.T) {
	t.Log("before\nin two lines")
	t.Run("x", func(t *testing.T) {
		t.Run("deep", func(t *testing.T) { t.Error("bad") })
		t.Run("good", func(t *testing.T) { t.Log("not shown") })
	})
	t.Error("after")
}

func TestSkips(t *testing.T) { t.Skip("not shown") }

func TestLacks(t *testing.T) { t.Skip("NOTICE: no strace") }

func TestLacksToo(t *testing.T) { t.Skip("NOTICE: no strace") }
`,
	"b/b_test.go": "package b\n\nimport \"testing\"\n\nfunc TestPanics(t *testing.T) { t.Log(\"log\"); panic(\"boom\") }\n",
	"c/c_test.go": "package c\n\nfunc f() { missing() }\n",
	"d/d_test.go": "package d\n\nimport (\n\t\"testing\"\n\t\"time\"\n)\n\nfunc TestSlow(t *testing.T) { time.Sleep(200 * time.Millisecond) }\n",
}

const printed = `--- FAIL: TestSub (S)
    a_test.go:8: before
        in two lines
    --- FAIL: TestSub/x (S)
        --- FAIL: TestSub/x/deep (S)
            a_test.go:10: bad
    a_test.go:13: after
FAIL
FAIL	voxpack/a	S
--- FAIL: TestPanics (S)
    b_test.go:5: log
panic: boom [recovered, repanicked]
# voxpack/c [voxpack/c.test]
c/c_test.go:3:12: undefined: missing
FAIL	voxpack/c [build failed]
ok  	voxpack/d	S
the slowest tests:
  d TestSlow
the slowest packages:
  d
NOTICE: 2 skipped: no strace
FAIL
`

// TestItPrintsWhatGoTestPrints: every line of printed comes, in this order within
// its package, and nothing of tests that passed.
func TestItPrintsWhatGoTestPrints(t *testing.T) {
	dir := t.TempDir()
	for name, text := range module {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "test", "-p", "1", "-json", "./...")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	events, err := cmd.Output()
	if err == nil {
		t.Fatal("the tests passed")
	}
	var out bytes.Buffer
	r := newReport(&out)
	if err := r.read(bytes.NewReader(events)); err != nil {
		t.Fatal(err)
	}
	r.slowest(time.Second)
	got := regexp.MustCompile(`\d+\.\d+s\b`).ReplaceAllString(out.String(), "S")
	got = regexp.MustCompile(`(?m)^ +\d+\.\d s`).ReplaceAllString(got, "")
	if strings.Contains(got, "not shown") || strings.Contains(got, "=== ") || strings.Contains(got, "PASS") {
		t.Errorf("it prints what go test leaves out:\n%s", got)
	}
	rest := got
	for line := range strings.Lines(printed) {
		_, after, ok := strings.Cut(rest, line)
		if !ok {
			t.Fatalf("no line %q where it is expected in\n%s", line, got)
		}
		rest = after
	}
}

// TestACachedPackageHasNoTimes: the go command repeats the times of the run that
// it remembers, which nobody waited for.
func TestACachedPackageHasNoTimes(t *testing.T) {
	var out bytes.Buffer
	r := newReport(&out)
	for _, e := range []event{
		{Action: "pass", Package: "voxpack/a", Test: "TestA", Elapsed: 9},
		{Action: "output", Package: "voxpack/a", Output: "ok  \tvoxpack/a\t(cached)\n"},
		{Action: "pass", Package: "voxpack/a", Elapsed: 9},
	} {
		r.event(e)
	}
	r.slowest(time.Second)
	if got := out.String(); !strings.HasPrefix(got, "ok  \tvoxpack/a\t(cached)\n") || strings.Contains(got, "9.0") {
		t.Errorf("printed %q", got)
	}
}
