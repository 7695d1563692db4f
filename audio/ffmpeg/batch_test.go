package ffmpeg

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"voxpack/audio/codec"
	"voxpack/internal/exectest"
)

// TestManyFilesAreDecodedAsOneByOne: to the same samples and figures, whatever stands beside them; what is damaged, missing or no
// audio is left to Decode.
func TestManyFilesAreDecodedAsOneByOne(t *testing.T) {
	if testing.Short() {
		t.Skip("some 25 processes of ffmpeg")
	}
	t.Parallel()
	ff := tool(t)
	dir := t.TempDir()
	var paths []string
	for _, way := range []string{"a.m4a -c:a aac -b:a 64k", "b.m4a -c:a alac", "c.wma -c:a wmav2", "d.aac -c:a aac -b:a 32k", "e.mp2 -ac 2 -c:a mp2", "f.caf -ar 8000 -c:a pcm_s16be", "g.mka -c:a libopus"} {
		args := strings.Fields(way)
		file := filepath.Join(dir, args[0])
		if out, err := exec.Command(ff.Path, slices.Concat([]string{"-nostdin", "-v", "error", "-i", filepath.Join(encodedDir, "mono16.wav")}, args[1:], []string{file})...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		paths = append(paths, file)
	}
	for _, way := range []string{"h.gsm -ar 8000 -c:a libgsm", "i.spx -ar 16000 -c:a libspeex"} { // not every ffmpeg has them
		args := strings.Fields(way)
		file := filepath.Join(dir, args[0])
		if exec.Command(ff.Path, slices.Concat([]string{"-nostdin", "-v", "error", "-i", filepath.Join(encodedDir, "mono16.wav")}, args[1:], []string{file})...).Run() == nil {
			paths = append(paths, file)
		}
	}
	for name, b := range amrFiles() {
		paths = append(paths, filepath.Join(dir, name))
		if err := os.WriteFile(paths[len(paths)-1], b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	paths = append(paths, filepath.Join(encodedDir, "he.aac"), filepath.Join(encodedDir, "he.m4a"))
	kinds := len(paths)
	for i := range MostAtOnce - 3 { // more than one process
		paths = append(paths, paths[i%kinds])
	}
	damaged, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	for i := len(damaged) / 2; i < len(damaged)/2+40; i++ {
		damaged[i] ^= 0xff
	}
	bad := map[int]string{3: filepath.Join(dir, "damaged.m4a"), 9: filepath.Join(dir, "text.m4a"), 20: filepath.Join(dir, "missing.m4a")}
	for at, path := range bad {
		paths = slices.Insert(paths, at, path)
	}
	for path, b := range map[string][]byte{bad[3]: damaged, bad[9]: []byte("this is no audio")} {
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	alone := map[string]Decoded{}
	for _, path := range paths[:kinds+len(bad)-1] {
		d := alone[path]
		if d.PCM, d.Info, err = ff.Decode(t.Context(), nil, path, codec.Limits{}); err == nil {
			alone[path] = d
		}
	}
	left := 0
	for i, got := range ff.DecodeMany(t.Context(), paths, codec.Limits{}, &Buffers{make([]float32, 3, 9), make([]float32, 1<<16)}) {
		want, good := alone[paths[i]]
		if got.PCM == nil {
			left++
		} else if !good || !slices.Equal(got.PCM, want.PCM) || got.Info != want.Info {
			t.Errorf("%s: %d samples, %+v; alone %d, %+v", filepath.Base(paths[i]), len(got.PCM), got.Info, len(want.PCM), want.Info)
		}
	}
	if len(alone) != kinds || left > 2*len(bad) {
		t.Errorf("%d kinds are decoded, %d of %d files are left, of which %d are bad", len(alone), left, len(paths), len(bad))
	}
	// A limit that one of them passes is the limit of that one.
	for i, d := range ff.DecodeMany(t.Context(), paths[:2], codec.Limits{MaxClip: time.Millisecond}, &Buffers{}) {
		if d.PCM != nil {
			t.Errorf("%s: %d samples over the limit", paths[i], len(d.PCM))
		}
	}
}

// TestACrashOrAHangCostsOneFile, and one more process for the file beside it: programs that do so on one of their files, and write a
// sample of each other one to its pipe.
func TestACrashOrAHangCostsOneFile(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]string{
		"crashes": "kill -SEGV $$", "hangs": "exec /bin/sleep 100000", "complains": "echo invalid >&2", "gives up": "exit 1", "is killed": "kill -KILL $$", "endless": "exec cat /dev/zero > /dev/fd/9",
	} {
		dir := t.TempDir()
		script := "#!/bin/sh\nPATH=/usr/bin:/bin\n" +
			`for a in "$@"; do case "$a" in file:*bad*) bad=1;; pipe:*) fd=${a#pipe:}; printf '.snd\0\0\0\030\377\377\377\377\0\0\0\006\0\0\037\100\0\0\0\001\0\0\0\0' > /dev/fd/$fd;; esac; done` +
			"\necho $# >> " + dir + "/runs\nif [ \"$bad\" ]; then " + end + "; fi\n"
		exectest.Write(t, filepath.Join(dir, "ffmpeg"), script)
		var paths []string
		for i := range MostAtOnce {
			paths = append(paths, filepath.Join(dir, fmt.Sprintf("%d.m4a", i)))
		}
		paths[5] = filepath.Join(dir, "bad.m4a")
		program := Tool{Path: filepath.Join(dir, "ffmpeg")}
		if name == "hangs" {
			program.Timeout = 4 * time.Second // a machine that is slow for so long leaves more files to Decode
		}
		for i, d := range program.DecodeMany(t.Context(), paths, codec.Limits{}, &Buffers{}) {
			if i/2 != 5/2 && len(d.PCM) != 1 && name != "hangs" || i == 5 && d.PCM != nil {
				t.Errorf("one %s: file %d has %d samples", name, i, len(d.PCM))
			}
		}
		runs, err := os.ReadFile(filepath.Join(dir, "runs"))
		if n := strings.Count(string(runs), "\n"); err != nil || n > 11 && name != "hangs" {
			t.Errorf("one %s: %d processes for %d files (%v)", name, n, MostAtOnce, err)
		}
	}
}
