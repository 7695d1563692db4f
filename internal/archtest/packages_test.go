package archtest

import (
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the imports of each package into "+architecturePage)

// architecturePage has a table of the packages, each with what it imports of ours.
const architecturePage = "docs/architecture.md"

// packageRow is a row of that table: the package, what it is, its imports.
var packageRow = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| ([^|]+) \\| ([^|]+) \\|$")

// edgesOf lists the packages of a tree with the packages of ours that their
// production files import, on any platform and with any build tag.
func edgesOf(files []goFile) map[string][]string {
	edges := map[string][]string{}
	for _, f := range files {
		if f.test {
			continue
		}
		if edges[f.dir] == nil {
			edges[f.dir] = []string{} // a package without imports of ours has a row too
		}
		for _, spec := range f.syntax.Imports {
			imp, _ := strconv.Unquote(spec.Path.Value)
			if ours, ok := strings.CutPrefix(imp, home); ok && !slices.Contains(edges[f.dir], ours) {
				edges[f.dir] = append(edges[f.dir], ours)
			}
		}
	}
	for _, imports := range edges {
		slices.Sort(imports)
	}
	return edges
}

// importsCell is how a row writes imports.
func importsCell(imports []string) string {
	if len(imports) == 0 {
		return "none"
	}
	return "`" + strings.Join(imports, "` `") + "`"
}

// pageRule compares the table with the tree, both ways.
func pageRule(page string, files []goFile) []string {
	edges := edgesOf(files)
	var findings []string
	seen := map[string]bool{}
	for _, row := range packageTable(page) {
		name, cell := row[1], row[3]
		imports, there := edges[name]
		switch {
		case !there:
			findings = append(findings, architecturePage+": there is no package "+name)
		case seen[name]:
			findings = append(findings, architecturePage+": two rows for "+name)
		case cell != importsCell(imports):
			findings = append(findings, fmt.Sprintf("%s: %s imports %s, the page says %s; go test ./internal/archtest -update writes it", architecturePage, name, importsCell(imports), cell))
		}
		seen[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(edges)) {
		if !seen[name] {
			findings = append(findings, fmt.Sprintf("%s: no row for package %s", architecturePage, name))
		}
	}
	return findings
}

// packageTable is the rows of the section "The packages".
func packageTable(page string) [][]string {
	_, section, _ := strings.Cut(page, "\n## The packages\n")
	section, _, _ = strings.Cut(section, "\n## ")
	return packageRow.FindAllStringSubmatch(section, -1)
}

// withImports is the page with the imports of each row as the tree has them.
func withImports(page string, edges map[string][]string) string {
	for _, row := range packageTable(page) {
		if imports, there := edges[row[1]]; there {
			page = strings.Replace(page, row[0], fmt.Sprintf("| `%s` | %s | %s |", row[1], row[2], importsCell(imports)), 1)
		}
	}
	return page
}

func TestArchitecturePageHasTheEdges(t *testing.T) {
	files, err := parseTree(repository())
	if err != nil {
		t.Fatal(err)
	}
	page, err := fs.ReadFile(repository(), architecturePage)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		page = []byte(withImports(string(page), edgesOf(files)))
		if err := os.WriteFile("../../"+architecturePage, page, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, finding := range pageRule(string(page), files) {
		t.Error(finding)
	}
}

func TestPageRule(t *testing.T) {
	const head = "# A\n\n## The packages\n\n| package | what | imports |\n|---|---|---|\n"
	tree := memory(map[string]string{
		"a/a.go": "package a\nimport _ \"voxpack/b\"\nimport _ \"os\"", "a/a_test.go": "package a\nimport _ \"voxpack/c\"",
		"b/b.go": "package b",
	})
	files, err := parseTree(tree)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, rows string
		want       []string
	}{
		{"imports of tests do not count", "| `a` | x | `b` |\n| `b` | y | none |\n", nil},
		{"a row for each package", "| `a` | x | `b` |\n", []string{"no row for package b"}},
		{"a package for each row", "| `a` | x | `b` |\n| `b` | y | none |\n| `c` | z | none |\n", []string{"no package c"}},
		{"an import that is missing", "| `a` | x | none |\n| `b` | y | none |\n", []string{"a imports `b`, the page says none"}},
		{"an import that is gone", "| `a` | x | `b` |\n| `b` | y | `a` |\n", []string{"b imports none, the page says `a`"}},
		{"one row each", "| `a` | x | `b` |\n| `b` | y | none |\n| `b` | y | none |\n", []string{"two rows for b"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			page := head + tt.rows + "\n## Else\n\n| `no` | row | none |\n"
			compare(t, pageRule(page, files), tt.want)
		})
	}
	stale := head + "| `a` | x | `c` |\n| `b` | y | none |\n"
	compare(t, pageRule(withImports(stale, edgesOf(files)), files), nil)
}

// maxPackageFiles is how many files a reader keeps in mind. A package that is
// right with more says why, in a line of its doc.go that begins with moreFiles.
const (
	maxPackageFiles = 30
	moreFiles       = "More than 30 files: "
)

// roomRule: a package has at most maxPackageFiles production files, or a reason.
func roomRule(files []goFile) []string {
	count, excused := map[string]int{}, map[string]bool{}
	for _, f := range files {
		if f.test {
			continue
		}
		count[f.dir]++
		if f.syntax.Doc != nil && strings.Contains("\n"+f.syntax.Doc.Text(), "\n"+moreFiles) {
			excused[f.dir] = true
		}
	}
	var findings []string
	for _, dir := range slices.Sorted(maps.Keys(count)) {
		switch n := count[dir]; {
		case n > maxPackageFiles && !excused[dir]:
			findings = append(findings, fmt.Sprintf("%s: %d files, at most %d; split it, or say why not in doc.go (%q)", dir, n, maxPackageFiles, moreFiles))
		case n <= maxPackageFiles && excused[dir]:
			findings = append(findings, fmt.Sprintf("%s: %d files need no excuse in doc.go", dir, n))
		}
	}
	return findings
}

func TestRooms(t *testing.T) { guard(t, roomRule) }

func TestRoomRule(t *testing.T) {
	room := func(n int, doc string) map[string]string {
		files := map[string]string{"a/doc.go": "// Package a is.\n" + doc + "package a"}
		for i := range n - 1 {
			files[fmt.Sprintf("a/f%d.go", i)] = "package a"
		}
		files["a/a_test.go"] = "package a"
		return files
	}
	prove(t, roomRule, []sample{
		{"thirty fit, tests apart", room(30, ""), nil},
		{"one more does not", room(31, ""), []string{"a: 31 files, at most 30"}},
		{"one more does with a reason", room(31, "//\n// More than 30 files: each is a noun.\n"), nil},
		{"a reason without need", room(3, "//\n// More than 30 files: each is a noun.\n"), []string{"need no excuse"}},
	})
}
