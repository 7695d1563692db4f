package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"voxpack/compiler"
	"voxpack/internal/corpustest"
)

// bundled is the folder of the corpora in testdata.
var bundled = filepath.Join("..", "..", "testdata", "corpus")

// corpusCopy is a copy of a bundled corpus, in which a test may build and edit.
func corpusCopy(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), filepath.Base(name))
	if err := os.CopyFS(dir, corpustest.Files(filepath.Join(bundled, filepath.FromSlash(name)))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// brokenCopy is a copy of the broken corpus with the links that it has no files for.
func brokenCopy(t *testing.T) string {
	t.Helper()
	dir := corpusCopy(t, "broken")
	outside := filepath.Join(t.TempDir(), "outside.wav")
	good, err := os.ReadFile(filepath.Join(dir, "last.wav"))
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{os.WriteFile(outside, good, 0o666), os.Symlink(outside, filepath.Join(dir, "link.wav")), os.Symlink("gone.wav", filepath.Join(dir, "dangling.wav"))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// built is what the program says of a build.
func built(t *testing.T, args ...string) *compiler.Report {
	t.Helper()
	var r compiler.Report
	if err := json.Unmarshal(voxpack(t, append([]string{"build", "-q", "--json"}, args...)...), &r); err != nil {
		t.Fatal(err)
	}
	return &r
}

// fates are a line a rejection, then one a kind of note with the rows that have
// it: all that a build found. A note with more rows than it has examples names
// those that it has.
func fates(r *compiler.Report) []string {
	var list []string
	for _, x := range r.Rejections {
		list = append(list, x.String())
	}
	for _, n := range r.Notes {
		list = append(list, fmt.Sprintf("note %s %s: %d in %d rows, %s", n.Kind, n.Detail, n.Count, n.Rows, strings.Join(slices.Sorted(slices.Values(n.Examples)), " ")))
	}
	return list
}

// expectation is a corpus's EXPECTED: lines of file:line, id and what became of
// the row.
type expectation struct {
	rejections []string
	kept       []string            // ids, once each
	notes      map[string][]string // ids by kind and detail
}

func readExpectation(t *testing.T, file string) expectation {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	e := expectation{notes: map[string][]string{}}
	for line := range strings.Lines(string(src)) {
		line = strings.TrimSuffix(line, "\n")
		place, note, kept := strings.Cut(line, ": kept")
		if !kept {
			e.rejections = append(e.rejections, line)
			continue
		}
		_, id, _ := strings.Cut(place, ": ")
		if !slices.Contains(e.kept, id) {
			e.kept = append(e.kept, id)
			if note = strings.TrimPrefix(note, ": "); note != "" {
				e.notes[note] = append(e.notes[note], id)
			}
		}
	}
	slices.Sort(e.kept)
	return e
}

// check compares what a build found with what it has to find.
func (e expectation) check(t *testing.T, when string, r *compiler.Report) {
	t.Helper()
	var got []string
	for _, x := range r.Rejections {
		got = append(got, x.String())
	}
	for i := range max(len(got), len(e.rejections)) {
		have, want := "", ""
		if i < len(got) {
			have = got[i]
		}
		if i < len(e.rejections) {
			want = e.rejections[i]
		}
		if have != want {
			t.Fatalf("%s: rejection %d is\n%s\nwant\n%s", when, i, have, want)
		}
	}
	notes := map[string][]string{}
	for _, n := range r.Notes {
		key := strings.TrimSpace(n.Kind + " " + n.Detail)
		notes[key] = slices.Sorted(slices.Values(n.Examples))
		if int(n.Rows) != len(e.notes[key]) {
			t.Errorf("%s: note %q in %d rows, want %v", when, key, n.Rows, e.notes[key])
		}
	}
	if !maps.EqualFunc(notes, e.notes, slices.Equal) {
		t.Errorf("%s: notes are\n%q\nwant\n%q", when, notes, e.notes)
	}
	noted := 0
	for _, ids := range e.notes {
		noted += len(ids)
	}
	if want := (compiler.RowCounts{Total: len(e.kept) + len(e.rejections), Kept: len(e.kept), Rejected: len(e.rejections), Noted: noted}); r.Rows != want {
		t.Errorf("%s: rows are %+v, want %+v", when, r.Rows, want)
	}
}

// TestBroken: each way in which a row or its clip can be bad is found in one run,
// with its place, its id, its stage and the reason word for word; and a dry run,
// a first build, one with nothing to do, one without the cache, and one that
// trusts nothing say the same.
func TestBroken(t *testing.T) {
	t.Parallel()
	want := readExpectation(t, filepath.Join(bundled, "broken", "EXPECTED"))
	if len(want.rejections) < 60 || len(want.kept) < 12 {
		t.Fatalf("%d rejections and %d kept rows are expected: too few to be all of them", len(want.rejections), len(want.kept))
	}
	dir := brokenCopy(t)
	dry := built(t, "--dry-run", dir)
	want.check(t, "dry run", dry)
	if _, err := os.Stat(filepath.Join(dir, compiler.StoreName)); err == nil {
		t.Error("the dry run made a store")
	}
	first := built(t, dir)
	want.check(t, "first build", first)
	if ids := strings.Fields(string(voxpack(t, "show", "--ids", dir))); !slices.Equal(slices.Sorted(slices.Values(ids)), want.kept) {
		t.Errorf("kept are %v, want %v", ids, want.kept)
	}
	want.check(t, "second dry run", built(t, "--dry-run", dir))
	second := built(t, dir)
	want.check(t, "second build", second)
	if second.BytesWritten != 0 || second.Snapshot != first.Snapshot {
		t.Errorf("the second build wrote %d bytes, snapshot %.8s; want none and %.8s", second.BytesWritten, second.Snapshot, first.Snapshot)
	}
	if err := os.RemoveAll(filepath.Join(dir, compiler.StoreName, "cache")); err != nil {
		t.Fatal(err)
	}
	want.check(t, "dry run without the cache", built(t, "--dry-run", dir))
	for _, args := range [][]string{{dir}, {"--rehash", dir}, {"-j", "1", "-o", filepath.Join(t.TempDir(), "another"), dir}} {
		again := built(t, args...)
		want.check(t, fmt.Sprint("build ", args), again)
		if again.Dataset != first.Dataset {
			t.Errorf("build %v: dataset %.8s, want %.8s", args, again.Dataset, first.Dataset)
		}
	}
}

// TestBrokenIsWhatItsScriptMakes: the table of the script is what the corpus and
// EXPECTED say.
func TestBrokenIsWhatItsScriptMakes(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed: the corpus was not made anew")
	}
	top := t.TempDir()
	made := filepath.Join(top, "corpus", "broken")
	for _, name := range []string{"corpus/formats/make.py", "corpus/broken/make.py", "audio/low.mp3", "audio/mono.ogg"} {
		to := filepath.Join(top, filepath.FromSlash(name))
		b, err := os.ReadFile(filepath.Join(bundled, "..", filepath.FromSlash(name)))
		if err == nil {
			err = os.MkdirAll(filepath.Dir(to), 0o777)
		}
		if err == nil {
			err = os.WriteFile(to, b, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command(python, filepath.Join(made, "make.py")).CombinedOutput(); err != nil {
		t.Fatalf("make.py: %v\n%s", err, out)
	}
	kept, anew := filesOf(t, filepath.Join(bundled, "broken")), filesOf(t, made)
	for name := range kept {
		if kept[name] != anew[name] && name != "voxpack.yaml" && name != "dropped.txt" {
			t.Errorf("%s is not what make.py writes", name)
		}
	}
	for name := range anew {
		if _, ok := kept[name]; !ok {
			t.Errorf("%s is not in testdata", name)
		}
	}
}

// filesOf are the contents of a folder's files by their paths.
func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(rel)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
