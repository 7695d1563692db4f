package intake

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestLinksLeadWhereTheyMay: into the corpus, and into the folders that are named, however
// many links lie between; and what is refused is summed up in one folder.
func TestLinksLeadWhereTheyMay(t *testing.T) {
	root := t.TempDir()
	at := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	err := errors.Join(os.MkdirAll(at("corpus/wavs"), 0o777), os.MkdirAll(at("hub/blobs/aa"), 0o777), os.MkdirAll(at("hub/blobs/bb"), 0o777), os.MkdirAll(at("hubs"), 0o777),
		os.WriteFile(at("corpus/wavs/a"), nil, 0o666), os.WriteFile(at("hub/blobs/aa/b"), nil, 0o666), os.WriteFile(at("hub/blobs/bb/c"), nil, 0o666), os.WriteFile(at("hubs/d"), nil, 0o666),
		os.Symlink("wavs/a", at("corpus/inside")), os.Symlink(at("hub/blobs/aa/b"), at("corpus/b")), os.Symlink("../hub/blobs/bb/c", at("corpus/c")),
		os.Symlink("../hubs/d", at("corpus/d")), os.Symlink("../corpus/b", at("hub/again")), os.Symlink("../hub/again", at("corpus/round")), os.Symlink("corpus", at("linked")), os.Symlink("hub", at("named")))
	if err != nil {
		t.Fatal(err)
	}
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, dir string
		further   []string
		follow    []string // links, in order
		out       string   // those of them that are refused
		astray    string
	}{
		{"none is named", "corpus", nil, []string{"inside"}, "", ""},
		{"one goes out", "corpus", nil, []string{"inside", "b"}, " b", "hub/blobs/aa"},
		{"what is refused lies in one folder", "corpus", nil, []string{"b", "c"}, " b c", "hub/blobs"},
		{"names that begin alike are not one folder", "corpus", []string{at("hub")}, []string{"b", "c", "round", "d"}, " d", "hubs"},
		{"a named folder may be a link", "linked", []string{at("named")}, []string{"inside", "b", "round"}, "", ""},
		{"all", "corpus", []string{"/"}, []string{"inside", "b", "c", "d"}, "", ""},
	} {
		l, err := NewLinks(at(c.dir), c.further)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, name := range c.follow {
			target, out, err := l.Follow(at(c.dir + "/" + name))
			if err != nil || target == "" {
				t.Errorf("%s: Follow(%s) = %q, %v", c.name, name, target, err)
			}
			if out {
				got += " " + name
			}
		}
		want := c.astray
		if want != "" {
			want = filepath.Join(real, filepath.FromSlash(want))
		}
		if got != c.out || l.Astray() != want {
			t.Errorf("%s: refused%s, which lead to %q; want%s, to %q", c.name, got, l.Astray(), c.out, want)
		}
	}
	if _, err := NewLinks(at("corpus"), []string{at("nowhere")}); err == nil {
		t.Error("a folder that is not there was taken")
	}
}
