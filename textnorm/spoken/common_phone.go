package spoken

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// readPhone reads telephone numbers digit by digit, with a comma between groups.
func (v *voice) readPhone(s *scan) bool {
	at, groups, form := s.at, []string(nil), ""
	plus := s.text[at] == '+'
	if plus {
		at++
	}
	for at < len(s.text) && len(groups) < 7 {
		open := s.text[at] == '('
		if open {
			at++
		}
		end := s.run(at, isDigit)
		if end == at || end-at > 12 {
			break
		}
		groups = append(groups, s.text[at:end])
		if at = end; open {
			if at >= len(s.text) || s.text[at] != ')' {
				return false
			}
			at++
		}
		next := at + gap(s.text, at)
		if next == at && at < len(s.text) && strings.IndexByte("-./", s.text[at]) >= 0 {
			next++
		}
		if next >= len(s.text) || next == at && !open || !isDigit(s.text[next]) && (s.text[next] != '(' || !isDigit(s.peekAt(next+1))) {
			break
		}
		at = next
	}
	form = s.text[s.at:at]
	if n := gap(s.text, at); n > 0 && v.slavic && !plus && form[0] != '(' && !holds(dialled, strings.ToLower(v.before(s))) { // 600 123 456 osób
		if r, _ := utf8.DecodeRuneInString(s.text[at+n:]); unicode.IsLower(r) && !holds(behindPhone, letters(s.text, at+n)) || v.isUnit(s, at) {
			return false
		}
	}
	before := v.before(s)
	if label := strings.TrimRight(s.text[max(0, s.at-24):s.at], ".: "); before == "" && label != "" && s.at > 1 && s.text[s.at-2] == ':' { // tel.: 222 123 456
		before = label[strings.LastIndexByte(label, ' ')+1:]
	}
	if !s.end(at) || !v.isPhone(groups, plus, form, strings.ToLower(before)) || at < len(s.text) && strings.HasPrefix(s.text[at:], v.decimal) && at+1 < len(s.text) && isDigit(s.text[at+1]) {
		return false
	}
	if plus {
		v.say(s, v.plus)
	}
	for i, g := range groups {
		if i > 0 {
			s.out = append(s.out, ',')
		}
		v.spell(s, g)
	}
	s.at = at
	v.join(s)
	return true
}

// dialled are words before a telephone number, and behindPhone those after one that
// nothing is counted by.
const (
	dialled     = "volejte zavolejte zadzwoń dzwoń llame llama ligue appelez chiama tel fax tél тел факс telefon telefono teléfono téléphone telefone telefoon телефон"
	behindPhone = "do od v na po i a o w z ze we lub nebo albo kdykoli и до с или в по"
)

func (v *voice) isUnit(s *scan, at int) bool {
	_, _, end := v.unitAt(s, at)
	return end > at
}

// isPhone reports whether groups of digits are a telephone number: a country
// code, a zero in front, brackets, pairs, or a word before it that says so.
func (v *voice) isPhone(groups []string, plus bool, form, before string) bool {
	total, pairs := 0, len(groups) > 2
	for i, g := range groups {
		total += len(g)
		pairs = pairs && (len(g) == 2 || i == 0 && len(g) <= 3)
	}
	if total < 6 || total > 15 || strings.Contains(form, ".") && strings.ContainsAny(form, " -/(") {
		return false
	}
	if holds(dialled, before) {
		return true
	}
	zero := groups[0][0] == '0' && (len(groups[0]) >= 2 || len(groups) == 4) && !strings.Contains(form, ".")
	switch {
	case plus:
		return len(groups) >= 2 || total >= 10
	case strings.Contains(form, "("), zero && (len(groups) > 1 && total >= 8 || total >= 9):
		return true
	case len(groups) == 4 && total == 9 && len(groups[2]) == 2 && len(groups[3]) == 2: // 91 555 12 34
		return strings.Contains(form, " ")
	case pairs && total >= 9 && total <= 10 && groups[0][0] >= '5':
		return true
	case (v.code == "pl" || v.code == "cs") && len(groups) == 3 && total == 9 && groups[0][0] >= '5' && len(groups[0]) == 3 && len(groups[1]) == 3:
		return strings.Contains(form, " ") && !strings.Contains(form, "000")
	case len(groups) == 2 && total >= 9 && len(groups[0]) == 3 && len(groups[1]) > 3:
		return strings.Contains(form, " ")
	case v.code == "es" && len(groups) == 3 && total == 9:
		return groups[0][0] >= '6' && strings.Contains(form, " ")
	case strings.Contains(form, "-"):
		return len(groups) >= 3 && total >= 7 && len(groups[len(groups)-1]) <= 4 && total != 8
	}
	return false
}
