package docstest

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"
)

// link is the target of a Markdown link, up to its closing bracket.
var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// linkedText is a link inside a heading; its text alone is part of the anchor.
var linkedText = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)

// anchorRule: a link with an anchor leads to a heading that exists. A wrong one
// opens the top of a page, and the reader searches.
func anchorRule(fsys fs.FS) ([]string, error) {
	pages := map[string]string{}
	err := fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(p) != ".md" {
			return err
		}
		page, err := fs.ReadFile(fsys, p)
		pages[p] = string(page)
		return err
	})
	if err != nil {
		return nil, err
	}
	var findings []string
	for p, page := range pages {
		for _, m := range link.FindAllStringSubmatch(page, -1) {
			file, anchor, ok := strings.Cut(m[1], "#")
			if !ok || strings.Contains(file, "://") {
				continue
			}
			target := p
			if file != "" {
				target = path.Join(path.Dir(p), file)
			}
			if there, ok := pages[target]; ok && !slices.Contains(anchorsOf(there), anchor) {
				findings = append(findings, fmt.Sprintf("%s: %s has no heading for #%s", p, target, anchor))
			}
		}
	}
	slices.Sort(findings)
	return findings, nil
}

// anchorsOf lists the anchors of a page's headings as code hosts make them:
// lower case, spaces as hyphens, letters, marks, digits and underscores kept,
// everything else (ZWNJ too) left out; a repeated one gets -1, -2.
func anchorsOf(page string) []string {
	var anchors []string
	times := map[string]int{}
	fence := ""
	for line := range strings.Lines(page) {
		line = strings.TrimSpace(line)
		switch {
		case fence != "":
			if closes(line, fence) {
				fence = ""
			}
		case fenceOf(line) != "":
			fence = fenceOf(line)
		case levelOf(line) > 0:
			a := anchorOf(strings.TrimSpace(strings.TrimLeft(line, "#")))
			if n := times[a]; n > 0 {
				anchors = append(anchors, fmt.Sprintf("%s-%d", a, n))
			} else {
				anchors = append(anchors, a)
			}
			times[a]++
		}
	}
	return anchors
}

func anchorOf(heading string) string {
	heading = strings.ToLower(linkedText.ReplaceAllString(heading, "$1"))
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc):
			return r
		}
		return -1
	}, heading)
}

func TestAnchors(t *testing.T) {
	for _, root := range []string{"docs", "README.md", "README.fa.md", "CONTRIBUTING.md"} {
		if _, err := fs.Stat(os.DirFS("../.."), root); err != nil {
			t.Fatal(err)
		}
	}
	findings, err := anchorRule(markdown{os.DirFS("../..")})
	if err != nil {
		t.Fatal(err)
	}
	for _, finding := range findings {
		t.Error(finding)
	}
}

// markdown hides the folders that hold no page of ours, such as what is built.
type markdown struct{ fs.FS }

func (m markdown) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(m.FS, name)
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		return name == "." && e.IsDir() && e.Name() != "docs"
	}), err
}

func TestAnchorRule(t *testing.T) {
	tests := []struct {
		name, heading, link string
		want                int
	}{
		{"a heading", "## Which rows", "#which-rows", 0},
		{"of another page", "## Which rows", "a.md#which-rows", 0},
		{"code and punctuation", "### `is not, yet`: no", "#is-not-yet-no", 0},
		{"Persian without its ZWNJ", "## گونه\u200cهای WAV", "#گونههای-wav", 0},
		{"Persian with its ZWNJ", "## گونه\u200cهای WAV", "#گونه\u200cهای-wav", 1},
		{"the second of two", "## A\n\n## A", "#a-1", 0},
		{"no heading", "## Which rows", "#other-rows", 1},
		{"a heading in a block", "```sh\n## A\n```", "#a", 1},
		{"another site", "## A", "https://example.com/a.md#b", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			page := tt.heading + "\n\n[x](" + tt.link + ")\n"
			got, err := anchorRule(fstest.MapFS{"docs/a.md": {Data: []byte(page)}})
			if err != nil || len(got) != tt.want {
				t.Errorf("anchorRule = %q, %v; want %d findings", got, err, tt.want)
			}
		})
	}
}
