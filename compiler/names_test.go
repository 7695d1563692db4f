package compiler

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"voxpack/compiler/kind"
)

// TestTheDatasetMayBeReachedThroughALink: links inside it stay inside.
func TestTheDatasetMayBeReachedThroughALink(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 6)
	want := mustBuild(t, Options{Dataset: c.dir, Store: filepath.Join(c.dir, "..", "s1"), Config: smallConfig()})
	linked := filepath.Join(t.TempDir(), "linked")
	err := errors.Join(os.Rename(filepath.Join(c.dir, "wavs", "row-003.wav"), filepath.Join(c.dir, "third.wav")),
		os.Symlink(filepath.Join("..", "third.wav"), filepath.Join(c.dir, "wavs", "row-003.wav")), os.Symlink(c.dir, linked))
	if err != nil {
		t.Fatal(err)
	}
	r := mustBuild(t, Options{Dataset: linked, Store: filepath.Join(c.dir, "..", "s2"), Config: smallConfig()})
	if r.Dataset != want.Dataset || r.Rows.Rejected != 0 {
		t.Errorf("root %.8s, %v; want %.8s and no rejection", r.Dataset, r.Rejections, want.Dataset)
	}
}

// TestANameThatDiffersIsNoted: a dry run, a build and the next build say the
// same of a file whose name is not quite the id's, and nothing once it is.
func TestANameThatDiffersIsNoted(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 6)
	rename := func(from, to string) {
		t.Helper()
		if err := os.Rename(filepath.Join(c.dir, "wavs", from), filepath.Join(c.dir, "wavs", to)); err != nil {
			t.Fatal(err)
		}
	}
	o := Options{Dataset: c.dir, Store: filepath.Join(c.dir, "..", "store"), Config: smallConfig()}
	check := func(step string, r *Report, want map[string]string) {
		t.Helper()
		got := map[string]string{}
		for _, n := range r.Notes {
			if n.Kind == kind.NameDiffers {
				got[n.Stage+": "+n.Detail] = strings.Join(n.Examples, " ")
			}
		}
		if !maps.Equal(got, want) || r.Rows.Rejected != 0 {
			t.Errorf("%s: notes %v, want %v (%d rows rejected)", step, got, want, r.Rows.Rejected)
		}
	}
	rename("row-003.wav", "ROW-003.WAV")
	dry := o
	dry.DryRun = true
	differs := map[string]string{"metadata: case": "row-003"}
	check("dry run", mustBuild(t, dry), differs)
	first := mustBuild(t, o)
	check("build", first, differs)
	second := mustBuild(t, o)
	check("second build", second, differs)
	if second.Snapshot != first.Snapshot || second.BytesWritten != 0 {
		t.Errorf("a build with nothing to do wrote %d bytes and another snapshot", second.BytesWritten)
	}
	rename("ROW-003.WAV", "row-003.wav")
	healed := mustBuild(t, o)
	check("renamed", healed, map[string]string{})
	if healed.Dataset != first.Dataset {
		t.Errorf("the name of a file changed what is built: root %.8s, was %.8s", healed.Dataset, first.Dataset)
	}
	rename("row-003.wav", "Row-003.wav")
	check("renamed again", mustBuild(t, o), differs)
}
