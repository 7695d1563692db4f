package archtest

import (
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"
)

// provenancePage has a table row for every file of test data and every embedded
// data file: what it is, where it comes from, and its licence.
const provenancePage = "testdata/PROVENANCE.md"

var provenanceRow = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| [^|]+ \\| [^|]+ \\| [^|]+ \\|$")

// provenanceRule: every file below a testdata folder has a row, and every row
// has a file. A row whose path ends in a slash stands for the files below it.
func provenanceRule(fsys fs.FS) ([]string, error) {
	page, err := fs.ReadFile(fsys, provenancePage)
	if err != nil {
		return nil, err
	}
	used := map[string]bool{} // a row's path, and whether it has a file
	for _, m := range provenanceRow.FindAllStringSubmatch(string(page), -1) {
		used[m[1]] = false
	}
	var findings []string
	err = fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case p != "." && (p == "bin" || name[0] == '.' || name == "__pycache__"):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return nil
		}
		row := provenanceOf(p, used)
		if row != "" {
			used[row] = true
		} else if strings.Contains("/"+p, "/testdata/") {
			findings = append(findings, p+": no row in "+provenancePage+" says where it comes from")
		}
		return nil
	})
	for row, has := range used {
		if !has {
			findings = append(findings, provenancePage+": no file is at "+row)
		}
	}
	return findings, err
}

// provenanceOf gives the longest path among rows that stands for a file, or "".
func provenanceOf(p string, rows map[string]bool) string {
	if _, ok := rows[p]; ok {
		return p
	}
	for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
		if _, ok := rows[dir+"/"]; ok {
			return dir + "/"
		}
	}
	return ""
}

func TestTestDataHasProvenance(t *testing.T) {
	findings, err := provenanceRule(repository())
	if err != nil {
		t.Fatal(err)
	}
	for _, finding := range findings {
		t.Error(finding)
	}
}

func TestProvenanceRule(t *testing.T) {
	tree := memory(map[string]string{
		provenancePage: "| path | what | by | licence |\n|---|---|---|---|\n| `testdata/` | notes | ours | Apache-2.0 |\n" +
			"| `a/testdata/clips/` | tones | make.py | Apache-2.0 |\n| `a/table.bin` | weights | train | Apache-2.0 |\n| `gone.txt` | x | y | z |\n",
		"a/testdata/clips/deep/one.wav": "",
		"a/testdata/other.txt":          "",
		"a/testdata/.voxpack/format":    "",
		"a/table.bin":                   "",
		"a/code.go":                     "package a",
	})
	got, err := provenanceRule(tree)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, got, []string{"a/testdata/other.txt: no row", "no file is at gone.txt"})
}
