package main

import (
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"

	"voxpack/compiler"
	"voxpack/compiler/intake"
)

// TestADryRunFindsWhatABuildFinds: over every corpus in testdata the rejections,
// the notes and the counts of rows are the same ones, whether a store is there or
// not, and after its cache is gone.
func TestADryRunFindsWhatABuildFinds(t *testing.T) {
	t.Parallel()
	corpora := []string{"en", "fa", "broken", "mixed"}
	for _, name := range intake.FormatNames() {
		corpora = append(corpora, "formats/"+name)
	}
	entries, err := os.ReadDir(filepath.Join(bundled, "formats"))
	if err != nil {
		t.Fatal(err)
	}
	folders := 0
	for _, e := range entries {
		if e.IsDir() {
			folders++
		}
	}
	if want := len(intake.FormatNames()); folders != want {
		t.Errorf("%d folders in formats, %d formats", folders, want)
	}
	var rejected, noted atomic.Int32
	t.Cleanup(func() { // after all corpora
		if rejected.Load() < 60 || noted.Load() < 10 {
			t.Errorf("%d rows rejected and %d noted in all corpora: too few to tell anything", rejected.Load(), noted.Load())
		}
	})
	for _, name := range corpora {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var dir string
			if name == "broken" {
				dir = brokenCopy(t)
			} else {
				dir = corpusCopy(t, name)
			}
			bare := built(t, "--dry-run", dir)
			did := built(t, dir)
			rejected.Add(int32(did.Rows.Rejected))
			noted.Add(int32(did.Rows.Noted))
			over := built(t, "--dry-run", dir)
			if err := os.RemoveAll(filepath.Join(dir, compiler.StoreName, "cache")); err != nil {
				t.Fatal(err)
			}
			for i, r := range []*compiler.Report{bare, over, built(t, "--dry-run", dir), built(t, "--dry-run", "--rehash", dir)} {
				if r.Rows != did.Rows || r.RejectionsTotal != did.RejectionsTotal {
					t.Errorf("dry run %d counts %+v, the build %+v", i, r.Rows, did.Rows)
				}
				if got, want := fates(r), fates(did); !slices.Equal(got, want) {
					t.Errorf("dry run %d found\n%q\nthe build\n%q", i, got, want)
				}
				if !slices.Equal(r.Warnings, did.Warnings) || !slices.Equal(r.Suggestions, did.Suggestions) {
					t.Errorf("dry run %d says %q %v, the build %q %v", i, r.Warnings, r.Suggestions, did.Warnings, did.Suggestions)
				}
			}
		})
	}
}
