package docstest

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// twinRule compares every page of the tree with its twin.
func twinRule(fsys fs.FS) ([]string, error) {
	pairs, err := pairsOf(fsys)
	if err != nil {
		return nil, err
	}
	var findings []string
	for _, pair := range pairs {
		var outlines [2]outline
		whole := true
		for i, p := range pair {
			page, err := fs.ReadFile(fsys, p)
			if errors.Is(err, fs.ErrNotExist) {
				findings = append(findings, p+" is missing, its twin "+pair[1-i]+" exists")
				whole = false
				continue
			}
			if err != nil {
				return nil, err
			}
			if outlines[i], err = outlineOf(string(page)); err != nil {
				findings = append(findings, p+": "+err.Error())
				whole = false
			}
		}
		if whole {
			findings = append(findings, differences(pair[0], pair[1], outlines[0], outlines[1])...)
		}
	}
	return findings, nil
}

// pairsOf lists the pairs of which at least one page exists, English first.
func pairsOf(fsys fs.FS) ([][2]string, error) {
	const en, fa = "docs/en", "docs/fa"
	var pairs [][2]string
	add := func(pair [2]string) {
		if !slices.Contains(pairs, pair) {
			pairs = append(pairs, pair)
		}
	}
	for _, p := range []string{"README.md", "README.fa.md"} {
		if _, err := fs.Stat(fsys, p); err == nil {
			add([2]string{"README.md", "README.fa.md"})
		}
	}
	for _, root := range []string{en, fa} {
		err := fs.WalkDir(fsys, root, func(p string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) && p == root {
				return fs.SkipAll
			}
			if err != nil || d.IsDir() || path.Ext(p) != ".md" {
				return err
			}
			rest := strings.TrimPrefix(p, root)
			add([2]string{en + rest, fa + rest})
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return pairs, nil
}

func TestTwins(t *testing.T) {
	findings, err := twinRule(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	for _, finding := range findings {
		t.Error(finding)
	}
}

func TestTwinRule(t *testing.T) {
	const page, other = "# A\n\n```sh\nmake demo\n```\n", "# آ\n\n```sh\nmake demo\n```\n"
	tests := []struct {
		name  string
		files map[string]string
		want  []string // a piece of each finding, in order
	}{
		{"twins", map[string]string{"README.md": page, "README.fa.md": other, "docs/en/a/b.md": page, "docs/fa/a/b.md": other}, nil},
		{"no pages, no findings", map[string]string{"docs/format.md": page}, nil},
		{"an English page without a twin", map[string]string{"docs/en/a/b.md": page}, []string{"docs/fa/a/b.md is missing"}},
		{"a Persian page without a twin", map[string]string{"docs/fa/b.md": page}, []string{"docs/en/b.md is missing"}},
		{"a README without a twin", map[string]string{"README.md": page}, []string{"README.fa.md is missing"}},
		{"a Persian README alone", map[string]string{"README.fa.md": page}, []string{"README.md is missing"}},
		{"a heading more", map[string]string{"docs/en/b.md": page + "## C\n", "docs/fa/b.md": other}, []string{"docs/en/b.md has 2 headings, docs/fa/b.md 1"}},
		{"a heading of another level", map[string]string{"docs/en/b.md": page, "docs/fa/b.md": "#" + other}, []string{"levels [1]"}},
		{"another command", map[string]string{"README.md": page, "README.fa.md": strings.Replace(other, "demo", "test", 1)}, []string{"README.md:3 and README.fa.md:3: the commands differ"}},
		{"a command block less", map[string]string{"README.md": page, "README.fa.md": "# آ\n"}, []string{"1 command blocks, README.fa.md 0"}},
		{"another block less", map[string]string{"README.md": page + "```yaml\n```\n", "README.fa.md": other}, []string{"1 other blocks"}},
		{"a fence never closed", map[string]string{"README.md": page, "README.fa.md": "# آ\n```sh\n"}, []string{"README.fa.md: line 2"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tree := fstest.MapFS{}
			for p, content := range tt.files {
				tree[p] = &fstest.MapFile{Data: []byte(content)}
			}
			got, err := twinRule(tree)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.EqualFunc(got, tt.want, strings.Contains) {
				t.Errorf("findings = %q, want %q", got, tt.want)
			}
		})
	}
}
