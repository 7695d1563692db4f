package numbers

import "strings"

// PluralClass is the CLDR plural class of an exact decimal string in one of our
// languages: zero, one, two, few, many or other. It tells which form of a unit's
// or a currency's name goes with the number. What is not a number is other.
//
// Source: CLDR 48, supplemental/plurals.xml, cardinal. The classes for powers
// of ten in short notation (the e of CLDR) do not come up: digits are written out.
func PluralClass(lang, digits string) string {
	d, ok := parseDecimal(digits)
	if !ok {
		return "other"
	}
	p := pluralsOf(lang)
	if d.fraction == "" {
		return p.whole(d.tail())
	}
	return p.fraction(d)
}

// plurals tells the classes of a language.
type plurals struct {
	whole    func(n uint64) string
	fraction func(d decimal) string // of what is written with a fraction, be it of zeros only
}

// pluralsOf is the plurals of a language; of one that we do not speak, the usual ones.
func pluralsOf(lang string) *plurals {
	if p := pluralsByCode[lang]; p != nil {
		return p
	}
	return &usualPlurals
}

var pluralsByCode = func() map[string]*plurals {
	m := map[string]*plurals{}
	for _, l := range languages {
		m[l.code] = l.plurals
	}
	return m
}()

var (
	usualPlurals      = plurals{oneAlone, other}
	noPlurals         = plurals{func(uint64) string { return "other" }, other}
	turkicPlurals     = plurals{oneAlone, oneWithZeros}
	iranianPlurals    = plurals{belowTwo, uptoOne}
	frenchPlurals     = plurals{func(n uint64) string { return pick(n < 2, "one", romance(n)) }, belowTwoInAll}
	spanishPlurals    = plurals{oneRomance, oneWithZeros}
	italianPlurals    = plurals{oneRomance, other}
	eastSlavicPlurals = plurals{func(n uint64) string { return slavic(n, n%10 == 1 && n%100 != 11, "many") }, other}
	polishPlurals     = plurals{func(n uint64) string { return slavic(n, n == 1, "many") }, other}
	czechPlurals      = plurals{czech, func(decimal) string { return "many" }}
	arabicPlurals     = plurals{arabic, func(d decimal) string { return pick(d.zeros(), arabic(d.tail()), "other") }}
)

func oneAlone(n uint64) string   { return pick(n == 1, "one", "other") }
func belowTwo(n uint64) string   { return pick(n < 2, "one", "other") }
func oneRomance(n uint64) string { return pick(n == 1, "one", romance(n)) }

func other(decimal) string           { return "other" }
func belowTwoInAll(d decimal) string { return pick(d.tail() < 2, "one", "other") }
func oneWithZeros(d decimal) string  { return pick(d.tail() == 1 && d.zeros(), "one", "other") }
func uptoOne(d decimal) string {
	return pick(d.tail() == 0 || d.tail() == 1 && d.zeros(), "one", "other")
}

// zeros reports whether nothing but zeros stands after the mark.
func (d decimal) zeros() bool { return strings.Trim(d.fraction, "0") == "" }

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

func czech(n uint64) string {
	return pick(n == 1, "one", pick(n >= 2 && n <= 4, "few", "other"))
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

func pick(yes bool, a, b string) string {
	if yes {
		return a
	}
	return b
}
