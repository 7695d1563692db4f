package intake

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	openQuote = "opens a quote that does not close before the next row; a quote in a text that stands in quotes is written twice"
	noClosing = "opens a quote that never closes; a quote in a text that stands in quotes is written twice"
	behind    = "goes on after its closing quote; a quote in a text that stands in quotes is written twice"
)

func TestCSVLines(t *testing.T) {
	const header = "path,text\n"
	for _, c := range []struct {
		name, src string
		want      []string
	}{
		{"commas", header + "a.wav,one two\n", []string{"2: a (a.wav) one two"}},
		{"semicolons", "path;text\na.wav;one, two\n", []string{"2: a (a.wav) one, two"}},
		{"more of the other separator in a header", "path;text;one, two, three, four\na.wav;x;y\n", []string{"2: a (a.wav) x"}},
		{"all columns", "id,file name,sentence,Normalized-Text,client_id,locale,subset\nu1,x/a.wav,1,one,ada,en-US,dev\n", []string{"2: u1 (x/a.wav) 1/one [ada] [en] [val]"}},
		{"an id and no file", "id,text\na,one\n", []string{"2: a one"}},
		{"a path without extension", "path,text\nx/a,one\n", []string{"2: x/a (x/a) one"}},
		{"normalised text alone", "path,normalized_text\na.wav,one\n", []string{"2: a (a.wav) one"}},
		{"quotes", header + "a.wav,\"one, \"\"two\"\"\"\n\"b.wav\",\"\"\n", []string{`2: a (a.wav) one, "two"`, "3: b (b.wav) "}},
		{"a quoted header", "\"path\",\"text\"\na.wav,one\n", []string{"2: a (a.wav) one"}},
		{"a quote inside is an ordinary character", header + "a.wav,a 5\" pipe\nb.wav,no\"\n", []string{`2: a (a.wav) a 5" pipe`, `3: b (b.wav) no"`}},
		{"CRLF and a byte order mark", "\ufeffpath,text\r\na.wav,\"one\"\r\nb.wav,two\r\n", []string{"2: a (a.wav) one", "3: b (b.wav) two"}},
		{"line ends in quotes", header + "a.wav,\"one\r\n\r\n two\"\nb.wav,three\n", []string{"2: a (a.wav) one\r\n\r\n two", "5: b (b.wav) three"}},
		{"empty lines are counted", "\n" + header + "\n \na.wav,one\n", []string{"5: a (a.wav) one"}},
		{"no line end at the end", header + "a.wav,\"one\"", []string{"2: a (a.wav) one"}},
		{"a quote that never closes", header + "a.wav,\"one\nb.wav,two\nc.wav,three", []string{"3: b (b.wav) two", "4: c (c.wav) three", "2: ! column 2 " + openQuote}},
		{"a quote that never closes, on the last line", header + "a.wav,one\nb.wav,\"two\n", []string{"2: a (a.wav) one", "3: ! column 2 " + noClosing}},
		{"two odd quotes that would join rows", header + "a.wav,\"one\nb.wav,two\nc.wav,three\"\nd.wav,four\n",
			[]string{"3: b (b.wav) two", `4: c (c.wav) three"`, "5: d (d.wav) four", "2: ! column 2 " + openQuote}},
		{"two odd quotes on lines that follow", header + "a.wav,\"one\nb.wav,two\"\n", []string{`3: b (b.wav) two"`, "2: ! column 2 " + openQuote}},
		{"two odd quotes with bare ids", "id,text\na,\"one\nb,two\"\n", []string{`3: b two"`, "2: ! column 2 " + openQuote}},
		{"a row with too many commas does not hide an odd quote", header + "a.wav,\"one\nb.wav,two, three\"\n",
			[]string{"2: ! column 2 " + openQuote, "3: b! 3 columns, the header has 2 (path, text); a text with ',' in it stands in quotes"}},
		{"more after the closing quote", header + "a.wav,\"Yes,\" he said\nb.wav,two\n", []string{"3: b (b.wav) two", "2: ! column 2 " + behind}},
		{"columns of lines that were joined", "path,text,speaker\na.wav,\"one\n\"\nb.wav,two,ada\n",
			[]string{"4: b (b.wav) two [ada]", "2: ! the line opens a quote that closes 1 line later, and between are 2 columns for 3 of the header; a quote in a text that stands in quotes is written twice", "3: ! column 1 " + openQuote}},
		{"too few columns", "path,text,speaker,lang\na.wav,one\n", []string{"2: a! 2 columns, the header has 4: no speaker, no lang"}},
		{"too many columns", header + "a.wav,one, two\n", []string{"2: a! 3 columns, the header has 2 (path, text); a text with ',' in it stands in quotes"}},
		{"an empty speaker", "path,text,speaker\na.wav,one,\nb.wav,two,ada\n", []string{"3: b (b.wav) two [ada]", "2: a! the speaker column is empty"}},
		{"an empty language is none", "path,text,language\na.wav,one,\n", []string{"2: a (a.wav) one"}},
		{"an unknown language", "path,text,language\na.wav,one,klingon\n", []string{`2: a! language "klingon" is not a known code (en, fa, de, …; und where nothing fits)`}},
		{"an unknown split", "path,text,split\na.wav,one,half\n", []string{`2: a! split "half" is not train, val or test`}},
		{"an empty path", header + ",one\n", []string{"2: ! the column of the clip's path is empty"}},
		{"an empty path beside an id", "id,path,text\na,,one\n", []string{"2: a! the column of the clip's path is empty"}},
		{"the folder above", header + "../a.wav,one\n", []string{`2: ../a! "../a.wav" leaves the dataset's folder or names no file`}},
		{"an absolute path", header + "/data/x/a.wav,one\n", []string{"2: a (a.wav) one"}},
		{"offset and duration", "path,text,offset,duration\na.wav,one,1.25,0.5\nb.wav,two,0,\n", []string{"2: a (a.wav) 1.25s+500ms one", "3: b (b.wav) two"}},
		{"invalid UTF-8", header + "a.wav,\xc3\x28\nb.wav,two\n", []string{"3: b (b.wav) two", "2: ! invalid UTF-8 at byte 6 of the line (0xC3); save the file as UTF-8"}},
		{"invalid UTF-8 in a line further on", header + "a.wav,\"one\n\xc3\x28\"\n", []string{"2: ! invalid UTF-8 at byte 11 of the line (0xC3); save the file as UTF-8", "3: ! invalid UTF-8 at byte 0 of the line (0xC3); save the file as UTF-8"}},
		{"a line that is too long", header + "a.wav," + strings.Repeat("x", maxLine) + "\nb.wav,two\n", []string{"3: b (b.wav) two", fmt.Sprintf("2: ! the line has %d bytes; %d are the most", maxLine+6, maxLine)}},
		{"quotes that are too far apart", header + "a.wav,\"" + strings.Repeat(strings.Repeat("x ", 999)+"\n", maxLine/1999+1) + "\"\n",
			[]string{"2: ! column 2 " + noClosing}},
		{"quotes a byte too far apart", header + "a.wav,\"" + strings.Repeat(strings.Repeat("x", 1023)+"\n", maxLine/1024)[:maxLine-8] + "x\"", []string{fmt.Sprintf("2: ! a quote of the line closes %d bytes later; %d are the most", maxLine+1, maxLine)}},
		{"no header", "a.wav,one\n", []string{"the first line is not a header that tells where the clips (path, file, audio, id, …) and their text (text, sentence, …) are:\n    [\"a.wav\" \"one\"]\nname the columns under columns: in the config, as in columns: {audio: 1, text: 2}"}},
		{"an empty file", "\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := said(t, "metadata.csv", c.src, "csv")
			if strings.Contains(c.name, "too far apart") {
				got = got[:1] // and an error for each line between
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("csv of %.200q:\n%s\nwant\n%s", c.src, clip(strings.Join(got, "\n"), 2000), strings.Join(c.want, "\n"))
			}
		})
	}
}

func TestTSVLines(t *testing.T) {
	for _, c := range []struct {
		name, src string
		want      []string
	}{
		{"quotes are ordinary characters", "path\ttext\na.wav\t\"one\nb.wav\t\"two\"\n", []string{`2: a (a.wav) "one`, `3: b (b.wav) "two"`}},
		{"commas are too", "path\ttext\na.wav\tone, two\n", []string{"2: a (a.wav) one, two"}},
		{"too few columns", "path\ttext\tspeaker\na.wav\tone\n", []string{"2: a! 2 columns, the header has 3: no speaker"}},
		{"too many columns", "path\ttext\na.wav\tone\ttwo\n", []string{"2: a! 3 columns, the header has 2 (path, text)"}},
	} {
		t.Run(c.name, func(t *testing.T) { wantSaid(t, c.src, "tsv", c.want) })
	}
}

// TestColumnsOfTheConfig: columns: names what the headers do not.
func TestColumnsOfTheConfig(t *testing.T) {
	for _, c := range []struct {
		name, file, src, format string
		columns                 map[string]string
		want                    string // rows as id=text, or a piece of the error
	}{
		{"by header", "metadata.csv", "Datei;Satz\na.wav;eins\n", "auto", map[string]string{"audio": "datei", "text": "Satz"}, "csv a=eins"},
		{"by header, the other usual", "metadata.csv", "path,text,Wer\na.wav,one,ada\n", "auto", map[string]string{"speaker": "Wer"}, "csv a=one,ada"},
		{"the config wins over what is usual", "metadata.csv", "path,text,long\na.wav,one,two\n", "csv", map[string]string{"text": "long"}, "csv a=two"},
		{"the config has another use for a usual one", "metadata.csv", "path,text,sentence,speaker\na.wav,one,two,three\n", "csv", map[string]string{"speaker": "text", "normalised": "speaker"}, "csv a=two,one"},
		{"the config has another use for a usual one, by number", "metadata.csv", "path,text,sentence\na.wav,one,two\n", "csv", map[string]string{"normalised": "2"}, "csv a=two"},
		{"a word of a row is no header", "metadata.csv", "a.wav,one,language\n", "csv", map[string]string{"audio": "1", "text": "2"}, "csv a=one"},
		{"by number, without a header", "metadata.csv", "a.wav,x,one\nb.wav,y,two\n", "csv", map[string]string{"audio": "1", "text": "3"}, "csv a=one b=two"},
		{"by number, told", "metadata.tsv", "a.wav\tx\tone\n", "auto", map[string]string{"audio": "1", "text": "3"}, "tsv a=one"},
		{"by number, with a header", "metadata.csv", "path,text,raw\na.wav,x,one\n", "csv", map[string]string{"text": "3"}, "csv a=one"},
		{"a number beyond the line", "metadata.csv", "a.wav,one\n", "csv", map[string]string{"audio": "1", "text": "3"}, "columns: text is 3, and the first line has 2 columns:\n    [\"a.wav\" \"one\"]"},
		{"a header that is not there", "metadata.csv", "path,text\na.wav,one\n", "csv", map[string]string{"text": "Satz"}, `columns: text is "Satz", which is not in the header:`},
		{"the only file of a named format", "data.csv", "Datei;Satz\na.wav;eins\n", "csv", nil, "name the columns under columns: in the config"},
		{"the only file, no format named", "data.csv", "Datei;Satz\na.wav;eins\n", "auto", nil, "no metadata.csv"},
		{"by header, in a file of any name", "data.csv", "Datei;Satz\na.wav;eins\n", "auto", map[string]string{"audio": "Datei", "text": "Satz"}, "csv a=eins"},
		{"JSON by key", "m.jsonl", `{"f": "a.wav", "t": "one"}` + "\n", "auto", map[string]string{"audio": "f", "text": "t"}, "jsonl a=one"},
		{"JSON without the key", "m.jsonl", `{"path": "a.wav", "text": "one"}` + "\n", "jsonl", map[string]string{"text": "t"}, `1: no key "t", which the config's columns: name for text`},
		{"lines with bars stay what they are", "metadata.csv", "a|one, two\n", "auto", map[string]string{"id": "1", "text": "2"}, "ljspeech a=one, two"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			writeFile(t, filepath.Join(dir, c.file), []byte(c.src))
			table, err := Read(Corpus{Dir: dir, Format: c.format, Columns: c.columns})
			if err != nil {
				if !strings.Contains(err.Error(), c.want) {
					t.Errorf("error %v, want %q", err, c.want)
				}
				return
			}
			got := table.Format
			for _, r := range table.Rows {
				got += " " + r.ID + "=" + r.Text
				if r.Speaker != "" {
					got += "," + r.Speaker
				}
			}
			for _, e := range table.Errors {
				got = fmt.Sprintf("%d: %v", e.Pos.Line, e.Err)
			}
			if got != c.want {
				t.Errorf("Read = %s, want %s", got, c.want)
			}
		})
	}
}

// TestTablesAreToldApart by their headers.
func TestTablesAreToldApart(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"path,text\na.wav,one\n", "csv"},
		{"path;text\na.wav;one, two\n", "csv"},
		{"path\ttext\na.wav\tone, two\n", "tsv"},
		{"client_id\tpath\tsentence\tlocale\nx\ta.mp3\tone\ten\n", "common-voice"},
		{"file_name,text\na.wav,one\n", "audiofolder"},
		{"{\"file_name\": \"a.wav\", \"text\": \"one\"}\n", "audiofolder"},
		{"{\"audio_filepath\": \"a.wav\", \"text\": \"one\"}\n", "jsonl"},
		{"{\"id\": \"a\", \"text\": \"one|two\"}\n", "jsonl"},
		{"path,text\n\"a.wav\",\"one|two\"\n", "csv"},
		{"sentence_id\tsentence\tlocale\treason\n1\tone\ten\tbad\n", ""},
		{"clip\tduration[ms]\na.mp3\t250\n", ""},
		{"{\"clips\": 3}\n", ""},
		{"name,age\nada,36\n", ""},
	} {
		f, err := told("metadata.csv", usableLines(c.src, headLines))
		if c.want == "" && err == nil || c.want != "" && (err != nil || f.Name != c.want) {
			t.Errorf("told(%q) = %+v, %v; want %q", c.src, f, err, c.want)
		}
	}
}

func FuzzCSV(f *testing.F)         { fuzzFormat(f, "csv") }
func FuzzTSV(f *testing.F)         { fuzzFormat(f, "tsv") }
func FuzzCommonVoice(f *testing.F) { fuzzFormat(f, "common-voice") }

// FuzzRecords: whatever the quotes, records begin at lines that follow one
// another, none is left out, and where no quote is each line is one.
func FuzzRecords(f *testing.F) {
	for _, seed := range []string{"a,b\n", "a,\"b\nc\"\nd,e", "\"\"\"\n,\n\"", "a,\"b\r\nc,d\"\r\n\r\ne,\"f\"g\n", "a;b\n\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		tab := table{sep: ',', header: []string{"path", "text"}, at: usual([]string{"path", "text"})}
		lines := strings.Split(src, "\n")
		next := 1 // the first line that no record has begun
		tab.records(src, 1, func(n int, cols []string, err error) {
			if n < next || n > len(lines) || (cols == nil) != (err != nil) {
				t.Fatalf("a record at line %d after %d of %d: %q, %v", n, next-1, len(lines), cols, err)
			}
			for ; next < n; next++ { // between two records are empty lines, or a column in quotes
				if strings.TrimSpace(lines[next-1]) != "" && !strings.Contains(src, `"`) {
					t.Errorf("line %d is in no record: %q", next, lines[next-1])
				}
			}
			next = n + 1
			if err != nil && strings.Count(lines[n-1], `"`) == 0 && utf8.ValidString(lines[n-1]) {
				t.Errorf("line %d has no quote and is refused: %v", n, err)
			}
		})
	})
}

// TestANumberIsAPlace: a column that is named by a number is at that place, also
// where the first line, which is then no header, holds the number in a cell.
func TestANumberIsAPlace(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "liste.csv"), []byte("wavs/a.wav,Hallo,1\nwavs/b.wav,Noch einer,2\n"))
	table, err := Read(Corpus{Dir: dir, Columns: map[string]string{"audio": "1", "text": "2", "speaker": "3"}})
	if err != nil || len(table.Rows) != 2 || table.Rows[0].ID != "a" || table.Rows[0].Speaker != "1" || table.Rows[1].Text != "Noch einer" {
		t.Errorf("rows %+v, %v", table, err)
	}
}
