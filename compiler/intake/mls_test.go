package intake

import (
	"path/filepath"
	"slices"
	"testing"
)

func TestMLS(t *testing.T) {
	files := tree{"train/transcripts.txt": "1_2_3\tein wort\n1_2_4 kein tab\n1_2\tx\n1__3\tx\n1_2_5\t \n../1_2_6\tx\n", "train/audio/x": "", "dev/transcripts.txt": "4_5_6\tzwei\twörter\n", "dev/audio/x": "", "test/transcripts.txt": "7_8_9\tnicht ohne audio\n"}
	rows := func(language string) []string {
		return []string{"mls",
			"train/transcripts.txt:1 1_2_3 (train/audio/1/2/1_2_3.flac) ein wort [1]" + language + " [train]",
			"dev/transcripts.txt:1 4_5_6 (dev/audio/4/5/4_5_6.flac) zwei\twörter [4]" + language + " [val]",
			"train/transcripts.txt:2 1_2_4 kein tab! no text; the line is id, tab, text",
			"train/transcripts.txt:3 1_2! the id is not SPEAKER_BOOK_NUMBER, by which the clip is found",
			"train/transcripts.txt:4 1__3! the id is not SPEAKER_BOOK_NUMBER, by which the clip is found",
			"train/transcripts.txt:5 1_2_5! no text; the line is id, tab, text",
			"train/transcripts.txt:6 ../1_2_6! \"../1_2_6\" leaves the dataset's folder or names no file",
		}
	}
	for _, c := range []struct{ folder, said, language string }{
		{"mls_german", "", ""}, // a folder's name is no part of a dataset
		{"mls_german", "pt", " [pt]"}, {"x", "de", " [de]"},
	} {
		dir := files.write(t, filepath.Join(t.TempDir(), c.folder))
		if got, want := outcome(t, Corpus{Dir: dir, Language: c.said}), rows(c.language); !slices.Equal(got, want) {
			t.Errorf("in the folder %s, with language %q said:\n%q\nwant\n%q", c.folder, c.said, got, want)
		}
	}
}

func FuzzMLS(f *testing.F) { fuzzFormat(f, "mls") }
