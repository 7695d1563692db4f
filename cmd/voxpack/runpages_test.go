package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"

	"github.com/rogpeppe/go-internal/testscript"
)

// updatePages rewrites the pages: a line that is not what the program prints
// becomes the printed line of the same shape, as after a change of digests.
var updatePages = flag.Bool("update-pages", false, "write README and docs anew with what the program prints")

// runPages are the pages whose commands are run one after the other, with the
// least number of outputs that they show.
var runPages = map[string]int{"corpora": 7, "text": 5, "tokens": 5, "diagnosis": 4, "history": 5, "columns": 3, "scale": 1}

// TestPagesWorkAsPrinted: who follows a page command by command, and writes the
// files that it shows, sees what it prints; in both languages.
func TestPagesWorkAsPrinted(t *testing.T) {
	if unicode.Version != "15.0.0" {
		t.Skipf("the pages were printed with Unicode 15.0.0, this Go has %s: other digests", unicode.Version)
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	languages := []string{"en", "fa"}
	if testing.Short() { // the commands of both are the same
		languages = languages[:1]
	}
	for page, least := range runPages {
		for _, language := range languages {
			src, err := os.ReadFile(filepath.Join(root, "docs", language, page+".md"))
			if err != nil {
				t.Fatal(err)
			}
			script, outputs := pageScript(string(src))
			if outputs < least {
				t.Errorf("%s in %s shows %d outputs, want %d at least", page, language, outputs, least)
			}
			if err := os.WriteFile(filepath.Join(dir, language+"_"+page+".txtar"), []byte(script), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	_, noEspeak := exec.LookPath("espeak-ng")
	testscript.Run(t, testscript.Params{
		Dir: dir,
		Setup: func(env *testscript.Env) error {
			return errors.Join(os.Symlink(filepath.Join(root, "testdata"), filepath.Join(env.WorkDir, "testdata")),
				os.Symlink(filepath.Join(root, "textnorm"), filepath.Join(env.WorkDir, "textnorm")))
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"printed": func(ts *testscript.TestScript, _ bool, args []string) {
			language, name, _ := strings.Cut(ts.Name(), "_")
			page := filepath.Join(root, "docs", language, name+".md")
			want, got := ts.ReadFile(args[0]), ts.ReadFile("stdout")
			if noEspeak != nil && strings.Contains(want, "phonemes") {
				return
			}
			if wrong := unprinted(want, got); len(wrong) > 0 && !updatePage(page, wrong, got) {
				ts.Fatalf("the program prints\n%s\n%s says\n%s", got, page, strings.Join(wrong, "\n"))
			}
		}},
	})
}

// digestsInPages are the digests of 64 characters on pages whose other numbers
// are of one run, in their order: a name of TestDigestsInPages, "" for what is
// looked at by another test or is of one run too.
var digestsInPages = map[string][]string{
	"commands": {"ljspeech", "", "", "", "", "", "en", "en", "", "epoch 0", "epoch 1"},
	"feed":     {"en", "en", "epoch 0", "epoch 1"},
}

var digest64 = regexp.MustCompile(`\b[0-9a-f]{64}\b`)

// TestDigestsInPages: every digest of a page is one that a test has computed.
func TestDigestsInPages(t *testing.T) {
	if unicode.Version != "15.0.0" {
		t.Skipf("the pages were printed with Unicode 15.0.0, this Go has %s: other digests", unicode.Version)
	}
	dir := t.TempDir()
	values := map[string]string{}
	build := func(name, corpus string) {
		at := filepath.Join(dir, name)
		var stdout, stderr bytes.Buffer
		if code := run([]string{"build", corpus, "-o", at, "-q"}, strings.NewReader(""), &stdout, &stderr); code != 0 {
			t.Fatalf("build %s: %s", corpus, &stderr)
		}
		values[name] = digest64.FindString(stdout.String())
	}
	build("en", filepath.Join("..", "..", "testdata", "corpus", "en"))
	if real := ljspeech(); real != "" {
		build("ljspeech", real)
	}
	var stdout, stderr bytes.Buffer
	if code := run([]string{"feed", filepath.Join(dir, "en"), "--device", "host", "--batch-size", "5", "--epochs", "2", "--digest", "-q"}, strings.NewReader(""), &stdout, &stderr); code != 0 {
		t.Fatalf("feed: %s", &stderr)
	}
	for _, m := range regexp.MustCompile(`(epoch \d) +([0-9a-f]{64})`).FindAllStringSubmatch(stdout.String(), -1) {
		values[m[1]] = m[2]
	}
	elsewhere := []string{"README", "README.fa", "quickstart", "build"} // pages of TestPagesPrintWhatTheProgramPrints
	pages, err := filepath.Glob(filepath.Join("..", "..", "docs", "??", "*.md"))
	if err != nil || len(pages) < 20 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	for _, page := range pages {
		src, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(page), ".md")
		found := digest64.FindAllString(string(src), -1)
		if _, runs := runPages[name]; runs || slices.Contains(elsewhere, name) {
			continue
		}
		names := digestsInPages[name]
		if len(names) != len(found) {
			t.Errorf("%s has %d digests, and digestsInPages names %d of them", page, len(found), len(names))
			continue
		}
		at := -1
		fresh := digest64.ReplaceAllStringFunc(string(src), func(old string) string {
			at++
			value := values[names[at]]
			if value == "" || value == old {
				return old
			}
			if !*updatePages {
				t.Errorf("%s: digest %d is %s, the program prints %s (%s): go test -run Page ./cmd/voxpack -update-pages", page, at, old, value, names[at])
			}
			return value
		})
		if fresh != string(src) && *updatePages {
			if err := os.WriteFile(page, []byte(fresh), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// ofOneRun is what a command prints that is another each time.
var ofOneRun = []*regexp.Regexp{changing, regexp.MustCompile(`^(snapshot [0-9a-f]{12} of .* by .*|compared with [0-9a-f]{12}|place .*)$`),
	regexp.MustCompile(`[0-9a-f]{12} of [0-9-]{10} [0-9:]{8} UTC|(^|B  )[0-9a-f]{12}  [0-9-]{10} [0-9:]{8}|(snapshot |it was at |my-voice@)[0-9a-f]{12}`)}

// unprinted are the lines of a page that a program does not print. An … of a page
// stands for anything.
func unprinted(page, printed string) (lines []string) {
	var have []string
	for line := range strings.Lines(printed) {
		have = append(have, masked(line))
	}
	for line := range strings.Lines(page) {
		want := masked(line)
		if !slices.ContainsFunc(have, func(got string) bool { return got == want || elided(want, got) }) {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	return lines
}

func masked(line string) string {
	line = strings.TrimSuffix(line, "\n")
	for _, r := range ofOneRun {
		line = r.ReplaceAllString(line, "")
	}
	return line
}

// elided reports whether the parts of want between … stand in got, in order.
func elided(want, got string) bool {
	if !strings.Contains(want, "…") {
		return false
	}
	for part := range strings.SplitSeq(want, "…") {
		_, after, found := strings.Cut(got, strings.TrimSpace(part))
		if !found {
			return false
		}
		got = after
	}
	return true
}

// shape is a line without its numbers.
func shape(line string) string {
	return regexp.MustCompile(`[0-9a-f]{12,}|\d[\d,.]*`).ReplaceAllString(masked(line), "#")
}

var updating sync.Mutex

// updatePage puts the printed lines of the same shape in the place of wrong ones,
// where -update-pages is given, and reports whether it could.
func updatePage(page string, wrong []string, printed string) bool {
	if !*updatePages {
		return false
	}
	updating.Lock()
	defer updating.Unlock()
	src, err := os.ReadFile(page)
	if err != nil {
		return false
	}
	text := string(src)
	for _, old := range wrong {
		var fits []string
		for line := range strings.Lines(printed) {
			if line = strings.TrimSuffix(line, "\n"); shape(line) == shape(old) && !slices.Contains(fits, line) {
				fits = append(fits, line)
			}
		}
		if len(fits) != 1 {
			return false
		}
		ofItsRun := strings.TrimPrefix(old, masked(old)) // the time and the place that it took
		text = strings.ReplaceAll(text, "\n"+old+"\n", "\n"+masked(fits[0])+ofItsRun+"\n")
	}
	return os.WriteFile(page, []byte(text), 0o666) == nil
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
