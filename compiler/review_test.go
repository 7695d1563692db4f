package compiler

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"voxpack/compiler/column"
	"voxpack/store"
)

// The tests of this file each hold a fault that a reading of the whole found.

// TestRehashMendsADamagedBlock: a build that distrusts what it holds writes a
// sound copy, and a build that does not stays up to date.
func TestRehashMendsADamagedBlock(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 20)
	o := Options{Dataset: c.dir, Config: smallConfig()}
	clean := mustBuild(t, o)
	flipInRecord(t, filepath.Join(c.dir, StoreName), store.KindBlock)
	o.Rehash = true
	r := mustBuild(t, o)
	if r.Dataset != clean.Dataset || r.Blocks.Written != 1 || r.UpToDate {
		t.Errorf("dataset %.8s, %d blocks written, up to date %v; want %.8s, the one damaged block, and no claim that nothing was done", r.Dataset, r.Blocks.Written, r.UpToDate, clean.Dataset)
	}
	if r.Stages["mel"].Run+r.Stages["tokens"].Run != 1 {
		t.Errorf("stages = %v, want one sample made again", r.Stages)
	}
	st, err := store.Open(filepath.Join(c.dir, StoreName))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	d, err := st.Dataset("main")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := contents(d); err != nil {
		t.Errorf("after the repair: %v", err)
	}
	if again := mustBuild(t, o); !again.UpToDate || again.BytesWritten != 0 {
		t.Errorf("a second build wrote %d bytes; the copy is sound now", again.BytesWritten)
	}
}

// TestAHugeClipIsARejection: its size is judged before a byte of it is read.
func TestAHugeClipIsARejection(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 5)
	big := filepath.Join(c.dir, "wavs", "row-002.wav")
	if err := os.Truncate(big, 8<<40); err != nil {
		t.Skipf("this file system has no sparse files of 8 TiB: %v", err)
	}
	r := mustBuild(t, Options{Dataset: c.dir, Config: smallConfig()})
	if r.Rows.Kept != 4 || len(r.Rejections) != 1 || !strings.Contains(r.Rejections[0].Reason, "a clip may have 128") {
		t.Errorf("rows %+v, rejections %v; want the huge clip refused for its size", r.Rows, r.Rejections)
	}
}

// TestSpeakersKeepTheirNumbersOverAnEmptySnapshot: a disk that was not mounted
// for one build must not cost a trained model its speakers.
func TestSpeakersKeepTheirNumbersOverAnEmptySnapshot(t *testing.T) {
	t.Parallel()
	c := newCorpus(filepath.Join(fastTemp(t), "data"), 5)
	for i := range 6 {
		id := fmt.Sprint("r", i)
		c.rows = append(c.rows, line{id, "some text", "some text", "bob", "en"})
		c.wavs[id] = noiseWAV(uint64(i), 8000, 700)
	}
	c.write(t)
	o := Options{Dataset: c.dir, Config: smallConfig()}
	mustBuild(t, o)
	wavs, away := filepath.Join(c.dir, "wavs"), filepath.Join(c.dir, "away")
	if err := os.Rename(wavs, away); err != nil {
		t.Fatal(err)
	}
	if r := mustBuild(t, o); r.Rows.Kept != 0 || len(r.Warnings) == 0 {
		t.Errorf("without audio: %+v, warnings %v; want none kept and a warning", r.Rows, r.Warnings)
	}
	if err := os.Rename(away, wavs); err != nil {
		t.Fatal(err)
	}
	c.rows[0].speaker = "alice"
	c.write(t)
	if _, err := Build(t.Context(), o); !errors.Is(err, ErrSpeakers) || !strings.Contains(err.Error(), "bob 0 → 1") {
		t.Errorf("error = %v, want ErrSpeakers for bob 0 → 1", err)
	}
}

// TestSpeakersOfADamagedSnapshotAreNotGuessed asks instead of numbering anew.
func TestSpeakersOfADamagedSnapshotAreNotGuessed(t *testing.T) {
	t.Parallel()
	c := newCorpus(filepath.Join(fastTemp(t), "data"), 5)
	for i, who := range []string{"alice", "bob", "bob"} {
		id := fmt.Sprint("r", i)
		c.rows = append(c.rows, line{id, "some text", "some text", who, "en"})
		c.wavs[id] = noiseWAV(uint64(i), 8000, 700)
	}
	c.write(t)
	o := Options{Dataset: c.dir, Config: smallConfig()}
	mustBuild(t, o)
	flipInRecord(t, filepath.Join(c.dir, StoreName), store.KindRoot)
	c.rows[2].speaker = "aaron"
	c.write(t)
	if _, err := Build(t.Context(), o); !errors.Is(err, ErrSpeakers) || !strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("error = %v, want ErrSpeakers saying that the table cannot be read", err)
	}
	o.RenumberSpeakers = true
	if r := mustBuild(t, o); r.Rows.Kept != 3 {
		t.Errorf("rows = %+v, want all kept once numbering anew is asked for", r.Rows)
	}
}

// TestAnInterruptedSurveyIsRemembered: what was read before Ctrl-C is not read
// again, even when no shard was begun. Of WAVs a first build reads no more than
// the header before it needs their samples, also where they are to be trimmed; clips beside
// columns of the user's own it reads whole then.
func TestAnInterruptedSurveyIsRemembered(t *testing.T) {
	plain, trimmed, whole := smallConfig(), smallConfig(), smallConfig()
	trimmed.Process.TrimDB, whole.Process.TrimDB = 60, 60
	whole.Columns = []column.Config{{Name: "loudness", DType: store.Float32, Sound: &column.Sound{Feature: "energy"}}}
	t.Run("headers", func(t *testing.T) { interruptedSurvey(t, plain, "text") })
	t.Run("headers of clips to be trimmed", func(t *testing.T) { interruptedSurvey(t, trimmed, "text") })
	t.Run("clips", func(t *testing.T) { interruptedSurvey(t, whole, "audio", "text") })
}

func interruptedSurvey(t *testing.T, config Config, remembered ...string) {
	c := smallCorpus(t, 200)
	makeOld(t, c.dir)
	o := Options{Dataset: c.dir, Config: config, Workers: 1}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o.Progress = func(p Progress) {
		if p.Phase == "reading" && p.Done >= 128 {
			cancel()
		}
	}
	if _, err := Build(ctx, o); !errors.Is(err, context.Canceled) {
		t.Fatalf("error = %v, want context.Canceled", err)
	}
	o.Progress = nil
	r := mustBuild(t, o)
	for _, stage := range remembered { // tokens are made again where a block is
		if hit := r.Stages[stage].Hit; hit < 128 {
			t.Errorf("stage %s: %d rows taken over, want the 128 that were looked at", stage, hit)
		}
	}
}

// TestCountsDoNotDependOnWhichWorkerCameFirst: equal shards in one build are
// each made, whatever the timing.
func TestCountsDoNotDependOnWhichWorkerCameFirst(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 40)
	for i := range c.rows {
		c.rows[i].text, c.rows[i].given = "the same", "the same"
		c.wavs[c.rows[i].id] = noiseWAV(1, 8000, 900)
	}
	c.write(t)
	for j := range 4 {
		o := Options{Dataset: c.dir, Config: smallConfig(), Store: filepath.Join(c.dir, fmt.Sprint(".s", j)), Workers: 1 + j%2}
		o.Config.PerShard = 1
		if r := mustBuild(t, o); r.Stages["mel"].Run != 40 {
			t.Errorf("%d workers: %d mels run, want 40", o.Workers, r.Stages["mel"].Run)
		}
		o.Config.Mel.FMax = 3500 // again with a store that the build holds open from its beginning
		if r := mustBuild(t, o); r.Stages["mel"].Run != 40 {
			t.Errorf("%d workers, second build: %d mels run, want 40", o.Workers, r.Stages["mel"].Run)
		}
	}
}

// TestAnEmptyMetadataFileIsNoEdit: a truncated save looks like one.
func TestAnEmptyMetadataFileIsNoEdit(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 5)
	o := Options{Dataset: c.dir, Config: smallConfig(), MinKept: 0.8}
	built := mustBuild(t, o)
	if err := os.WriteFile(filepath.Join(c.dir, "metadata.csv"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	r, err := Build(t.Context(), o)
	if !errors.Is(err, ErrLoss) || !strings.Contains(err.Error(), "of the 5 rows that the last build kept, 5 would be lost") || r == nil || *r.Loss != (Loss{Before: 5, Vanished: 5}) {
		t.Errorf("report %+v, error %v, want ErrLoss that names what would be lost", r, err)
	}
	st, err := store.Open(filepath.Join(c.dir, StoreName))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if ref, err := st.Ref(MainRef); err != nil || ref.String() != built.Snapshot {
		t.Errorf("main names %v, %v; want %v as before", ref, err, built.Snapshot)
	}
}

// TestALossIsCountedInWords: one row is, two are.
func TestALossIsCountedInWords(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{
		1: "2 would be lost: 1 is no longer in the metadata; 1 is rejected, the first: metadata.csv:1: row-000: audio: " +
			"wavs/row-000.wav is empty (0 bytes); 1 other row of the metadata is rejected; ",
		2: "4 would be lost: 2 are no longer in the metadata; 2 are rejected, the first: metadata.csv:1: row-000: audio: " +
			"wavs/row-000.wav is empty (0 bytes); 2 other rows of the metadata are rejected; ",
	} {
		c := smallCorpus(t, 6)
		o := Options{Dataset: c.dir, Config: smallConfig(), MinKept: 0.9}
		mustBuild(t, o)
		c.rows = c.rows[:6-n]
		for i := range n {
			c.wavs[c.rows[i].id] = nil
			c.rows = append(c.rows, line{id: fmt.Sprint("new-", i), text: "without a recording"})
		}
		c.write(t)
		_, err := Build(t.Context(), o)
		if !errors.Is(err, ErrLoss) || !strings.Contains(err.Error(), want) {
			t.Errorf("%d of each: %v, want %q in it", n, err, want)
		}
	}
}

// TestRenamedRowsAreNotLost: an id that is gone is no loss where its recording is
// that of a new row.
func TestRenamedRowsAreNotLost(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 10)
	o := Options{Dataset: c.dir, Config: smallConfig(), MinKept: 0.8}
	mustBuild(t, o)
	for i := range 5 {
		was, now := c.rows[i].id, fmt.Sprint("renamed-", i)
		c.rows[i].id, c.wavs[now] = now, c.wavs[was]
		delete(c.wavs, was)
	}
	c.write(t)
	if r := mustBuild(t, o); r.Rows.Kept != 10 {
		t.Errorf("%d rows kept, want all 10", r.Rows.Kept)
	}
}

// TestVerifySourcesSurvivesALongerShape: the config may have grown since.
func TestVerifySourcesSurvivesALongerShape(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 12)
	o := Options{Dataset: c.dir, Config: smallConfig()}
	o.Config.Shape.Overlong, o.Config.Shape.MaxMelFrames = OverlongTruncate, 8
	mustBuild(t, o)
	o.Config.Shape.MaxMelFrames = 64
	o.Store = filepath.Join(c.dir, StoreName)
	var found []Finding
	if _, err := VerifySources(t.Context(), o, "main", func(f Finding) { found = append(found, f) }); err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 || !strings.Contains(found[0].What, "max_mel_frames 8 → 64") {
		t.Errorf("findings = %v, want the changed setting alone", found)
	}
}

// TestAFirstBuildDoesNotOverwriteOneThatFinishedMeanwhile starts two without a
// store; the second to publish sees the first and starts over.
func TestAFirstBuildDoesNotOverwriteOneThatFinishedMeanwhile(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 130)
	inner := Options{Dataset: c.dir, Config: smallConfig()}
	outer := inner
	first := ""
	outer.Progress = func(p Progress) {
		if p.Phase == "reading" && first == "" {
			first = mustBuild(t, inner).Snapshot
		}
	}
	outer.Workers = 1
	r := mustBuild(t, outer)
	if r.Snapshot != first || !r.UpToDate {
		t.Errorf("snapshot %.8s, up to date %v; want %.8s taken for what it is", r.Snapshot, r.UpToDate, first)
	}
}
