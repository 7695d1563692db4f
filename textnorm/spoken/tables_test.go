package spoken

import (
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/text/unicode/norm"
)

// TestTables: each language is made of its tables, and each table is one that its
// language reads, in the form that editors and git leave alone.
func TestTables(t *testing.T) {
	used := map[string]bool{}
	all := ownSheets()
	for _, e := range table {
		if l, err := made(e); err != nil {
			t.Errorf("%s: %v", e.code, err)
		} else {
			if l.cues != nil {
				used[l.cues.file] = true
			}
			if l.voice == nil {
				continue
			}
			all[e.code] = l.voice.tables()
			if e.code != "ko" && lacking(l.voice) { // whose rules are its own
				t.Errorf("lang/%s/words.tsv: one of address, half.after, half.before and month is missing", e.code)
			}
		}
	}
	for code, sheets := range all {
		for _, sheet := range sheets {
			used["lang/"+code+"/"+sheet.file] = true
		}
		used["lang/"+code+"/forms.tsv"] = true // made with the language
	}
	for code, sheets := range ownSheets() {
		if err := readTables(tables, "lang/"+code, sheets...); err != nil {
			t.Error(err)
		}
	}
	err := fs.WalkDir(tables, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(tables, file)
		if err != nil {
			return err
		}
		if !used[file] {
			t.Errorf("%s: nobody reads it", file)
		}
		if text[0] != '#' || text[len(text)-1] != '\n' {
			t.Errorf("%s: want a comment in the first line and an end of the last one", file)
		}
		n := 0
		for line := range strings.Lines(string(text)) {
			n++
			if line = strings.TrimSuffix(line, "\n"); !norm.NFC.IsNormalString(line) || strings.TrimRight(line, " \t\r") != line {
				t.Errorf("%s:%d: not NFC, or white space at the end", file, n)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// ownSheets are the tables of languages that have rules of their own.
func ownSheets() map[string][]sheet {
	return map[string][]sheet{"en": new(enTable).sheets(), "fa": new(faTable).sheets(), "zh": new(han).sheets(), "ja": new(han).sheets(), "ar": new(arTable).sheets(), "hi": new(hiTable).sheets()}
}

// lacking reports whether a voice has not all words that the shared rules cannot do without.
func lacking(v *voice) bool {
	return v.address == "" || v.halves == "" || v.aHalf == "" || len(v.date.name) != 12
}

// made makes a language, with an error for a panic.
func made(e *entry) (l *language, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("%v", fault)
		}
	}()
	return e.make().ready(), nil
}

// heads are the headers of tables of a voice with nouns of two forms.
var heads = map[string]string{
	"units.tsv": "signs\tgender\tone|several\tnear\n",
	"money.tsv": "signs\tgender\tone|several\tgender\tone|several\n",
	"short.tsv": "written\tsaid\tkind\tcases\n",
	"words.tsv": "name\tbeside\tform\tsaid\n",
}

// TestWrongRows: what is wrong with a row is told with its file and line.
func TestWrongRows(t *testing.T) {
	for _, row := range []struct{ name, file, rows, want string }{
		{"a column is missing", "units.tsv", "signs\tgender\none\tm", `lang/xx/units.tsv:1: columns ["signs" "gender"], want`},
		{"no header", "units.tsv", "# nothing\n", "lang/xx/units.tsv:1: no header"},
		{"too many cells", "units.tsv", "h\tm\tone|two\th\tmore", "lang/xx/units.tsv:2: 5 cells, want at most 4"},
		{"comments and empty lines count", "units.tsv", "# measures\n\nh\tx\tone|two", `lang/xx/units.tsv:4: gender "x", want m, f or n`},
		{"three forms of two", "units.tsv", "h\tm\tone|two|three", `lang/xx/units.tsv:2: forms "one|two|three", want "one|several"`},
		{"an empty form", "units.tsv", "h\tm\tone|", `lang/xx/units.tsv:2: forms "one|", want`},
		{"an empty sign", "units.tsv", "h,,hrs\tm\tone|two", `lang/xx/units.tsv:2: nothing between two commas of "h,,hrs"`},
		{"the same sign in two rows", "units.tsv", "h\tm\tone|two\nm,h\tf\tone|two", `lang/xx/units.tsv:3: "h" stands here twice`},
		{"near is no sign of the row", "units.tsv", "h,hrs\tm\tone|two\thr", `lang/xx/units.tsv:2: near: "hr" is no sign of the row`},
		{"a space too many", "units.tsv", "h \tm\tone|two", `lang/xx/units.tsv:2: a space at an end of "h "`},
		{"bytes that are no text", "units.tsv", "\xff\tm\tone|two", "lang/xx/units.tsv:2: not UTF-8"},
		{"hundredths without a gender", "money.tsv", "€\tm\teuro|euros\t\tcent|cents", `lang/xx/money.tsv:2: gender "", want m, f or n`},
		{"a sign of two currencies", "money.tsv", "$\tm\tone|two\n$\tm\tone|two", `lang/xx/money.tsv:3: "$" stands here twice`},
		{"a kind that is none", "short.tsv", "etc.\tet cetera\tend", `lang/xx/short.tsv:2: kind "end", want one of`},
		{"nothing is said", "short.tsv", "etc.", "lang/xx/short.tsv:2: want an abbreviation and what is said"},
		{"a case without its words", "short.tsv", "st.\tstreet\t\tin on=", `lang/xx/short.tsv:2: case "in on=", want words`},
		{"an abbreviation twice", "short.tsv", "st.\tstreet\nst.\tsaint", `lang/xx/short.tsv:3: "st." stands here twice`},
		{"an unknown name", "words.tsv", "minsu\t\t\tminus", "lang/xx/words.tsv:2: minsu: no such name"},
		{"a word twice", "words.tsv", "minus\t\t\tminus\nminus\t\t\tless", "lang/xx/words.tsv:3: minus: want one row"},
		{"a word with a form", "words.tsv", "minus\t\tfeminine\tminus", "lang/xx/words.tsv:2: minus: want one row"},
		{"five names for six signs", "words.tsv", "address\t\t\tdot|slash|colon|at|dash", "lang/xx/words.tsv:2: address: want 6 parts"},
		{"a form where a word is said", "words.tsv", "sign\t&\tfeminine\tand", "lang/xx/words.tsv:2: sign: want signs and what is said"},
		{"a sign twice", "words.tsv", "sign\t&,+\t\tand\nsign\t+\t\tplus", `lang/xx/words.tsv:3: sign: "+" stands here twice`},
		{"a word where a form is meant", "words.tsv", "day.after\tam\t\tden", "lang/xx/words.tsv:2: day.after: want words and their form"},
		{"a form and nothing said", "words.tsv", "roman.cut.after\tv\tlocative", "lang/xx/words.tsv:2: roman.cut.after: want a form and what is said"},
		{"a noun without gender", "words.tsv", "half\t\t\thalf|halves", `lang/xx/words.tsv:2: half: gender "", want m, f or n`},
		{"an ending without its pair", "words.tsv", "ordinal.ending\t\tgenitive\tý ého í", "lang/xx/words.tsv:2: ordinal.ending: want a form and pairs"},
		{"a month without a name", "words.tsv", "month\tjan", "lang/xx/words.tsv:2: month: want the names of twelve months"},
		{"a thirteenth month", "words.tsv", strings.Repeat("month\t\t\tMay\n", 13), "lang/xx/words.tsv:14: month: want the names of twelve months"},
		{"eleven months", "words.tsv", strings.Repeat("month\t\t\tMay\n", 11), "lang/xx/words.tsv: 11 months, want 12"},
	} {
		t.Run(row.name, func(t *testing.T) {
			text := row.rows
			if !strings.HasPrefix(text, "signs\t") && row.name != "no header" {
				text = heads[row.file] + text
			}
			files := fstest.MapFS{"lang/xx/" + row.file: {Data: []byte(text)}}
			if row.file == "words.tsv" {
				files["lang/xx/units.tsv"] = &fstest.MapFile{Data: []byte(heads["units.tsv"] + "m\tm\tmetre|metres\n")}
			}
			v := voice{code: "xx"}
			if err := v.read(files); err == nil || !strings.HasPrefix(err.Error(), row.want) {
				t.Errorf("error %v, want %s…", err, row.want)
			}
		})
	}
}

// TestWrongOwnRows: so are rows of the languages that have rules of their own.
func TestWrongOwnRows(t *testing.T) {
	const words = "name\tbeside\tform\tsaid\n"
	for _, row := range []struct{ file, text, want string }{
		{"en/units.tsv", "signs\tone|several\tnear\nkm\tkilometer\n", "2: want one and several"},
		{"en/short.tsv", "written\tsaid\tkind\nMr\tMister\tname\n", "2: want an abbreviation of a kind"},
		{"en/words.tsv", words + "spelled\t\t\tFBI FBI\n", `2: spelled: "FBI" stands here twice`},
		{"fa/words.tsv", words + "month.jalali\t\t\tفروردین\n", "2: month.jalali: 1 items, want 12"},
		{"zh/units.tsv", "signs\tsaid\nkm\n", "2: want what is said"},
		{"zh/units.tsv", "signs\tsaid\nkm\t公里\nm,km\t米\n", `3: "km" stands here twice`},
		{"zh/words.tsv", words + "page\t\t\t第*页\npage\t\t\t页\n", "3: page: stands here twice"},
		{"ja/words.tsv", words + "phone\t\tx\t電話\n", "2: phone: want a row of what is said or looked for"},
		{"ja/words.tsv", words + "address\t\t\tドット|スラッシュ\n", "2: address: want 6 parts"},
		{"hi/short.tsv", "written\tsaid\tkind\nडॉ.\tडॉक्टर\ttitle\n", "2: want an abbreviation"},
		{"hi/money.tsv", "signs\tone|several\tone|several\n₹\tरुपया\n", "2: forms"},
		{"hi/words.tsv", words + "month\t\t\tजनवरी|फ़रवरी\n", "2: month: 2 items, want 12"},
		{"ar/short.tsv", "written\tsaid\tkind\nد\tالدكتور\tdoctor\n", "2: want an abbreviation of a kind"},
		{"ar/words.tsv", words + "part\t2\t\tنصف|نصفان\n", "2: part: want a denominator"},
		{"ar/words.tsv", words + "month.written\tمايو,مايو\n", `2: month.written: "مايو" stands here twice`},
		{"ar/words.tsv", words + "magnitude\tمليون\tx\tمليون|مليونان|ملايين|مليوناً\n", `2: magnitude: gender "x"`},
	} {
		err := readTables(fstest.MapFS{"lang/" + row.file: {Data: []byte(row.text)}}, "lang/"+row.file[:2], ownSheets()[row.file[:2]]...)
		if want := "lang/" + row.file + ":" + row.want; err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want %s…", err, want)
		}
	}
}

// TestWrittenFormsAreShort: what looks for words and signs looks up to a length.
func TestWrittenFormsAreShort(t *testing.T) {
	for _, list := range []map[string]string{enTables().titles, enTables().abbreviations, enTables().numbered} {
		for word := range list {
			if len(word) > 6 {
				t.Errorf("lang/en/short.tsv: %q has more than 6 letters, up to which enPlain looks", word)
			}
		}
	}
	for sign := range enTables().units {
		if len(sign) > mostUnit {
			t.Errorf("lang/en/units.tsv: %q has more than %d bytes, up to which unitAt looks", sign, mostUnit)
		}
	}
	for sign := range faTables().units {
		if len(sign) > mostFaUnit {
			t.Errorf("lang/fa/units.tsv: %q has more than %d bytes, up to which faUnit looks", sign, mostFaUnit)
		}
	}
	for word := range faTables().short {
		if len(word) > 6 {
			t.Errorf("lang/fa/short.tsv: %q has more than 3 letters, up to which Plain looks", word)
		}
	}
}

// TestSlavicFormsAreFour: the rules take the third and the fourth form by number.
func TestSlavicFormsAreFour(t *testing.T) {
	v := voice{code: "xx", slavic: true}
	err := v.read(fstest.MapFS{"lang/xx/units.tsv": {Data: []byte(heads["units.tsv"] + "m\tm\tmetr|metry\n")}})
	if err == nil || !strings.HasPrefix(err.Error(), "lang/xx/units.tsv:2: ") {
		t.Errorf("error %v for two forms", err)
	}
	v = voice{code: "xx", slavic: true}
	err = v.read(fstest.MapFS{"lang/xx/units.tsv": {Data: []byte("signs\tgender\tone|few|many|part\tnear\n‰\tn\tpromile\n")}})
	if forms := v.unit["‰"].forms; err != nil || strings.Join(forms, "|") != "promile|promile|promile|promile" {
		t.Errorf("one form for all gives %q, %v", forms, err)
	}
}

// sample has a thing of each kind that a word of the tables is said or looked for.
const sample = `5 km, 1 m, 2½ h, ½ l, 3 €, $4.50, 2 mil $, 10:30, 3. 5. 2020, 5 May 1990, 90. let, 3º, 2nd, XX w., Karel IV. a II. část, 3:1, 3/7, 5–7 kg, -4 °C, 20%, a@b.c/d:e_f-g, č. 5, z. B. & +`

// FuzzTables: a table of any bytes is one that the reader takes, and then nothing
// that is read with it ends the program, or an error that names the file.
func FuzzTables(f *testing.F) {
	names := slices.Sorted(maps.Keys(heads))
	for i, name := range names {
		text, err := fs.ReadFile(tables, "lang/cs/"+name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(byte(i), string(text))
		for line := range strings.Lines(string(text)) { // short ones are changed quicker
			f.Add(byte(i), strings.Replace(heads[name], "one|several", "one|few|many|part", 2)+line)
		}
	}
	for code := range ownSheets() {
		for i, name := range names {
			if text, err := fs.ReadFile(tables, "lang/"+code+"/"+name); err == nil {
				f.Add(byte(i), string(text))
			}
		}
	}
	place := regexp.MustCompile(`^lang/cs/(units|money|short|words)\.tsv:(\d+:)? `)
	f.Fuzz(func(t *testing.T, which byte, text string) {
		file := names[int(which)%len(names)]
		files := fstest.MapFS{}
		for name := range heads {
			b, err := fs.ReadFile(tables, "lang/cs/"+name)
			if err != nil {
				t.Fatal(err)
			}
			files["lang/cs/"+name] = &fstest.MapFile{Data: b}
		}
		files["lang/cs/"+file].Data = []byte(text)
		for code, sheets := range ownSheets() {
			own := fstest.MapFS{"lang/" + code + "/" + file: {Data: []byte(text)}}
			if err := readTables(own, "lang/"+code, sheets...); err != nil && !strings.HasPrefix(err.Error(), "lang/"+code+"/"+file+":") {
				t.Errorf("error %q names no file and line", err)
			}
		}
		v := czech()
		if err := v.read(files); err != nil {
			if !place.MatchString(err.Error()) {
				t.Errorf("error %q names no file and line", err)
			}
			return
		}
		if r := (Reader{of: &entry{code: "cs", make: v.withRules}}); !lacking(v) {
			r.Read(nil, sample, false)
		}
	})
}

// BenchmarkMake is what the first line of a language costs before it is read.
func BenchmarkMake(b *testing.B) {
	for _, e := range table {
		b.Run(e.code, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				e.make().ready()
			}
		})
	}
}
