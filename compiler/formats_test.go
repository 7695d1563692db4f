package compiler

import (
	"os"
	"path/filepath"
	"testing"

	"voxpack/compiler/intake"
	"voxpack/internal/corpustest"
)

// TestEachFormatBuilds: the corpus of each format becomes a dataset of all its
// sound rows, and a second build runs nothing.
func TestEachFormatBuilds(t *testing.T) {
	t.Parallel()
	kept := map[string]int{ // rejected are those that the corpus has on purpose
		"audiofolder": 4, "common-voice": 3, "coqui": 3, "csv": 4, "filelist": 4, "jsonl": 4, "ljspeech": 3, "speaker": 3, "tsv": 3,
		"kaldi": 3, "librispeech": 3, "libritts": 3, "vctk": 3, "mls": 4, "parquet": 4,
	}
	for _, name := range intake.FormatNames() {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, corpustest.Files(filepath.Join("..", "testdata", "corpus", "formats", name))); err != nil {
				t.Fatal(err)
			}
			want, ok := kept[name]
			if !ok {
				t.Fatalf("say here how many rows of testdata/corpus/formats/%s are sound", name)
			}
			r := mustBuild(t, Options{Dataset: dir})
			if r.Rows.Kept != want {
				t.Errorf("%d of %d rows kept, want %d: %v", r.Rows.Kept, r.Rows.Total, want, r.Rejections)
			}
			again := mustBuild(t, Options{Dataset: dir})
			if !again.UpToDate || again.BytesWritten != 0 || again.Dataset != r.Dataset {
				t.Errorf("the second build = %+v, want nothing to do", again)
			}
			for stage, c := range again.Stages {
				if c.Run != 0 {
					t.Errorf("the second build ran %s for %d rows", stage, c.Run)
				}
			}
		})
	}
}
