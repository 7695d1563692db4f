package numbers

import (
	"strings"
	"testing"
)

func TestSpeak(t *testing.T) {
	tests := []struct {
		name, lang  string
		kind        Kind
		digits, out string
	}{
		{"tens and ones with a hyphen", "en", Cardinal, "121", "one hundred twenty-one"},
		{"a minus", "en", Cardinal, "-3", "minus three"},
		{"digits behind the mark one by one, zeros too", "en", Decimal, "12.50", "twelve point five zero"},
		{"years in pairs", "en", Year, "1984", "nineteen eighty-four"},
		{"a zero in the second pair", "en", Year, "1905", "nineteen oh-five"},
		{"the first years of a millennium", "en", Year, "2005", "two thousand five"},
		{"and those after them", "en", Year, "2019", "twenty nineteen"},
		{"a round millennium", "en", Year, "2000", "two thousand"},
		{"German years in hundreds", "de", Year, "1984", "neunzehnhundertvierundachtzig"},
		{"soft hyphens are not words", "hu", Cardinal, "1984", "ezerkilencszáznyolcvannégy"},
		{"plural classes choose the thousands", "pl", Cardinal, "22000", "dwadzieścia dwa tysiące"},
		{"brackets with two readings", "pl", Ordinal, "1000", "tysięczny"},
		{"and the other reading", "pl", Ordinal, "1001", "tysiąc pierwszy"},
		{"a set of fractions", "ru", Decimal, "3.14", "три целых четырнадцать сотых"},
		{"digits by the line before", "zh", Year, "1984", "一九八四"},
		{"lakh and crore", "hi", Cardinal, "10000000", "एक करोड़"},
		{"the last that rules say", "en", Cardinal, "100000000000000000", "one hundred quadrillion"},
		{"beyond 10^18 digit by digit", "en", Cardinal, "1000000000000000002", "one" + strings.Repeat(" zero", 17) + " two"},
		{"also before a mark", "zh", Decimal, "1000000000000000002.5", "一" + strings.Repeat("零", 17) + "二点五"},
		{"and for ordinals", "en", Ordinal, "-1000000000000000002", "minus one" + strings.Repeat(" zero", 17) + " two"},
		{"n-th parts", "fa", Decimal, "3.14", "سه و چهارده صدم"},
		{"n-th parts alone", "fa", Decimal, "0.5", "پنج دهم"},
		{"too fine for n-th parts", "fa", Decimal, "3.1234567890", "سه ممیز یک دو سه چهار پنج شش هفت هشت نه صفر"},
		{"tenths and hundredths", "hu", Decimal, "3.14", "három egész tizennégy század"},
		{"a number behind the comma", "tr", Decimal, "3.14", "üç virgül on dört"},
		{"a number behind the comma, zeros first", "tr", Decimal, "3.05", "üç virgül sıfır beş"},
		{"the Czech whole", "cs", Decimal, "5.25", "pět celých dvacet pět"},
		{"a minus before n-th parts", "ru", Decimal, "-0.5", "минус ноль целых пять десятых"},
		{"a zero that stands alone", "en", Cardinal, "-0", "minus zero"},
		{"a thousand without one", "fa", Cardinal, "1100", "هزار و صد"},
		{"the third of Persia", "fa", Ordinal, "1403", "هزار و چهارصد و سوم"},
		{"the thirtieth", "fa", Ordinal, "30", "سی\u200cام"},
		{"Czech thousands", "cs", Cardinal, "1000", "tisíc"},
		{"two of them", "cs", Cardinal, "2000", "dva tisíce"},
		{"five of them", "cs", Cardinal, "5000", "pět tisíc"},
		{"Czech ordinals, both words", "cs", Ordinal, "21", "dvacátý první"},
		{"Arabic hundreds", "ar", Cardinal, "500", "خمسمائة"},
		{"Arabic thousands by the end of the multiplier", "ar", Cardinal, "105000", "مائة وخمسة آلاف"},
		{"Chinese beyond 10^12", "zh", Cardinal, "1234500000000", "一万二千三百四十五亿"},
		{"Spanish thousands", "es", Cardinal, "21000", "veintiún mil"},
		{"French years", "fr", Year, "1984", "mille neuf cent quatre-vingt-quatre"},
		{"French plural before a noun", "fr", Cardinal, "200000000", "deux cents millions"},
		{"teens of Brazil", "pt", Cardinal, "16", "dezesseis"},
		{"teens of Portugal", "pt-PT", Cardinal, "16", "dezasseis"},
		{"the long scale of Portugal", "pt-PT", Cardinal, "1234000000", "mil milhões duzentos e trinta e quatro milhões"},
		{"Dutch years", "nl", Year, "1905", "negentienhonderdvijf"},
		{"Russian years in the genitive", "ru", Year, "1984", "тысяча девятьсот восемьдесят четвёртого"},
		{"Ukrainian thousands", "uk", Cardinal, "22000", "двадцять дві тисячі"},
		{"the short scale of Ukraine", "uk", Cardinal, "2000000000000", "два трильйони"},
		{"a Ukrainian ordinal of one word", "uk", Ordinal, "200", "двохсотий"},
		{"the third, which is soft", "uk", Ordinal, "1103", "одна тисяча сто третій"},
		{"the thirteenth, which is not", "uk", Ordinal, "113", "сто тринадцятий"},
		{"Ukrainian years in the genitive", "uk", Year, "1984", "тисяча девʼятсот вісімдесят четвертого"},
		{"zeros behind the Ukrainian comma", "uk", Decimal, "3.05", "три кома нуль пʼять"},
		{"zeros in front are no number's", "en", Cardinal, "007", "seven"},
	}
	for _, tt := range tests {
		if got, ok := Speak(tt.lang, tt.kind, tt.digits); got != tt.out || !ok {
			t.Errorf("%s: Speak(%s, %v, %s) = %q, %v, want %q", tt.name, tt.lang, tt.kind, tt.digits, got, ok, tt.out)
		}
	}
}

// TestAppend: what stands in the buffer stays, also where nothing is said.
func TestAppend(t *testing.T) {
	got, ok := Append([]byte("x "), "en", Cardinal, "", "2")
	if string(got) != "x two" || !ok {
		t.Errorf("Append = %q, %v", got, ok)
	}
	if got, ok = Append(got, "en", Ordinal, "", "2.5"); string(got) != "x two" || ok {
		t.Errorf("Append of what has no words = %q, %v", got, ok)
	}
	if n := testing.AllocsPerRun(100, func() { got, _ = Append(got[:0], "de", Cardinal, "", "-1234567.89") }); n > 0 {
		t.Errorf("Append makes %v allocations, want none", n)
	}
}

func TestSpeakRefuses(t *testing.T) {
	for _, digits := range []string{"", "-", ".", "1.", ".5", "+1", "1,5", "1e3", "--1", "1.2.3", " 1", "1 ", "٣", "一", "1\x00"} {
		if got, ok := Speak("en", Cardinal, digits); ok || got != "" {
			t.Errorf("Speak(en, cardinal, %q) = %q, %v, want refusal", digits, got, ok)
		}
	}
	if got, ok := Speak("en", Kind(9), "1"); ok {
		t.Errorf("an unknown kind says %q", got)
	}
}
