package compiler

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"voxpack/internal/exectest"
)

// TestClipsOfFfmpegShareProcesses: twenty clips of ALAC are one process, which decodes each once, and make the dataset that a process a
// clip makes; a clip that ffmpeg refuses is told as if it were alone, also where its tables claim a length; an edit decodes what it
// edits.
func TestClipsOfFfmpegShareProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip("some 100 processes of ffmpeg")
	}
	real, err := exec.LookPath("ffmpeg")
	if err != nil {
		t.Skip("ffmpeg is not installed: nothing to run")
	}
	dir := t.TempDir()
	counting := fmt.Sprintf("#!/bin/sh\ncase \"$*\" in *file:*) echo run >> %s/runs;; esac\nexec %s \"$@\"\n", dir, real)
	exectest.Write(t, filepath.Join(dir, "ffmpeg"), counting)
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	runs := func() int {
		b, _ := os.ReadFile(filepath.Join(dir, "runs"))
		os.Remove(filepath.Join(dir, "runs"))
		return strings.Count(string(b), "run\n")
	}
	c := smallCorpus(t, 3)
	place := func(id, volume string, options ...string) {
		file := filepath.Join(c.dir, "wavs", id+".m4a")
		wav := filepath.Join("..", "testdata", "audio", "mono16.wav")
		if out, err := exec.Command(real, slices.Concat([]string{"-nostdin", "-y", "-v", "error", "-i", wav, "-af", "volume=" + volume, "-c:a", "alac"}, options, []string{file})...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	const clips = 20 // of a few leaves
	for i := range clips {
		c.rows = append(c.rows, line{id: fmt.Sprintf("x%02d", i), text: "some text", given: "some text"})
	}
	c.write(t)
	for i := range clips {
		place(fmt.Sprintf("x%02d", i), fmt.Sprintf("0.%d", i+10))
	}
	o := Options{Dataset: c.dir, Config: smallConfig(), Workers: 1}
	o.Config.Shape.Overlong = OverlongTruncate
	r, decoded := buildCounting(t, o)
	if n := runs(); r.Rows.Kept != 3+clips || n != 1 || decoded != clips {
		t.Errorf("%d rows kept, %d processes, %d clips decoded; want %d rows and %d clips, all in one process: %v", r.Rows.Kept, n, decoded, 3+clips, clips, r.Rejections)
	}
	wantRootOfAFreshBuild(t, o, r)
	exectest.Write(t, filepath.Join(dir, "ffmpeg"), fmt.Sprintf("#!/bin/sh\ncase \"$*\" in *file:*file:*) exit 1;; esac\nexec %s \"$@\"\n", real))
	wantRootOfAFreshBuild(t, o, r) // a process a clip
	exectest.Write(t, filepath.Join(dir, "ffmpeg"), counting)
	runs()
	place("x07", "0.5")
	mustBuild(t, o)
	if n := runs(); n != 1 {
		t.Errorf("an edit of one clip is %d processes, want 1", n)
	}
	writeFile(t, filepath.Join(c.dir, "wavs", "x03.m4a"), []byte("this is no audio"))
	place("x05", "0.5", "-movflags", "+faststart")
	cut := filepath.Join(c.dir, "wavs", "x05.m4a")
	if b, err := os.ReadFile(cut); err != nil {
		t.Fatal(err)
	} else {
		writeFile(t, cut, b[:len(b)*9/10])
	}
	r = mustBuild(t, o)
	if r.Rows.Kept != 1+clips || len(r.Rejections) != 2 || !strings.Contains(r.Rejections[0].Reason, "x03.m4a") || !strings.Contains(r.Rejections[1].Reason, "x05.m4a") {
		t.Errorf("%d rows kept; rejected %v", r.Rows.Kept, r.Rejections)
	}
	wantRootOfAFreshBuild(t, o, r)
}

// TestAMRIsDecodedOnce: its frames tell how long it is.
func TestAMRIsDecodedOnce(t *testing.T) {
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Skip("ffmpeg is not installed: nothing to run")
	}
	c := smallCorpus(t, 3)
	const clips = 5
	for i := range clips {
		c.rows = append(c.rows, line{id: fmt.Sprintf("x%02d", i), text: "some text", given: "some text"})
	}
	c.write(t)
	for i := range clips {
		frame := append([]byte{7<<3 | 4}, strings.Repeat(string(rune('a'+i)), 31)...) // of 12.2 kbit/s
		file := append([]byte("#!AMR\n"), slices.Concat(slices.Repeat([][]byte{frame}, 60)...)...)
		writeFile(t, filepath.Join(c.dir, "wavs", fmt.Sprintf("x%02d.amr", i)), file)
	}
	o := Options{Dataset: c.dir, Config: smallConfig(), Workers: 1}
	o.Config.Shape.Overlong = OverlongTruncate
	r, decoded := buildCounting(t, o)
	if r.Rows.Kept != 3+clips || decoded != clips {
		t.Errorf("%d rows kept, %d clips decoded; want %d and %d: %v", r.Rows.Kept, decoded, 3+clips, clips, r.Rejections)
	}
	wantRootOfAFreshBuild(t, o, r)
}
