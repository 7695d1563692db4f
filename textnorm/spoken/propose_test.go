package spoken

import (
	"strings"
	"testing"
)

// openClass stands for no class where a form is left open.
const openClass = "open"

// TestFormsAreOfTheirClass: evidence beside a form tells what it is, and where none does it is
// left open and said as it is written.
func TestFormsAreOfTheirClass(t *testing.T) {
	r, _ := New("en")
	for _, row := range []struct{ text, form, class, words string }{
		{"We need 5m.", "5m", openClass, "five m"},
		{"The pool is 25m long.", "25m", "measure", "twenty-five meters"},
		{"It has 3m viewers.", "3m", "million", "three million"},
		{"A cable of 5 km and 30m.", "30m", "measure", "thirty meters"},
		{"They ran it in 52s.", "52s", "seconds", "fifty-two seconds"},
		{"Those 52s are old.", "52s", "plural", "fifty-twos"},
		{"A 52s one.", "52s", openClass, "fifty-two s"},
		{"In the 30s.", "30s", "decade", "thirties"},
		{"The 30s delay.", "30s", "seconds", "thirty seconds"},
		{"The file is 1s and 0s.", "0s", "plural", "zeros"},
		{"Parts for 911s.", "911s", openClass, "nine hundred eleven s"},
		{"She sat in 12A.", "12A", openClass, "twelve A"},
		{"Take seat 12A.", "12A", "code", "twelve A"},
		{"A 13A fuse.", "13A", "measure", "thirteen amp"},
		{"Read section 3g.", "3g", "code", "three g"},
		{"Add 3g.", "3g", "measure", "three grams"},
		{"Give it IV.", "IV", openClass, "I V"},
		{"An IV drip.", "IV", "letters", "I V"},
		{"See part IV.", "IV", "counted", "four"},
		{"Numbers IV and V.", "IV", "counted", "four"},
		{"Thutmose III died.", "III", "regnal", "the third"},
		{"A 12/13 one.", "12/13", openClass, "twelve slash thirteen"},
		{"The 12/13 season.", "12/13", "pair", "twelve thirteen"},
		{"On 3/4 we met.", "3/4", "date", "March fourth"},
		{"About 3/4 of it.", "3/4", "fraction", "three quarters"},
		{"Flat 3/4.", "3/4", "code", "three slash four"},
		{"She scored 7/10.", "7/10", "score", "seven out of ten"},
		{"It is 140/90 now.", "140/90", "over", "one hundred forty over ninety"},
		{"Call 12-3456 now.", "12-3456", openClass, "twelve, three four five six"},
		{"The 747-400 landed.", "747-400", openClass, "seven four seven, four zero zero"},
		{"Case 17-1234 is old.", "17-1234", "code", "seventeen, one two three four"},
		{"Pages 10-15.", "10-", "range", "ten to"},
		{"We won 110-98.", "110-", "score", "one hundred ten to"},
		{"A 1:50 scale model.", "1:50", "ratio", "one to fifty"},
		{"It was 1:50 then.", "1:50", "time", "one fifty"},
		{"Read Romans 8:1.", "8:1", "verse", "eight one"},
	} {
		_, fired := r.Read(nil, row.text, true)
		found := false
		for _, f := range fired {
			if row.text[f.Start:f.End] != row.form {
				continue
			}
			class := f.Class
			if f.Open != nil {
				class = openClass
			}
			if found = true; class != row.class || strings.TrimSpace(f.Words) != row.words {
				t.Errorf("%q: %q is %q of class %s (%s), want %q of class %s", row.text, row.form, f.Words, class, f.Evidence, row.words, row.class)
			}
			if f.Open == nil && f.Evidence == "" {
				t.Errorf("%q: nothing is told to speak for class %s", row.text, class)
			}
			if len(f.Open) == 2 && f.Open[0].Words == f.Open[1].Words {
				t.Errorf("%q is left open, and both readings are %q", row.text, f.Open[0].Words)
			}
		}
		if !found {
			t.Errorf("%q: no rule read %q: %+v", row.text, row.form, fired)
		}
	}
}

// TestOpenFormsAreToldWithoutATrace: a build asks for no trace, and has to note them.
func TestOpenFormsAreToldWithoutATrace(t *testing.T) {
	r, _ := New("en")
	_, fired := r.Read(nil, "Dr. Lee paid 5m for 12/13.", false)
	if len(fired) != 2 || len(fired[0].Open) != 2 || len(fired[1].Open) != 2 {
		t.Errorf("fired %+v, want the two forms that were left open", fired)
	}
}

// TestCuesAreChecked: a wrong row of cues.tsv is an error with its line.
func TestCuesAreChecked(t *testing.T) {
	const head = "class\tplace\twords\n"
	for rows, want := range map[string]string{
		"plural\tbefore\ttwo three\n":                       "",
		"plurals\tbefore\ttwo\n":                            "cues.tsv:2: class \"plurals\"",
		"plural\tbehind\ttwo\n":                             "cues.tsv:2: want a class, a place",
		"plural\tbefore\n":                                  "cues.tsv:2: want a class, a place",
		"plural\tbefore\tTwo\n":                             "cues.tsv:2: \"Two\" has a capital",
		"plural\tbefore\ttwo\n# .\nplural\tbefore\ta two\n": "cues.tsv:4: \"two\" stands in line 2",
	} {
		c := &cues{file: "cues.tsv", words: map[string][]cue{}}
		if err := c.read(head + rows); err == nil && want != "" || err != nil && (want == "" || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", rows, err, want)
		}
	}
}

// TestTable: the row that says a form is found by the form and its words.
func TestTable(t *testing.T) {
	for _, row := range []struct{ form, words, file string }{
		{"5 km", "five kilometers", "lang/en/units.tsv:"}, {"Dr.", "Doctor", "lang/en/short.tsv:"}, {"$5", "five dollars", "lang/en/money.tsv:"},
		{"≈", "about", "lang/en/words.tsv:"}, {"1984", "nineteen eighty-four", ""}, {"5 km", "five thousand", ""},
	} {
		if got := Table("en", row.form, row.words); !strings.HasPrefix(got, row.file) || (got == "") != (row.file == "") {
			t.Errorf("Table(%q, %q) = %q, want a line of %q", row.form, row.words, got, row.file)
		}
	}
	if got := Table("xx", "5 km", "five kilometers"); got != "" {
		t.Errorf("Table of no language = %q", got)
	}
}

// TestNamesAtTheBeginning: what stands before a numeral may begin the text, with a full stop.
func TestNamesAtTheBeginning(t *testing.T) {
	for _, text := range []string{"Al Bo. IV", "No Bo. IV", "A Bo. VI", "Al. Bo. XX", "Bo. IV", "A. IV"} {
		if again, once := read(t, "en", read(t, "en", text)), read(t, "en", text); again != once {
			t.Errorf("%q is read as %q, and that as %q", text, once, again)
		}
	}
}
