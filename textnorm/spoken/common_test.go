package spoken

import (
	"os"
	"strings"
	"testing"
	"unicode"
)

// common are the languages that the shared rules read.
var common = func() (codes []string) {
	for _, e := range table {
		if l := e.language(); l.voice != nil {
			codes = append(codes, l.code)
		}
	}
	return codes
}()

// TestXTTS: what XTTS's text front-end reads wrong is read right.
func TestXTTS(t *testing.T) {
	rows := 0
	for _, row := range tsv(t, "testdata/xtts.tsv") {
		lang, written, want := row[0], row[1], row[2]
		if _, ok := New(lang); !ok || lang == "en" || lang == "fa" {
			continue
		}
		rows++
		checkCase(t, lang, written, want)
	}
	if rows < 25 {
		t.Errorf("%d rows", rows)
	}
}

// TestLanguages: each language reads its own set, and reads what it said once more
// as itself.
func TestLanguages(t *testing.T) {
	for _, lang := range common {
		rows := 0
		for _, row := range tsv(t, "testdata/"+lang+".tsv") {
			checkCase(t, lang, row[1], row[2])
			rows++
		}
		if rows < 25 {
			t.Errorf("%s: %d rows, want 25", lang, rows)
		}
	}
}

func checkCase(t *testing.T, lang, written, want string) {
	t.Helper()
	got := read(t, lang, written)
	right := false
	for one := range strings.SplitSeq(want, " ^ ") {
		right = right || one == got
	}
	if !right {
		t.Errorf("%s: %q is read %q, want %q", lang, written, got, want)
	}
	if again := read(t, lang, got); again != got {
		t.Errorf("%s: %q is read %q, and that %q", lang, written, got, again)
	}
	r, _ := New(lang)
	if r.Plain(written) && got != written {
		t.Errorf("%s: %q is plain and read %q", lang, written, got)
	}
}

// TestPlainKnowsAbbreviations: a text that holds one is not plain where it is read
// otherwise.
func TestPlainKnowsAbbreviations(t *testing.T) {
	for _, lang := range common {
		v := entryOf(lang).language().voice
		r, _ := New(v.code)
		for _, list := range v.short {
			for _, p := range list {
				for _, text := range []string{"Aa " + p.short + " bb", "Aa " + p.short + " Bb", "Aa " + p.short, p.short + " 5", "aa-" + p.short + " bb"} {
					if got := read(t, v.code, text); r.Plain(text) && got != text {
						t.Errorf("%s: %q is plain and read %q", v.code, text, got)
					}
				}
				behind := " 5"
				if p.name || len([]rune(p.short)) == 2 && !p.numbered { // г. Псков: one letter is a word only before a name
					behind = " Bb"
				}
				got := read(t, v.code, "aa "+p.short+behind)
				if unread := Unread(got); len(unread) > 0 || strings.Contains(" "+got+" ", " "+p.short+" ") {
					// What begins with a small word of the ASCII is passed by.
					if strings.Contains(p.short, ".") || p.short[0] < 'a' {
						t.Errorf("%s: %q is read %q", v.code, p.short, got)
					}
				}
			}
		}
	}
}

// tsv reads the rows of a file of three columns, without its comments.
func tsv(t *testing.T, file string) (rows [][]string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		row := strings.Split(line, "\t")
		if len(row) != 3 {
			t.Fatalf("%s: %q has %d columns", file, line, len(row))
		}
		for i := range row {
			row[i] = strings.NewReplacer(`\u00A0`, "\u00a0", `\u202F`, "\u202f").Replace(row[i])
		}
		rows = append(rows, row)
	}
	return rows
}

// FuzzCommon: in every language of the shared rules nothing panics, words of words
// are themselves, no letter vanishes beside a rule, and what is plain stays.
func FuzzCommon(f *testing.F) {
	for i, lang := range common {
		for _, seed := range []string{"1.234,56 € am 3.5.2020 um 10.30 Uhr", "12h30 1er 2½ 3/4 R$ 5 mln zł", "XX. Louis XIV, II. 5'i %20", "a.b@c.de www.x.org/1", "+34 612 345 678", "1 maja 1999 r. w 1999 г.", "80-е 10–15 км -5°C", "٣ ½ x2 2x \xff1.", "z. B. etc. 3. Mai"} {
			f.Add(uint8(i), seed+" "+lang)
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, text string) {
		lang := common[int(which)%len(common)]
		text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "?")), " ")
		r, _ := New(lang)
		once := read(t, lang, text)
		if r.Plain(text) && once != text {
			t.Errorf("%s: %q is plain and read as %q", lang, text, once)
		}
		if twice := read(t, lang, once); twice != once {
			t.Errorf("%s: %q is read as %q, and that as %q", lang, text, once, twice)
		}
		out, fired := r.pass(nil, text, true)
		checkLetters(t, text, string(out), fired)
	})
}

// checkLetters holds the letters of a reading to those of the rules that fired and
// of what stands between them.
func checkLetters(t *testing.T, text, out string, fired []Fired) {
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) {
				return r
			}
			return -1
		}, s)
	}
	at := 0
	var want strings.Builder
	for _, f := range fired {
		if f.Start < at || f.End < f.Start || f.End > len(text) {
			t.Fatalf("%+v behind %d", f, at)
		}
		if f.End == f.Start {
			t.Errorf("%+v reads nothing of %q", f, text)
		}
		want.WriteString(letters(text[at:f.Start]) + letters(f.Words))
		at = f.End
	}
	if want.WriteString(letters(text[at:])); letters(out) != want.String() {
		t.Errorf("letters of %q are %q, want %q", out, letters(out), want.String())
	}
}

func BenchmarkCommon(b *testing.B) {
	lines := map[string]string{
		"de": "Am 3. Mai 2020 um 10.30 Uhr zahlte Dr. Müller 1.234,56 € für 20 kg Obst, das gut war.",
		"ru": "3 мая 2020 г. в 10:30 он заплатил 1 234,56 руб. за 20 кг фруктов, которые были хороши.",
		"es": "El 3 de mayo de 2020 a las 10:30 el Sr. Ruiz pagó 1.234,56 € por 20 kg de fruta buena.",
	}
	for lang, line := range lines {
		b.Run(lang, func(b *testing.B) {
			r, _ := New(lang)
			var out []byte
			for b.Loop() {
				out, _ = r.Read(out[:0], line, false)
			}
		})
	}
}
