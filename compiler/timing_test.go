package compiler

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// timeRows times a corpus of testdata.
func timeRows(t *testing.T, corpus string, s Sampling) *Timing {
	t.Helper()
	s.Scratch = t.TempDir()
	got, err := TimeRows(t.Context(), Options{Dataset: filepath.Join("..", "testdata", "corpus", corpus)}, s)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestTimedRowsHaveTheStepsThatTheyTook: a WAV at the rate of the dataset is read and
// its mel made, and no row has a step that the table does not name.
func TestTimedRowsHaveTheStepsThatTheyTook(t *testing.T) {
	got := timeRows(t, "en", Sampling{Rows: 100, Time: time.Hour})
	if got.Total == 0 || len(got.Rows)+len(got.Refused) != got.Total {
		t.Fatalf("%d timed and %d refused of %d rows, want all", len(got.Rows), len(got.Refused), got.Total)
	}
	known := (&Config{}).TimeSteps()
	for _, r := range got.Rows {
		if r.Seconds <= 0 || r.Kind != "wav" {
			t.Errorf("%s: %v s of %q", r.ID, r.Seconds, r.Kind)
		}
		for _, step := range []string{"text", "tokens", "read", "mel", StepWrite} {
			if _, ok := r.Steps[step]; !ok {
				t.Errorf("%s: no step %s in %v", r.ID, step, r.Steps)
			}
		}
		for step := range r.Steps {
			if !slices.Contains(known, step) {
				t.Errorf("%s: step %q is in no table", r.ID, step)
			}
		}
	}
}

// TestEachStepIsTimedByItself: on a clock that moves by a second whenever it is
// asked, a step that holds no other one takes a second each time that it runs. A
// FLAC file that is processed is decoded twice: for its length, and for its mel.
func TestEachStepIsTimedByItself(t *testing.T) {
	dir := t.TempDir()
	clip, err := os.ReadFile(filepath.Join("..", "testdata", "audio", "stereo16.flac"))
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"a.flac": clip, "metadata.csv": []byte("a|A short line.|A short line.\n")} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	o := Options{Dataset: dir, Now: func() time.Time { now = now.Add(time.Second); return now }}
	o.Config.SampleRate = 16_000
	o.Config.Process.PreEmphasis = 0.97
	got, err := TimeRows(t.Context(), o, Sampling{Rows: 1, Time: time.Hour, Scratch: t.TempDir()})
	if err != nil || len(got.Rows) != 1 {
		t.Fatalf("%+v, %v; want one row", got, err)
	}
	want := map[string]time.Duration{"text": 2, "tokens": 2, "read": 3, "decode": 1, "resample": 1, "process": 1, "mel": 1, "write": 2}
	for step, seconds := range want {
		want[step] = seconds * time.Second
	}
	if r := got.Rows[0]; !maps.Equal(r.Steps, want) || r.Cold != want["read"] || r.Kind != "flac" {
		t.Errorf("%+v\nwant the steps %v", r, want)
	}
}

// TestASampleIsBoundedAndSeeded: the same seed draws the same rows in the same order,
// another one others, and a time that is over leaves one row.
func TestASampleIsBoundedAndSeeded(t *testing.T) {
	ids := func(s Sampling) (list []string) {
		for _, r := range timeRows(t, "en", s).Rows {
			list = append(list, r.ID)
		}
		return list
	}
	first := ids(Sampling{Rows: 5, Time: time.Hour, Seed: 1})
	if again := ids(Sampling{Rows: 5, Time: time.Hour, Seed: 1}); len(first) != 5 || !slices.Equal(first, again) {
		t.Errorf("seed 1 draws %q, then %q", first, again)
	}
	if other := ids(Sampling{Rows: 5, Time: time.Hour, Seed: 2}); slices.Equal(first, other) {
		t.Errorf("seeds 1 and 2 both draw %q", first)
	}
	if one := ids(Sampling{Rows: 5, Time: -1, Seed: 1}); !slices.Equal(one, first[:1]) {
		t.Errorf("without time: %q, want %q", one, first[:1])
	}
}

// TestRefusedRowsAreSaidAndNotTimed: what a build would reject comes with its reason.
func TestRefusedRowsAreSaidAndNotTimed(t *testing.T) {
	got := timeRows(t, "broken", Sampling{Rows: 100, Time: time.Hour})
	if len(got.Refused) == 0 {
		t.Fatal("no row of the broken corpus is refused")
	}
	for _, r := range got.Refused {
		if r.Reason == "" || r.File == "" || slices.ContainsFunc(got.Rows, func(t RowTime) bool { return t.ID == r.ID }) {
			t.Errorf("%+v: want file and reason, and no time", r)
		}
	}
}
