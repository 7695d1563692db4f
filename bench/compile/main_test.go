package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// made is a corpus of three clips.
func made(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "corpus")
	cmd := exec.Command("go", "run", "voxpack/bench/gencorpus", "-n", "3", "-max-seconds", "2", dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("gencorpus: %v\n%s", err, out)
	}
	return dir
}

func TestAnswersLines(t *testing.T) {
	dir := made(t)
	var out, log bytes.Buffer
	if err := run([]string{"-corpus", dir, "-j", "2"}, strings.NewReader("machine\nlap\nlap\n"), &out, &log); err != nil {
		t.Fatalf("run: %v\n%s", err, log.Bytes())
	}
	var m machine
	var first, second lap
	d := json.NewDecoder(&out)
	for _, to := range []any{&m, &first, &second} {
		if err := d.Decode(to); err != nil {
			t.Fatal(err)
		}
	}
	if m.Touch <= 0 || m.Copy <= 0 || m.Write <= 0 || m.Sync < 0 || m.Tiny <= 0 {
		t.Errorf("calibration %+v, want figures", m)
	}
	if first.Clips != 3 || first.Frames < 3*90 || first.Tokens < 3 || first.Frames != second.Frames || first.Tokens != second.Tokens {
		t.Errorf("laps %+v and %+v, want the same work of 3 clips", first, second)
	}
	left, err := os.ReadDir(filepath.Dir(dir))
	if err != nil || len(left) != 1 {
		t.Errorf("beside the corpus lie %v (%v), want nothing", left, err)
	}
}

func TestSaysWhichClipIsWrong(t *testing.T) {
	dir := made(t)
	clips, err := filepath.Glob(filepath.Join(dir, "wavs", "*.wav"))
	if err != nil || len(clips) != 3 {
		t.Fatal(clips, err)
	}
	if err := os.Truncate(clips[1], 100); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err = run([]string{"-corpus", dir}, strings.NewReader("lap\n"), &out, &out)
	if err == nil || !strings.Contains(err.Error(), filepath.Base(clips[1])) {
		t.Errorf("run = %v, want an error that names %s", err, clips[1])
	}
}
