package spoken_test

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"voxpack/textnorm/spoken"
)

// set is a file of testdata that says how written text is read aloud. A line is
// class, written and spoken form, apart by tabs.
type set struct {
	file    string
	lang    string   // empty: the first column is the language, and the class too
	classes []string // what the first column may say; each has to be there
	each    int      // rows that a class has at least
	want    float64  // share of the rows that has to be right, where readers do not name it
	rows    int      // rows that the file has at least
}

// sets lists the files. They were written without a look at any reader, so that
// they can tell what one does wrong. A language without a line here brings its set
// as testdata/xx.tsv, of the usual classes.
var sets = withUsual([]set{
	{file: "en.tsv", lang: "en", each: 10, rows: 340, classes: englishClasses},
	{file: "en2.tsv", lang: "en", each: 10, rows: 390, classes: englishClasses},
	{file: "fa.tsv", lang: "fa", each: 6, rows: 230, classes: persianClasses},
	{file: "fa2.tsv", lang: "fa", each: 6, rows: 260, classes: persianClasses},
	{file: "fa3.tsv", lang: "fa", each: 1, rows: 66, classes: strings.Fields(`initials fraction decimal date time age score plate geo unit money abbreviation wet hamza marks exponent season negative latin phone ordinal letters range repeat multiply list roman percent code year`)},
	{file: "hu.tsv", lang: "hu", each: 2, rows: 160, classes: []string{
		"cardinal", "ending", "year", "date", "time", "phone", "money", "percent", "measure", "decimal", "fraction", "ordinal", "roman", "range",
		"score", "negative", "version", "abbreviation", "url", "symbol", "mixed", "plain"}},
	{file: "zh.tsv", lang: "zh", each: 2, rows: 180, want: 1, classes: strings.Fields(`cardinal liang magnitude ordinal decimal year date time phone money
		measure percent fraction range score negative version roman code letters url email symbol traditional width spaces plain mixed`)},
	{file: "ja.tsv", lang: "ja", each: 2, rows: 170, want: 1, classes: strings.Fields(`cardinal counter magnitude ordinal decimal year date time phone money
		measure percent fraction range score negative version roman code letters url email symbol width spaces plain mixed`)},
	{file: "ko.tsv", lang: "ko", each: 2, rows: 140, classes: []string{
		"cardinal", "counter", "sino", "ordinal", "date", "time", "phone", "money", "percent", "measure", "decimal", "fraction", "range", "score",
		"negative", "particle", "version", "url", "symbol", "mixed", "plain"}},
	{file: "ar.tsv", lang: "ar", rows: 35, classes: usualClasses, want: 0.97},
	{file: "ar2.tsv", lang: "ar", each: 1, rows: 41, want: 1, classes: strings.Fields(`era title letter number decimal date range score money phone unit percent ordinal roman honour negative`)},
	{file: "harm.tsv", each: 1, rows: 120, want: 1, classes: strings.Fields("en de fr es it pt nl pl ru uk cs hu tr fa ar")},
	{file: "blind.tsv", each: 1, rows: 73, want: 0.58, classes: strings.Fields("en fa de fr es it pt ru pl tr ar cs uk")},
	{file: "classes.tsv", each: 6, rows: 120, want: 1, classes: strings.Fields("en fa ar hi ja ko zh")},
	{file: "xtts.tsv", each: 2, rows: 40, classes: []string{"en", "de", "fr", "es", "it", "pt", "pl", "tr", "cs", "ar", "ko", "hi", "fa"}},
})

// usualClasses are what a set may hold that has no line of its own.
var usualClasses = strings.Fields(`cardinal ordinal decimal year decade date time phone money measure percent fraction range roman
	abbreviation url email symbol negative score version compound plain mixed`)

// fresh are the languages that have a second set, of 25 fresh sentences each.
var fresh = strings.Fields("es fr de it pt pl tr ru nl cs")

// withUsual adds the sets of the languages without a line of their own. The oldest
// of them have forty rows.
func withUsual(own []set) []set {
	all := own
	for _, lang := range fresh {
		all = append(all, set{file: lang + "2.tsv", lang: lang, rows: 25, classes: usualClasses, want: 0.97})
	}
	for _, lang := range spoken.Languages() {
		if !slices.ContainsFunc(own, func(s set) bool { return s.lang == lang }) {
			all = append(all, set{file: lang + ".tsv", lang: lang, rows: 35, classes: usualClasses, want: 0.97})
		}
	}
	return all
}

// englishClasses are the kinds of things that English reads aloud.
var englishClasses = []string{
	"cardinal", "ordinal", "decimal", "year", "decade", "date", "time", "phone", "money", "measure", "percent", "fraction", "range",
	"roman", "abbreviation", "acronym", "address", "url", "email", "symbol", "negative", "score", "version", "mixed", "plain"}

// persianClasses are the lines of the table of Persian rules.
var persianClasses = []string{
	"composition", "yeh", "kaf", "heh", "ezafe", "hamza", "digits", "separators", "percent", "zwnj-mi", "zwnj-ha", "zwnj-tar", "zwnj-am",
	"cleanup", "tatweel", "diacritics", "repeats", "ligatures", "punctuation", "letters-digits", "cardinal", "ordinal", "decimal",
	"negative", "currency", "time", "jalali", "gregorian", "phone", "abbreviation", "latin", "mixed", "plain"}

// reader is what is held to the sets.
type reader struct {
	name string
	read func(lang, text string) string
	want map[string]float64 // file -> share of its rows that have to be right
}

var readers = []reader{{
	name: "spoken",
	read: func(lang, text string) string {
		if lang == "fa" { // whose letters are part of its reading
			return readPersian(text)
		}
		r, ok := spoken.New(lang)
		if !ok {
			return text
		}
		out, _ := r.Read(nil, text, false)
		return string(out)
	},
	want: map[string]float64{"en.tsv": 0.97, "en2.tsv": 0.97, "hu.tsv": 0.97, "ko.tsv": 0.97},
}}

func TestReaders(t *testing.T) {
	for _, r := range readers {
		for _, s := range sets {
			want := cmp.Or(r.want[s.file], s.want)
			if want == 0 {
				continue // another test holds its reader to it
			}
			t.Run(r.name+"/"+s.file, func(t *testing.T) {
				right, rows := score(t, s.file, r.read)
				if share := float64(right) / float64(rows); share < want {
					t.Errorf("%d of %d rows of %s are right (%.2f %%), want %.2f %%", right, rows, s.file, 100*share, 100*want)
				}
			})
		}
	}
}

// score counts the rows of a file that read says right and logs the count of
// each class and every wrong row.
func score(t *testing.T, file string, read func(lang, text string) string) (right, rows int) {
	t.Helper()
	s := sets[slices.IndexFunc(sets, func(s set) bool { return s.file == file })]
	rightOf, rowsOf := map[string]int{}, map[string]int{}
	for _, r := range s.load(t) {
		rowsOf[r.class]++
		if fault := r.fault(read); fault != "" {
			t.Logf("%s:%d: %s: %s", file, r.line, r.class, fault)
			continue
		}
		rightOf[r.class]++
	}
	for _, class := range s.classes {
		t.Logf("%s: %-14s %3d of %3d", file, class, rightOf[class], rowsOf[class])
		right, rows = right+rightOf[class], rows+rowsOf[class]
	}
	return right, rows
}

// TestFaults: a row tells a right reader from a wrong one.
func TestFaults(t *testing.T) {
	for _, s := range sets {
		rows := s.load(t)
		answers := map[string]string{}
		for _, r := range rows {
			answers[r.lang+"\t"+r.written] = r.spoken[len(r.spoken)-1]
		}
		perfect := func(lang, text string) string {
			if answer, ok := answers[lang+"\t"+text]; ok {
				return answer
			}
			return text
		}
		same := func(_, text string) string { return text }
		growing := func(lang, text string) string { return perfect(lang, text) + "!" }
		for _, r := range rows {
			if fault := r.fault(perfect); fault != "" {
				t.Errorf("%s:%d: a reader that knows every answer has a fault: %s", s.file, r.line, fault)
			}
			if stays := slices.Contains(r.spoken, r.written); (r.fault(same) == "") != stays {
				t.Errorf("%s:%d: a reader that changes nothing is right: %v, want %v", s.file, r.line, !stays, stays)
			}
			if r.fault(growing) == "" {
				t.Errorf("%s:%d: a reader that adds a sign has no fault", s.file, r.line)
			}
		}
		if right, n := score(t, s.file, perfect); right != len(rows) || n != len(rows) {
			t.Errorf("a reader that knows every answer gets %d of %d rows of %s, want %d", right, n, s.file, len(rows))
		}
	}
}

// TestFaultsRepeat: a right reading that changes when it is read again is a fault.
func TestFaultsRepeat(t *testing.T) {
	r := setRow{lang: "en", written: "5", spoken: []string{"five"}}
	changing := map[string]string{"5": "five", "five": "V"}
	if fault := r.fault(func(_, text string) string { return changing[text] }); !strings.Contains(fault, "which is read") {
		t.Errorf("fault = %q, want one that tells of the second reading", fault)
	}
}

// setRow is a row of a set.
type setRow struct {
	line        int
	lang, class string
	written     string
	spoken      []string // the readings that are right, the usual one first
}

// fault tells what read does wrong, or nothing. A reading that changes when it is
// read again is wrong too: a spoken text has nothing left to read.
func (r setRow) fault(read func(lang, text string) string) string {
	got := read(r.lang, r.written)
	if !slices.Contains(r.spoken, got) {
		return fmt.Sprintf("%q is read %q, want %q", r.written, got, r.spoken)
	}
	if again := read(r.lang, got); again != got {
		return fmt.Sprintf("%q is read %q, which is read %q", r.written, got, again)
	}
	return ""
}

// load reads the file and its escapes.
func (s set) load(t *testing.T) []setRow {
	t.Helper()
	f, err := os.Open("testdata/" + s.file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var rows []setRow
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		if lines.Text() == "" || strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		fields := strings.Split(lines.Text(), "\t")
		if len(fields) != 3 {
			t.Fatalf("%s:%d: %d columns, want 3", s.file, n, len(fields))
		}
		r := setRow{line: n, lang: s.lang, class: fields[0], written: unescape(fields[1]), spoken: strings.Split(fields[2], " ^ ")}
		if r.lang == "" {
			r.lang = r.class
		}
		rows = append(rows, r)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

var escape = regexp.MustCompile(`\\u[0-9A-F]{4}`)

// unescape reads the \uXXXX that stand for what an eye would miss.
func unescape(text string) string {
	return escape.ReplaceAllStringFunc(text, func(code string) string {
		n, err := strconv.ParseUint(code[2:], 16, 16)
		if err != nil {
			return code
		}
		return string(rune(n))
	})
}

// TestSetsForm: the sets are what their readers may rely on.
func TestSetsForm(t *testing.T) {
	for _, s := range sets {
		rows := s.load(t)
		if len(rows) < s.rows {
			t.Errorf("%s has %d rows, want at least %d", s.file, len(rows), s.rows)
		}
		count, first := map[string]int{}, map[string]int{}
		for _, r := range rows {
			count[r.class]++
			key := r.lang + "\t" + r.written
			if line := first[key]; line > 0 {
				t.Errorf("%s:%d: %q stands in line %d already", s.file, r.line, r.written, line)
			}
			first[key] = r.line
			for i, spoken := range r.spoken {
				if fault := spokenFault(r.lang, spoken); fault != "" {
					t.Errorf("%s:%d: reading %q: %s", s.file, r.line, spoken, fault)
				}
				if slices.Index(r.spoken, spoken) < i {
					t.Errorf("%s:%d: reading %q stands twice", s.file, r.line, spoken)
				}
			}
			if r.class == "plain" && !slices.Equal(r.spoken, []string{r.written}) {
				t.Errorf("%s:%d: %q has nothing to read, but is read %q", s.file, r.line, r.written, r.spoken)
			}
		}
		for _, class := range s.classes {
			if count[class] < s.each {
				t.Errorf("%s has %d rows of class %s, want at least %d", s.file, count[class], class, s.each)
			}
			delete(count, class)
		}
		for class := range count {
			t.Errorf("%s: class %q is not known", s.file, class)
		}
	}
}

// spokenFault tells what no reading may have, or nothing.
func spokenFault(lang, text string) string {
	switch {
	case text == "" || strings.TrimSpace(text) != text || strings.Contains(text, "  "):
		return "spaces"
	case !norm.NFC.IsNormalString(text):
		return "not NFC"
	case strings.ContainsFunc(text, unicode.IsDigit):
		return "a digit is left"
	case strings.ContainsAny(text, `\^{}|_`):
		return "a sign of the file's own"
	case lang != "fa":
		return ""
	}
	return persianFault([]rune(text))
}

// persianFault tells what no Persian reading may have, or nothing: letters of
// other scripts of the family, a half space that parts nothing, a hamza above
// anything but the ezafe's heh.
func persianFault(text []rune) string {
	letters := "ءآأابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهیئؤ"
	for i, c := range text {
		inside := i > 0 && i+1 < len(text)
		switch {
		case c == '\u200C':
			if !inside || !strings.ContainsRune(letters, text[i-1]) || !strings.ContainsRune(letters, text[i+1]) {
				return "a half space that parts no letters"
			}
		case c == '\u0654':
			if i == 0 || text[i-1] != '\u0647' {
				return "a hamza above that is no ezafe"
			}
		case c == '\u064B' || c == '\u064F' || c == '\u0650': // readings with a vowel mark stand beside those without
		case unicode.Is(unicode.Arabic, c) && !strings.ContainsRune(letters+"؟؛", c):
			return "U+" + strconv.FormatInt(int64(c), 16) + " is not a Persian letter"
		case unicode.Is(unicode.Cf, c):
			return "a mark that nobody sees"
		}
	}
	return ""
}
