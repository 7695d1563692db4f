package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/rogpeppe/go-internal/testscript"
)

// progressLine is what a slow machine sees between the lines of a build.
var progressLine = regexp.MustCompile(`(?m)^(reading|computing|storing) .*\n`)

// TestCorporaPagesWorkAsPrinted: who follows the page command by command, and
// writes the files that it shows, sees what it prints; in both languages.
func TestCorporaPagesWorkAsPrinted(t *testing.T) {
	if unicode.Version != "15.0.0" {
		t.Skipf("the pages were printed with Unicode 15.0.0, this Go has %s: other digests", unicode.Version)
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, language := range []string{"en", "fa"} {
		page, err := os.ReadFile(filepath.Join(root, "docs", language, "corpora.md"))
		if err != nil {
			t.Fatal(err)
		}
		script, outputs := pageScript(string(page))
		if outputs < 7 {
			t.Errorf("the page in %s shows %d outputs, want 7 at least", language, outputs)
		}
		if err := os.WriteFile(filepath.Join(dir, language+".txtar"), []byte(script), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	testscript.Run(t, testscript.Params{
		Dir: dir,
		Setup: func(env *testscript.Env) error {
			return os.Symlink(filepath.Join(root, "testdata"), filepath.Join(env.WorkDir, "testdata"))
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"printed": printedCmd},
	})
}

// namedFile is a path at the end of a line that announces what is in a file.
var namedFile = regexp.MustCompile("`([^` ]+/[^` ]+)`[^`]*:$")

// pageScript makes a script of a page: commands are run, a block behind a line
// that names a file is that file, and one behind commands is what they print.
func pageScript(page string) (script string, outputs int) {
	var run, files strings.Builder
	before, commands := "", false
	lines := strings.Split(page, "\n")
	for i := 0; i < len(lines); i++ {
		kind, isBlock := strings.CutPrefix(lines[i], "```")
		if !isBlock {
			if l := lines[i]; strings.TrimSpace(l) != "" && !strings.HasPrefix(l, "<") {
				before, commands = l, false
			}
			continue
		}
		name := fmt.Sprintf("block%d", i)
		fmt.Fprintf(&files, "-- %s --\n", name)
		for i++; lines[i] != "```"; i++ {
			files.WriteString(lines[i] + "\n")
		}
		switch m := namedFile.FindStringSubmatch(before); {
		case kind == "sh":
			fmt.Fprintf(&run, "exec sh -c 'sh -e %s 2>&1'\n", name)
		case m != nil:
			fmt.Fprintf(&run, "cp %s %s\n", name, m[1])
		case commands:
			fmt.Fprintf(&run, "printed %s\n", name)
			outputs++
		}
		before, commands = "", kind == "sh"
	}
	return run.String() + files.String(), outputs
}

// printedCmd: printed FILE wants the lines of FILE in what the last command said.
func printedCmd(ts *testscript.TestScript, _ bool, args []string) {
	plain := func(s string) string { return progressLine.ReplaceAllString(changing.ReplaceAllString(s, ""), "") }
	if got, want := plain(ts.ReadFile("stdout")), plain(ts.ReadFile(args[0])); !strings.Contains(got, want) {
		ts.Fatalf("the program prints\n%s\nthe page says\n%s", got, want)
	}
}
