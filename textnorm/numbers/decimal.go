package numbers

import "strings"

// maxDigits is the length of the longest whole number that the rules say: CLDR
// has words up to 10^18.
const maxDigits = 18

// decimal is an exact decimal number.
type decimal struct {
	negative bool
	whole    string // without zeros in front, but for a zero alone
	fraction string // as written; empty where there is no mark
}

// parseDecimal reads "-12.50": digits, and more digits after a mark.
func parseDecimal(s string) (decimal, bool) {
	var d decimal
	s, d.negative = strings.CutPrefix(s, "-")
	whole, fraction, marked := strings.Cut(s, ".")
	if !isDigits(whole) || marked && !isDigits(fraction) {
		return d, false
	}
	d.whole, d.fraction = strings.TrimLeft(whole, "0"), fraction
	if d.whole == "" {
		d.whole = "0"
	}
	return d, true
}

// isDigits is called for every number twice: strings.Trim would make a set of its
// characters each time, 10 ns of the 125 that a number takes.
func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// parseWhole is the value of at most maxDigits digits.
func parseWhole(digits string) uint64 {
	n := uint64(0)
	for i := range len(digits) {
		n = 10*n + uint64(digits[i]-'0')
	}
	return n
}

// tail is a number that has the whole's last digits and, beyond maxDigits, is
// large: what the plural classes look at.
func (d decimal) tail() uint64 {
	if len(d.whole) <= maxDigits {
		return parseWhole(d.whole)
	}
	return 1e17 + parseWhole(d.whole[len(d.whole)-12:])
}
