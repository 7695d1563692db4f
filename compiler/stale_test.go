package compiler

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"voxpack/compiler/clip"
	"voxpack/compiler/intake"
	"voxpack/internal/exectest"
	"voxpack/store"
)

// What an incremental build takes over from the one before, where a build
// without history would decide otherwise.

// wantRootOfAFreshBuild builds the dataset into a store of its own.
func wantRootOfAFreshBuild(t *testing.T, o Options, got *Report) {
	t.Helper()
	o.Store = filepath.Join(fastTemp(t), "fresh")
	fresh := mustBuild(t, o)
	if got.Dataset != fresh.Dataset || got.Rows != fresh.Rows {
		t.Errorf("the incremental build has root %.12s and rows %+v, one without history %.12s and %+v; rejected: %v, %v",
			got.Dataset, got.Rows, fresh.Dataset, fresh.Rows, got.Rejections, fresh.Rejections)
	}
}

func TestALowerLimitOfLengthLeavesOutWhatWasKept(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 6)
	o := Options{Dataset: c.dir, Config: smallConfig()}
	if r := mustBuild(t, o); r.Rows.Kept != 6 {
		t.Fatalf("%d rows kept, want 6", r.Rows.Kept)
	}
	o.Config.Length.MaxClip = 85 * time.Millisecond // 680 samples
	r := mustBuild(t, o)
	if r.Rows.Rejected == 0 {
		t.Error("no row was rejected by the limit")
	}
	wantRootOfAFreshBuild(t, o, r)
}

func TestTheOrderInWhichFeaturesAreNamedIsNoContent(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 6)
	o := Options{Dataset: c.dir, Config: smallConfig()}
	o.Config.Features = []string{"pcm", "f0", "energy"}
	first := mustBuild(t, o)
	o.Config.Features = []string{"energy", "pcm", "f0"}
	if r := mustBuild(t, o); r.Dataset != first.Dataset || !r.UpToDate {
		t.Errorf("root %.12s → %.12s, up to date: %v", first.Dataset, r.Dataset, r.UpToDate)
	}
}

// TestANewNameDecidesAnew: what an extension decides is remembered for that
// extension only.
func TestANewNameDecidesAnew(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ bytes, first, then string }{
		{"mono16.flac", "x.mp3", "x.flac"},
		{"mono16.flac", "x.flac", "x.mp3"},
		{"mono16.flac", "x.flac", "x.ogg"},
		{"mono.ogg", "x.ogg", "x.wav"},
		{"mono.mp3", "x.flac", "x.oga"},
		{"mono16.wav", "x.ogg", "x.wav"},
	} {
		t.Run(c.bytes+" as "+c.first+" then as "+c.then, func(t *testing.T) {
			corpus := smallCorpus(t, 3)
			corpus.rows = append(corpus.rows, line{id: "x", text: "some text", given: "some text"})
			corpus.write(t)
			b, err := os.ReadFile(filepath.Join("..", "testdata", "audio", c.bytes))
			if err != nil {
				t.Fatal(err)
			}
			wavs := filepath.Join(corpus.dir, "wavs")
			writeFile(t, filepath.Join(wavs, c.first), b)
			o := Options{Dataset: corpus.dir, Config: smallConfig()}
			o.Config.Shape.Overlong = OverlongTruncate
			mustBuild(t, o)
			if err := os.Rename(filepath.Join(wavs, c.first), filepath.Join(wavs, c.then)); err != nil {
				t.Fatal(err)
			}
			wantRootOfAFreshBuild(t, o, mustBuild(t, o))
		})
	}
}

// TestAFileReadOnceIsSeenBeforeItIsRead: a first build learns digests from the
// reading of samples. A file that was written just before must not be trusted
// because decoding took longer than the clock's grain.
func TestAFileReadOnceIsSeenBeforeItIsRead(t *testing.T) {
	t.Parallel()
	for _, on := range []bool{false, true} { // read for its samples, or in the survey
		c := smallCorpus(t, 1)
		info, err := os.Stat(filepath.Join(c.dir, "wavs", "row-000.wav"))
		if err != nil {
			t.Fatal(err)
		}
		began := false
		o := Options{Dataset: c.dir, Config: smallConfig(), Workers: 1, Now: func() time.Time {
			if !began {
				began = true
				return info.ModTime().Add(time.Millisecond)
			}
			return info.ModTime().Add(time.Hour)
		}}
		if on {
			o.Config.Process.TrimDB = 60
		}
		mustBuild(t, o)
		cache, err := store.OpenCacheReadOnly(filepath.Join(c.dir, StoreName))
		if err != nil {
			t.Fatal(err)
		}
		stats := clip.NewStatTable(cache, false, time.Now)
		file, stamp := statOf(t, c.dir, "row-000")
		_, anew, err := stats.Digest("wavs/row-000.wav", stamp, func() (store.Digest, error) {
			b, err := os.ReadFile(file)
			return store.Sum(b), err
		})
		if !anew || err != nil || stats.NeedsWrite() {
			t.Errorf("processing %v: hashed again %v, another file %v, %v; want a fingerprint that is there and not trusted", on, anew, stats.NeedsWrite(), err)
		}
		cache.Close()
	}
}

// statOf is a row's audio file and what the file system says of it.
func statOf(t *testing.T, dataset, id string) (string, clip.Stamp) {
	t.Helper()
	c, err := clip.OpenFolder(intake.Corpus{Dir: dataset}, nil)
	if err != nil {
		t.Fatal(err)
	}
	rel, now, _, err := c.Find(&intake.Row{ID: id})
	if err != nil {
		t.Fatal(err)
	}
	return c.Path(rel), now
}

// faultyFfmpeg puts a program before the installed ffmpeg that does something
// before the nth decode. The test is skipped without ffmpeg.
func faultyFfmpeg(t *testing.T, nth int, fault string) (real string) {
	t.Helper()
	real, err := exec.LookPath("ffmpeg")
	if err != nil {
		t.Skip("ffmpeg is not installed: nothing to run")
	}
	dir := t.TempDir()
	script := fmt.Sprintf(`#!/bin/sh
case "$*" in *-version*) exec %[1]s "$@" ;; esac
n=0; [ -e %[2]s/n ] && read n < %[2]s/n
n=$((n + 1)); echo $n > %[2]s/n
if [ $n = %[3]d ]; then %[4]s; fi
exec %[1]s "$@"
`, real, dir, nth, fault)
	exectest.Write(t, filepath.Join(dir, "ffmpeg"), script)
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return real
}

// alacCorpus is a dataset one of whose clips only ffmpeg reads.
func alacCorpus(t *testing.T) (*corpus, Options) {
	c := smallCorpus(t, 3)
	c.rows = append(c.rows, line{id: "x", text: "some text", given: "some text"})
	c.write(t)
	b, err := os.ReadFile(filepath.Join("..", "testdata", "audio", "alac.m4a"))
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(c.dir, "wavs", "x.m4a"), b)
	o := Options{Dataset: c.dir, Config: smallConfig()}
	o.Config.Shape.Overlong = OverlongTruncate
	return c, o
}

func TestAnEndedFfmpegIsNoFaultOfTheFile(t *testing.T) {
	for name, end := range map[string]string{"killed": "kill -9 $$", "interrupted": "exit 255"} {
		t.Run(name, func(t *testing.T) {
			faultyFfmpeg(t, 1, end)
			_, o := alacCorpus(t)
			var machine *intake.MachineError
			if r, err := Build(t.Context(), o); !errors.As(err, &machine) || !strings.Contains(err.Error(), "metadata.csv:4: x: wavs/x.m4a: ffmpeg") {
				t.Fatalf("built %+v, %v; want a stop at the row that ffmpeg did not read", r, err)
			}
			if r := mustBuild(t, o); r.Rows.Kept != 4 {
				t.Errorf("the next build keeps %d rows, want all 4: %v", r.Rows.Kept, r.Rejections)
			}
		})
	}
}

// TestAFileThatChangesBeforeFfmpegReadsItIsReadAgain: ffmpeg opens a file by
// itself, after the hashing. What it makes of another file of the same length
// must not stand under the key of the first.
func TestAFileThatChangesBeforeFfmpegReadsItIsReadAgain(t *testing.T) {
	c, o := alacCorpus(t)
	clip, other := filepath.Join(c.dir, "wavs", "x.au"), filepath.Join(t.TempDir(), "x.au")
	real := faultyFfmpeg(t, 2, "/bin/cp "+other+" "+clip) // 1: survey, 2: samples
	for file, volume := range map[string]string{clip: "1", other: "0.5"} {
		wav := filepath.Join("..", "testdata", "audio", "mono16.wav")
		if out, err := exec.Command(real, "-v", "error", "-i", wav, "-af", "volume="+volume, file).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	if err := os.Remove(filepath.Join(c.dir, "wavs", "x.m4a")); err != nil {
		t.Fatal(err)
	}
	old, err := os.ReadFile(clip)
	if err != nil {
		t.Fatal(err)
	}
	wantRootOfAFreshBuild(t, o, mustBuild(t, o))
	writeFile(t, clip, old)
	wantRootOfAFreshBuild(t, o, mustBuild(t, o))
}

// TestAFurtherFeatureHoldsNoClipsInMemory: the clips of a shard, and of a whole
// verification, may be hours together.
func TestAFurtherFeatureHoldsNoClipsInMemory(t *testing.T) {
	const clips, samples = 12, 500_000
	c := smallCorpus(t, clips)
	for i := range clips {
		c.wavs[c.rows[i].id] = noiseWAV(uint64(i), 8000, samples)
	}
	c.write(t)
	o := Options{Dataset: c.dir, Config: smallConfig(), Workers: 1}
	o.Config.PerShard, o.Config.Shape.Overlong = clips, OverlongTruncate
	var before, after runtime.MemStats
	for _, features := range [][]string{nil, {"energy"}} { // the first one for what every build takes
		o.Config.Features, o.Store = features, filepath.Join(fastTemp(t), "store")
		runtime.ReadMemStats(&before)
		mustBuild(t, o)
		if _, err := VerifySources(t.Context(), o, MainRef, func(f Finding) { t.Error(f) }); err != nil {
			t.Fatal(err)
		}
		allocated := after.TotalAlloc
		runtime.ReadMemStats(&after)
		after.TotalAlloc -= before.TotalAlloc
		if more := int64(after.TotalAlloc - allocated); features != nil && more > clips*samples*4/2 {
			t.Errorf("energy took %d kB more, the clips are %d kB", more>>10, clips*samples*4>>10)
		}
	}
}

// TestAClipOverTheLimitIsDecodedOnce: the limit may be another tomorrow, but
// today's need not be tried in every build.
func TestAClipOverTheLimitIsDecodedOnce(t *testing.T) {
	c := smallCorpus(t, 3)
	b, err := os.ReadFile(filepath.Join("..", "testdata", "audio", "mono16.flac"))
	if err != nil {
		t.Fatal(err)
	}
	c.rows = append(c.rows, line{id: "x", text: "some text", given: "some text"})
	c.write(t)
	writeFile(t, filepath.Join(c.dir, "wavs", "x.flac"), b)
	makeOld(t, c.dir)
	o := Options{Dataset: c.dir, Config: smallConfig()}
	o.Config.Shape.Overlong, o.Config.Length.MaxClip = OverlongTruncate, 80*time.Millisecond // the FLAC file and a WAV file are longer
	for _, processing := range []float64{0, 60} {                                            // of a first build that reads headers, and of one that reads clips
		o.Config.Process.TrimDB = processing
		o.Store = filepath.Join(fastTemp(t), "store")
		first := mustBuild(t, o)
		if first.Rows.Rejected != 2 || first.Stages["audio"].Run != 4 {
			t.Errorf("rows %+v, audio %+v, want two tried and rejected: %v", first.Rows, first.Stages["audio"], first.Rejections)
		}
		before := listing(t, o.Store)
		if r := mustBuild(t, o); !r.UpToDate || r.Stages["audio"].Run != 0 || !maps.Equal(before, listing(t, o.Store)) {
			t.Errorf("the second build ran %+v, up to date: %v, or it wrote", r.Stages["audio"], r.UpToDate)
		}
		longer := o
		longer.Config.Length.MaxClip = 0
		if r := mustBuild(t, longer); r.Rows.Kept != 4 {
			t.Errorf("without the limit %d rows are kept, want 4: %v", r.Rows.Kept, r.Rejections)
		}
	}
}
