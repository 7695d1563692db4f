package spoken

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"voxpack/textnorm/numbers"
)

var update = flag.Bool("update", false, "write testdata/currencies.tsv anew")

// bigCurrencies have a name in every language.
const bigCurrencies = "USD EUR GBP JPY CNY CHF INR RUB PLN TRY KRW IRR SAR AED CZK HUF UAH BRL MXN CAD AUD SEK NOK DKK EGP"

// TestCurrenciesAreReadAsReviewed holds the words of every big currency to the
// file, which a person looked through: one, two, five, 21 and an amount with
// hundredths.
func TestCurrenciesAreReadAsReviewed(t *testing.T) {
	const path = "testdata/currencies.tsv"
	b := []byte("# language, code, and how 1, 2, 5, 21 and 12.50 of it are said. Made by go test -run Reviewed -update.\n")
	for _, lang := range Languages() {
		r, _ := New(lang)
		for code := range strings.FieldsSeq(bigCurrencies) {
			b = append(b, lang+"\t"+code...)
			for _, amount := range []string{"1", "2", "5", "21", "12.50"} {
				said, ok := r.Currency(amount, code)
				if !ok {
					t.Errorf("%s: no words for %s %s", lang, amount, code)
				}
				b = append(b, "\t"+said...)
			}
			b = append(b, '\n')
		}
	}
	if *update {
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(b, want) {
		return
	}
	wanted := strings.Split(string(want), "\n")
	for i, line := range strings.Split(string(b), "\n") {
		if i >= len(wanted) || line != wanted[i] {
			t.Errorf("read:\n%s\nreviewed:\n%s", line, strings.Join(wanted[i:min(i+1, len(wanted))], ""))
		}
	}
}

// otherNames are currencies whose noun is not that of CLDR, and why.
var otherNames = map[string]string{
	"de PLN": "German spells it without the stroke",
	"de SAR": "the other languages tell the riyal from the rial of Iran",
	"en BRL": "the plural that is usual in English",
	"en TRY": "liras, as ₺ is read",
	"hi AED": "the usual spelling",
	"hi INR": "रुपये and रुपए are both right; the first is the commoner",
	"ko BRL": "as the press spells it",
	"ko CNY": "화, money, is left out behind a number",
	"ko JPY": "화, money, is left out behind a number",
	"ko UAH": "as the press spells it",
	"tr EUR": "the word of the Turkish Language Association",
	"zh AUD": "the short name, as of HKD",
	"zh CAD": "the short name, as of HKD",
	"zh CNY": "人民币 is the money, 元 its unit",
}

// TestCurrenciesAgreeWithCLDR: the noun that stands by 1, 2, 5, 21 and 1.5 is, in
// its form, a word of CLDR's name for that plural class.
func TestCurrenciesAgreeWithCLDR(t *testing.T) {
	names := currencyNames(t)
	fold := strings.NewReplacer("\u064b", "", " واحدة", "", " واحد", "").Replace // tanwin is typed on either side of its alif, one stands after
	wrong := map[string]bool{}
	for _, lang := range Languages() {
		r, _ := New(lang)
		for code := range strings.FieldsSeq(bigCurrencies) {
			for _, amount := range []string{"1", "2", "5", "21", "1.5"} {
				name, ok := names[lang+code+numbers.PluralClass(lang, amount)]
				if !ok && lang == "ar" && amount != "1" {
					continue // CLDR has the singular alone
				}
				name = cmp.Or(name, names[lang+code+"other"], names[lang+code])
				said, _ := r.Currency(amount, code)
				if sharesNoun(lang, fold(said), fold(name)) {
					continue
				}
				wrong[lang+" "+code] = true
				if otherNames[lang+" "+code] == "" {
					t.Errorf("%s: %s %s is %q, CLDR has %q", lang, amount, code, said, name)
				}
			}
		}
	}
	for key := range otherNames {
		if !wrong[key] {
			t.Errorf("%s agrees with CLDR and needs no reason", key)
		}
	}
}

// sharesNoun reports whether an amount ends in words that a name has, but for the
// ending that Turkish and Persian give a noun with its nation; in scripts
// without spaces, whether one ends with the noun of the other.
func sharesNoun(lang, said, name string) bool {
	words := strings.Fields(strings.ToLower(strings.ReplaceAll(name, "-", " ")))
	known := func(word string) bool {
		return slices.ContainsFunc(words, func(w string) bool {
			return w == word || (lang == "tr" || lang == "fa") && len(word) > 2 && strings.HasPrefix(w, word)
		})
	}
	spoken := strings.Fields(strings.ToLower(said))
	if first := slices.IndexFunc(spoken, known); first >= 0 {
		return !slices.ContainsFunc(spoken[first:], func(word string) bool { return !known(word) })
	}
	name = strings.Join(strings.Fields(name), "")
	noun := strings.TrimLeft(said, "一二两五十点")
	return noun != said && (strings.HasSuffix(name, noun) || strings.HasSuffix(noun, name))
}

// currencyNames are CLDR's names by language, code and plural class.
func currencyNames(t *testing.T) map[string]string {
	t.Helper()
	b, err := os.ReadFile("testdata/currencies_cldr.tsv")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	for line := range strings.Lines(string(b)) {
		if row := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(row) == 4 {
			names[row[0]+row[1]+row[2]] = row[3]
		}
	}
	return names
}

// TestCurrencyOfLongAmounts: what might be a date, a telephone number or a code in
// a text is an amount here, whatever its length.
func TestCurrencyOfLongAmounts(t *testing.T) {
	for _, lang := range Languages() {
		r, _ := New(lang)
		last := ""
		for _, amount := range []string{"1984", "12345", "101010", "3122024", "20241105", "100000001", "5551234567", "49301234567", "123456789012", "1234567890123", "12345678901234", "123456789012345"} {
			said, ok := r.Currency(amount, "JPY")
			if !ok || said == last {
				t.Errorf("%s: %s is %q, %v", lang, amount, said, ok)
			}
			words, _ := numbers.Speak(lang, numbers.Cardinal, amount)
			if head := words[:min(len(words), 6)]; !strings.HasPrefix(said, head) {
				t.Errorf("%s: %s is %q and does not begin as %q", lang, amount, said, words)
			}
			last = said
		}
		whole, _ := r.Currency("1234", "USD")
		if parts, ok := r.Currency("1.234", "USD"); !ok || parts == whole {
			t.Errorf("%s: 1.234 and 1234 are both %q", lang, parts)
		}
		if minus, ok := r.Currency("-5", "USD"); !ok || !strings.HasSuffix(minus, strings.TrimSpace(mustSay(t, r, "5"))) {
			t.Errorf("%s: -5 is %q", lang, minus)
		}
	}
}

func mustSay(t *testing.T, r *Reader, amount string) string {
	t.Helper()
	said, ok := r.Currency(amount, "USD")
	if !ok {
		t.Fatal(fmt.Errorf("no words for %s", amount))
	}
	return said
}
