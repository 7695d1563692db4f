package spoken

import "strings"

// romanParts are what numerals are made of, the largest first.
var romanParts = []struct {
	value int
	form  string
}{{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}}

// romanValue is the value of a Roman numeral in its one right spelling, 0 for none.
func romanValue(word string) int {
	n, last := 0, 0
	for i := len(word) - 1; i >= 0; i-- {
		v := romanDigit(word[i])
		if v == 0 {
			return 0
		}
		if v < last {
			n -= v
		} else {
			n, last = n+v, v
		}
	}
	left := n
	for _, r := range romanParts {
		for left >= r.value {
			if !strings.HasPrefix(word, r.form) {
				return 0
			}
			left, word = left-r.value, word[len(r.form):]
		}
	}
	if word != "" {
		return 0
	}
	return n
}

func romanDigit(c byte) int {
	switch c {
	case 'I':
		return 1
	case 'V':
		return 5
	case 'X':
		return 10
	case 'L':
		return 50
	case 'C':
		return 100
	case 'D':
		return 500
	case 'M':
		return 1000
	}
	return 0
}
