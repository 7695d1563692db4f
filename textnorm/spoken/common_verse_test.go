package spoken

import "testing"

// TestVerses: chapter and verse behind a book of scripture are no decimal, score or time.
func TestVerses(t *testing.T) {
	for _, c := range [][3]string{
		{"de", "Lies Joh 4,5 und Mt. 7:1–3.", "Lies Johannes vier, fünf und Matthäus sieben, eins bis drei."},
		{"pt", "O texto é Jo 2:5.", "O texto é João dois, cinco."},
		{"hu", "A Jn 4,12 szerint.", "A János négy, tizenkettő szerint."},
		{"it", "Leggiamo Lc 2, 7.", "Leggiamo Luca due, sette."},
		{"pl", "Czytanie z J 4,12.", "Czytanie z Jana cztery, dwanaście."},
		{"cs", "Četl Mt 5,9.", "Četl Matouš pět, devět."},
		{"ru", "Сказано в Мф. 7:12.", "Сказано в Евангелии от Матфея семь, двенадцать."},
		{"uk", "Читаємо Ів. 4:12.", "Читаємо від Івана чотири, дванадцять."},
		{"nl", "Zie Ps. 23 en Joh. 4:5.", "Zie Psalm drieëntwintig en Johannes vier, vijf."},
		{"es", "Lean Mt 5,9.", "Lean Mateo cinco, nueve."},
		{"fr", "Lisez Jn 4,12.", "Lisez Jean quatre, douze."},
	} {
		if got := read(t, c[0], c[1]); got != c[2] {
			t.Errorf("%s: %q is read %q, want %q", c[0], c[1], got, c[2])
		}
	}
}
