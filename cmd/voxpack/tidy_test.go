package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"voxpack/cmd/voxpack/internal/settings"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler"
	"voxpack/internal/corpustest"
	"voxpack/store"
)

// manyPacks is a dataset whose store is due for a merge.
func manyPacks(t *testing.T) (dataset, dir string) {
	t.Helper()
	dataset = t.TempDir()
	if err := os.CopyFS(dataset, corpustest.Files(filepath.Join("..", "..", "testdata", "corpus", "en"))); err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(dataset, compiler.StoreName)
	metadata := filepath.Join(dataset, "metadata.csv")
	src, err := os.ReadFile(metadata)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; !store.NeedsMerge(dir); i++ {
		if i == 40 {
			t.Fatal("40 packs need no merge")
		}
		edited := bytes.Replace(src, []byte("|Stop!|Stop!"), fmt.Appendf(nil, "|Stop!|Stop %s!", strings.Repeat("it ", i)), 1)
		if err := os.WriteFile(metadata, edited, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := compiler.Build(t.Context(), compiler.Options{Dataset: dataset, Now: time.Now}); err != nil {
			t.Fatal(err)
		}
	}
	return dataset, dir
}

// TestTidyWarnsOfWhatItCannotMerge: without -v too; another merge is no news.
func TestTidyWarnsOfWhatItCannotMerge(t *testing.T) {
	if testing.Short() {
		t.Skip("makes packs by many builds")
	}
	t.Parallel()
	_, dir := manyPacks(t)
	said := func(ctx context.Context) string {
		var b strings.Builder
		tidy(ctx, dir, store.Retention{}, false, &b)
		return b.String()
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if got := said(cancelled); got != "" {
		t.Errorf("interrupted: it said %q", got)
	}
	logs, err := filepath.Glob(filepath.Join(dir, "packs", "*", "000001.vlog"))
	if err != nil || len(logs) < 16 {
		t.Fatalf("value logs %q, %v", logs, err)
	}
	slices.Sort(logs)
	damaged := logs[len(logs)/2]
	whole, err := os.ReadFile(damaged)
	if err != nil {
		t.Fatal(err)
	}
	bad := bytes.Clone(whole)
	for i := 200; i < len(bad); i += 500 {
		bad[i] ^= 1
	}
	if err := errors.Join(os.Chmod(damaged, 0o644), os.WriteFile(damaged, bad, 0o644)); err != nil {
		t.Fatal(err)
	}
	pack := filepath.Base(filepath.Dir(damaged))
	if got := said(t.Context()); !strings.HasPrefix(got, "warning: small packs were not merged: ") || !strings.Contains(got, pack) || !strings.HasSuffix(got, "; the dataset is built; "+term.RepairCure+"\n") {
		t.Errorf("of a damaged pack it said %q, want a warning that names %s and the cure", got, pack)
	}
	if err := os.WriteFile(damaged, whole, 0o644); err != nil {
		t.Fatal(err)
	}
	if got := said(t.Context()); got != "" || store.NeedsMerge(dir) {
		t.Errorf("a merge said %q; still due: %v", got, store.NeedsMerge(dir))
	}
}

// TestAnInterruptedBuildSaysWhatIsKept: as far as the progress told.
func TestAnInterruptedBuildSaysWhatIsKept(t *testing.T) {
	for _, tt := range []struct {
		name   string
		steps  []compiler.Progress
		dryRun bool
		want   string
	}{
		{"before any work", nil, false, "no shard was finished"},
		{"while rows are read", []compiler.Progress{{Phase: "reading", Done: 64, Total: 100}}, false, "no shard was finished"},
		{"before the first shard", []compiler.Progress{{Phase: "reading", Done: 100, Total: 100}, {Phase: "computing", Total: 80}}, false, "no shard was finished"},
		{"between shards", []compiler.Progress{{Phase: "computing", Done: 1600, Total: 13100}}, false, "finished shards are kept (1,600 of 13,100 rows), the next build goes on from there"},
		{"a dry run", []compiler.Progress{{Phase: "reading", Done: 64, Total: 100}}, true, "a dry run keeps nothing"},
	} {
		p := term.StartProgress(io.Discard, true)
		for _, step := range tt.steps {
			p.Report(step)
		}
		p.End()
		if got := p.Kept(tt.dryRun); got != tt.want {
			t.Errorf("%s: kept = %q, want %q", tt.name, got, tt.want)
		}
	}
	dataset := corpustest.Copy(t, "en")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := runBuild(ctx, buildOptions{Flags: settings.Flags{Dataset: dataset}}, io.Discard, io.Discard)
	if exitCode(err) != exitInterrupted || err.Error() != "interrupted; no shard was finished" {
		t.Errorf("runBuild = %v (code %d), want what is kept, and 130", err, exitCode(err))
	}
}
