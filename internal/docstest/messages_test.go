package docstest

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// troubleshooting is the page whose headings quote messages of the program.
const troubleshooting = "docs/en/troubleshooting.md"

var (
	quotedHeading = regexp.MustCompile("(?m)^### `(.+)`$")
	goString      = regexp.MustCompile("\"(?:[^\"\\\\\n]|\\\\.)*\"")
	verb          = regexp.MustCompile(` ?%[-#+.0-9]*[a-zA-Z]`)
)

// messageRule: each quoted heading of the page is a piece of a string in the
// sources, verbs left out. Who rewords a message rewords the page.
func messageRule(fsys fs.FS) ([]string, error) {
	page, err := fs.ReadFile(fsys, troubleshooting)
	if err != nil {
		return nil, err
	}
	said, err := messagesOf(fsys)
	if err != nil {
		return nil, err
	}
	var findings []string
	for _, m := range quotedHeading.FindAllStringSubmatch(string(page), -1) {
		if !strings.Contains(said, m[1]) {
			findings = append(findings, troubleshooting+": no message says "+strconv.Quote(m[1]))
		}
	}
	return findings, nil
}

// messagesOf is every string of the production sources, one a line.
func messagesOf(fsys fs.FS) (string, error) {
	var b strings.Builder
	err := fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(p) != ".go" || strings.HasSuffix(p, "_test.go") {
			return err
		}
		src, err := fs.ReadFile(fsys, p)
		if err != nil {
			return err
		}
		for _, s := range goString.FindAllString(string(src), -1) {
			if text, err := strconv.Unquote(s); err == nil {
				b.WriteString(verb.ReplaceAllString(text, "") + "\n")
			}
		}
		return nil
	})
	return b.String(), err
}

func TestMessages(t *testing.T) {
	findings, err := messageRule(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	for _, finding := range findings {
		t.Error(finding)
	}
}

func TestMessageRule(t *testing.T) {
	const page = "# T\n\n### `rows that differ`\n\n### A question\n"
	tests := []struct {
		name   string
		source string
		want   int
	}{
		{"a message that is said", `x := "the id stands in %d rows that differ"`, 0},
		{"a verb between the words is left out", `x := "rows %s that differ"`, 0},
		{"a message that is not said any more", `x := "other words"`, 1},
		{"words of two strings are no message", `x, y := "rows that", " differ"`, 1},
		{"a comment says nothing", `// rows that differ`, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := messageRule(fstest.MapFS{troubleshooting: {Data: []byte(page)}, "a/a.go": {Data: []byte(tt.source)}})
			if err != nil || len(got) != tt.want {
				t.Errorf("messageRule = %q, %v; want %d findings", got, err, tt.want)
			}
		})
	}
}
