package intake

import (
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func TestKaldi(t *testing.T) {
	one := tree{"wav.scp": "u1 a/1.wav\nu2\t b.flac \n", "text": "u1 One two.\n\nu2\tThree.\n"}
	const pipe = "a command, which is not run here; write what it prints to a file first (COMMAND > NAME.wav) and name that file"
	check(t, []treeCase{
		{"recordings are utterances", one, []string{"kaldi", "text:1 u1 (a/1.wav) One two.", "text:3 u2 (b.flac) Three."}},
		{"speakers and languages", one.with(tree{"utt2spk": "u2 bo\nu1 ada\nu9 cy\n", "utt2lang": "u1 fa\nu2 klingon\n"}),
			[]string{"kaldi", "text:1 u1 (a/1.wav) One two. [ada] [fa]", `text:3 u2! language "klingon" is not a known code (en, fa, de, …; und where nothing fits)`}},
		{"a speaker that is missing", one.with(tree{"utt2spk": "u1 ada\n"}), []string{"kaldi", "text:1 u1 (a/1.wav) One two. [ada]", "text:3 u2! utt2spk has no line for u2"}},
		{"a speaker without a name", one.with(tree{"utt2spk": "u1\nu2 bo\n"}),
			[]string{"kaldi", "text:3 u2 (b.flac) Three. [bo]", "utt2spk:1 u1! 1 column; a name and what belongs to it are wanted"}},
		{"segments", tree{"wav.scp": "r r.wav\ns s.wav\n", "text": "u1 A\nu2 B\nu3 C\n", "segments": "u1 r 0.5 1.25\nu2 r 1.25 2.0625 0\nu3 s 0 -1\n"},
			[]string{"kaldi", "text:1 u1 (r.wav) 500ms+750ms A", "text:2 u2 (r.wav) 1.25s+812.5ms B", "text:3 u3 (s.wav) C"}},
		{"segments that are none", tree{"wav.scp": "r r.wav\n", "text": "u1 A\nu2 B\nu3 C\nu4 D\nu5 E\n", "segments": "u1 r 1 1\nu2 r 0 x\nu3 r\nu4 q 0 1\nu6 r 0 1\nu6 r 0 2\n"},
			[]string{"kaldi", "segments:6 u6! u6 stands at line 5 already",
				"segments:1 u1! it ends at 1 s, before or where it begins (1 s)", `segments:2 u2! the end: "x" is not a number of seconds, as in 12.5`,
				"segments:3 u3! 1 column after the utterance, 3 are wanted: recording, start and end in seconds", "text:4 u4! wav.scp has no line for q", "text:5 u5! segments has no line for u5",
				"wav.scp:1 r! no utterance needs this recording", "segments:5 u6! text has no line for this utterance"}},
		{"a pipe is an error of each of its utterances, at its line", tree{"wav.scp": "r sph2pipe r.sph |\nq |cat q.wav\np feats.ark:17\n", "text": "u1 A\nu2 B\nu3 C\n", "segments": "u1 r 0 1\nu2 r 1 2\nu3 q 0 1\n"},
			[]string{"kaldi", "wav.scp:1 u1! " + pipe, "wav.scp:1 u2! " + pipe, "wav.scp:2 u3! " + pipe,
				"wav.scp:3 p! a place in an archive, which is not read here; write the recordings to files first and name them"}},
		{"one side only", tree{"wav.scp": "u1 1.wav\nu2 2.wav\nu3\n", "text": "u1 A\nu4 D\nu3 C\n"},
			[]string{"kaldi", "text:1 u1 (1.wav) A", "text:2 u4! wav.scp has no line for u4", "wav.scp:3 u3! 1 column; a name and what belongs to it are wanted", "wav.scp:2 u2! no utterance needs this recording"}},
		{"no text", one.with(tree{"text": "u1\nu2 B\n"}), []string{"kaldi", "text:2 u2 (b.flac) B", "text:1 u1! no text after the utterance's name"}},
		{"paths that leave the corpus", tree{"wav.scp": "u1 ../1.wav\nu2 /elsewhere/x/2.wav\nu3 C:\\3.wav\n", "text": "u1 A\nu2 B\nu3 C\n"},
			[]string{"kaldi", "text:2 u2 (2.wav) B", "text:3 u3 (3.wav) C", "text:1 u1! \"../1.wav\" leaves the dataset's folder or names no file"}},
		{"a side file that is no UTF-8", one.with(tree{"utt2spk": "u1 ada\nu2 b\xff\n"}),
			[]string{"kaldi", "text:1 u1 (a/1.wav) One two. [ada]", "utt2spk:2 ! invalid UTF-8 at byte 4 of the line (0xFF); save the file as UTF-8", "text:3 u2! utt2spk has no line for u2"}},
	})
}

func TestKaldiPathsBelowTheCorpus(t *testing.T) {
	dir := t.TempDir()
	tree{"wav.scp": "u1 " + filepath.ToSlash(dir) + "/a/1.wav\n", "text": "u1 A\n", "a/1.wav": ""}.write(t, dir)
	if got, want := outcome(t, Corpus{Dir: dir}), []string{"kaldi", "text:1 u1 (a/1.wav) A"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	// The text may stand elsewhere, with the other files beside it.
	tree{"wav.scp": "u2 a/2.wav\n", "text": "u2 B\n"}.write(t, filepath.Join(dir, "data"))
	if got, want := outcome(t, Corpus{Dir: dir, Metadata: filepath.Join(dir, "data", "text"), Format: "kaldi"}), []string{"kaldi", "data/text:1 u2 (a/2.wav) B"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestSecondsAreExact(t *testing.T) {
	for s, want := range map[string]time.Duration{
		"0": 0, "1": time.Second, "0.1": 100 * time.Millisecond, "12.345678901": 12345678901, "0.0000000015": 2, "0.0000000014": 1,
		".5": 500 * time.Millisecond, "7.": 7 * time.Second, "1000000000": 1e18, "0.9999999999": time.Second,
	} {
		if got, err := parseSeconds(s); err != nil || got != want {
			t.Errorf("parseSeconds(%q) = %v, %v, want %v", s, got, err, want)
		}
	}
	for _, s := range []string{"", ".", "-1", "1e3", "x", "1,5", "1.2.3", "1000000001", "99999999999999999999999", "NaN", " 1"} {
		if got, err := parseSeconds(s); err == nil {
			t.Errorf("parseSeconds(%q) = %v", s, got)
		}
	}
}

func FuzzKaldi(f *testing.F) { fuzzFormat(f, "kaldi") }
