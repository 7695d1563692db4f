package perf

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// wrote writes a record of a kind that ended at a second.
func wrote(t *testing.T, dir, kind string, second int64, keep int) string {
	t.Helper()
	r := feedRecord(t)
	r.Kind = kind
	r.Started = time.Unix(1.8e9+second-10, 0)
	r.Seconds = 10
	path, err := r.Write(dir, rand.Reader, keep)
	if err != nil {
		t.Error(err) // not Fatal: this runs in goroutines too
	}
	return filepath.Base(path)
}

// files lists a folder.
func files(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestWriteNamesTheFileByEndAndKind(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "runs")
	path, err := feedRecord(t).Write(dir, strings.NewReader("\x01\x02\xfe\xff"), 0)
	want := filepath.Join(dir, "20261101T013642.623Z-feed-0102feff.json")
	if err != nil || path != want {
		t.Fatalf("Write() = %q, %v, want %q", path, err, want)
	}
	if got := files(t, dir); len(got) != 1 {
		t.Errorf("the folder holds %v, want the record alone", got)
	}
	if got, err := Latest(dir, "feed"); err != nil || got.Version != "1.2.3" {
		t.Errorf("Latest() = %+v, %v", got, err)
	}
}

func TestWriteKeepsTheNewestOfEachKind(t *testing.T) {
	dir := t.TempDir()
	for i := range int64(5) {
		wrote(t, dir, "feed", i, 3)
		wrote(t, dir, "build", i, 2)
	}
	feeds, _ := recordNames(dir, "feed")
	builds, _ := recordNames(dir, "build")
	if len(feeds) != 3 || !strings.HasPrefix(feeds[0], "20270115T080002") || len(builds) != 2 {
		t.Errorf("kept %v and %v, want 3 from second 2 on, and 2", feeds, builds)
	}
	late := wrote(t, dir, "feed", -100, 3) // a long run's, of a clock that was set back
	if feeds, _ = recordNames(dir, "feed"); len(feeds) != 4 || feeds[0] != late {
		t.Errorf("kept %v, want %s as well, which was just written", feeds, late)
	}
}

func TestDefaultKeepIsAHundred(t *testing.T) {
	dir := t.TempDir()
	for i := range 105 {
		name := time.Unix(1.7e9+int64(i), 0).UTC().Format(recordTime) + "-feed-00000000.json"
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	wrote(t, dir, "feed", 0, 0)
	if got := len(files(t, dir)); got != 100 {
		t.Errorf("%d records are kept, want 100", got)
	}
}

func TestWriteRemovesNothingOfOthers(t *testing.T) {
	dir := t.TempDir()
	foreign := []string{
		"19700101T000000.000Z-feed-00000000.json.bak",
		"19700101T000000.000Z-feed-00000000.json.tmp",
		"19700101T000000.000Z-feed-0000000.json",
		"19700101T000000.000Z-feed-0000000G.json",
		"19700101T000000.000Z-feed-0000-000.json",
		"19700101T000000.000Z-feeds-00000000.json",
		"19700101T000000Z-feed-00000000.json",
		"19700101T000000.000Z--feed-00000000.json",
		"1970-01-01T000000.000Z-feed-00000000.json",
		"x19700101T000000.000Z-feed-00000000.json",
		"config.yaml",
	}
	for _, name := range foreign {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	folder := "19700101T000000.000Z-feed-00000001.json"
	if err := os.Mkdir(filepath.Join(dir, folder), 0o777); err != nil {
		t.Fatal(err)
	}
	link := "19700101T000000.000Z-feed-00000002.json"
	if err := os.Symlink("config.yaml", filepath.Join(dir, link)); err != nil {
		t.Fatal(err)
	}
	wrote(t, dir, "feed", 0, 1)
	mine := wrote(t, dir, "feed", 1, 1)
	want := append([]string{folder, link, mine}, foreign...)
	slices.Sort(want)
	if got := files(t, dir); !slices.Equal(got, want) {
		t.Errorf("the folder holds %v, want %v", got, want)
	}
}

func TestLatestIsTheRunThatEndedLast(t *testing.T) {
	dir := t.TempDir()
	if _, err := Latest(dir, "feed"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Latest() of an empty folder: %v, want fs.ErrNotExist", err)
	}
	if _, err := Latest(filepath.Join(dir, "none"), "feed"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Latest() of no folder: %v, want fs.ErrNotExist", err)
	}
	for _, second := range []int64{5, 9, 7} {
		wrote(t, dir, "feed", second, 0)
	}
	wrote(t, dir, "build", 20, 0)
	got, err := Latest(dir, "feed")
	if want := time.Unix(1.8e9-1, 0).UTC(); err != nil || got.Started != want {
		t.Errorf("Latest() started %v, %v, want %v", got.Started, err, want)
	}
	newer := filepath.Join(dir, "20990101T000000.000Z-feed-00000000.json")
	if err := os.WriteFile(newer, []byte(`{"format":2}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Latest(dir, "feed"); !errors.Is(err, ErrNewerRecord) || !strings.Contains(err.Error(), newer) {
		t.Errorf("Latest() of a newer format: %v, want ErrNewerRecord and the file", err)
	}
}

func TestWriteThatDoesNotSucceedLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	if _, err := feedRecord(t).Write(dir, strings.NewReader("abc"), 0); err == nil {
		t.Error("Write() with three random bytes gave no error")
	}
	// A folder in the place of the record: the rename does not succeed.
	taken := "20261101T013642.623Z-feed-61626364.json"
	if err := os.MkdirAll(filepath.Join(dir, taken, "x"), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := feedRecord(t).Write(dir, strings.NewReader("abcd"), 0); err == nil {
		t.Error("Write() over a folder gave no error")
	}
	if got := files(t, dir); !slices.Equal(got, []string{taken}) {
		t.Errorf("the folder holds %v, want %s alone", got, taken)
	}
	if _, err := feedRecord(t).Write(filepath.Join(os.DevNull, "runs"), rand.Reader, 0); err == nil {
		t.Error("Write() below a device gave no error")
	}
}

func TestProcessesMayWriteIntoOneFolder(t *testing.T) {
	dir := t.TempDir()
	var clock atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 10 {
				wrote(t, dir, "feed", clock.Add(1), 5)
			}
		})
	}
	wg.Wait()
	wrote(t, dir, "feed", clock.Add(1), 5)
	names := files(t, dir)
	if len(names) != 5 {
		t.Errorf("the folder holds %v, want 5 records", names)
	}
}
