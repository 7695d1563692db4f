package main

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestProfiles(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{cpuProfileVariable: filepath.Join(dir, "cpu"), memProfileVariable: filepath.Join(dir, "mem")}
	end, err := startProfiles(func(key string) string { return files[key] })
	if err != nil {
		t.Fatal(err)
	}
	if err := end(); err != nil {
		t.Fatal(err)
	}
	for variable, unit := range map[string]string{cpuProfileVariable: "nanoseconds", memProfileVariable: "inuse_space"} {
		f, err := os.Open(files[variable])
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatalf("%s: %v", variable, err)
		}
		if content, err := io.ReadAll(z); err != nil || !strings.Contains(string(content), unit) {
			t.Errorf("the profile of %s has no %s: %d bytes, %v", variable, unit, len(content), err)
		}
	}
	if end, err = startProfiles(func(string) string { return "" }); err != nil || end() != nil {
		t.Error("without variables there is something to do")
	}
}
