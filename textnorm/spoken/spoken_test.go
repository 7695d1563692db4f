package spoken

import (
	"strings"
	"testing"
	"unicode"
)

func read(t testing.TB, lang, text string) string {
	t.Helper()
	r, ok := New(lang)
	if !ok {
		t.Fatalf("no language %s", lang)
	}
	out, _ := r.Read(nil, text, false)
	return string(out)
}

// TestPlainIsNeverAWrongYes: what is called plain is read as it is written.
func TestPlainIsNeverAWrongYes(t *testing.T) {
	r, _ := New("en")
	plain := 0
	for _, text := range []string{"Hello, world.", "He said \"No.\" and left.", "I am here. We go!", "Mr. Jones left", "the FBI came", "in 1990", "A. B. Smith", "See p. 5", "Who's there? I am.", "Jan. was cold", "Sat. it is", "Chapter IV", "a - b", "x/y"} {
		if !r.Plain(text) {
			continue
		}
		plain++
		if got := read(t, "en", text); got != text {
			t.Errorf("%q is plain and read as %q", text, got)
		}
	}
	if plain < 4 {
		t.Errorf("%d texts are plain", plain)
	}
}

// TestFiredRulesSayWhereAndWhat: the pieces that rules read and what stands
// between them make the whole.
func TestFiredRulesSayWhereAndWhat(t *testing.T) {
	r, _ := New("en")
	out, fired := r.Read([]byte("before "), "Dr. Lee paid $5 on 3/4/2020.", true)
	if got := string(out); got != "before Doctor Lee paid five dollars on March fourth, twenty twenty." {
		t.Errorf("Read = %q", got)
	}
	var names []string
	for _, f := range fired {
		names = append(names, f.Rule)
		if f.End <= f.Start || f.Words == "" {
			t.Errorf("%+v", f)
		}
	}
	if strings.Join(names, " ") != "title money date" {
		t.Errorf("rules %v", names)
	}
}

// FuzzEnglish: no panic, words of words are themselves, no letter vanishes beside
// a rule, and what is called plain stays.
func FuzzEnglish(f *testing.F) {
	for _, seed := range []string{"Dr. Smith paid $3.50 on 3/4/2020 at 10:30 a.m.", "St. Paul St. is 5 ft.", "1990s '80s 5'10\" 1½ 2 1/2", "a.b@c.de http://x.io/1?a=b", "No. 7, pp. 3-5; Henry VIII; FBI's", "+1 (555) 123-4567", "٣ ½ x2 2x 1,234.5e6", "US$5-10 million/hour", "\xff1.", "'1's 0000000s", ">>>>>>>>>>>>>AA", "747s IV, V 2h45m 10⁻³ 95/98"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "?")), " ")
		r, _ := New("en")
		words, _ := r.Read(nil, text, false)
		once := string(words)
		if r.Plain(text) && once != text {
			t.Errorf("%q is plain and read as %q", text, once)
		}
		if twice := read(t, "en", once); twice != once {
			t.Errorf("%q is read as %q, and that as %q", text, once, twice)
		}
		out, fired := r.pass(nil, text, true)
		at, letters := 0, func(s string) string {
			return strings.Map(func(r rune) rune {
				if unicode.IsLetter(r) {
					return r
				}
				return -1
			}, s)
		}
		var want strings.Builder
		for _, f := range fired {
			if f.Start < at || f.End < f.Start || f.End > len(text) {
				t.Fatalf("%+v behind %d", f, at)
			}
			want.WriteString(letters(text[at:f.Start]) + letters(f.Words))
			at = f.End
		}
		if want.WriteString(letters(text[at:])); letters(string(out)) != want.String() {
			t.Errorf("letters of %q are %q, want %q", out, letters(string(out)), want.String())
		}
	})
}

func BenchmarkEnglish(b *testing.B) {
	r, _ := New("en")
	lines := []string{
		"The committee met again in 1984 and agreed to pay $3.50 for each of the 1,250 copies.",
		"Printing, in the only sense with which we are at present concerned, differs from most arts.",
		"Dr. Smith arrived at 10:30 a.m. on March 3, 2020, with 3/4 of the money.",
	}
	var out []byte
	n := 0
	for b.Loop() {
		out, _ = r.Read(out[:0], lines[n%len(lines)], false)
		n++
	}
}
