package intake

import (
	"strings"
	"testing"
)

func TestVCTK(t *testing.T) {
	const trimmed = "wav48_silence_trimmed"
	check(t, []treeCase{
		{"one microphone", tree{"txt/p225/p225_001.txt": "Please call Stella.\n", "wav48/p225/p225_001.wav": ""},
			[]string{"vctk", "txt/p225/p225_001.txt:1 p225_001 (wav48/p225/p225_001.wav) Please call Stella. [p225]"}},
		{"the first of two microphones", tree{"txt/s5/s5_1.txt": "A", trimmed + "/s5/s5_1_mic2.flac": "", trimmed + "/s5/s5_1_mic1.flac": ""},
			[]string{"vctk", "txt/s5/s5_1.txt:1 s5_1 (" + trimmed + "/s5/s5_1_mic1.flac) A [s5]"}},
		{"only the second", tree{"txt/s5/s5_1.txt": "A", trimmed + "/s5/s5_1_mic2.flac": ""},
			[]string{"vctk", "txt/s5/s5_1.txt:1 s5_1 (" + trimmed + "/s5/s5_1_mic2.flac) A [s5]"}},
		{"a clip of two clips put together goes first", tree{"txt/s5/s5_1.txt": "A", trimmed + "/s5/s5_1_mic1.flac": "", trimmed + "/s5/s5_1_mic2.flac": "", trimmed + "/s5/s5_1.wav": ""},
			[]string{"vctk", "txt/s5/s5_1.txt:1 s5_1 (" + trimmed + "/s5/s5_1.wav) A [s5]"}},
		{"a text without a clip names the usual one, and the build refuses it", tree{"txt/p1/p1_1.txt": "A", "wav48/p1/p1_2.wav": "", "txt/p1/p1_2.txt": "B"},
			[]string{"vctk", "txt/p1/p1_1.txt:1 p1_1 (wav48/p1/p1_1.wav) A [p1]", "txt/p1/p1_2.txt:1 p1_2 (wav48/p1/p1_2.wav) B [p1]"}},
		{"a speaker without texts is one error", tree{"txt/p1/p1_1.txt": "A", "wav48/p1/p1_1.wav": "", "wav48/p315/p315_1.wav": "", "wav48/p315/p315_2.wav": ""},
			[]string{"vctk", "txt/p1/p1_1.txt:1 p1_1 (wav48/p1/p1_1.wav) A [p1]", "txt/p315:1 ! speaker p315 has no texts; clips in wav48/p315: 2"}},
		{"a clip without a text", tree{"txt/p1/p1_1.txt": "A", "wav48/p1/p1_1.wav": "", "wav48/p1/p1_2.wav": ""},
			[]string{"vctk", "txt/p1/p1_1.txt:1 p1_1 (wav48/p1/p1_1.wav) A [p1]", "txt/p1/p1_2.txt:1 p1_2! no such file, and so no text for wav48/p1/p1_2.wav"}},
		{"texts that are none", tree{"wav48/p1/x.wav": "", "txt/p1/p1_1.txt": " \n", "txt/p1/p1_2.txt": "a\xff", "txt/p1/p1_3.txt": strings.Repeat("x", maxLine+1), "txt/p1/x.txt": "two\r\nlines\n"},
			[]string{"vctk", "txt/p1/x.txt:1 x (wav48/p1/x.wav) two lines [p1]",
				"txt/p1/p1_1.txt:1 p1_1! the text is empty",
				"txt/p1/p1_2.txt:1 p1_2! invalid UTF-8 at byte 1 of the line (0xFF); save the file as UTF-8",
				"txt/p1/p1_3.txt:1 p1_3! the line has 1048577 bytes; 1048576 are the most"}},
		{"other files and hidden folders are nothing", tree{"txt/p1/p1_1.txt": "\ufeffA", "txt/p1/.DS_Store": "x", "txt/.git/x.txt": "x", "txt/readme.txt": "x", "wav48/p1/p1_1.wav": "", "speaker-info.txt": "ID AGE\n"},
			[]string{"vctk", "txt/p1/p1_1.txt:1 p1_1 (wav48/p1/p1_1.wav) A [p1]"}},
	})
}

func FuzzVCTK(f *testing.F) { fuzzFormat(f, "vctk") }
