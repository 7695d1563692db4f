package clip

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"voxpack/compiler/intake"
)

// TestLinksLeadIntoTheNamedFoldersAlone: a file and a folder behind a link are found
// where the link stands, if it leads into the corpus or into a folder that is named.
func TestLinksLeadIntoTheNamedFoldersAlone(t *testing.T) {
	named, other, dir := t.TempDir(), t.TempDir(), t.TempDir()
	for _, root := range []string{named, other} {
		placeFile(t, filepath.Join(root, "deep", "x.wav"), []byte("bytes"))
	}
	placeFile(t, filepath.Join(dir, "pool", "y.wav"), []byte("more bytes"))
	if err := os.Mkdir(filepath.Join(dir, "wavs"), 0o777); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{
		"wavs/file.wav": filepath.Join(named, "deep", "x.wav"), "wavs/folder": filepath.Join(named, "deep"),
		"wavs/stray.wav": filepath.Join(other, "deep", "x.wav"), "wavs/astray": filepath.Join(other, "deep"),
		"wavs/own.wav": "../pool/y.wav", "wavs/chain.wav": "own.wav",
	} {
		if err := os.Symlink(to, filepath.Join(dir, filepath.FromSlash(link))); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		id, want         string
		size             int64
		without, withOne bool // whether it is found with no folder named, and with one
	}{
		{"file", "wavs/file.wav", 5, false, true},
		{"folder/x", "wavs/folder/x.wav", 5, false, true},
		{"stray", "", 5, false, false},
		{"astray/x", "", 5, false, false},
		{"own", "wavs/own.wav", 10, true, true},
		{"chain", "wavs/chain.wav", 10, true, true},
	} {
		for roots, found := range map[string]bool{"": c.without, named: c.withOne} {
			f, err := OpenFolder(intake.Corpus{Dir: dir}, slices.DeleteFunc([]string{roots}, func(s string) bool { return s == "" }))
			if err != nil {
				t.Fatal(err)
			}
			rel, now, differs, err := f.Find(&intake.Row{ID: c.id})
			if found != (err == nil) || found && (rel != c.want || now.Size != c.size || differs != "") {
				t.Errorf("%s with the folders %q: %q of %d bytes, %v; found: %v", c.id, roots, rel, now.Size, err, found)
			}
			if intake.IsMachine(err) {
				t.Errorf("%s: %v is taken for a fault of the machine", c.id, err)
			}
			if found && !sameFile(t, f.Path(rel), filepath.Join(dir, filepath.FromSlash(rel))) {
				t.Errorf("%s: Path(%s) = %s", c.id, rel, f.Path(rel))
			}
		}
	}
}

func sameFile(t *testing.T, a, b string) bool {
	t.Helper()
	one, err := os.Stat(a)
	two, other := os.Stat(b)
	if err = errors.Join(err, other); err != nil {
		t.Fatal(err)
	}
	return os.SameFile(one, two)
}

// TestTheFoldersOfTheAudioAreSeenOnce: a build looks at each folder once, so that all
// of its rows come from one state of the disk; the next build looks anew.
func TestTheFoldersOfTheAudioAreSeenOnce(t *testing.T) {
	dir := t.TempDir()
	placeFile(t, filepath.Join(dir, "wavs", "a.wav"), []byte("bytes"))
	f, err := OpenFolder(intake.Corpus{Dir: dir}, nil)
	if err != nil {
		t.Fatal(err)
	}
	f.List()
	placeFile(t, filepath.Join(dir, "wavs", "a.flac"), []byte("twin"))
	if rel, _, _, err := f.Find(&intake.Row{ID: "a"}); rel != "wavs/a.wav" || err != nil {
		t.Errorf("after its folder was listed: %q, %v", rel, err)
	}
	if f, err = OpenFolder(intake.Corpus{Dir: dir}, nil); err != nil {
		t.Fatal(err)
	}
	if rel, _, _, err := f.Find(&intake.Row{ID: "a"}); err == nil {
		t.Errorf("a build after the twin came: %q, want a refusal", rel)
	}
}

// TestANameIsOneOfEachRecording: the stat table knows a recording's bytes by this
// name. So parts of one file share it, and corpora, files and members do not.
func TestANameIsOneOfEachRecording(t *testing.T) {
	folder := func(name string) *Folder {
		f, err := OpenFolder(intake.Corpus{Name: name, Dir: t.TempDir()}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	one, two := folder("en"), folder("fa")
	names := map[string]string{}
	for _, c := range []struct {
		what string
		f    *Folder
		rel  string
		a    *intake.Audio
	}{
		{"a file", one, "wavs/a.wav", nil},
		{"its like in another corpus", two, "wavs/a.wav", nil},
		{"another file", one, "wavs/b.wav", nil},
		{"a member", one, "x.parquet", &intake.Audio{Path: "x.parquet", Member: 1, Inner: "a.wav"}},
		{"another of the same name inside", one, "x.parquet", &intake.Audio{Path: "x.parquet", Member: 2, Inner: "a.wav"}},
		{"a member without a name", one, "x.parquet", &intake.Audio{Path: "x.parquet", Member: 3}},
		{"the member of another container", one, "y.parquet", &intake.Audio{Path: "y.parquet", Member: 1, Inner: "a.wav"}},
	} {
		name := c.f.NameOf(&intake.Row{ID: c.f.Name + "/a", Audio: c.a}, c.rel)
		if first, twice := names[name]; twice {
			t.Errorf("%s and %s are both called %s", first, c.what, name)
		}
		names[name] = c.what
		if !strings.HasPrefix(name, c.f.Name+"/"+c.rel) {
			t.Errorf("%s is called %q, which does not begin with its place", c.what, name)
		}
		part := &intake.Audio{From: 5, Length: 7}
		if c.a != nil {
			part.Path, part.Member, part.Inner = c.a.Path, c.a.Member, c.a.Inner
		}
		if of := c.f.NameOf(&intake.Row{ID: c.f.Name + "/b", Audio: part}, c.rel); of != name {
			t.Errorf("a part of %s is called %q, want %q", c.what, of, name)
		}
	}
}

// TestInputsAreAllThatARebuildDependsOn: the metadata, and each folder in which a row
// has its audio or might find it.
func TestInputsAreAllThatARebuildDependsOn(t *testing.T) {
	dir := t.TempDir()
	placeFile(t, filepath.Join(dir, "metadata.csv"), []byte("a|one\nsub/b|two\n"))
	for _, name := range []string{"wavs/a.wav", "wavs/sub/b.wav"} {
		placeFile(t, filepath.Join(dir, filepath.FromSlash(name)), []byte("bytes"))
	}
	c := intake.Corpus{Dir: dir}
	table, err := intake.Read(c)
	if err != nil {
		t.Fatal(err)
	}
	f, err := OpenFolder(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range table.Rows {
		if _, _, _, err := f.Find(&table.Rows[i]); err != nil {
			t.Fatal(err)
		}
	}
	got := f.Inputs(table)
	for _, want := range []string{"metadata.csv", "wavs", "wavs/sub", "wavs/a.wav", "wavs/sub/b.wav"} {
		if !slices.Contains(got, filepath.Join(dir, filepath.FromSlash(want))) {
			t.Errorf("Inputs = %q, without %s", got, want)
		}
	}
}

// TestFindOneFindsWhatFindFinds: one row's files are asked for by name, and where that does
// not tell, the folder is listed as for all rows.
func TestFindOneFindsWhatFindFinds(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"wavs/a.wav", "b.flac", "wavs/c.wav", "c.mp3", "wavs/D.WAV", "sub/e.wav", "wavs/sub/f.ogg", "wavs/g.txt", "wavs/h.wav"} {
		full := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(full), 0o777), os.WriteFile(full, []byte("x"), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	outside := t.TempDir()
	if err := errors.Join(os.WriteFile(filepath.Join(outside, "o.wav"), []byte("x"), 0o666), os.Symlink(outside, filepath.Join(dir, "away")),
		os.Symlink(filepath.Join(outside, "o.wav"), filepath.Join(dir, "wavs", "l.wav"))); err != nil {
		t.Fatal(err)
	}
	f, err := OpenFolder(intake.Corpus{Dir: dir}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []*intake.Row{{ID: "a"}, {ID: "b"}, {ID: "c"}, {ID: "d"}, {ID: "D"}, {ID: "sub/e"}, {ID: "sub/f"}, {ID: "g"}, {ID: "none"}, {ID: "away/o"}, {ID: "l"},
		{ID: "h", Audio: &intake.Audio{Path: "wavs/h.wav"}}} {
		rel, now, differs, err := f.Find(r)
		gotRel, gotNow, gotDiffers, gotErr := f.FindOne(r)
		if gotRel != rel || gotNow != now || gotDiffers != differs || fmt.Sprint(gotErr) != fmt.Sprint(err) {
			t.Errorf("FindOne(%s) = %q, %v, %q, %v; Find gives %q, %v, %q, %v", r.ID, gotRel, gotNow, gotDiffers, gotErr, rel, now, differs, err)
		}
	}
}
