package intake

import (
	csvlib "encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// accounted holds what a read gives against the law: each line that is not empty
// is a row or an error, each at a place, each error with its kind and its reason.
func accounted(t testing.TB, m *Table) {
	t.Helper()
	if m.Lines != len(m.Rows)+len(m.Errors) {
		t.Errorf("%d lines became %d rows and %d errors", m.Lines, len(m.Rows), len(m.Errors))
	}
	for _, r := range m.Rows {
		if r.ID == "" || r.Pos.File == "" || r.Pos.Line < 1 {
			t.Errorf("the row %+v has no id or no place", r)
		}
	}
	for _, e := range m.Errors {
		if e.Pos.File == "" || e.Pos.Line < 1 || e.Kind == "" || e.Stage != StageMetadata || e.Err == nil || strings.TrimSpace(e.Err.Error()) == "" {
			t.Errorf("the error %+v has no place, kind, stage or reason", e)
		}
	}
}

// texts are the texts of a file's rows by their lines; a line that is refused has "!".
func texts(t *testing.T, format, src string) map[int]string {
	t.Helper()
	m, err := parse("metadata.csv", src, format)
	if err != nil {
		t.Fatalf("%s of %q: %v", format, src, err)
	}
	accounted(t, m)
	got := map[int]string{}
	for _, r := range m.Rows {
		got[r.Pos.Line] = r.Text
	}
	for _, e := range m.Errors {
		if got[e.Pos.Line] != "" {
			t.Errorf("line %d of %q is a row and an error, or two errors", e.Pos.Line, src)
		}
		got[e.Pos.Line] = "!"
	}
	return got
}

// TestCSVByRFC4180: section 2 of the RFC, rule by rule, and what writers of tables
// do beside it. A good row before and after each stays what it is.
func TestCSVByRFC4180(t *testing.T) {
	for _, c := range []struct{ name, cell, want string }{ // "!": a rejection
		{"rule 4: spaces are part of a field", "one two", "one two"},
		{"rule 5: a field without quotes", "aaa", "aaa"},
		{"rule 5: a field in quotes", `"aaa"`, "aaa"},
		{"rule 6: a comma", `"Anytown, WW"`, "Anytown, WW"},
		{"rule 6: a line end", "\"one\ntwo\"", "one\ntwo"},
		{"rule 6: a line end of two characters", "\"one\r\ntwo\"", "one\r\ntwo"},
		{"rule 6: line ends only", "\"a\n\n\nb\"", "a\n\n\nb"},
		{"rule 6: a quote", `"say ""ha"" twice"`, `say "ha" twice`},
		{"rule 7: quotes and line ends", "\"ha\n\"\"ha\"\"\nha\"", "ha\n\"ha\"\nha"},
		{"rule 7: a quote at both ends", `"""ha"""`, `"ha"`},
		{"rule 7: quotes alone", `""""`, `"`},
		{"rule 7: four quotes more", `""""""`, `""`},
		{"rule 7: a comma after a quote", `"a"",""b"`, `a","b`},
		{"JSON", `"{""type"": ""Point"", ""at"": [102.0, 0.5]}"`, `{"type": "Point", "at": [102.0, 0.5]}`},
		{"degrees, minutes and seconds", `36°36'37.8"N`, `36°36'37.8"N`},
		{"a quote within", `a "b" c`, `a "b" c`},
		{"a quote at the end", `12"`, `12"`},
		{"single quotes", `'a b'`, "'a b'"},
		{"a backslash escapes nothing", `a \" b`, `a \" b`},
		{"a backslash before the closing quote", `"a \"`, `a \`},
		{"letters of all lengths", `"aé漢𝄞"`, "aé漢𝄞"},
		{"a character of no width", "a\u200bb", "a\u200bb"},
		{"a semicolon", "a;b", "a;b"}, {"a tab", "a\tb", "a\tb"}, {"a bar", "a|b", "a|b"},
		{"the start of a comment elsewhere", "# a", "# a"},
		{"a formula", "=1+1", "=1+1"},
		{"text after a closing quote", `"a"b`, "!"},
		{"a comma without quotes", "a, b", "!"},
		{"a quote that opens and never closes", `"a`, "!"},
		{"Latin-1", "36\xb036", "!"},
		{"half a letter", "a\xe6\xbc", "!"},
	} {
		lines := strings.Count(c.cell, "\n") + 1
		want := map[int]string{2: "first", 3: c.want, 3 + lines: "last"}
		for _, end := range []string{"\n", "\r\n"} { // rules 1 and 2
			src := strings.Join([]string{"id,text", "a,first", "b," + c.cell, "c,last"}, end)
			for _, src := range []string{src, src + end} {
				if got := texts(t, "csv", src); fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("%s: %q gives %v, want %v", c.name, src, got, want)
				}
			}
		}
		if strings.ContainsAny(c.cell, "\n\r;") || c.want == "!" {
			continue
		}
		// The other separator: the same cell, its commas now ordinary.
		if got := texts(t, "csv", "id;text\na;first\nb;"+c.cell+"\nc;last\n"); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s, with semicolons: %v, want %v", c.name, got, want)
		}
	}
}

// TestCSVHeaders: rule 3 of the RFC leaves the header to agreement; ours is the
// table of names in docs/en/formats/csv.md.
func TestCSVHeaders(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"rule 4: a last comma is a column", "id,text,\na,one,\n", "2: a one"},
		{"a column without a name between", "id,,text\na,x,one\n", "2: a one"},
		{"capitals", "ID,TEXT\na,one\n", "2: a one"},
		{"spaces round names", " id , text \na,one\n", "2: a one"},
		{"spaces and hyphens in names", "Utt ID,Raw-Text\na,one\n", "2: a one"},
		{"the first name of the list wins", "transcript,id,text\nlong,a,one\n", "2: a one"},
		{"a header twice", "id,text,text\na,one,two\n", "2: a one"},
		{"one column is no table", "text\none\n", ""},
		{"a line for spreadsheets", "sep=;\nid;text\na;one\n", ""},
		{"UTF-16", "i\x00d\x00,\x00t\x00e\x00x\x00t\x00\n\x00", "the file is UTF-16; save it as UTF-8"},
		{
			"line ends of old Macintoshes", "id,text\ra,one\rb,two\r",
			"its lines end with CR alone; save the file with LF or CR LF at their ends",
		},
		{"separators alone", "id,text,speaker\n,,\n", "2: ! "},
		{"a byte order mark before quotes", "\ufeff\"id\",\"text\"\na,one\n", "2: a one"},
		{"a column that stands for two things", "path,text\na/b.wav,one\n", "2: a/b (a/b.wav) one"},
		{"speakers by number", "id,text,speaker_id\na,one,007\n", "2: a one [007]"},
		{"an id with spaces", "id,text\na b,one\n", "2: a b one"},
		{"a split by another name", "id,text,subset\na,one,Validation\n", "2: a one [val]"},
		{"a language by region", "id,text,locale\na,one,pt_BR\n", "2: a one [pt]"},
	} {
		got := said(t, "metadata.csv", c.src, "csv")
		ok := len(got) == 1 && (got[0] == c.want || c.want != "" && strings.HasSuffix(c.want, "! ") && strings.HasPrefix(got[0], c.want))
		if c.want == "" { // the file is refused as a whole, with the line and what to do
			ok = len(got) == 1 && strings.Contains(got[0], "columns:")
		}
		if !ok {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestCSVOfAnotherWriter: what Go's encoding/csv writes is read as it was meant.
// Lines of a cell that would be rows by themselves are another matter (see Quotes in
// docs/en/formats/csv.md), so cells with line ends have no comma here.
func TestCSVOfAnotherWriter(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	pieces := []string{"a", "é", "漢", " ", `"`, `""`, "'", ",", ";", "|", "\t", "\\", "x y", ".", "=", "\u00a0", "{}"}
	for range 300 {
		var b strings.Builder
		w := csvlib.NewWriter(&b)
		w.UseCRLF = r.IntN(2) == 0
		_ = w.Write([]string{"id", "text", "note"})
		var want []string
		for i := range 1 + r.IntN(6) {
			cell := "x"
			for range r.IntN(7) {
				cell += pieces[r.IntN(len(pieces))]
			}
			if r.IntN(4) == 0 {
				cell = strings.ReplaceAll(cell, ",", "\n")
			}
			cell += "y"
			want = append(want, cell)
			_ = w.Write([]string{fmt.Sprint("a", i), cell, cell[:1]})
		}
		w.Flush()
		m, err := parse("metadata.csv", b.String(), "csv")
		if err != nil {
			t.Fatal(err)
		}
		accounted(t, m)
		var got []string
		for _, row := range m.Rows {
			got = append(got, strings.ReplaceAll(row.Text, "\r\n", "\n"))
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q\ngives %q %v\nwant %q", b.String(), got, m.Errors, want)
		}
	}
}

// TestTSVIsWhatItsWritersWrite: cells without quotes and without escapes; a
// backslash and an n are two characters.
func TestTSVIsWhatItsWritersWrite(t *testing.T) {
	for _, cell := range []string{
		"one", `"`, `""`, `"one`, `a\tb`, `a\nb`, "a, b; c", "a|b", "é漢𝄞", "'", "a \u2028 b", "NULL", "#",
	} {
		want := map[int]string{2: "first", 3: cell, 4: "last"}
		if got := texts(t, "tsv", "id\ttext\na\tfirst\nb\t"+cell+"\nc\tlast\n"); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%q: %v, want %v", cell, got, want)
		}
	}
}

// TestJSONByRFC8259: what the RFC's grammar allows as a string is the text, and a
// line that it does not allow is refused alone, of whatever kind its fault is.
func TestJSONByRFC8259(t *testing.T) {
	line := func(id, text string) string { return `{"id": "` + id + `", "text": ` + text + `}` }
	rows := func(third string) map[int]string {
		return texts(t, "jsonl", line("a", `"first"`)+"\n"+third+"\n"+line("c", `"last"`)+"\n")
	}
	for _, text := range []string{ // section 7, strings
		`""`, `" "`, `"a"`, `"\""`, `"\\"`, `"\/"`, `"/"`, `"\b\f\n\r\t"`, `"\u0041"`, `"\u00e9"`, `"\u6f22"`,
		`"\uD834\uDD1E"`, `"\ud834\udd1e"`, `"\u0000"`, `"\u001f"`,
		`"\uFFFF"`, `"\uFDD0"`, `"\u2028"`, "\"\u2028\u2029\"", "\"\x7f\"", `"é漢𝄞"`, "\"\U0010ffff\"", `"\\u0041"`,
		`"\\n"`, `"a/*b*/c//d"`, `"{}[],:"`, `"\u200b"`, `"\u0022"`, `"\u005C"`, `"\uD83F\uDFFE"`,
	} {
		var want string
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			t.Fatal(err)
		}
		// The white space of section 2 may stand round every token.
		for _, third := range []string{
			line("b", text),
			" \t{ \"id\"\t:\"b\" ,\"text\" : \t" + text + " } ",
			`{"x": [{}, [null, true, false]], "id": "b", "text": ` + text + `}`,
		} {
			got := rows(third)
			if strings.TrimSpace(want) == "" {
				want = strings.TrimSpace(got[2]) // an empty text is the text stage's matter
			}
			if len(got) != 3 || strings.TrimSpace(got[2]) != strings.TrimSpace(want) || got[1] != "first" || got[3] != "last" {
				t.Errorf("%s: %v, want %q", third, got, want)
			}
		}
	}
	for _, number := range []string{
		"0", "-0", "1", "-1", "1.5", "0e1", "0e+1", "1E22", "1e-2", "123456789012345678901234567890", "1.5e+9999",
		"-0.0",
	} { // section 6, of a key that is not read
		if got := rows(`{"n": ` + number + `, "id": "b", "text": "second"}`); got[2] != "second" {
			t.Errorf("the number %s: %v", number, got)
		}
	}
	for _, bad := range []string{
		// objects and their ends
		`{`, `{"id"`, `{"id":`, `{"id": "b"`, `{"id": "b",`, `{"id": "b", "text": "x"`, `{"id": "b", "text": "x",}`,
		`{"id": "b", "text": "x"}}`, `{"id": "b", "text": "x"}x`, `{"id": "b", "text": "x"} {}`,
		`{"id": "b", "text": "x"},`,
		`{"id": "b",, "text": "x"}`, `{,"id": "b", "text": "x"}`, `{"id" "b", "text": "x"}`,
		`{"id":: "b", "text": "x"}`, `{"id", "b", "text": "x"}`, `{id: "b", "text": "x"}`, `{'id': 'b', "text": "x"}`,
		`{1: "b", "text": "x"}`, `{"id": "b"; "text": "x"}`, `{"id": "b" "text": "x"}`, `{"text": "x", "id"}`,
		// comments and marks
		`{"id": "b", "text": "x"} // x`, `{"id": "b", /* x */ "text": "x"}`, `{"id": "b", "text": "x"}#`,
		"{\"id\": \"b\",\v\"text\": \"x\"}", "{\"id\": \"b\",\f\"text\": \"x\"}",
		"{\u00a0\"id\": \"b\", \"text\": \"x\"}", "{\u2060\"id\": \"b\", \"text\": \"x\"}", "\x00" + line("b", `"x"`),
		// other values at the top
		`[]`, `[{"id": "b", "text": "x"}]`, `"b"`, `1`, `null`, `true`, `<null>`, `*`, `é`, `}`, `]`,
		// strings
		line("b", `"x`), line("b", `x"`), line("b", `x`), line("b", `'x'`), line("b", `"\x00"`), line("b", `"\a"`),
		line("b", `"\"`), line("b", `"\u00A"`), line("b", `"\u00GG"`), line("b", `"\U0041"`), line("b", "\"a\tb\""),
		line("b", "\"a\x00b\""), line("b", "\"\x1f\""), line("b", `"a" "b"`), line("b", "\"\\\u00e9\""),
		line("b", `"\ud834"`), line("b", `"\udd1e"`), line("b", `"\udd1e\ud834"`), line("b", `"\ud834\u0041"`),
		line("b", "\"\xff\""), line("b", "\"\xed\xa0\x80\""), line("b", "\"\xc0\xaf\""),
		line("b", "\"\xf4\x90\x80\x80\""),
		// numbers, arrays and words of a key that is not read
		`{"n": 01, "id": "b", "text": "x"}`, `{"n": +1, "id": "b", "text": "x"}`, `{"n": .5, "id": "b", "text": "x"}`,
		`{"n": 1., "id": "b", "text": "x"}`, `{"n": 1e, "id": "b", "text": "x"}`,
		`{"n": 1e+, "id": "b", "text": "x"}`, `{"n": -, "id": "b", "text": "x"}`,
		`{"n": 0x10, "id": "b", "text": "x"}`, `{"n": NaN, "id": "b", "text": "x"}`,
		`{"n": Infinity, "id": "b", "text": "x"}`, `{"n": 1 000, "id": "b", "text": "x"}`,
		`{"n": 1.2.3, "id": "b", "text": "x"}`, `{"n": 1eE2, "id": "b", "text": "x"}`,
		`{"n": １, "id": "b", "text": "x"}`,
		`{"n": [1,], "id": "b", "text": "x"}`, `{"n": [,1], "id": "b", "text": "x"}`,
		`{"n": [1,,2], "id": "b", "text": "x"}`, `{"n": [1 2], "id": "b", "text": "x"}`,
		`{"n": [1, "id": "b", "text": "x"}`, `{"n": [1}, "id": "b", "text": "x"}`,
		`{"n": [1:2], "id": "b", "text": "x"}`, `{"n": {"a"}, "id": "b", "text": "x"}`,
		`{"n": True, "id": "b", "text": "x"}`, `{"n": nul, "id": "b", "text": "x"}`,
		`{"n": undefined, "id": "b", "text": "x"}`,
		// right JSON that is no row
		line("b", "1"), line("b", "null"), line("b", "true"), line("b", "[]"), line("b", "{}"), `{}`, `{"text": "x"}`,
		`{"id": "b"}`, `{"id": "", "text": "x"}`, `{"id": ["b"], "text": "x"}`,
		// deeper than anybody nests
		`{"n": ` + strings.Repeat("[", 100000),
	} {
		if got := rows(bad); len(got) != 3 || got[1] != "first" || got[2] != "!" || got[3] != "last" {
			t.Errorf("%.80s: %v, want the line refused and its neighbours kept", bad, got)
		}
	}
}
