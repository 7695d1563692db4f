package intake

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// said is what became of the lines of a file: a line a row and a line an error.
func said(t *testing.T, name, src, format string) []string {
	t.Helper()
	m, err := parse(name, src, format)
	if err != nil {
		return []string{err.Error()}
	}
	accounted(t, m)
	var got []string
	for _, r := range m.Rows {
		got = append(got, fmt.Sprintf("%d: %s", r.Pos.Line, rowText(r)))
	}
	for _, e := range m.Errors {
		got = append(got, fmt.Sprintf("%d: %s! %v", e.Pos.Line, e.ID, e.Err))
	}
	return got
}

// wantSaid compares what becomes of a file.
func wantSaid(t *testing.T, src, format string, want []string) {
	t.Helper()
	if got := said(t, "metadata.csv", src, format); !slices.Equal(got, want) {
		t.Errorf("%s of %q:\n%s\nwant\n%s", format, src, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestSpeakerLines(t *testing.T) {
	for _, c := range []struct {
		name, src string
		want      []string
	}{
		{"three columns", "a|ada|one two\nwavs/b.wav|omid|three\n", []string{"1: a one two [ada]", "2: b (wavs/b.wav) three [omid]"}},
		{"four columns", "a.flac|ada|en-US|one two\n", []string{"1: a (a.flac) one two [ada] [en]"}},
		{"too few columns", "a|ada|x y\nb|x y\nc|ada|z\n", []string{"1: a x y [ada]", "3: c z [ada]", "2: b! 2 columns, the other lines have 3 (file|speaker|text)"}},
		{"too many columns", "a|ada|en|x y\nb|ada|en|x|y\n", []string{"1: a x y [ada] [en]", "2: b! 5 columns, the other lines have 4 (file|speaker|language|text)"}},
		{"an empty speaker", "a|ada|x y\nb||z\n", []string{"1: a x y [ada]", "2: b! the speaker column is empty"}},
		{"an empty language", "a|ada|en|x\nb|ada||z\n", []string{"1: a x [ada] [en]", "2: b! the language column is empty"}},
		{"an unknown language", "a|ada|en|x\nb|ada|klingon|z\n", []string{"1: a x [ada] [en]", `2: b! language "klingon" is not a known code (en, fa, de, …; und where nothing fits)`}},
		{"an empty file column", "a|ada|x\n|ada|z\n", []string{"1: a x [ada]", "2: ! the id is empty"}},
		{"a quote is an ordinary character", "a|ada|\"x\nb|ada|y\"\n", []string{`1: a "x [ada]`, `2: b y" [ada]`}},
		{"an absolute path is its last part", "/data/x/a.wav|ada|x\nC:\\x\\b.wav|ada|y\n", []string{"1: a (a.wav) x [ada]", "2: b (b.wav) y [ada]"}},
		{"the folder above", "a|ada|x\n../b.wav|ada|x\n", []string{"1: a x [ada]", `2: ../b! "../b.wav" leaves the dataset's folder or names no file`}},
	} {
		t.Run(c.name, func(t *testing.T) { wantSaid(t, c.src, "speaker", c.want) })
	}
}

func TestFilelistLines(t *testing.T) {
	for _, c := range []struct {
		name, src string
		want      []string
	}{
		{"two columns", "DUMMY/a.wav|one two\nx/b.wav|three\n", []string{"1: a (a.wav) one two", "2: x/b (x/b.wav) three"}},
		{"three columns", "DUMMY2/p/a.wav|0|one\nDUMMY/b.flac|12|two\n", []string{"1: p/a (p/a.wav) one [0]", "2: b (b.flac) two [12]"}},
		{"a folder that only begins like it", "DUMMYx/a.wav|one\n", []string{"1: DUMMYx/a (DUMMYx/a.wav) one"}},
		{"too few columns", "a.wav|0|x\nb.wav|y\nc.wav|1|z\n", []string{"1: a (a.wav) x [0]", "3: c (c.wav) z [1]", "2: b! 2 columns, the other lines have 3 (path|speaker number|text)"}},
		{"too many columns", "a.wav|x\nb.wav|y|z\n", []string{"1: a (a.wav) x", "2: b! 3 columns, the other lines have 2 (path|text)"}},
		{"an empty speaker", "a.wav|0|x\nb.wav||y\n", []string{"1: a (a.wav) x [0]", "2: b! the speaker column is empty"}},
	} {
		t.Run(c.name, func(t *testing.T) { wantSaid(t, c.src, "filelist", c.want) })
	}
}

func TestCoquiLines(t *testing.T) {
	const header = "audio_file|text|speaker_name\n"
	for _, c := range []struct {
		name, src string
		want      []string
	}{
		{"three columns", header + "wavs/a.wav|one two|ada\n", []string{"2: a (wavs/a.wav) one two [ada]"}},
		{"other columns, in another order", "text|emotion_name|audio_file|language|speaker_name\none|sad|a.wav|pt-br|ada\n", []string{"2: a (a.wav) one [ada] [pt]"}},
		{"no speaker column", "audio_file|text\na.wav|one\n", []string{"2: a (a.wav) one"}},
		{"a quoted column", header + "a.wav|\"\"\"Yes,\"\" she said\"|ada\nb.wav|\"one|two\"|ada\n", []string{`2: a (a.wav) "Yes," she said [ada]`, "3: b (b.wav) one|two [ada]"}},
		{"an odd quote is an ordinary character", header + "a.wav|\"Yes,\" she said|ada\nb.wav|\"odd|ada\nc.wav|x\"|ada\n",
			[]string{`2: a (a.wav) "Yes," she said [ada]`, `3: b (b.wav) "odd [ada]`, `4: c (c.wav) x" [ada]`}},
		{"a quote inside that is not doubled", header + "a.wav|\"Yes,\" she said\"|ada\n", []string{`2: a (a.wav) "Yes," she said" [ada]`}},
		{"too few columns", header + "a.wav|x\n", []string{"2: a! 2 columns, the header has 3: no speaker_name"}},
		{"too many columns", header + "a.wav|x|y|ada\n", []string{"2: a! 4 columns, the header has 3 (audio_file, text, speaker_name)"}},
		{"an empty speaker", header + "a.wav|x|\n", []string{"2: a! the speaker column is empty"}},
		{"another header", "file|text\na.wav|x\n", []string{`the header is "file|text"; it needs the columns audio_file and text`}},
	} {
		t.Run(c.name, func(t *testing.T) { wantSaid(t, c.src, "coqui", c.want) })
	}
}

// TestFormsWithBarsAreToldApart: each line is of one form by itself, and a file
// is of the form that most of its lines have.
func TestFormsWithBarsAreToldApart(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"id|text", "a|one two\n", "ljspeech"},
		{"id|text|normalised", "a|Dr. X|Doctor X\n", "ljspeech"},
		{"one word and its normalised form", "a|Yes|yes\n", "ljspeech"},
		{"five columns", "a|x|y|ada|en\n", "ljspeech"},
		{"clips in wavs/", "wavs/a.wav|one two\n", "ljspeech"},
		{"clips beside the metadata", "a.wav|one two\n", "ljspeech"},
		{"texts without spaces", "a|你好世界|你好世界\n", "ljspeech"},
		{"a speaker", "a|ada|one two\n", "speaker"},
		{"a speaker and a file", "wavs/a.wav|ada|one two\n", "speaker"},
		{"a speaker and a text without spaces", "a|ada|你好世界\n", "speaker"},
		{"speaker and language", "a|ada|fa|one\n", "speaker"},
		{"some single words among LJSpeech", "a|Yes.|Yes it is.\nb|Mr. X|Mister X\nc|Mr. Y|Mister Y\n", "ljspeech"},
		{"some single words among speakers", "a|ada|Yes\nb|ada|it is\nc|ada|so it is\n", "speaker"},
		{"a list", "DUMMY/a.wav|one two\n", "filelist"},
		{"a list of another folder", "/data/clips/a.wav|one two\n", "filelist"},
		{"a list with speaker numbers", "wavs/a.wav|7|one two\n", "filelist"},
		{"a header of Coqui's", "audio_file|text|speaker_name\nwavs/a.wav|one two|ada\n", "coqui"},
		{"a header of Coqui's and five columns", "audio_file|text|speaker_name|emotion_name|language\nwavs/a.wav|one two|ada|sad|en\n", "coqui"},
		{"a header of Coqui's and two columns", "audio_file|text\nwavs/a.wav|one two\n", "coqui"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := told("metadata.csv", usableLines(c.src, headLines))
			if err != nil || f.Name != c.want {
				t.Errorf("told(%q) = %+v, %v; want %s", c.src, f, err, c.want)
			}
		})
	}
}

func FuzzSpeaker(f *testing.F)  { fuzzFormat(f, "speaker") }
func FuzzFilelist(f *testing.F) { fuzzFormat(f, "filelist") }
func FuzzCoqui(f *testing.F)    { fuzzFormat(f, "coqui") }

// TestPlainLJSpeechKeepsItsOwn: the bundled corpora, and the real metadata where it is.
func TestPlainLJSpeechKeepsItsOwn(t *testing.T) {
	dirs := []string{"../../testdata/corpus/en", "../../testdata/corpus/fa"}
	if real := os.Getenv("VOXPACK_CORPORA"); real != "" {
		dirs = append(dirs, filepath.Join(real, "ljspeech-32"))
	} else {
		t.Log("VOXPACK_CORPORA is not set; the real metadata is not read")
	}
	for _, dir := range dirs {
		table, err := Read(Corpus{Dir: dir})
		if err != nil || table.Format != "ljspeech" || len(table.Errors) > 0 || len(table.Rows) < 10 {
			t.Errorf("%s: %v, %v; want LJSpeech without errors", dir, table, err)
		}
	}
	all, err := os.ReadFile(filepath.Join(dirs[len(dirs)-1], "transcripts-13100.csv"))
	if err != nil {
		t.Skip("the 13,100 transcripts are not there")
	}
	lines := usableLines(string(all), -1)
	if fits := bestOf(lines); len(fits) != 1 || fits[0].Name != "ljspeech" || speaker.Look(lines)*100 > len(lines) {
		t.Errorf("%d lines are of %s, %d of them like speaker's", len(lines), namesOf(fits), speaker.Look(lines))
	}
}
