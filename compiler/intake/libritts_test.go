package intake

import "testing"

func TestLibriTTS(t *testing.T) {
	check(t, []treeCase{
		{"both texts, with a split", tree{"test-clean/1/2/1_2_3_4.original.txt": "In 1908.", "test-clean/1/2/1_2_3_4.normalized.txt": "In nineteen oh eight.", "test-clean/1/2/1_2_3_4.wav": "", "test-clean/1/2/1_2.trans.tsv": "x\ty\tz\n"},
			[]string{"libritts", "test-clean/1/2/1_2_3_4.original.txt:1 1_2_3_4 (test-clean/1/2/1_2_3_4.wav) In 1908./In nineteen oh eight. [1] [test]"}},
		{"one text of the two", tree{"1/2/a.original.txt": "A", "1/2/b.normalized.txt": "B"},
			[]string{"libritts", "1/2/a.original.txt:1 a (1/2/a.wav) A [1]", "1/2/b.normalized.txt:1 b (1/2/b.wav) B/B [1]"}},
		{"a clip without texts, and empty ones", tree{"1/2/a.wav": "", "1/2/b.normalized.txt": "", "1/2/b.original.txt": "B", "1/2/c.original.txt": "\n", "1/2/c.normalized.txt": "C"},
			[]string{"libritts", "1/2/a.original.txt:1 a! no such file, nor a.normalized.txt, and so no text for the clip beside it",
				"1/2/b.normalized.txt:1 b! the text is empty", "1/2/c.original.txt:1 c! the text is empty"}},
	})
}

func FuzzLibriTTS(f *testing.F) { fuzzFormat(f, "libritts") }
