package textnorm

import (
	"slices"
	"strings"
	"testing"
)

func TestSpeakCurrency(t *testing.T) {
	for _, c := range []struct{ language, amount, code, want string }{
		{"en", "12.50", "EUR", "twelve euros and fifty cents"},
		{"en-GB", "1", "CZK", "one Czech koruna"},
		{"en", "1.234", "USD", "one point two three four U S dollars"},
		{"en", "-12.50", "PLN", "minus twelve zlotys and fifty groszy"},
		{"es", "21", "GBP", "veintiuna libras"},
		{"pl", "2", "CZK", "dwie korony czeskie"},
		{"ru", "5551234567", "EUR", "пять миллиардов пятьсот пятьдесят один миллион двести тридцать четыре тысячи пятьсот шестьдесят семь евро"},
		{"fa", "5551234567", "IRR", "پنج میلیارد و پانصد و پنجاه و یک میلیون و دویست و سی و چهار هزار و پانصد و شصت و هفت ریال"},
		{"zh", "20241105", "HUF", "二千零二十四万一千一百零五匈牙利福林"},
		{"zh", "2.00", "CAD", "两加元"},
		{"ja", "0", "UAH", "零フリヴニャ"},
	} {
		if got, ok := SpeakCurrency(c.language, c.amount, c.code); !ok || got != c.want {
			t.Errorf("SpeakCurrency(%q, %q, %q) = %q, %v, want %q", c.language, c.amount, c.code, got, ok, c.want)
		}
	}
	for _, c := range [][3]string{
		{"sv", "1", "EUR"}, {"", "1", "EUR"}, {"en", "1", "XXX"}, {"en", "1", "eur"}, {"en", "1", "Rs"}, {"en", "1", "US$"}, {"en", "1", ""}, {"en", "", "EUR"},
		{"en", "1,5", "EUR"}, {"en", "1.", "EUR"}, {"en", ".5", "EUR"}, {"en", "+1", "EUR"}, {"en", "--1", "EUR"}, {"en", "1 ", "EUR"}, {"en", "one", "EUR"}, {"fa", "۱", "EUR"},
	} {
		if got, ok := SpeakCurrency(c[0], c[1], c[2]); ok || got != "" {
			t.Errorf("SpeakCurrency(%q, %q, %q) = %q, %v, want nothing", c[0], c[1], c[2], got, ok)
		}
	}
}

// TestCurrenciesOfEveryLanguage: the big ones have a name everywhere.
func TestCurrenciesOfEveryLanguage(t *testing.T) {
	for _, language := range VerbalisedLanguages() {
		known := Currencies(language)
		for code := range strings.FieldsSeq("USD EUR GBP JPY CNY CHF INR RUB PLN TRY KRW IRR SAR AED CZK HUF UAH BRL MXN CAD AUD SEK NOK DKK EGP") {
			if !slices.Contains(known, code) {
				t.Errorf("%s has no words for %s", language, code)
			}
		}
		if !slices.IsSorted(known) {
			t.Errorf("%s: %v is not sorted", language, known)
		}
	}
	if Currencies("sv") != nil {
		t.Error("a language without rules has currencies")
	}
}

// FuzzCurrency: whatever stands for an amount and a code, no digit, mark or code is
// left in what is said.
func FuzzCurrency(f *testing.F) {
	for _, amount := range []string{"1", "-12.50", "5551234567", "20241105", "1984", "0.05", "1.234", "00", "123456789012345678901234567890.99", "9.9999999999"} {
		for _, code := range []string{"EUR", "TRY", "CNY"} {
			f.Add(amount, code)
		}
	}
	languages := VerbalisedLanguages()
	f.Fuzz(func(t *testing.T, amount, code string) {
		for _, language := range languages {
			said, ok := SpeakCurrency(language, amount, code)
			if ok != (said != "") {
				t.Errorf("SpeakCurrency(%q, %q, %q) = %q, %v", language, amount, code, said, ok)
			}
			if strings.ContainsAny(said, "0123456789.,$") || ok && strings.Contains(said, code) {
				t.Errorf("SpeakCurrency(%q, %q, %q) = %q", language, amount, code, said)
			}
		}
	})
}
