package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Who reads a name.
const (
	byBoth  = "make and ninja"
	byNewer = "make, and ninja since 1.13"
	byGCC   = "make, and ninja with deps = gcc"
	byMake  = "make"
	byNone  = "none"
)

var depNames = []struct{ name, readers string }{
	{"plain.wav", byBoth},
	{"a b", byBoth}, {" a  b", byBoth}, {"a$b", byBoth}, {"$a$$b$", byBoth}, {"a#b", byBoth}, {"#a", byBoth},
	{"a:b", byBoth}, {"5%", byBoth}, {"5%6%", byBoth}, {"%%x", byBoth},
	{`a\b`, byBoth}, {`a\ b`, byBoth}, {`a\\ b`, byBoth}, {`\\a`, byBoth},
	{"a[1]b", byBoth}, {"a[b", byBoth}, {"take (2).wav", byBoth}, {"a{b},c!d@e+f~g", byBoth},
	{"~a", byBoth}, {"~/x", byBoth}, {"a)", byBoth}, {"-a", byBoth}, {"سلام ۱\u200cب", byBoth}, {"latin \xe9", byBoth},
	{"d/lang=en/1.wav", byGCC}, {"a=b", byGCC}, {"a=5%=c d", byGCC}, {"5%=#a", byGCC},
	{"it's", byNewer}, {`a"b`, byNewer}, {"a&b", byNewer},
	{"a?b", byMake}, {"a*b", byMake}, {"a* b$", byMake}, {`a\*b`, byMake}, {"a<b", byMake}, {"a>b", byMake}, {"a^b", byMake}, {"a`b", byMake},
	{`a\#b`, byMake}, {`a\:b`, byMake}, {`a\$b`, byMake}, {"a\x01b", byMake}, {"a:", byMake},
	{"x[1]y", byMake}, // beside a x1y
	{"a\nb", byNone}, {"a\rb", byNone}, {"a\tb", byNone}, {"a;b", byNone}, {"a|b", byNone},
	{"a ", byNone}, {`a\`, byNone}, {"a&", byNone}, {"lib(a)", byNone},
	{"d /", byBoth}, {`d\/`, byBoth}, {"d:/", byBoth}, {"old (1)/", byBoth}, {"d&/", byNewer}, {"d=e )/", byGCC}, // folders
}

// TestNamesInDepfiles has make and ninja read each name: an old file is no
// reason to build, a newer one is, and one that is gone is no error.
func TestNamesInDepfiles(t *testing.T) {
	for _, tt := range depNames {
		t.Run(strings.ReplaceAll(tt.name, "/", "∕"), func(t *testing.T) {
			t.Chdir(t.TempDir())
			path := strings.TrimSuffix(tt.name, "/")
			makeInput(t, path, path != tt.name)
			n, err := inputName(path)
			if (err != nil) != (tt.readers == byNone) {
				t.Fatalf("inputName(%q) = %q, %v; readers should be %s", path, n, err, tt.readers)
			}
			if err != nil {
				return
			}
			if got, want := n.foreign(), tt.readers == byMake || tt.readers == byNewer; got != want {
				t.Errorf("foreign(%q) = %v, want %v", n, got, want)
			}
			if err := os.WriteFile("saved.d", depRules("out.stamp", []depName{n}), 0o666); err != nil {
				t.Fatal(err)
			}
			if why := readByMake(t, path); why != "" {
				t.Errorf("make: %s", why)
			}
			if tt.readers == byNewer {
				return
			}
			for _, deps := range []string{"", "  deps = gcc\n"} {
				makeInput(t, path, path != tt.name)
				want := tt.readers == byBoth || tt.readers == byGCC && deps != ""
				if why := readByNinja(t, path, deps); (why == "") != want {
					t.Errorf("ninja with %q: read %v, want %v (%s)", strings.TrimSpace(deps), !want, want, why)
				}
			}
		})
	}
}

// makeInput makes an old file or folder, beside files that a pattern would find.
func makeInput(t *testing.T, path string, folder bool) {
	t.Helper()
	old := time.Now().Add(-time.Hour)
	err := os.MkdirAll(filepath.Dir(path), 0o777)
	if folder {
		err = errors.Join(err, os.MkdirAll(path, 0o777))
	} else {
		err = errors.Join(err, os.WriteFile(path, nil, 0o666))
	}
	err = errors.Join(err, os.Chtimes(path, old, old))
	for _, decoy := range []string{"x1y", "aXb", "a", "b", "5X6X"} {
		err = errors.Join(err, os.WriteFile(decoy, nil, 0o666))
		err = errors.Join(err, os.Chtimes(decoy, time.Now().Add(time.Hour), time.Now().Add(time.Hour)))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// readByMake says what make does wrong with saved.d, "" where nothing is.
func readByMake(t *testing.T, path string) string {
	tool(t, "make")
	err := os.WriteFile("Makefile", []byte("out.stamp:\n\ttouch $@\n-include saved.d\n"), 0o666)
	if err = errors.Join(err, os.WriteFile("out.stamp", nil, 0o666)); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("make", "-q").CombinedOutput(); err != nil {
		return "an old input: " + string(out) + err.Error()
	}
	touchLater(t, path)
	if out, err := exec.Command("make", "-q").CombinedOutput(); err == nil || strings.Contains(string(out), "***") {
		return "a newer input is not seen: " + string(out)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("make").CombinedOutput(); err != nil || !strings.Contains(string(out), "touch") {
		return "an input that is gone: " + string(out)
	}
	return ""
}

// readByNinja does the same; deps is a line of the rule.
func readByNinja(t *testing.T, path, deps string) string {
	tool(t, "ninja")
	os.RemoveAll("n")
	err := errors.Join(os.MkdirAll("n", 0o777), os.WriteFile("n/build.ninja", []byte(`builddir = n
rule r
  command = cp saved.d n/out.d && touch out.stamp
  depfile = n/out.d
  restat = 1
`+deps+`build out.stamp: r
`), 0o666))
	if err != nil {
		t.Fatal(err)
	}
	ninja := func() (idle bool, out string) {
		b, err := exec.Command("ninja", "-f", "n/build.ninja").CombinedOutput()
		if err != nil {
			return false, string(b) + err.Error()
		}
		return strings.Contains(string(b), "no work to do"), ""
	}
	if _, out := ninja(); out != "" {
		return out
	}
	if idle, out := ninja(); !idle {
		return "builds again: " + out
	}
	touchLater(t, path)
	if idle, out := ninja(); idle || out != "" {
		return "a newer input is not seen: " + out
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if idle, out := ninja(); idle || out != "" {
		return "an input that is gone: " + out
	}
	return ""
}

func touchLater(t *testing.T, path string) {
	t.Helper()
	later := time.Now().Add(time.Minute)
	if err := os.Chtimes(path, later, later); err != nil {
		t.Fatal(err)
	}
}

func tool(t *testing.T, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("no %s: not seen how it reads names", name)
	}
}

// TestTargetsOfDepfiles: a stamp is named in a user's own rules too, where no
// name with "=" or "%" can stand.
func TestTargetsOfDepfiles(t *testing.T) {
	for _, name := range []string{"a=b", "5%", "a\nb", "a;b", "a "} {
		if _, err := targetName(name); err == nil {
			t.Errorf("targetName(%q) has no error", name)
		}
	}
	n, err := targetName("out dir/$1 #2.stamp")
	if want := `out\ dir/$$1\ \#2.stamp`; err != nil || n.escaped() != want {
		t.Errorf("escaped %q, %v, want %q", n.escaped(), err, want)
	}
}
