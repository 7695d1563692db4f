package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// goFile is one Go source file of a tree.
type goFile struct {
	path      string // slash-separated, from the root of the tree
	dir       string // path without the file's name; "." for the root
	test      bool   // ends in _test.go
	generated bool   // carries the "Code generated" line of Go's convention
	lines     int
	fset      *token.FileSet
	syntax    *ast.File
}

// line gives "path:line" of a place in the file.
func (f goFile) line(pos token.Pos) string {
	return fmt.Sprintf("%s:%d", f.path, f.fset.Position(pos).Line)
}

// repository is the tree that the rules guard.
func repository() fs.FS { return os.DirFS("../..") }

// parseTree reads every Go file below the root of fsys, whatever its build
// tags, except below the folders that go build leaves out as well: testdata,
// vendor, and names that begin with a dot or an underscore; and bin, which holds
// what was built and installed.
func parseTree(fsys fs.FS) ([]goFile, error) {
	var files []goFile
	err := fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if p != "." && (p == "bin" || name == "testdata" || name == "vendor" || name[0] == '.' || name[0] == '_') {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		f, err := parseFile(fsys, p)
		if err != nil {
			return err
		}
		files = append(files, f)
		return nil
	})
	return files, err
}

func parseFile(fsys fs.FS, p string) (goFile, error) {
	src, err := fs.ReadFile(fsys, p)
	if err != nil {
		return goFile{}, err
	}
	f := goFile{
		path:  p,
		dir:   path.Dir(p),
		test:  strings.HasSuffix(p, "_test.go"),
		lines: strings.Count(string(src), "\n"),
		fset:  token.NewFileSet(),
	}
	f.syntax, err = parser.ParseFile(f.fset, p, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return goFile{}, err
	}
	f.generated = ast.IsGenerated(f.syntax)
	return f, nil
}

// guard runs a rule over this repository, where it must find nothing.
func guard(t *testing.T, rule func([]goFile) []string) {
	t.Helper()
	files, err := parseTree(repository())
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("no Go file found: the rule looked in the wrong place")
	}
	for _, finding := range rule(files) {
		t.Error(finding)
	}
}

// sample is a made-up tree and what a rule has to say about it.
type sample struct {
	name  string
	files map[string]string // path -> content
	want  []string          // a piece of each finding, in order; none: the tree is sound
}

// prove runs a rule over made-up trees: a rule that finds nothing anywhere
// would look like a clean repository.
func prove(t *testing.T, rule func([]goFile) []string, samples []sample) {
	t.Helper()
	for _, s := range samples {
		t.Run(s.name, func(t *testing.T) {
			files, err := parseTree(memory(s.files))
			if err != nil {
				t.Fatal(err)
			}
			compare(t, rule(files), s.want)
		})
	}
}

// compare checks findings against a piece of each.
func compare(t *testing.T, got, want []string) {
	t.Helper()
	matches := func(finding, piece string) bool { return strings.Contains(finding, piece) }
	if !slices.EqualFunc(got, want, matches) {
		t.Errorf("findings = %q, want %q", got, want)
	}
}

// memory gives a tree out of a map.
func memory(files map[string]string) fs.FS {
	m := fstest.MapFS{}
	for p, content := range files {
		m[p] = &fstest.MapFile{Data: []byte(content)}
	}
	return m
}
