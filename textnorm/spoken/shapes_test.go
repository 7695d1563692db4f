package spoken

import (
	"strings"
	"testing"
)

// holdsReading: words of words are themselves, letters are put right once, no
// letter vanishes beside a rule, and what is called plain stays.
func holdsReading(t *testing.T, lang, text string) {
	t.Helper()
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "?")), " ")
	r, _ := New(lang)
	letters := r.Letters(text)
	if again := r.Letters(letters); again != letters {
		t.Errorf("letters of %q are %q, and of that %q", text, letters, again)
	}
	once := read(t, lang, text)
	if r.Plain(text) && once != text {
		t.Errorf("%q is plain and read as %q", text, once)
	}
	if twice := read(t, lang, once); twice != once {
		t.Errorf("%q is read as %q, and that as %q", text, once, twice)
	}
	out, fired := r.pass(nil, letters, true)
	checkLetters(t, letters, string(out), fired)
}

// TestShapes: what is a time, a day and a telephone number, and what is none.
func TestShapes(t *testing.T) {
	for text, want := range map[string]bool{"10:30": true, "24:00": true, "25:00": false, "10:3": false, "10:60": false, "1:02:03": true, "1:02:3": false, "1:02:03:04": false} {
		s := scan{text: text}
		if _, _, _, end := s.clockShape(0); (end > 0) != want {
			t.Errorf("%q is a time: %v, want %v", text, end > 0, want)
		}
	}
	for text, want := range map[string]bool{"3/5/2020": true, "2020-05-03": true, "13/25/2020": false, "5/13/2020": true, "1.2.3": false, "1.2.3.4": false, "03/05/20": true, "3/5": false, "1/2/0100": false} {
		s := scan{text: text}
		if _, _, _, end := s.dateShape(0); (end > 0) != want {
			t.Errorf("%q is a day: %v, want %v", text, end > 0, want)
		}
	}
	for text, want := range map[string]bool{"+966 50 123 4567": true, "0501234567": true, "1234567": false, "(02) 555 1234": true, "10-15": false, "555-123-4567": true, "12 000 000": false} {
		s := scan{text: text}
		groups, form, end := s.phoneShape()
		if got := end > 0 && isPhoneShape(groups, form, false); got != want {
			t.Errorf("%q is dialled: %v, want %v", text, got, want)
		}
	}
}

// TestArabicAndHindiRows: each row of the sets is right, not only most of them.
func TestArabicAndHindiRows(t *testing.T) {
	for _, lang := range []string{"ar", "hi"} {
		for _, row := range tsv(t, "testdata/"+lang+".tsv") {
			checkCase(t, lang, row[1], row[2])
		}
	}
}
