package numbers

import (
	"slices"
	"testing"
)

// TestForms: every form of every language says every size of number.
func TestForms(t *testing.T) {
	sizes := []string{"0", "1", "2", "3", "7", "10", "11", "12", "15", "19", "20", "21", "22", "30", "80", "81", "99", "100", "101", "102", "111", "200", "300",
		"500", "900", "999", "1000", "1001", "1100", "1905", "1984", "2000", "2001", "5000", "5001", "10000", "11000", "21000", "21001", "22345", "100000",
		"200000", "200001", "1000000", "1000001", "2000000", "3000001", "1000000000", "2000000000", "1000000000000", "5000000000001", "1000000000000000",
		"2000000000000000", "123456789012345678", "999999999999999999", "1000000000000000000", "-5"}
	for _, lang := range Languages() {
		for kind := Cardinal; kind <= Decimal; kind++ {
			for _, form := range append(Forms(lang, kind), "") {
				for _, n := range sizes {
					words, ok := SpeakForm(lang, kind, form, n)
					if !ok {
						t.Errorf("SpeakForm(%s, %v, %q, %s) has no words", lang, kind, form, n)
						continue
					}
					checkWords(t, lang+" "+kind.String()+" "+form+" "+n, words)
				}
			}
		}
	}
}

func TestFormsOfLanguages(t *testing.T) {
	tests := []struct {
		name, lang   string
		kind         Kind
		form, digits string
		want         string
	}{
		{"a gender", "es", Cardinal, "feminine", "200", "doscientas"},
		{"a gender in the ones", "pt", Cardinal, "feminine", "22", "vinte e duas"},
		{"a case", "pl", Cardinal, "masculine-genitive", "5", "pięciu"},
		{"a case of an ordinal", "ru", Ordinal, "masculine-prepositional", "1984", "одна тысяча девятьсот восемьдесят четвёртом"},
		{"a year in another case", "ru", Year, "prepositional", "1984", "тысяча девятьсот восемьдесят четвёртом"},
		{"Ukrainian hours", "uk", Ordinal, "feminine-locative", "23", "двадцять третій"},
		{"Ukrainian n-th parts", "uk", Decimal, "fraction", "1.21", "одна ціла двадцять одна сота"},
		{"a Ukrainian year in another case", "uk", Year, "locative", "2013", "дві тисячі тринадцятому"},
		{"Czech men", "cs", Cardinal, "masculine", "21", "dvacet jeden"},
		{"Czech women", "cs", Cardinal, "feminine", "2", "dvě"},
		{"a Czech ordinal of a woman", "cs", Ordinal, "feminine", "2000", "dvoutisící"},
		{"what Arabic women are counted with", "ar", Cardinal, "feminine", "3", "ثلاث"},
		{"and", "en", Cardinal, "verbose", "101", "one hundred and one"},
		{"native numbers", "ko", Cardinal, "native", "5", "다섯"},
		{"bank notes", "zh", Cardinal, "financial", "25", "贰拾伍"},
		{"the name of the comma", "es", Decimal, CommaForm, "3.5", "tres coma cinco"},
		{"a language with one name for the mark", "de", Decimal, CommaForm, "3.5", "drei Komma fünf"},
	}
	for _, tt := range tests {
		if got, ok := SpeakForm(tt.lang, tt.kind, tt.form, tt.digits); got != tt.want || !ok {
			t.Errorf("%s: SpeakForm(%s, %v, %s, %s) = %q, %v, want %q", tt.name, tt.lang, tt.kind, tt.form, tt.digits, got, ok, tt.want)
		}
	}
	if forms := Forms("fa", Cardinal); len(forms) != 0 {
		t.Errorf("Forms(fa, cardinal) = %q, want none", forms)
	}
	if forms := Forms("hi", Ordinal); !slices.Equal(forms, []string{"feminine", "masculine", "masculine-oblique"}) {
		t.Errorf("Forms(hi, ordinal) = %q", forms)
	}
	for _, wrong := range [][2]string{{"sv", ""}, {"en", "feminine"}, {"en", "year"}, {"", ""}} {
		if words, ok := SpeakForm(wrong[0], Cardinal, wrong[1], "1"); ok {
			t.Errorf("SpeakForm(%q, cardinal, %q, 1) = %q, want refusal", wrong[0], wrong[1], words)
		}
	}
}
