package numbers

import "strings"

// PluralClass is the CLDR plural class of an exact decimal string in one of our
// languages: zero, one, two, few, many or other. It tells which form of a unit's
// or a currency's name goes with the number. What is no number is other.
//
// Source: CLDR 48, supplemental/plurals.xml, cardinal. The classes for powers
// of ten in short notation (the e of CLDR) do not come up: digits are written out.
func PluralClass(lang, digits string) string {
	d, ok := parseDecimal(digits)
	if !ok {
		return "other"
	}
	if d.fraction == "" {
		return wholeClass(lang, d.tail())
	}
	return fractionClass(lang, d)
}

// wholeClass is the class of a whole number.
func wholeClass(lang string, n uint64) string {
	switch lang {
	case "zh", "ja", "ko":
		return "other"
	case "fr":
		return pick(n < 2, "one", romance(n))
	case "es", "it", "pt-PT":
		return pick(n == 1, "one", romance(n))
	case "pt":
		return pick(n < 2, "one", romance(n))
	case "fa", "hi":
		return pick(n < 2, "one", "other")
	case "ru":
		return slavic(n, n%10 == 1 && n%100 != 11, "many")
	case "pl":
		return slavic(n, n == 1, "many")
	case "cs":
		return pick(n == 1, "one", pick(n >= 2 && n <= 4, "few", "other"))
	case "ar":
		return arabic(n)
	default: // en de nl hu tr
		return pick(n == 1, "one", "other")
	}
}

// romance: round millions take "de" before their noun and are a class of their own.
func romance(n uint64) string {
	return pick(n != 0 && n%1_000_000 == 0, "many", "other")
}

// slavic: two, three and four at the end count otherwise than the rest, but for
// the teens.
func slavic(n uint64, one bool, rest string) string {
	ones, teens := n%10, n%100 >= 12 && n%100 <= 14
	return pick(one, "one", pick(ones >= 2 && ones <= 4 && !teens, "few", rest))
}

func arabic(n uint64) string {
	switch h := n % 100; {
	case n == 0:
		return "zero"
	case n == 1:
		return "one"
	case n == 2:
		return "two"
	case h >= 3 && h <= 10:
		return "few"
	case h >= 11:
		return "many"
	default:
		return "other"
	}
}

// fractionClass is the class of a number that is written with a fraction, be it
// of zeros only.
func fractionClass(lang string, d decimal) string {
	zeros := strings.Trim(d.fraction, "0") == ""
	n := d.tail()
	switch lang {
	case "fr", "pt":
		return pick(n < 2, "one", "other")
	case "fa", "hi":
		return pick(n == 0 || n == 1 && zeros, "one", "other")
	case "es", "hu", "tr":
		return pick(n == 1 && zeros, "one", "other")
	case "ar":
		return pick(zeros, wholeClass(lang, n), "other")
	case "cs":
		return "many"
	default:
		return "other"
	}
}

func pick(yes bool, a, b string) string {
	if yes {
		return a
	}
	return b
}
