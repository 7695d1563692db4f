package intake

import "testing"

func TestLibriSpeech(t *testing.T) {
	check(t, []treeCase{
		{"splits by the subset's name", tree{"train-other-500/1/2/1-2.trans.txt": "1-2-0 A B\n", "dev-clean/3/4/3-4.trans.txt": "3-4-0 C\n", "test-other/5/6/5-6.trans.txt": "5-6-0 D\n", "docs-x/7/8/7-8.trans.txt": "7-8-0 E\n"},
			[]string{"librispeech",
				"dev-clean/3/4/3-4.trans.txt:1 3-4-0 (dev-clean/3/4/3-4-0.flac) C [3] [val]",
				"test-other/5/6/5-6.trans.txt:1 5-6-0 (test-other/5/6/5-6-0.flac) D [5] [test]",
				"train-other-500/1/2/1-2.trans.txt:1 1-2-0 (train-other-500/1/2/1-2-0.flac) A B [1] [train]"}},
		{"speakers at the top have no split", tree{"1/2/1-2.trans.txt": "1-2-0 A\n\n1-2-1  B \n", ".voxpack/1/2/1-2.trans.txt": "x y\n"},
			[]string{"librispeech", "1/2/1-2.trans.txt:1 1-2-0 (1/2/1-2-0.flac) A [1]", "1/2/1-2.trans.txt:3 1-2-1 (1/2/1-2-1.flac) B [1]"}},
		{"lines that are no rows", tree{"1/2/1-2.trans.txt": "1-2-0\n1-2-1 \n../1-2-2 C\n1-2-3 \xff\n1-2-4 E\n"},
			[]string{"librispeech", "1/2/1-2.trans.txt:5 1-2-4 (1/2/1-2-4.flac) E [1]",
				"1/2/1-2.trans.txt:1 1-2-0! no text after the id", "1/2/1-2.trans.txt:2 1-2-1! no text after the id",
				"1/2/1-2.trans.txt:3 ../1-2-2! \"../1-2-2\" leaves the dataset's folder or names no file",
				"1/2/1-2.trans.txt:4 ! invalid UTF-8 at byte 6 of the line (0xFF); save the file as UTF-8"}},
		{"a chapter without texts", tree{"1/2/1-2.trans.txt": "1-2-0 A\n", "1/3/1-3-0.flac": "", "1/3/1-3-1.flac": "", "1/4/notes.txt": "x"},
			[]string{"librispeech", "1/2/1-2.trans.txt:1 1-2-0 (1/2/1-2-0.flac) A [1]",
				"1/3/1-3.trans.txt:1 ! no such file, and so no text for the clips beside it: 2"}},
	})
}

// Where the first speakers have no such file, the tree is another.
func TestOtherTreesAreNotLibriSpeech(t *testing.T) {
	for _, files := range []tree{
		{"a/b/a-b.trans.txt": "a-b-0 A\n"},
		{"1/1-2.trans.txt": "1-2-0 A\n"},
		{"train-clean/1/2/1-2.txt": "1-2-0 A\n"},
		{"other/1/2/1-2.trans.txt": "1-2-0 A\n"},
		{"-clean/1/2/1-2.trans.txt": "1-2-0 A\n"},
	} {
		if parts := librispeech.Find(files.write(t, t.TempDir())); parts != nil {
			t.Errorf("%v is taken for LibriSpeech: %v", files, parts)
		}
	}
}

func FuzzLibriSpeech(f *testing.F) { fuzzFormat(f, "librispeech") }
