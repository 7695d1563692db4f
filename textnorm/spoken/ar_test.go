package spoken

import "testing"

// TestArabicLetters: digits, marks and presentation forms have one spelling; the
// letters and vowel marks of Arabic stay.
func TestArabicLetters(t *testing.T) {
	r, _ := New("ar")
	for text, want := range map[string]string{
		"١٢٣ ۴۵۶":           "123 456",
		"١٬٢٣٤٫٥ ٫":         "1,234.5 ٫",
		"كتـــاب":           "كتاب",
		"ﻛﺘﺎﺏ ﻻ ﷼ ﷲ":        "كتاب لا ريال الله",
		"٥٠٪ \u200f\u202b5": "50% 5",
		"على مدرسةٌ يَكتُبُ ىيئؤإأآ ک": "على مدرسةٌ يَكتُبُ ىيئؤإأآ ک",
	} {
		if got := r.Letters(text); got != want {
			t.Errorf("letters of %q are %q, want %q", text, got, want)
		}
	}
}

// TestArabicNumbers: case, state and article of the words of numbers.
func TestArabicNumbers(t *testing.T) {
	for _, c := range []struct {
		digits string
		form   arForm
		want   string
	}{
		{"25", arForm{}, "خمسة وعشرون"},
		{"25", arForm{feminine: true, oblique: true}, "خمس وعشرين"},
		{"21", arForm{feminine: true}, "إحدى وعشرون"},
		{"200", arForm{construct: true}, "مئتا"},
		{"2200", arForm{construct: true, oblique: true}, "ألفين ومئتي"},
		{"12", arForm{oblique: true}, "اثني عشر"},
		{"8", arForm{feminine: true, construct: true}, "ثماني"},
		{"2000000", arForm{oblique: true}, "مليونين"},
	} {
		if got, ok := arWords(c.digits, c.form); !ok || got != c.want {
			t.Errorf("%s in %+v is %q, want %q", c.digits, c.form, got, c.want)
		}
	}
	for words, want := range map[string]string{"خمسة وعشرون": "الخمسة والعشرون", "ثلاثة عشر": "الثلاثة عشر", "واحد": "الواحد", "مائة وواحد": "المائة والواحد"} {
		if got := arDefinite(words); got != want {
			t.Errorf("%q with the article is %q, want %q", words, got, want)
		}
	}
}

func FuzzArabic(f *testing.F) {
	for _, seed := range []string{
		"في 3/5/2020 الساعة ١٠:٣٠ ص دفع د. سامي 50 دولاراً و12.75 ر.س", "القرن الـ21 الدول الـ5 للـ3 وبالـ20 من مارس", "١٤ مارس ٢٠٢٠ م 1445هـ 300 ق.م", "3-5 سنوات (1914–1918) 5%-10% 2-1 3:1", "½ 2½ كغ 3/4 2 1/2 كوب 2019/2020",
		"+966 50 123 4567 هاتف: 0501234567", "$3.5 مليار 2 مليون يورو €100 100$ USD 5", "-5°م %20 ~20 #7 A4 كوفيد-19", "إلخ. (ص) أ.د. سمير م/ خالد ص 15 ج 2", "1.234.567 1.234,5 1 234 567 1,2,3 ٣،٥", "لويس XIV القرن XX a.b@c.de", "ﷺ ﷽ ـ \u200f \xff1.", "8 سنوات 1 دولار 2 جنيه 200 دولار 11 كم²",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) { holdsReading(t, "ar", text) })
}

func BenchmarkArabic(b *testing.B) {
	lines := []string{
		"اجتمعت اللجنة مرة أخرى عام ١٩٨٤ ووافقت على دفع 3.50 دولار عن كل نسخة من 1,250 نسخة.",
		"قال إنه لا يريد هذه الكتب لأن قراءتها صعبة جداً على ابنته الصغيرة التي تحب اللعب.",
		"وصل د. سامي في الساعة 10:30 ص يوم ٣ مارس ٢٠٢٠ ومعه 3/4 المبلغ.",
		"بلغ سعر النفط اليوم 83.5 دولاراً أي أقل بنسبة ٢٪ من أمس، وبقيت السوق هادئة.",
	}
	benchLines(b, "ar", lines)
}

// benchLines reads lines in turn and tells how many in a second.
func benchLines(b *testing.B, lang string, lines []string) {
	r, _ := New(lang)
	var out []byte
	n := 0
	for b.Loop() {
		out, _ = r.Read(out[:0], lines[n%len(lines)], false)
		n++
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "lines/s")
}
