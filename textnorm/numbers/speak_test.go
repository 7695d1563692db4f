package numbers

import "testing"

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
		{"zeros in front are no number's", "en", Cardinal, "007", "seven"},
	}
	for _, tt := range tests {
		if got, ok := Speak(tt.lang, tt.kind, tt.digits); got != tt.out || !ok {
			t.Errorf("%s: Speak(%s, %v, %s) = %q, %v, want %q", tt.name, tt.lang, tt.kind, tt.digits, got, ok, tt.out)
		}
	}
}
