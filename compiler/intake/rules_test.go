package intake

import (
	"strings"
	"testing"
)

// TestKaldiByItsRules: what kaldi-asr.org/doc/data_prep.html says of the files of a
// data folder, and what validate_data_dir.sh refuses.
func TestKaldiByItsRules(t *testing.T) {
	base := tree{"wav.scp": "u1 1.wav\nu2 2.wav\n", "text": "u1 A B\nu2 C\n"}
	first, second := "text:1 u1 (1.wav) A B", "text:2 u2 (2.wav) C"
	const wanted = "1 column; a name and what belongs to it are wanted"
	check(t, []treeCase{
		{"tabs between", base.with(tree{"wav.scp": "u1\t1.wav\nu2 \t 2.wav\n"}), []string{"kaldi", first, second}},
		{"line ends of Windows", base.with(tree{"wav.scp": "u1 1.wav\r\nu2 2.wav\r\n", "text": "u1 A B\r\nu2 C\r\n"}),
			[]string{"kaldi", first, second}},
		{"lines that are not sorted", base.with(tree{"wav.scp": "u2 2.wav\nu1 1.wav\n"}), []string{"kaldi", first, second}},
		{"a path with spaces", base.with(tree{"wav.scp": "u1 my clips/1 a.wav\nu2 2.wav\n"}),
			[]string{"kaldi", "text:1 u1 (my clips/1 a.wav) A B", second}},
		{"spaces in a text stay", base.with(tree{"text": "u1 A   B\nu2  C \n"}), []string{"kaldi", "text:1 u1 (1.wav) A   B", second}},
		{"files of other uses", base.with(tree{
			"spk2utt": "x u1 u2\n", "spk2gender": "x f\n", "reco2dur": "u1 1\n", "cmvn.scp": "u1 x.ark:1\n",
			"feats.scp": "u1 y.ark:1\n", "utt2num_frames": "u1 9\n", "frame_shift": "0.01\n",
		}), []string{"kaldi", first, second}},
		{"an empty text file", base.with(tree{"text": "\n"}),
			[]string{"kaldi", "wav.scp:1 u1! no utterance needs this recording", "wav.scp:2 u2! no utterance needs this recording"}},
		{"an utterance twice in text", base.with(tree{"text": "u1 A B\nu2 C\nu1 D\n"}),
			[]string{"kaldi", first, second, "text:3 u1 (1.wav) D"}}, // two rows of one id: the build compares them
		{"a recording twice", base.with(tree{"wav.scp": "u1 1.wav\nu2 2.wav\nu1 3.wav\n"}),
			[]string{"kaldi", first, second, "wav.scp:3 u1! u1 stands at line 1 already"}},
		{"a recording without a file", base.with(tree{"wav.scp": "u1\nu2 2.wav\n"}), []string{"kaldi", second, "wav.scp:1 u1! " + wanted}},
		{"a channel after the times", base.with(tree{"segments": "u1 u1 0 0.5 1\nu2 u2 0.5 1\n"}),
			[]string{"kaldi", "text:1 u1 (1.wav) 0s+500ms A B", "text:2 u2 (2.wav) 500ms+500ms C"}},
		{"an end of -1.0", base.with(tree{"segments": "u1 u1 0.25 -1.0\nu2 u2 0 -1.00\n"}),
			[]string{"kaldi", "text:1 u1 (1.wav) 250ms+0s A B", second}},
		{"times with an exponent", base.with(tree{"segments": "u1 u1 0 1e1\nu2 u2 0 1\n"}),
			[]string{"kaldi", "text:2 u2 (2.wav) 0s+1s C", `segments:1 u1! the end: "1e1" is not a number of seconds, as in 12.5`,
				"wav.scp:1 u1! no utterance needs this recording"}},
		{"a standard input", base.with(tree{"wav.scp": "u1 cat 1.wav |\nu2 | sox\n"}), []string{"kaldi",
			"wav.scp:1 u1! a command, which is not run here; write what it prints to a file first (COMMAND > NAME.wav) and name that file",
			"wav.scp:2 u2! a command, which is not run here; write what it prints to a file first (COMMAND > NAME.wav) and name that file"}},
		{"a language by its name", base.with(tree{"utt2lang": "u1 english\nu2 en\n"}),
			[]string{"kaldi", second + " [en]", `text:1 u1! language "english" is not a known code (en, fa, de, …; und where nothing fits)`}},
	})
}

// TestTreesOfOddFiles: in trees of small files each file is an utterance or an
// error, whatever it is called and holds; nothing else of the tree is one.
func TestTreesOfOddFiles(t *testing.T) {
	check(t, []treeCase{
		{"LibriSpeech: tabs and line ends of Windows", tree{"1/2/1-2.trans.txt": "1-2-0 A B\r\n1-2-1\tC\n"},
			[]string{"librispeech", "1/2/1-2.trans.txt:1 1-2-0 (1/2/1-2-0.flac) A B [1]", "1/2/1-2.trans.txt:2 1-2-1\tC! no text after the id"}},
		{"LibriSpeech: two lists in a chapter", tree{"1/2/1-2.trans.txt": "1-2-0 A\n", "1/2/x.trans.txt": "1-2-1 B\n"},
			[]string{"librispeech", "1/2/1-2.trans.txt:1 1-2-0 (1/2/1-2-0.flac) A [1]", "1/2/x.trans.txt:1 1-2-1 (1/2/1-2-1.flac) B [1]"}},
		{"LibriSpeech: an empty list", tree{"1/2/1-2.trans.txt": "", "1/3/1-3.trans.txt": "1-3-0 A\n"},
			[]string{"librispeech", "1/3/1-3.trans.txt:1 1-3-0 (1/3/1-3-0.flac) A [1]"}},
		{"LibriSpeech: a list of UTF-16", tree{"1/2/1-2.trans.txt": "\xff\xfe1\x00", "1/3/1-3.trans.txt": "1-3-0 A\n"},
			[]string{"librispeech", "1/3/1-3.trans.txt:1 1-3-0 (1/3/1-3-0.flac) A [1]",
				"1/2/1-2.trans.txt:1 ! the file is UTF-16; save it as UTF-8"}},
		{"LibriTTS: lines are joined, a mark is none of the text", tree{"1/2/a.original.txt": "\ufeffOne\r\ntwo. \n", "1/2/a.wav": ""},
			[]string{"libritts", "1/2/a.original.txt:1 a (1/2/a.wav) One two. [1]"}},
		{"LibriTTS: clips of another kind", tree{"1/2/a.normalized.txt": "A", "1/2/a.flac": "", "1/2/b.opus": ""},
			[]string{"libritts", "1/2/a.normalized.txt:1 a (1/2/a.wav) A/A [1]",
				"1/2/b.original.txt:1 b! no such file, nor b.normalized.txt, and so no text for the clip beside it"}},
		{"LibriTTS: texts that are no UTF-8, or too long", tree{
			"1/2/a.original.txt": "\xff", "1/2/b.normalized.txt": strings.Repeat("x", maxLine+1), "1/2/c.original.txt": "C",
		}, []string{"libritts", "1/2/c.original.txt:1 c (1/2/c.wav) C [1]",
			"1/2/a.original.txt:1 a! invalid UTF-8 at byte 0 of the line (0xFF); save the file as UTF-8",
			"1/2/b.normalized.txt:1 b! the line has 1048577 bytes; 1048576 are the most"}},
		{"VCTK: a speaker with texts and no clips", tree{"txt/p1/p1_1.txt": "A", "wav48/p2/p2_1.wav": "", "txt/p2/p2_1.txt": "B"},
			[]string{"vctk", "txt/p1/p1_1.txt:1 p1_1 (wav48/p1/p1_1.wav) A [p1]", "txt/p2/p2_1.txt:1 p2_1 (wav48/p2/p2_1.wav) B [p2]"}},
		{"VCTK: only the second microphone, without a text", tree{
			"txt/p1/p1_1.txt": "A", "wav48_silence_trimmed/p1/p1_1_mic1.flac": "", "wav48_silence_trimmed/p1/p1_2_mic2.flac": "",
		}, []string{"vctk", "txt/p1/p1_1.txt:1 p1_1 (wav48_silence_trimmed/p1/p1_1_mic1.flac) A [p1]",
			"txt/p1/p1_2.txt:1 p1_2! no such file, and so no text for wav48_silence_trimmed/p1/p1_2_mic2.flac"}},
		{"MLS: a split alone", tree{"dev/transcripts.txt": "1_2_3\tein\n", "dev/audio/x": ""},
			[]string{"mls", "dev/transcripts.txt:1 1_2_3 (dev/audio/1/2/1_2_3.flac) ein [1] [val]"}},
		{"MLS: spaces round both", tree{"dev/transcripts.txt": " 1_2_3 \t ein \r\n\n1_2_4_5\tx\n\xff\tx\n", "dev/audio/x": ""},
			[]string{"mls", "dev/transcripts.txt:1 1_2_3 (dev/audio/1/2/1_2_3.flac) ein [1] [val]",
				"dev/transcripts.txt:3 1_2_4_5! the id is not SPEAKER_BOOK_NUMBER, by which the clip is found",
				"dev/transcripts.txt:4 ! invalid UTF-8 at byte 0 of the line (0xFF); save the file as UTF-8"}},
	})
}
