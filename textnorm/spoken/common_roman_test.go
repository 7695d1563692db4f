package spoken

import "testing"

// TestNumeralsBehindAbbreviations: chapters and centuries that are cut short, and
// telephones whose groups no number has.
func TestNumeralsBehindAbbreviations(t *testing.T) {
	for _, c := range []struct{ lang, written, want string }{
		{"es", "en el s. XX, cap. IV", "en el siglo veinte, capítulo cuatro"},
		{"es", "Llama al 91 555 12 34.", "Llama al nueve uno, cinco cinco cinco, uno dos, tres cuatro."},
		{"fr", "chap. IV", "chapitre quatre"},
		{"it", "cap. IV", "capitolo quattro"},
		{"pt", "no séc. XX", "no século vinte"},
		{"pl", "rozdz. IV", "rozdział cztery"},
		{"pl", "Zadzwoń pod 22 123 45 67.", "Zadzwoń pod dwa dwa, jeden dwa trzy, cztery pięć, sześć siedem."},
		{"cs", "kap. IV", "kapitola čtyři"},
		{"cs", "Volejte 222 123 456.", "Volejte dva dva dva, jedna dva tři, čtyři pět šest."},
	} {
		r, _ := New(c.lang)
		if got, _ := r.Read(nil, c.written, false); string(got) != c.want {
			t.Errorf("%s: %q is read %q, want %q", c.lang, c.written, got, c.want)
		}
	}
}
