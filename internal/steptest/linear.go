package steptest

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	// sizeVar and caseVar tell a counted process which input it makes.
	sizeVar, caseVar = "STEPTEST_SIZE", "STEPTEST_CASE"
	// A block that looks at the rest of its input again for each byte runs 16 times
	// as often on four times the input. The bound is between 4 and 16, since beginnings
	// and windows of a fixed length make the growth of small inputs uneven.
	times, bound = 4, 6
	// few are runs that say nothing: of a block that runs once for each input, or at
	// the end of a window that a small input does not fill.
	few = 100_000
	// many are runs that a small input has no reason for. A counter has 32 bits: what
	// would count beyond them with the large input is found with a smaller one.
	many = 100_000_000
)

// Linear fails a test where four times the size makes a block of the packages
// (a pattern of -coverpkg) run more than six times as often in one of the cases.
// run is called in other processes only, and makes its inputs from the size.
func Linear(t *testing.T, packages string, size int, cases []string, run func(t *testing.T, name string, size int)) {
	t.Helper()
	for _, problem := range problems(t, packages, size, cases, run) {
		t.Error(problem)
	}
}

func problems(t *testing.T, packages string, size int, cases []string, run func(t *testing.T, name string, size int)) (list []string) {
	t.Helper()
	if s := os.Getenv(sizeVar); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		run(t, os.Getenv(caseVar), n)
		return nil
	}
	if testing.Short() {
		t.Skip("builds the package once more, to count steps")
	}
	program := filepath.Join(t.TempDir(), "counted")
	build := exec.Command("go", "test", "-c", "-covermode=count", "-coverpkg="+packages, "-o", program)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", build, err, out)
	}
	for _, name := range cases {
		small, middle, large := count(t, program, name, size/times), count(t, program, name, size), count(t, program, name, times*size)
		found := slices.Concat(grown(nil, small, many), grown(small, middle, many))
		if len(found) == 0 {
			found = grown(middle, large, few)
		}
		for _, problem := range found {
			list = append(list, fmt.Sprintf("%q: %s", name, problem))
		}
	}
	return list
}

// grown lists the blocks that run more often than the size explains, and more than
// least times.
func grown(small, large map[string]int, least int) (list []string) {
	for _, block := range slices.Sorted(maps.Keys(large)) {
		if n := large[block]; n > least && n > bound*small[block] {
			list = append(list, fmt.Sprintf("%s runs %d times, and %d times on an input %d times as long", block, small[block], n, times))
		}
	}
	return list
}

// count runs the test in the counted program and says how often each block ran.
func count(t *testing.T, program, name string, size int) map[string]int {
	t.Helper()
	profile := filepath.Join(t.TempDir(), "profile")
	cmd := exec.Command(program, "-test.run=^"+t.Name()+"$", "-test.coverprofile="+profile)
	cmd.Env = append(os.Environ(), sizeVar+"="+strconv.Itoa(size), caseVar+"="+name)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%q of size %d: %v\n%s", name, size, err, out)
	}
	text, err := os.ReadFile(profile)
	if err != nil {
		t.Fatal(err)
	}
	runs := map[string]int{}
	for line := range strings.Lines(string(text)) { // file.go:1.2,3.4 statements runs
		fields := strings.Fields(line)
		if len(fields) != 3 {
			continue // mode: count
		}
		n, err := strconv.Atoi(fields[2])
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		runs[fields[0]] += n
	}
	return runs
}
