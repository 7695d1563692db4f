package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// changing is what a build prints that is another each time.
var changing = regexp.MustCompile(`(?m) to \S+ in [0-9.]+ m?s$|, [0-9.]+ m?s$`)

// TestPagesPrintWhatTheProgramPrints: the pages tell readers that they will see
// these lines, digests included. When an output or a stage's version changes,
// run the commands of the page and put in what they print.
func TestPagesPrintWhatTheProgramPrints(t *testing.T) {
	if unicode.Version != "15.0.0" {
		t.Skipf("the pages were printed with Unicode 15.0.0, this Go has %s: other digests", unicode.Version)
	}
	dir := filepath.Join(t.TempDir(), "my-voice")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "..", "testdata", "corpus", "en"))); err != nil {
		t.Fatal(err)
	}
	readmes := []string{"README.md", "README.fa.md"}
	starts := []string{"docs/en/quickstart.md", "docs/fa/quickstart.md"}
	wantPrinted(t, starts, "build", dir, "--dry-run")
	wantPrinted(t, append(starts, readmes...), "build", dir)
	metadata := filepath.Join(dir, "metadata.csv")
	src, err := os.ReadFile(metadata)
	if err == nil {
		err = os.WriteFile(metadata, bytes.ReplaceAll(src, []byte("stone bridge"), []byte("iron bridge")), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	wantPrinted(t, readmes, "build", dir)
	wantPrinted(t, []string{"docs/en/commands.md", "docs/fa/commands.md"}, "explain", dir, "en-0006")
	wantPrinted(t, readmes, "build", dir)
}

// wantPrinted runs the program and looks for its output in pages.
func wantPrinted(t *testing.T, pages []string, args ...string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := run(args, strings.NewReader(""), &stdout, &stderr); code != 0 {
		t.Fatalf("voxpack %v ended with %d: %s", args, code, &stderr)
	}
	want := changing.ReplaceAllString(stdout.String(), "")
	for _, p := range pages {
		page, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(p)))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(changing.ReplaceAllString(string(page), ""), want) {
			t.Errorf("%s does not print what voxpack %s prints:\n%s", p, args[0], want)
		}
	}
}
