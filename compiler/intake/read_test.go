package intake

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

func TestLinesBecomeRows(t *testing.T) {
	five := "a|A|A|ada|en\n"
	for _, c := range []struct {
		name, src string
		want      []string // id|text|given|speaker|language@line, or error text@line
	}{
		{"two columns", "a|hello\nb|there\n", []string{"a|hello|||@1", "b|there|||@2"}},
		{"three columns", "a|1|one\nb|2|two", []string{"a|1|one||@1", "b|2|two||@2"}},
		{"five columns", "a|1|one|ada|en-US\n", []string{"a|1|one|ada|en@1"}},
		{"byte order mark", "\ufeffa|hello\n", []string{"a|hello|||@1"}},
		{"CRLF", "a|hello\r\nb|there\r\n", []string{"a|hello|||@1", "b|there|||@2"}},
		{"spaces round the bar", " a | hello |\thi \n", []string{"a|hello|hi||@1"}},
		{"empty lines are counted and are no rows", "\n\na|hello\n\n  \nb|there\n", []string{"a|hello|||@3", "b|there|||@6"}},
		{"a quote is an ordinary character", "a|\"Yes,\" he said|\"Yes\nb|it\"s|so\n", []string{`a|"Yes," he said|"Yes||@1`, `b|it"s|so||@2`}},
		{"the id is without wavs/ and extension", "wavs/a.wav|x\n./b.WAV|x\nsub/c|x\n", []string{"a|x|||@1", "b|x|||@2", "sub/c|x|||@3"}},
		{"another extension belongs to the id", "a.b|x\n", []string{"a.b|x|||@1"}},
		{"too few columns", five + five + "b|B|B\n", []string{"a|A|A|ada|en@1", "a|A|A|ada|en@2", "3 columns, the other lines have 5 (id|text|normalised|speaker|language)@3"}},
		{"a tie goes to three columns", five + "b|B|B\n", []string{"b|B|B||@2", "5 columns, the other lines have 3 (id|text|normalised)@1"}},
		{"too many columns", "a|A|A\nb|B|B|x\nc|C|C\n", []string{"a|A|A||@1", "c|C|C||@3", "4 columns, the other lines have 3 (id|text|normalised)@2"}},
		{"no column but the id", "a|x\nb\nc|x\n", []string{"a|x|||@1", "c|x|||@3", "1 column, the other lines have 2 (id|text)@2"}},
		{"empty id", "a|x\n|x\n", []string{"a|x|||@1", "the id is empty@2"}},
		{"only an extension", "a|x\n.wav|x\n", []string{"a|x|||@1", "the id is empty@2"}},
		{"absolute path", "a|x\n/etc/b|x\n", []string{"a|x|||@1", `"/etc/b" is not a path below the dataset; write it relative, with /@2`}},
		{"drive letter", "a|x\nC:/b|x\n", []string{"a|x|||@1", `"C:/b" is not a path below the dataset; write it relative, with /@2`}},
		{"drive letter and a backslash", "a|x\nc:\\b|x\n", []string{"a|x|||@1", `"c:\\b" is not a path below the dataset; write it relative, with /@2`}},
		{"a colon belongs to the id", "3:4|x\n3:/4|x\nC:b|x\n", []string{"3:4|x|||@1", "3:/4|x|||@2", "C:b|x|||@3"}},
		{"a line of a megabyte", "a|x\nb|" + strings.Repeat("x", 1<<20) + "\nc|" + strings.Repeat("x", 1<<20-2) + "\n",
			[]string{"a|x|||@1", "c|" + strings.Repeat("x", 1<<20-2) + "|||@3", "the line has 1048578 bytes; 1048576 are the most@2"}},
		{"backslash", "a|x\nwavs\\b.wav|x\n", []string{"a|x|||@1", `"wavs\\b.wav" is not a path below the dataset; write it relative, with /@2`}},
		{"parent folder", "a|x\n../b|x\n", []string{"a|x|||@1", `"../b" leaves the dataset's folder or names no file@2`}},
		{"parent folder inside", "a|x\nb/../../c|x\n", []string{"a|x|||@1", `"b/../../c" leaves the dataset's folder or names no file@2`}},
		{"invalid UTF-8", "a|x\nb|x\xc3\x28\n", []string{"a|x|||@1", "invalid UTF-8 at byte 3 of the line (0xC3); save the file as UTF-8@2"}},
		{"unknown language", five + "b|B|B|ada|klingon\n", []string{"a|A|A|ada|en@1", `language "klingon" is not a known code (en, fa, de, …; und where nothing fits)@2`}},
		{"empty speaker", five + "b|B|B||en\n", []string{"a|A|A|ada|en@1", "the speaker column is empty@2"}},
		{"an empty file is no rows", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := parse("metadata.csv", c.src, "")
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, r := range m.Rows {
				got = append(got, fmt.Sprintf("%s|%s|%s|%s|%s@%d", r.ID, r.Text, r.Given, r.Speaker, r.Language, r.Pos.Line))
			}
			for i := range got {
				got[i] = strings.Replace(got[i], "||@", "|@", 1)
			}
			want := slices.Clone(c.want)
			for i := range want {
				want[i] = strings.Replace(want[i], "||@", "|@", 1)
			}
			for _, e := range m.Errors {
				got = append(got, fmt.Sprintf("%v@%d", e.Err, e.Pos.Line))
			}
			if !slices.Equal(got, want) {
				t.Errorf("parse(%q) =\n%s\nwant\n%s", c.src, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

func TestNoFormatFitsAFileOfSomethingElse(t *testing.T) {
	for _, src := range []string{"just some prose\nand more of it\n", "{\"id\": 1}\n"} {
		if m, err := parse("metadata.csv", src, "auto"); !errors.Is(err, ErrNoMetadata) || !strings.Contains(err.Error(), "id|text") {
			t.Errorf("parse(%q) = %+v, %v; want ErrNoMetadata that names the known formats", src, m, err)
		}
	}
	if _, err := parse("m", "a|b\n", "klatt"); err == nil || !strings.Contains(err.Error(), "ljspeech") {
		t.Errorf("an unknown format's error is %v, want the known ones named", err)
	}
}

// FuzzLines: an error, or every line that is not empty ends as a row or
// an error, each with its place, in order, and no id leaves the folder.
func FuzzLines(f *testing.F) {
	for _, seed := range []string{"a|b\n", "a|b|c\r\n\r\n", "\ufeffwavs/a.wav|x|y|ada|fa\n", "a|\xff\nb|c", "../x|y\n|z\na\n", "\n \n", "a|b\x00|c\rd|e", "/|a\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		m, err := parse("m.csv", src, "")
		if err != nil {
			return
		}
		filled := 0
		for _, l := range strings.Split(strings.TrimPrefix(src, "\ufeff"), "\n") {
			if strings.TrimSpace(l) != "" {
				filled++
			}
		}
		if len(m.Rows)+len(m.Errors) != filled || m.Lines != filled {
			t.Errorf("%d rows and %d errors (%d lines) of %d lines", len(m.Rows), len(m.Errors), m.Lines, filled)
		}
		last, most := 0, strings.Count(src, "\n")+1
		for _, r := range m.Rows {
			if r.Pos.Line <= last || r.Pos.Line > most || r.Pos.File != "m.csv" || r.ID == "" {
				t.Errorf("row %+v after line %d of %d", r, last, most)
			}
			last = r.Pos.Line
		}
		for _, e := range m.Errors {
			if e.Pos.Line < 1 || e.Pos.Line > most || e.Err == nil || e.Stage != StageMetadata {
				t.Errorf("error %+v", e)
			}
		}
	})
}

// FuzzUtteranceID: an accepted id names a file below the dataset.
func FuzzUtteranceID(f *testing.F) {
	for _, seed := range []string{"a", "wavs/a.wav", "./wavs/../a", "/a", "a/b/c.WAV", "..", "wavs//a", "wavs/wavs/a", ".wav", "a\x00b", "wavs//etc/passwd", "./../a", "C:a", strings.Repeat("x", 2000)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, column string) {
		id, err := ID(column)
		if err != nil {
			return
		}
		for _, dir := range []string{"wavs", "."} {
			if path := filepath.Join("/data", dir, filepath.FromSlash(id)+".wav"); !strings.HasPrefix(path, "/data/") || id == "" || filepath.IsAbs(id) {
				t.Errorf("ID(%q) = %q, which names %s", column, id, path)
			}
		}
		if !filepath.IsLocal(id) || len(id) > maxID || strings.ContainsAny(id, "\x00\\") {
			t.Errorf("ID(%q) = %q, no name below a folder", column, id)
		}
	})
}

// TestARejectionShowsWhatOfALongIDFits: what is shown of it is whole characters,
// and no text comes along.
func TestARejectionShowsWhatOfALongIDFits(t *testing.T) {
	for _, c := range []struct{ name, line, want string }{
		{"an id of letters of two bytes", "x" + strings.Repeat("é", 600) + "|text", "x" + strings.Repeat("é", 31) + "…"},
		{"an id within 64 bytes of a long line", "short|" + strings.Repeat("t", 2<<20), "short"},
		{"an id that is the long line", strings.Repeat("é", 1<<20) + "|text", strings.Repeat("é", 32) + "…"},
	} {
		m, err := parse("m.csv", "a|b\n"+c.line+"\n", "")
		if err != nil || len(m.Errors) != 1 || m.Errors[0].ID != c.want {
			t.Errorf("%s: errors %.300v, %v; want the id %q", c.name, m.Errors, err, c.want)
		}
	}
}

// TestPositionsNameAMetadataFileByItsPlace: the same file has the same name,
// however it and the dataset are written.
func TestPositionsNameAMetadataFileByItsPlace(t *testing.T) {
	top := t.TempDir()
	for _, name := range []string{"data/lists/train.csv", "data/..x.csv", "out.csv"} {
		writeFile(t, filepath.Join(top, filepath.FromSlash(name)), []byte("a|b\n"))
	}
	t.Chdir(top)
	for _, c := range []struct{ dir, path, want string }{
		{"data", "data/lists/train.csv", "lists/train.csv"},
		{"data", filepath.Join(top, "data/lists/train.csv"), "lists/train.csv"},
		{filepath.Join(top, "data"), "data/lists/train.csv", "lists/train.csv"},
		{"data", "data/..x.csv", "..x.csv"},
		{"data", "out.csv", "out.csv"},
		{"data", filepath.Join(top, "out.csv"), "out.csv"},
	} {
		table, err := Read(Corpus{Dir: c.dir, Metadata: c.path})
		if err != nil || len(table.Rows) != 1 || table.Rows[0].Pos.File != c.want {
			t.Errorf("Read(%q, %q) names it %+v, %v; want %q", c.dir, c.path, table, err, c.want)
		}
	}
}

// TestFind says which files are read where nobody names one.
func TestFind(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string // parts as file=split; "": ErrNoMetadata
	}{
		{"metadata.csv goes first", map[string]string{"metadata.csv": "a|b\n", "other.csv": "a|b\n"}, "metadata.csv="},
		{"the only file of such lines", map[string]string{"train.txt": "a|b\n", "README.txt": "read me\nplease\n"}, "train.txt="},
		{"two that could be meant", map[string]string{"one.txt": "a|b\n", "two.txt": "a|b\n"}, ""},
		{"a set by splits", map[string]string{"metadata_train.csv": "a|b\n", "metadata_eval.csv": "a|b\n"}, "metadata_eval.csv=val metadata_train.csv=train"},
		{"two for one split", map[string]string{"x_dev.csv": "a|b\n", "x_eval.csv": "a|b\n"}, ""},
		{"a split beside something else", map[string]string{"x_dev.csv": "a|b\n", "y_train.csv": "a|b\n"}, ""},
		{"none", map[string]string{"notes.txt": "nothing here\n"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range c.files {
				writeFile(t, filepath.Join(dir, name), []byte(text))
			}
			_, parts, err := find(Corpus{Dir: dir})
			if c.want == "" {
				if !errors.Is(err, ErrNoMetadata) {
					t.Errorf("find = %v, %v; want ErrNoMetadata", parts, err)
				}
				return
			}
			var got []string
			for _, p := range parts {
				got = append(got, p.File+"="+string(p.Split))
			}
			if strings.Join(got, " ") != c.want || err != nil {
				t.Errorf("find = %v, %v; want %s", got, err, c.want)
			}
		})
	}
}

// TestACorpusSpeaksForItsRows: what the user says of a pair of files and of rows without
// speaker and language reaches every row.
func TestACorpusSpeaksForItsRows(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "t.csv"), []byte("a|x\n"))
	writeFile(t, filepath.Join(dir, "e.csv"), []byte("b|y\n\xff|z\n"))
	table, err := Read(Corpus{Name: "fa", Dir: dir, Train: filepath.Join(dir, "t.csv"), Eval: filepath.Join(dir, "e.csv"), Language: "fa", Speaker: "sara"})
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(table.Rows, table.Errors, table.HasSpeaker, table.HasLanguage, table.HasSplit, table.Files)
	want := "[{fa/t.csv:1 fa/a x  false sara fa train <nil>} {fa/e.csv:1 fa/b y  false sara fa val <nil>}] " +
		"[fa/e.csv:2: metadata: invalid UTF-8 at byte 0 of the line (0xFF); save the file as UTF-8] true true true [e.csv t.csv]"
	if got != want {
		t.Errorf("Read = %s\nwant   %s", got, want)
	}
}

func writeFile(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, content, 0o666)); err != nil {
		t.Fatal(err)
	}
}

// TestAFaultOfTheMachineRefusesNoLine: a text among thousands that the disk does not give
// ends the read; one that is not there is a matter of its line.
func TestAFaultOfTheMachineRefusesNoLine(t *testing.T) {
	for errno, stops := range map[syscall.Errno]bool{syscall.EIO: true, syscall.ESTALE: true, syscall.EACCES: true, syscall.ENOENT: false} {
		f := Format{Name: "test", Read: func(in *Input) error {
			in.Row(1, Row{ID: "a", Text: "a"})
			in.Refuse(2, "b", fmt.Errorf("b.txt: %w", errno))
			return nil
		}}
		table, err := read(Corpus{Dir: t.TempDir()}, &f, []Part{{File: "list.txt"}})
		if stops != (err != nil) || stops && (!IsMachine(err) || errors.Is(err, ErrNoMetadata)) {
			t.Errorf("%v: %v, %v; want an end: %v", errno, table, err, stops)
		}
	}
}
