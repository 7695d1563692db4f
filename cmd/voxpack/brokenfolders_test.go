package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"voxpack/compiler"
	"voxpack/compiler/intake"
)

// TestBrokenFolders: each way in which a whole folder can be bad is an error that
// says what was looked for and what to type, or a warning; EXPECTED is the record
// of a session with all of them.
func TestBrokenFolders(t *testing.T) {
	dir := corpusCopy(t, "broken-folders")
	src, err := os.ReadFile(filepath.Join(dir, "EXPECTED"))
	if err != nil {
		t.Fatal(err)
	}
	sections := strings.Split(strings.TrimSpace(string(src)), "\n\n")[1:]
	if len(sections) < 20 {
		t.Fatalf("%d ways in EXPECTED: too few to be all of them", len(sections))
	}
	tried := map[string]bool{} // folders
	for _, section := range sections {
		title, rest, _ := strings.Cut(section, "\n")
		line, want, _ := strings.Cut(rest, "\n")
		args := strings.Fields(strings.TrimPrefix(line, "$ voxpack "))
		t.Run(strings.TrimPrefix(title, "# "), func(t *testing.T) {
			for _, a := range args {
				folder, _, _ := strings.Cut(a, "/")
				tried[folder] = true
			}
			if got := answer(t, dir, args); got != want {
				t.Errorf("%s\n%s\nwant\n%s", line, got, want)
			}
		})
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() && !tried[e.Name()] {
			t.Errorf("%s is of no section of EXPECTED", e.Name())
		}
	}
}

// shapes are the lines of a message that say what each format looks like.
var shapes = regexp.MustCompile(`(?i)tried:\n((?:    [a-z-]+: .*\n)+)`)

// answer is what the program says in a folder, as EXPECTED has it.
func answer(t *testing.T, dir string, args []string) string {
	t.Helper()
	cmd := exec.Command("voxpack", args...)
	cmd.Dir = dir
	var said, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &errs
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(errs.String()+said.String(), dir, "HERE")
	if list := shapes.FindStringSubmatch(text); list != nil {
		for _, name := range intake.FormatNames() {
			if !strings.Contains(list[1], "    "+name+": ") {
				t.Errorf("format %s is not in the list of what was tried", name)
			}
		}
		text = strings.Replace(text, list[0], "TRIED\n", 1)
	}
	text = regexp.MustCompile(`is not one of .*; did`).ReplaceAllString(text, "is not one of FORMATS; did")
	lines := slices.DeleteFunc(strings.Split(strings.TrimSuffix(text, "\n"), "\n"), func(l string) bool {
		return strings.HasPrefix(l, "would ") || strings.HasPrefix(l, "reused ")
	})
	return strings.Join(append(lines, fmt.Sprint("exit ", cmd.ProcessState.ExitCode())), "\n")
}

// TestABuildOfABrokenFolderMakesNothing: an error comes before any work, and is
// that of the dry run.
func TestABuildOfABrokenFolderMakesNothing(t *testing.T) {
	dir := corpusCopy(t, "broken-folders")
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		foreseen := answer(t, dir, []string{"build", "--dry-run", "-q", e.Name()})
		if !strings.HasSuffix(foreseen, "exit 2") {
			continue
		}
		if got := answer(t, dir, []string{"build", "-q", e.Name()}); got != foreseen {
			t.Errorf("build %s says\n%s\nthe dry run\n%s", e.Name(), got, foreseen)
		}
		if _, err := os.Stat(filepath.Join(dir, e.Name(), compiler.StoreName)); err == nil {
			t.Errorf("the build of %s left a store", e.Name())
		}
	}
}
