package archtest

import (
	"bytes"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"testing"
)

// registries are the hosts that packages come from, in pieces so that this
// file does not name them. How a machine reaches them is its own business: a
// tree that names one breaks behind a mirror.
var registries = [][]string{
	{"proxy", "golang", "org"}, {"sum", "golang", "org"}, {"goproxy", "io"}, {"goproxy", "cn"},
	{"pypi", "org"}, {"files", "pythonhosted", "org"}, {"conda", "anaconda", "org"},
	{"registry", "npmjs", "org"}, {"crates", "io"}, {"rubygems", "org"},
	{"docker", "io"}, {"ghcr", "io"}, {"quay", "io"},
	{"deb", "debian", "org"}, {"archive", "ubuntu", "com"},
}

// homePath finds an absolute path of somebody's home or work folder. What
// stands before the slash must not make it the tail of another path.
var homePath = regexp.MustCompile(`(?:^|[^\w.~/)}\]-])/(?:home|Users|root|work)/\w`)

// sibling is the folder beside the checkout; the Makefile alone looks there.
var sibling = ".." + "/shared"

// unread are files and folders that are not ours to judge: the module files
// name what they must, the rest is not in the repository.
var unread = map[string]bool{"go.mod": true, "go.sum": true, ".git": true, "bin": true}

// mentionRule reads every text file of the tree, whatever its kind.
func mentionRule(fsys fs.FS) ([]string, error) {
	var findings []string
	err := fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if unread[p] {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() && strings.HasSuffix(d.Name(), ".voxpack") {
			return fs.SkipDir
		}
		if !d.Type().IsRegular() || strings.HasSuffix(p, ".wav") {
			return nil
		}
		src, err := fs.ReadFile(fsys, p)
		if err != nil {
			return err
		}
		findings = append(findings, mentions(p, src)...)
		return nil
	})
	return findings, err
}

// mentions judges one file, line by line. A NUL byte makes it no text.
func mentions(p string, src []byte) []string {
	if bytes.IndexByte(src, 0) >= 0 {
		return nil
	}
	var findings []string
	for i, line := range strings.Split(string(src), "\n") {
		if m := homePath.FindString(line); m != "" {
			findings = append(findings, fmt.Sprintf("%s:%d: an absolute path of one machine: %s", p, i+1, strings.TrimSpace(line)))
		}
		if strings.Contains(line, sibling) && p != "Makefile" {
			findings = append(findings, fmt.Sprintf("%s:%d: only the Makefile looks beside the checkout", p, i+1))
		}
		for _, host := range registries {
			if strings.Contains(line, strings.Join(host, ".")) {
				findings = append(findings, fmt.Sprintf("%s:%d: names the host of a package registry", p, i+1))
			}
		}
	}
	return findings
}

func TestMentions(t *testing.T) {
	findings, err := mentionRule(repository())
	if err != nil {
		t.Fatal(err)
	}
	for _, finding := range findings {
		t.Error(finding)
	}
}

func TestMentionRule(t *testing.T) {
	host := strings.Join(registries[0], ".")
	samples := []sample{
		{"a path inside the tree", map[string]string{"a.md": "see internal/work/x and ~/work/x and $HOME/work/x"}, nil},
		{"a home folder", map[string]string{"a.sh": "cd /ho" + "me/ann/x"}, []string{"a.sh:1: an absolute path"}},
		{"a work folder at the start of a line", map[string]string{"d/a.md": "x\n/wo" + "rk/tree"}, []string{"d/a.md:2"}},
		{"a home folder in quotes", map[string]string{"a.go": `"/ro` + `ot/x"`}, []string{"a.go:1"}},
		{"a folder with a dot in front is read", map[string]string{".ci/run": "/Us" + "ers/ann"}, []string{".ci/run:1"}},
		{"a registry", map[string]string{"a.md": "from https://" + host + "/x"}, []string{"names the host"}},
		{"the module files may", map[string]string{"go.sum": host}, nil},
		{"the folder beside the checkout", map[string]string{"a.go": sibling, "Makefile": sibling}, []string{"a.go:1: only the Makefile"}},
		{"sound is no text", map[string]string{"a.bin": "\x00 /ho" + "me/ann"}, nil},
	}
	for _, s := range samples {
		t.Run(s.name, func(t *testing.T) {
			got, err := mentionRule(memory(s.files))
			if err != nil {
				t.Fatal(err)
			}
			compare(t, got, s.want)
		})
	}
}
