package spoken

import (
	"strings"
	"testing"
)

// TestHungarianEndings: an ending after a hyphen is put to the last word of the
// number as the two are spelled together.
func TestHungarianEndings(t *testing.T) {
	for _, c := range []struct{ word, ending, want string }{
		{"öt", "ben", "ötben"},
		{"három", "as", "hármas"},
		{"három", "mal", "hárommal"},
		{"százhárom", "at", "százhármat"},
		{"hét", "es", "hetes"},
		{"hét", "ig", "hétig"},
		{"hét", "ért", "hétért"},
		{"kettő", "es", "kettes"},
		{"kettő", "t", "kettőt"},
		{"kettő", "őt", "kettőt"},
		{"kettő", "szer", "kétszer"},
		{"tizenkettő", "féle", "tizenkétféle"},
		{"tizenkettő", "nél", "tizenkettőnél"},
		{"ezer", "es", "ezres"},
		{"ezer", "ig", "ezerig"},
		{"húsz", "szal", "hússzal"},
		{"húsz", "szor", "hússzor"},
		{"húsz", "val", "hússzal"},
		{"egy", "gyel", "eggyel"},
		{"egy", "el", "eggyel"},
		{"nulla", "s", "nullás"},
		{"nulla", "ás", "nullás"},
		{"nulla", "ra", "nullára"},
		{"nulla", "kor", "nullakor"},
		{"millió", "s", "milliós"},
		{"tonna", "val", "tonnával"},
	} {
		if got := withEnding(c.word, c.ending); got != c.want {
			t.Errorf("%s-%s is %s, want %s", c.word, c.ending, got, c.want)
		}
	}
	for _, c := range []struct{ unit, ending, want string }{
		{"dollár", "at", "dollárt"},
		{"forint", "t", "forintot"},
		{"euró", "ből", "euróból"},
		{"euró", "os", "eurós"},
		{"cent", "ba", "centbe"},
		{"gramm", "mal", "grammal"},
		{"százalék", "kal", "százalékkal"},
		{"dollár", "szal", "dollárral"},
		{"óra", "val", "órával"},
	} {
		if got := unitEnding(c.unit, c.ending); got != c.want {
			t.Errorf("%s-%s is %s, want %s", c.unit, c.ending, got, c.want)
		}
	}
}

// TestHungarianForms: forms that the reviewed set does not have.
func TestHungarianForms(t *testing.T) {
	for _, c := range []struct{ written, want string }{
		{"a 3.2. fejezetben", "a három pont kettő fejezetben"},
		{"12/B épület", "tizenkettő per B épület"},
		{"6,5 l/100 km", "hat egész öt tized liter per száz kilométer"},
		{"B12-vitamin", "B tizenkettő-vitamin"},
		{"1 000,50 Ft", "ezer forint ötven fillér"},
		{"a 19. sz.-ban", "a tizenkilencedik században"},
		{"az 5. sz. melléklet", "az ötös számú melléklet"},
		{"Kiss I. Béla", "Kiss I. Béla"},
		{"2021/22-es szezon", "kétezer-huszonegy huszonkettes szezon"},
		{"1000-1500 Ft között", "ezer és ezerötszáz forint között"},
		{"500,- Ft", "ötszáz forint"},
		{"21.30-tól 22.45-ig", "huszonegy óra harminctól huszonkét óra negyvenötig"},
		{"9.00 órától", "kilenc órától"},
		{"9.30 órától", "kilenc óra harminc perctől"},
		{"a 3,5-ös átlag", "a három egész ötös átlag"},
		{"385,50 Ft/€", "háromszáznyolcvanöt forint ötven fillér per euró"},
		{"220 V-os hálózat", "kétszázhúsz voltos hálózat"},
		{"a 12. § (3) bek. szerint", "a tizenkettedik paragrafus (harmadik) bekezdés szerint"},
		{"10x nagyobb, 2x2", "tízszer nagyobb, kétszer kettő"},
		{"a 4-es–6-os villamos", "a négyes–hatos villamos"},
		{"15-20 fok, 5-600 Ft", "tizenöt-húsz fok, öt-hatszáz forint"},
		{"az 5.-ik és 5.-ként", "az ötödik és ötödikként"},
		{"2024. II. félév", "kétezer-huszonnégy második félév"},
		{"az árak €-ban és %-ban", "az árak euróban és százalékban"},
		{"10:30 perckor", "tíz óra harminc perckor"},
		{"1:10 000, 1:5 arányban", "egy a tízezerhez, egy az öthöz arányban"},
		{"az V., VI. és VII. kerület", "az ötödik, hatodik és hetedik kerület"},
		{"május 9-étől 11-éig", "május kilencedikétől tizenegyedikéig"},
	} {
		if got := read(t, "hu", c.written); got != c.want {
			t.Errorf("%q is read %q, want %q", c.written, got, c.want)
		}
	}
}

// checkReader: nothing panics, words of words are themselves, what is plain stays,
// and no letter vanishes beside a rule.
func checkReader(t *testing.T, lang, text string) {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "?")), " ")
	r, _ := New(lang)
	once := read(t, lang, text)
	if r.Plain(text) && once != text {
		t.Errorf("%s: %q is plain and read as %q", lang, text, once)
	}
	if twice := read(t, lang, once); twice != once {
		t.Errorf("%s: %q is read as %q, and that as %q", lang, text, once, twice)
	}
	text = r.Letters(text)
	out, fired := r.pass(nil, text, true)
	checkLetters(t, text, string(out), fired)
}

func FuzzHungarian(f *testing.F) {
	for _, seed := range []string{"2020. május 3-án 10.30-kor 5%-kal", "1848. III. 15. 2020.05.03. 8:00–16:30", "IV. Béla, XIX–XX. sz.-ban II-es", "2½ 1/2-e 2/3-os 3-4. 5., 6.", "$20-t 500,- Ft 12,50 €-ért 2 M Ft", "'90-es 3,5-ös 12-féle 1-jén 1-gyel", "Kft.-nél stb. pl. Kr. e. 5", "+36 30 123 4567 a@b.hu 1.2.3. a", "3 × 4 B12-vitamin 5-10 km között", "\xff1. ٣"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) { checkReader(t, "hu", text) })
}

func BenchmarkHungarian(b *testing.B) {
	r, _ := New("hu")
	line := "2020. május 3-án 10.30-kor Dr. Kovács 1.234,56 €-t fizetett 20 kg gyümölcsért, ami jó volt."
	var out []byte
	for b.Loop() {
		out, _ = r.Read(out[:0], line, false)
	}
}
