package spoken

import (
	"slices"
	"strings"
)

// The names of currencies stand with the other words of each language. Those of
// CLDR 48 (currency display names and their plural forms) say which noun, gender
// and form a language has; the nation is left out where no other currency of
// note has the noun (yen, zloty), and hundredths are own words, as CLDR has none.

// Currencies lists the codes of the currencies that the language has words for.
func (r *Reader) Currencies() []string {
	var codes []string
	for sign := range r.of.language().money {
		if isCode(sign) {
			codes = append(codes, sign)
		}
	}
	slices.Sort(codes)
	return codes
}

// Currency reads an exact decimal string ("-12.50") as an amount of the currency
// of a code. It is false where the language has no words for one of them.
func (r *Reader) Currency(amount, code string) (string, bool) {
	number, negative := strings.CutPrefix(amount, "-")
	whole, fraction, marked := strings.Cut(number, ".")
	if !allDigits(whole) || marked && !allDigits(fraction) || !slices.Contains(r.Currencies(), code) {
		return "", false
	}
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	lang := r.of.language()
	var b strings.Builder
	if negative {
		b.WriteByte('-')
	}
	b.WriteString(lang.grouped(whole))
	if marked {
		b.WriteString(lang.decimal + fraction)
	}
	b.WriteString(" " + code)
	text := b.String()
	s := scan{text: text, lang: lang, exact: true}
	for s.at < len(text) {
		s.step()
	}
	said := string(s.out)
	if len(Unread(said)) > 0 || strings.Contains(said, code) {
		return "", false
	}
	return strings.TrimSpace(said), true
}

// grouped puts the mark between each three digits of a long number, so that it is
// no date, no telephone number and no code; a language that has none but spaces
// keeps the digits together.
func (l *language) grouped(whole string) string {
	i := slices.IndexFunc(l.groups, func(mark string) bool { return mark == "," || mark == "." })
	const most = 21 // nobody groups more, and no telephone has as many
	if len(whole) <= 4 || len(whole) > most || i < 0 {
		return whole
	}
	first := (len(whole)-1)%3 + 1
	var b strings.Builder
	b.WriteString(whole[:first])
	for ; first < len(whole); first += 3 {
		b.WriteString(l.groups[i] + whole[first:first+3])
	}
	return b.String()
}

// isCode reports whether a sign of a currency is a code of three letters.
func isCode(sign string) bool {
	return len(sign) == 3 && isUpper(sign[0]) && isUpper(sign[1]) && isUpper(sign[2])
}

func allDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}
