package spoken

import "strings"

// What all languages read alike around digits.

// atoi is the number that ASCII digits write; the caller knows that it fits.
func atoi(digits string) int {
	n := 0
	for i := range len(digits) {
		n = 10*n + int(digits[i]-'0')
	}
	return n
}

// itoa writes a number of no more than a few digits.
func itoa(n int) string {
	if n >= 10 {
		return itoa(n/10) + string(rune('0'+n%10))
	}
	return string(rune('0' + n))
}

// vulgar are fractions that are one character.
var vulgar = map[rune][2]string{'½': {"1", "2"}, '⅓': {"1", "3"}, '⅔': {"2", "3"}, '¼': {"1", "4"}, '¾': {"3", "4"}, '⅕': {"1", "5"}, '⅖': {"2", "5"}, '⅗': {"3", "5"}, '⅘': {"4", "5"}, '⅙': {"1", "6"}, '⅚': {"5", "6"}, '⅛': {"1", "8"}, '⅜': {"3", "8"}, '⅝': {"5", "8"}, '⅞': {"7", "8"}}

// dash is the length of a dash at a place, 0 where there is none.
func (s *scan) dash(at int) int {
	for _, d := range []string{"-", "–", "—", "‑", "−"} {
		if strings.HasPrefix(s.text[at:], d) {
			return len(d)
		}
	}
	return 0
}
