package intake

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// written is how a format is written line by line: its main file, the lines in
// front of the rows, and row i. Names of clips differ, and all rows have all columns.
type written struct {
	format, file string
	head         []string
	row          func(i int) string
	beside       func(n int) tree // further files for n rows
}

var lineFormats = []written{
	{format: "ljspeech", file: "metadata.csv", row: func(i int) string { return fmt.Sprintf("a%02d|Text %d.|text %d", i, i, i) }},
	{format: "speaker", file: "metadata.csv", row: func(i int) string { return fmt.Sprintf("wavs/a%02d.wav|ada|en|Text number %d.", i, i) }},
	{format: "filelist", file: "list.txt", row: func(i int) string { return fmt.Sprintf("DUMMY/a%02d.wav|%d|Text number %d.", i, i%3, i) }},
	{format: "coqui", file: "metadata.csv", head: []string{"audio_file|text|speaker_name"}, row: func(i int) string {
		return fmt.Sprintf(`wavs/a%02d.wav|"Text ""%d""."|ada`, i, i)
	}},
	{format: "csv", file: "metadata.csv", head: []string{"path,text,speaker,split"}, row: func(i int) string {
		return fmt.Sprintf(`a%02d.wav,"Text, ""%d"".",ada,val`, i, i)
	}},
	{format: "csv", file: "metadata.csv", head: []string{"id;text"}, row: func(i int) string {
		if i%8 == 0 {
			return fmt.Sprintf(`a%02d;"Text; ""%d"""`, i, i)
		}
		return fmt.Sprintf("a%02d;Text %d", i, i)
	}},
	{format: "tsv", file: "metadata.tsv", head: []string{"path\ttext\tlanguage"}, row: func(i int) string { return fmt.Sprintf("a%02d.wav\t\"Text %d.\ten", i, i) }},
	{format: "common-voice", file: "validated.tsv", head: []string{"client_id\tpath\tsentence\tlocale"}, row: func(i int) string {
		return fmt.Sprintf("ada\ta%02d.mp3\tText \"%d.\ten", i, i)
	}},
	{format: "jsonl", file: "manifest.jsonl", row: func(i int) string {
		return fmt.Sprintf(`{"audio_filepath": "wavs/a%02d.wav", "text": "Text {%d}.", "speaker": "ada"}`, i, i)
	}},
	{format: "audiofolder", file: "metadata.csv", head: []string{"file_name,text"}, row: func(i int) string { return fmt.Sprintf(`a%02d.wav,"Text, %d."`, i, i) }},
	{format: "kaldi", file: "text", row: func(i int) string { return fmt.Sprintf("u%02d Text %d.", i, i) }, beside: func(n int) tree {
		var scp, speakers strings.Builder
		for i := range n {
			fmt.Fprintf(&scp, "u%02d wavs/u%02d.wav\n", i, i)
			fmt.Fprintf(&speakers, "u%02d ada\n", i)
		}
		return tree{"wav.scp": scp.String(), "utt2spk": speakers.String()}
	}},
	{format: "librispeech", file: "dev-clean/1/2/1-2.trans.txt", row: func(i int) string { return fmt.Sprintf("1-2-%04d TEXT %d", i, i) }},
	{format: "mls", file: "dev/transcripts.txt", row: func(i int) string { return fmt.Sprintf("1_2_%04d\ttext %d", i, i) },
		beside: func(int) tree { return tree{"dev/audio/1/2/x.flac": ""} }},
}

// read reads the text of a format's main file for n rows from a folder of its own.
func (w *written) read(t *testing.T, n int, text string) *Table {
	t.Helper()
	dir := tree{w.file: text}.write(t, t.TempDir())
	if w.beside != nil {
		w.beside(n).write(t, dir)
	}
	c := Corpus{Dir: dir, Format: w.format}
	if !strings.Contains(w.file, "/") && w.format != "kaldi" {
		c.Metadata = filepath.Join(dir, w.file)
	}
	table, err := Read(c)
	if err != nil {
		t.Fatalf("%s: %q: %v", w.format, text, err)
	}
	return table
}

// lines are the head and n rows.
func (w *written) lines(n int) []string {
	lines := slices.Clone(w.head)
	for i := range n {
		lines = append(lines, w.row(i))
	}
	return lines
}

func ended(lines []string, end string) string { return strings.Join(lines, end) + end }

// rowsByLine are the rows of the main file, each by its line.
func (w *written) rowsByLine(t *testing.T, table *Table) map[int]string {
	t.Helper()
	rows := map[int]string{}
	for _, r := range table.Rows {
		if r.Pos.File != w.file || rows[r.Pos.Line] != "" {
			t.Errorf("%s: row %v, which is no place of %s or stands there twice", w.format, r.Pos, w.file)
		}
		audio := Audio{}
		if r.Audio != nil {
			audio = *r.Audio
		}
		rows[r.Pos.Line] = fmt.Sprintf("%q %q %q %v %q %q %q %+v", r.ID, r.Text, r.Given, r.HasGiven, r.Speaker, r.Language, r.Split, audio)
	}
	return rows
}

// damaged is a line as an editor, a wrong encoding or a broken disk leaves it. It
// stays one line.
func damaged(r *rand.Rand, line string) string {
	at := r.IntN(len(line) + 1)
	switch r.IntN(11) {
	case 0:
		return line[:at]
	case 1:
		return line[at:]
	case 2:
		return line[:at] + "\xff" + line[at:]
	case 3:
		return line[:at] + `"` + line[at:]
	case 4:
		return line[:at] + []string{"|", ",", "\t", ";", `\`, "{", "}", "\x00", "\r", "../", " "}[r.IntN(11)] + line[at:]
	case 5:
		return strings.ReplaceAll(line, `"`, "")
	case 6:
		return `"` + line
	case 7:
		return line + line
	case 8: // two of these round a row are a quote that would take it in
		return line + `"`
	case 9:
		last := strings.LastIndexAny(line, ",;|\t") + 1
		return line[:last] + `"` + line[last:]
	}
	b := make([]byte, 1+r.IntN(40))
	for i := range b {
		if b[i] = byte(r.Uint32()); b[i] == '\n' {
			b[i] = '"'
		}
	}
	return string(b)
}

// TestABadLineTakesNoNeighbourAlong: of 24 lines some are damaged at random, in
// all formats; every other line is the row that it was, at its place, and a
// damaged one ends as one row or as one error at its own line.
func TestABadLineTakesNoNeighbourAlong(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 2))
	const n = 24
	for _, w := range lineFormats {
		whole := w.rowsByLine(t, w.read(t, n, ended(w.lines(n), "\n")))
		if len(whole) != n {
			t.Fatalf("%s: %d rows of %d lines", w.format, len(whole), n)
		}
		refused, rounds := 0, 25
		if w.format == "csv" || w.format == "audiofolder" {
			rounds = 100 // two odd quotes that would join rows are rare
		}
		if testing.Short() {
			rounds /= 5
		}
		for range rounds {
			lines, bad := w.lines(n), map[int]bool{}
			for range 1 + r.IntN(6) {
				i := len(w.head) + r.IntN(n)
				bad[i+1] = true
				lines[i] = damaged(r, lines[i])
			}
			table := w.read(t, n, ended(lines, "\n"))
			rows := w.rowsByLine(t, table)
			for line, want := range whole {
				if !bad[line] && rows[line] != want {
					t.Errorf("%s: line %d is %s, without the damage of others %s, in\n%s", w.format, line, rows[line], want, strings.Join(lines, "\n"))
				}
			}
			ends := map[int]int{}
			for line := range rows {
				ends[line]++
			}
			for _, e := range table.Errors {
				if e.Pos.File == w.file {
					ends[e.Pos.Line]++
					refused++
				}
			}
			for i, line := range lines[len(w.head):] {
				at := i + len(w.head) + 1
				// Two damaged lines, one after the other, may be one text in quotes.
				joined := bad[at-1] && bad[at] && ends[at] == 0
				if filled := strings.TrimSpace(line) != ""; filled != (ends[at] == 1) && !joined || ends[at] > 1 {
					t.Errorf("%s: line %d ends %d times, it is %q", w.format, at, ends[at], line)
				}
			}
		}
		if refused < rounds/4 {
			t.Errorf("%s: %d lines were refused in %d rounds: the damage is none", w.format, refused, rounds)
		}
	}
}

// TestLineEndsAndByteOrderMarksMakeNoDifference: what editors of other systems
// write reads as the same rows at the same places.
func TestLineEndsAndByteOrderMarksMakeNoDifference(t *testing.T) {
	for _, w := range lineFormats {
		const n = 6
		lines := w.lines(n)
		text := ended(lines, "\n")
		want := w.rowsByLine(t, w.read(t, n, text))
		for name, text := range map[string]string{
			"CRLF":                   ended(lines, "\r\n"),
			"a byte order mark":      "\ufeff" + text,
			"both":                   "\ufeff" + ended(lines, "\r\n"),
			"no line end at the end": strings.TrimSuffix(text, "\n"),
			"CRLF but at the end":    strings.TrimSuffix(ended(lines, "\r\n"), "\r\n"),
			"empty lines at the end": text + "\n \n\n",
		} {
			table := w.read(t, n, text)
			rows := w.rowsByLine(t, table)
			if len(table.Errors) > 0 || len(rows) != len(want) {
				t.Errorf("%s with %s: %d rows, errors %v", w.format, name, len(rows), table.Errors)
			}
			for line, row := range want {
				if rows[line] != row {
					t.Errorf("%s with %s: line %d is %s, want %s", w.format, name, line, rows[line], row)
				}
			}
		}
	}
}

// TestAPairOfFilesIsTwoSplits: rows of a file for training and of one for
// evaluation are those of each alone, with its split where they name none.
func TestAPairOfFilesIsTwoSplits(t *testing.T) {
	for _, w := range lineFormats {
		if strings.Contains(w.file, "/") || w.format == "kaldi" {
			continue // a folder, which has its splits by its own names
		}
		ext := filepath.Ext(w.file)
		all := w.lines(9)
		first, second := all[:len(w.head)+5], append(slices.Clone(w.head), all[len(w.head)+5:]...)
		dir := tree{"one" + ext: strings.Join(first, "\n"), "two" + ext: strings.Join(second, "\n")}.write(t, t.TempDir())
		table, err := Read(Corpus{Dir: dir, Format: w.format, Train: filepath.Join(dir, "one"+ext), Eval: filepath.Join(dir, "two"+ext)})
		if err != nil || len(table.Rows) != 9 || len(table.Errors) > 0 || !table.HasSplit {
			t.Errorf("%s: %+v, %v", w.format, table, err)
			continue
		}
		for i, row := range table.Rows {
			want := Position{File: "one" + ext, Line: len(w.head) + i + 1}
			split := Train
			if i >= 5 {
				want, split = Position{File: "two" + ext, Line: len(w.head) + i - 4}, Val
			}
			if len(w.head) > 0 && strings.HasSuffix(w.head[0], "split") {
				split = Val // its rows say so themselves
			}
			if row.Pos != want || row.Split != split {
				t.Errorf("%s: row %d stands at %v with split %q; want %v and %q", w.format, i, row.Pos, row.Split, want, split)
			}
		}
	}
}
