package spoken

import "strings"

// isSize reports whether the × at a place, n bytes long, parts the sides of a thing and
// multiplies nothing: 30 × 12 × 8 cm, but 4 × 100 m.
func (v *voice) isSize(s *scan, at, n int) bool {
	if v.by == "" {
		return false
	}
	const most = 4 // sides of a thing
	start := len(strings.TrimRight(s.text[:at], " "))
	for start > 0 && (isDigit(s.text[start-1]) || s.text[start-1] == ',') {
		start--
	}
	first, ok := s.amount(start)
	if !ok {
		return false
	}
	var second amount
	for range most {
		next := at + n + gap(s.text, at+n)
		if second, ok = s.amount(next); !ok {
			return false
		}
		at = second.end + gap(s.text, second.end)
		if n = timesAt(s.text, at); n == 0 {
			break
		}
	}
	_, _, end := v.unitAt(s, second.end)
	switch unit := strings.TrimSpace(s.text[second.end:end]); unit {
	case "cm", "mm", "px", "см", "мм", `"`, "″":
		return true
	case "m", "м", "km", "км":
		return len(first.whole) > 1 || first.fraction+second.fraction != "" || len(second.whole) < 2
	}
	return false
}

// timesAt is the length of a sign of multiplication at a place, 0 where there is none.
func timesAt(text string, at int) int {
	for _, sign := range []string{"×", "x", "х"} {
		if strings.HasPrefix(text[min(at, len(text)):], sign) {
			return len(sign)
		}
	}
	return 0
}
