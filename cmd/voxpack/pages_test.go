package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"voxpack/internal/corpustest"
)

// changing is what a build prints that is another each time.
var changing = regexp.MustCompile(`(?m) to \S+ in [0-9.]+ m?s$|, [0-9.]+ m?s$`)

// TestPagesPrintWhatTheProgramPrints: the pages tell readers that they will see
// these lines, digests included. When a stage's version changes, -update-pages
// puts the new numbers in; other words are for a person to write.
func TestPagesPrintWhatTheProgramPrints(t *testing.T) {
	if unicode.Version != "15.0.0" {
		t.Skipf("the pages were printed with Unicode 15.0.0, this Go has %s: other digests", unicode.Version)
	}
	dir := filepath.Join(t.TempDir(), "my-voice")
	if err := os.CopyFS(dir, corpustest.Files(filepath.Join("..", "..", "testdata", "corpus", "en"))); err != nil {
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
	wantPrinted(t, []string{"docs/en/commands.md", "docs/fa/commands.md"}, "version")
	if real := ljspeech(); real != "" {
		wantPrinted(t, []string{"docs/en/build.md", "docs/fa/build.md"}, "build", real, "-o", filepath.Join(t.TempDir(), "lj"))
	}
}

// wantPrinted runs the program and looks for its output in pages.
func wantPrinted(t *testing.T, pages []string, args ...string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := run(args, strings.NewReader(""), &stdout, &stderr); code != 0 {
		t.Fatalf("voxpack %v ended with %d: %s", args, code, &stderr)
	}
	for _, p := range pages {
		path := filepath.Join("..", "..", filepath.FromSlash(p))
		page, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(page), "\n")
		if shapesSeen[p] == nil {
			shapesSeen[p] = map[string]int{}
		}
		for line := range strings.Lines(stdout.String()) {
			line = strings.TrimSuffix(line, "\n")
			nth := shapesSeen[p][shape(line)]
			shapesSeen[p][shape(line)]++
			at := -1
			for i, old := range lines {
				if shape(old) == shape(line) {
					if at = i; nth == 0 {
						break
					}
					nth--
				}
			}
			switch {
			case at >= 0 && masked(lines[at]) == masked(line):
			case at >= 0 && *updatePages:
				lines[at] = masked(line) + strings.TrimPrefix(lines[at], masked(lines[at]))
			default:
				t.Errorf("%s does not have of voxpack %s: %q; go test -run Page ./cmd/voxpack -update-pages puts changed numbers in", p, args[0], line)
			}
		}
		if fresh := strings.Join(lines, "\n"); fresh != string(page) {
			if err := os.WriteFile(path, []byte(fresh), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// shapesSeen counts, for each page, the lines of each shape that commands have
// printed before: the first build's digest is the first of the page.
var shapesSeen = map[string]map[string]int{}
