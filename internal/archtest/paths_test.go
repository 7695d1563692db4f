package archtest

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"
)

// namedPath finds a path in backticks, or in a comment of a doc.go as a word.
var (
	namedPath = regexp.MustCompile("`([\\w.*-]+(?:/[\\w.*{},-]+)+/?)`")
	placeless = regexp.MustCompile(`(?:^|[/_])xx?(?:$|[./_])|/[A-Z]+/`) // x.go, cmd_x.go, lang/xx, SPEAKER/: what stands for others
)

// pathRule: a path of this repository that a page or a doc.go names is there, seen
// from the root or from the page's folder. Only paths that begin with a folder of
// ours are looked at: `runs/feed.json` is of a store. A name after the last dot may
// be an identifier of the package, as in `gpufeed/plan.Options`.
func pathRule(fsys fs.FS) ([]string, error) {
	const built = "python/dist" // by make wheel
	top := map[string]bool{}
	list, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		top[e.Name()] = e.IsDir() && e.Name() != "bin"
	}
	var findings []string
	err = fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && p != "." && (p == "bin" || p == "node_modules" || d.Name()[0] == '.' && p != ".ci"):
			return fs.SkipDir
		case d.IsDir() || path.Ext(p) != ".md" && d.Name() != "doc.go" || p == "CHANGELOG.md": // which tells of what was
			return nil
		}
		content, err := fs.ReadFile(fsys, p)
		if err != nil {
			return err
		}
		for n, line := range strings.Split(string(content), "\n") {
			for _, m := range namedPath.FindAllStringSubmatch(line, -1) {
				first, _, _ := strings.Cut(m[1], "/")
				if top[first] && m[1] != built && !placeless.MatchString(m[1]) && !isThere(fsys, m[1]) && !isThere(fsys, path.Join(path.Dir(p), m[1])) {
					findings = append(findings, fmt.Sprintf("%s:%d: there is no %s", p, n+1, m[1]))
				}
			}
		}
		return nil
	})
	return findings, err
}

// isThere reports whether a path, a pattern of paths, {a,b} for several, or a
// package with an identifier is in the tree.
func isThere(fsys fs.FS, name string) bool {
	name = strings.TrimSuffix(name, "/")
	if before, rest, ok := strings.Cut(name, "{"); ok {
		inside, after, _ := strings.Cut(rest, "}")
		for one := range strings.SplitSeq(inside, ",") {
			if !isThere(fsys, before+one+after) {
				return false
			}
		}
		return true
	}
	if strings.Contains(name, "*") {
		found, err := fs.Glob(fsys, name)
		return err == nil && len(found) > 0
	}
	if _, err := fs.Stat(fsys, name); err == nil {
		return true
	}
	dir, identifier, ok := strings.Cut(path.Base(name), ".")
	_, err := fs.Stat(fsys, path.Join(path.Dir(name), dir))
	return ok && err == nil && identifier != "" && path.Ext(name) != ".go"
}

func TestNamedPathsAreThere(t *testing.T) {
	findings, err := pathRule(repository())
	if err != nil {
		t.Fatal(err)
	}
	for _, finding := range findings {
		t.Error(finding)
	}
}

func TestPathRule(t *testing.T) {
	tree := memory(map[string]string{
		"a/b.go": "package a", "a/c/doc.go": "// Package c is `a/gone`, or `a/b.go`.\npackage c", "docs/en/one.md": "", "CHANGELOG.md": "`a/old.go`",
		"docs/two.md": "`a/b.go` `a/c` `a/c/` `a/c.Type` `a/{b.go,c}` `docs/*/one.md` `runs/x.json` `a/xx.go` `a/cmd_x.go` a/gone.go\n\n`a/b2.go` `a/{b,c}` `docs/*/three.md`",
	})
	got, err := pathRule(tree)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, got, []string{"a/c/doc.go:1: there is no a/gone", "docs/two.md:3: there is no a/b2.go", "no a/{b,c}", "no docs/*/three.md"})
}

// TestWhereIs: the questions of a newcomer are answered by a path, which
// TestNamedPathsAreThere holds to the tree.
func TestWhereIs(t *testing.T) {
	page, err := fs.ReadFile(repository(), architecturePage)
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## Where is what?\n")
	section, _, _ = strings.Cut(section, "\n## ")
	rows := 0
	for line := range strings.Lines(section) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| where is") {
			continue
		}
		if rows++; !namedPath.MatchString(line) {
			t.Errorf("%s: no path answers %s", architecturePage, line)
		}
	}
	if rows < 20 {
		t.Errorf("%s answers %d questions, want 20 at least", architecturePage, rows)
	}
}
