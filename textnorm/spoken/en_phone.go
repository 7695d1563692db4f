package spoken

import "strings"

// enPhone reads numbers in the groups of North America and those with a country
// code, digit by digit, a comma between the groups.
func enPhone(s *scan) bool {
	at, groups := s.at, []string(nil)
	plus := s.text[at] == '+'
	if plus {
		at++
	}
	for at < len(s.text) && len(groups) < 6 {
		open := s.text[at] == '('
		if open {
			at++
		}
		end := s.run(at, isDigit)
		if end == at || end-at > 5 {
			break
		}
		groups = append(groups, s.text[at:end])
		at = end
		if open {
			if at >= len(s.text) || s.text[at] != ')' {
				return false
			}
			at++
		}
		next := at
		if next < len(s.text) && (s.text[next] == '-' || s.text[next] == '.' || s.text[next] == ' ' || s.text[next] == ')') {
			next++
		}
		if next >= len(s.text) || next == at && !open || !isDigit(s.text[next]) && s.text[next] != '(' {
			break
		}
		at = next
	}
	if !enPhoneGroups(groups, plus, s.text[s.at:at]) || !s.end(at) {
		return false
	}
	if plus {
		s.say("plus")
	}
	for i, g := range groups {
		if i > 0 {
			s.out = append(s.out, ',')
		}
		if g == "800" {
			s.say("eight hundred")
			continue
		}
		s.digits(g)
	}
	s.at = at
	if next := s.peek(2); s.peek(0) == ' ' && s.peek(1) == 'x' && isDigit(next) { // 555-0199 x23
		if end := s.run(at+2, isDigit); s.end(end) {
			s.out = append(s.out, ',')
			s.say("extension")
			s.at = end
			return s.plainDigits(s.text[at+2 : end])
		}
	}
	return true
}

// enPhoneGroups reports whether groups of digits are those of a telephone number.
func enPhoneGroups(groups []string, plus bool, form string) bool {
	var lengths strings.Builder
	for _, g := range groups {
		lengths.WriteByte(byte('0' + len(g)))
	}
	switch l := lengths.String(); {
	case plus: // a country's code; +12.5 is a number
		return len(groups) >= 2 && len(groups[0]) <= 3 && len(form) > len("+1.234567")
	case l == "334":
		return true
	case strings.HasPrefix(form, "0") && !strings.Contains(form, "-") && (l == "344" || l == "434" || l == "433" || l == "534" || l == "335"): // Britain
		return true
	case l == "1334":
		return strings.HasPrefix(form, "1-") || strings.HasPrefix(form, "1 (") || strings.HasPrefix(form, "1.")
	case l == "34":
		return form[3] == '-'
	}
	return false
}
