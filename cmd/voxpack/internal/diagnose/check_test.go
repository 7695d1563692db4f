package diagnose

import (
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

	"voxpack/compiler"
	"voxpack/diagnosis"
	"voxpack/internal/config"
	"voxpack/internal/corpustest"
)

// TestLengthsOfRows: P99 is the smallest length that 99 of 100 rows do not pass.
func TestLengthsOfRows(t *testing.T) {
	rows := func(n int) (list []int) {
		for i := range n {
			list = append(list, (i*7)%n+1) // 1 to n, in no order
		}
		return list
	}
	for _, c := range []struct {
		rows, most, over, median, p99, longest int
	}{{100, 90, 10, 50, 99, 100}, {100, 100, 0, 50, 99, 100}, {1000, 990, 10, 500, 990, 1000}, {10, 1, 9, 5, 10, 10}, {1, 800, 0, 1, 1, 1}} {
		facts := &diagnosis.Config{Settings: []diagnosis.Setting{{Name: "max_mel_frames", Value: fmt.Sprint(c.most)}}}
		l := lengthsOf(rows(c.rows), "frames", facts, "max_mel_frames")
		if l.Rows != c.rows || l.Over != c.over || l.Median != c.median || l.P99 != c.p99 || l.Longest != c.longest {
			t.Errorf("%d rows, at most %d: %+v, want %+v", c.rows, c.most, *l, c)
		}
	}
	if lengthsOf(nil, "frames", &diagnosis.Config{}, "max_mel_frames") != nil {
		t.Error("lengths of no rows")
	}
}

// TestCheckEndsWhenInterrupted: lengths of a large dataset take seconds.
func TestCheckEndsWhenInterrupted(t *testing.T) {
	dir := corpustest.Copy(t, "en")
	if _, err := compiler.Build(t.Context(), compiler.Options{Dataset: dir, Now: time.Now}); err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(dir, "train.yaml")
	if err := os.WriteFile(config, []byte("batch_size: 16\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	end()
	if err := RunCheck(ctx, &CheckOptions{device: "host", dataset: dir}, config, io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("check ends with %v, want %v", err, context.Canceled)
	}
}

// TestMaximaByAnyNumber: the maximum that the rule holds against is the one by which
// rows were counted.
func TestMaximaByAnyNumber(t *testing.T) {
	for _, value := range []string{"800", "800.0", "8e2"} {
		c := &diagnosis.Config{Settings: []diagnosis.Setting{{Name: "max_mel_frames", Value: value}}}
		if l := lengthsOf([]int{700, 800, 801, 900}, "frames", c, "max_mel_frames"); l.Over != 2 {
			t.Errorf("max_mel_frames: %s: %d rows do not fit, want 2", value, l.Over)
		}
	}
}

// TestFixesOfFindings: each key once, and none added that is only misspelt.
func TestFixesOfFindings(t *testing.T) {
	list := fixesOf([]diagnosis.Seen{
		{Found: []diagnosis.Verdict{{Fixes: []diagnosis.Fix{{Name: "enable_xla", Value: "true"}, {Path: "data.a", Value: "1"}}}}},
		{Found: []diagnosis.Verdict{{Fixes: []diagnosis.Fix{{Path: "data.a", Value: "2"}, {Name: "b", Value: "1"}, {Name: "b", Value: "2"}}}}},
		{Found: []diagnosis.Verdict{{Fixes: []diagnosis.Fix{{Path: "data.enable_xlaa", Name: "enable_xla", Rename: true}}}}},
	})
	want := []config.Fix{{Path: "data.a", Value: "1"}, {Name: "b", Value: "1"}, {Path: "data.enable_xlaa", Name: "enable_xla", Rename: true}}
	if !slices.Equal(list, want) {
		t.Errorf("%+v, want %+v", list, want)
	}
}

// FuzzCheck: whatever a config holds, it is refused or audited; findings stand in the
// file, the page has no line of the file's making, and what --fix writes is a config.
func FuzzCheck(f *testing.F) {
	for _, src := range []string{"data:\n  batch_size: 8\n  num_workers: 99999999999\n", "{\"data\": {\"prefetch_buffer_size\": -1, \"max_mel_frames\": 1e9}}",
		"data:\n  batch_szie: 1\n  data_gpu: 0\n  model_gpu: 7\n  data_gpu_memory: 2147483647\n", "data:\n  batch_size: ${a.b}\na: {b: 4}\n", "run_eval: 1\nnum_loader_workers: 0\n"} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		file, problems := config.ReadTrainer("x.yaml", []byte(src))
		if file == nil {
			if len(problems) == 0 {
				t.Fatalf("%q: no config, and no problem", src)
			}
			return
		}
		facts := configFacts("x.yaml", []byte(src), file)
		facts.Cores, facts.GPUs = 2, map[int]uint64{0: 24e9, 1: 0}
		facts.Mel = lengthsOf([]int{100, 200, 300}, "frames", facts, "max_mel_frames")
		facts.Text = lengthsOf([]int{10, 20, 30}, "tokens", facts, "max_text_length")
		a := &audited{Config: "x.yaml"}
		seen := diagnosis.Audit(facts)
		a.add(seen)
		for _, c := range a.Checks {
			for _, v := range c.Findings {
				if v.Rule == "" || v.Cause == "" || v.Unit == "" || v.Line < 0 || v.Line > strings.Count(src, "\n")+strings.Count(src, "\r")+1 {
					t.Fatalf("%q: %+v", src, v)
				}
			}
		}
		var err error
		if a.Expected, err = diagnosis.Expect(facts, diagnosis.Work{}); err != nil {
			t.Fatalf("%q: %v", src, err)
		}
		var page strings.Builder
		a.page(&page, true)
		for line := range strings.Lines(page.String()) {
			if word, _, _ := strings.Cut(strings.TrimSpace(line), " "); !strings.HasPrefix(line, " ") && line != "\n" &&
				!slices.Contains([]string{"ok", "warning", "error", "unknown", "against", "result", "utilisation", "unseen"}, word) {
				t.Fatalf("%q: a line %q", src, line)
			}
		}
		for _, fix := range fixesOf(seen) {
			fresh, _, err := file.Fixed([]config.Fix{fix})
			if err != nil {
				continue
			}
			if _, problems := config.ReadTrainer("x.yaml", fresh); len(problems) > 0 {
				t.Fatalf("%q, fixed by %+v, is %q: %v", src, fix, fresh, problems)
			}
		}
	})
}
