package compiler

import (
	"os"
	"path/filepath"
	"testing"

	"voxpack/internal/corpustest"
)

// realClips is a copy of the 32 real LJSpeech clips, in which a test may edit.
func realClips(t *testing.T) string {
	t.Helper()
	corpora := os.Getenv("VOXPACK_CORPORA")
	if corpora == "" {
		t.Skip("VOXPACK_CORPORA is not set; the real LJSpeech clips are not tested")
	}
	dir := t.TempDir()
	from := filepath.Join(corpora, "ljspeech-32")
	if err := os.CopyFS(dir, corpustest.Files(from)); err != nil {
		t.Fatal(err)
	}
	os.Remove(filepath.Join(dir, "transcripts-13100.csv"))
	return dir
}

func mustBuild(t *testing.T, o Options) *Report {
	t.Helper()
	r, err := Build(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRealClipsAreKeptButForTheFourOverlong(t *testing.T) {
	t.Parallel()
	dir := realClips(t)
	r := mustBuild(t, Options{Dataset: dir})
	if r.Rows.Kept != 28 || r.Rows.Rejected != 4 {
		t.Fatalf("rows = %+v, want 28 kept and 4 rejected; %v", r.Rows, r.Rejections)
	}
	if len(r.Suggestions) == 0 || r.Suggestions[0] != (Suggestion{"max_mel_frames", 856, 32}) {
		t.Errorf("suggestions = %v, want max_mel_frames 856 keeping 32", r.Suggestions)
	}
	again := mustBuild(t, Options{Dataset: dir})
	if !again.UpToDate || again.BytesWritten != 0 {
		t.Errorf("second build: %+v, want nothing to do", again)
	}
	for name, c := range again.Stages {
		if c.Run != 0 {
			t.Errorf("second build: stage %s ran for %d rows, want 0", name, c.Run)
		}
	}
	longer := mustBuild(t, Options{Dataset: dir, Config: Config{Shape: Shape{MaxMelFrames: 856}}})
	if longer.Rows.Kept != 32 || longer.Stages["mel"].Run != 4 {
		t.Errorf("with 856 frames: %d kept, %d mels run; want 32 and 4", longer.Rows.Kept, longer.Stages["mel"].Run)
	}
}
