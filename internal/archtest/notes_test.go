package archtest

import (
	"io/fs"
	"strings"
	"testing"
)

// noteRule: every module of the table is named by a note of docs/design.
func noteRule(fsys fs.FS, modules []module) ([]string, error) {
	paths, err := fs.Glob(fsys, "docs/design/[0-9]*.md")
	if err != nil {
		return nil, err
	}
	var notes strings.Builder
	for _, p := range paths {
		note, err := fs.ReadFile(fsys, p)
		if err != nil {
			return nil, err
		}
		notes.Write(note)
	}
	var findings []string
	for _, m := range modules {
		if !strings.Contains(notes.String(), m.prefix) {
			findings = append(findings, m.prefix+": no note in docs/design names it")
		}
	}
	return findings, nil
}

func TestModulesHaveNotes(t *testing.T) {
	findings, err := noteRule(repository(), modules)
	if err != nil {
		t.Fatal(err)
	}
	for _, finding := range findings {
		t.Error(finding)
	}
}

func TestNoteRule(t *testing.T) {
	tree := memory(map[string]string{
		"docs/design/0101-a.md": "| module | `example.org/a` |",
		"docs/design/README.md": "example.org/b",
	})
	got, err := noteRule(tree, []module{{prefix: "example.org/a"}, {prefix: "example.org/b"}})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, got, []string{"example.org/b: no note"})
}
