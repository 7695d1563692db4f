package spoken

import (
	"strings"
	"unicode/utf8"
)

// readPhone reads telephone numbers digit by digit, with a pause between groups.
func (h *han) readPhone(s *scan) bool {
	if s.at > 0 && (isDigit(s.text[s.at-1]) || isLetter(s.text[s.at-1])) {
		return false
	}
	if isDigit(s.text[s.at]) {
		end := s.run(s.at, isDigit)
		if c := s.peekAt(end); end-s.at < 10 && c != '-' && c != ' ' && c != '(' && !h.phones.end(s.text[:s.at]) {
			return false
		}
	}
	groups, marks, plus, end := phoneGroups(s.text, s.at)
	if len(groups) == 0 || end < len(s.text) && (isLetter(s.text[end]) || isDigit(s.text[end])) {
		return false
	}
	called := h.phones.end(s.text[:s.at])
	if !called && strings.Contains(marks, " ") && strings.Trim(marks, " ") == "" && !plus && groups[0][0] != '0' && len(groups[0]) != 3 {
		return false
	}
	if !h.isPhone(groups, marks, plus, called) {
		return false
	}
	if c := s.peekAt(end); (c == '.' || c == ',') && isDigit(s.peekAt(end+1)) {
		return false
	}
	if plus {
		h.say(s, h.plus)
	}
	for i, g := range groups {
		if i > 0 {
			h.say(s, h.pause)
		}
		h.spell(s, g)
	}
	s.at = end
	return true
}

// phoneGroups are the groups of digits at a place, the marks between them and the end.
func phoneGroups(text string, at int) (groups []string, marks string, plus bool, end int) {
	if at < len(text) && text[at] == '+' {
		plus = true
		at++
	}
	var between strings.Builder
	for len(groups) < 7 {
		closing := ""
		for _, pair := range [][2]string{{"(", ")"}, {"（", "）"}} {
			if strings.HasPrefix(text[at:], pair[0]) {
				at += len(pair[0])
				closing = pair[1]
				between.WriteByte('(')
			}
		}
		next := at
		for next < len(text) && isDigit(text[next]) && next-at < 16 {
			next++
		}
		if next == at {
			break
		}
		groups, end = append(groups, text[at:next]), next
		if closing != "" {
			if !strings.HasPrefix(text[next:], closing) {
				return nil, "", false, 0
			}
			next += len(closing)
			end = next
		}
		if next >= len(text) {
			break
		}
		at = next
		if text[next] == '-' || text[next] == ' ' {
			at++
		} else if closing == "" && !strings.HasPrefix(text[next:], "(") {
			break
		}
		if at >= len(text) || !isDigit(text[at]) && text[at] != '(' {
			break
		}
		if at > next {
			between.WriteByte(text[next])
		}
	}
	return groups, between.String(), plus, end
}

// isPhone reports whether groups of digits are a telephone number.
func (h *han) isPhone(groups []string, marks string, plus, called bool) bool {
	total := 0
	for _, g := range groups {
		total += len(g)
	}
	first := groups[0]
	switch {
	case total > 16 || total < 3:
		return false
	case plus:
		return total >= 8
	case strings.HasPrefix(marks, "("):
		return len(groups) >= 2 && first[0] == '0' && total >= 9
	case called:
		return len(groups) == 1 && len(first) >= 3 || total >= 7
	case len(groups) == 1 && h.code == "zh":
		return total == 11 && first[0] == '1' && first[1] >= '3'
	case len(groups) == 1:
		return (total == 10 || total == 11) && first[0] == '0' && first[1] != '0'
	case first[0] == '0':
		return len(first) <= 5 && total >= 9 && total <= 12
	case h.code != "zh":
		return false
	case len(first) == 3 && total == 10:
		return first == "400" || first == "800"
	case len(groups) == 3 && total == 11:
		return len(first) == 3 && first[0] == '1' && first[1] >= '3'
	}
	return false
}

// readAddress reads an address of the web or of mail.
func (h *han) readAddress(s *scan) bool {
	in := func(c byte) bool { return c > ' ' && c < utf8.RuneSelf && strings.IndexByte("()\"'<>,;", c) < 0 }
	if s.at > 0 && in(s.text[s.at-1]) {
		return false // not its beginning, which was looked at
	}
	const most = 1000 // nobody reads a longer one
	end := s.at
	for end < len(s.text) && end-s.at < most && in(s.text[end]) {
		end++
	}
	form := strings.TrimRight(s.text[s.at:end], ".:!?")
	if !strings.ContainsAny(form, ".@") || !hanAddress(form) {
		return false
	}
	for i := 0; i < len(form); {
		n := 1
		switch mark := strings.IndexByte("./:@-_", form[i]); {
		case mark >= 0:
			h.say(s, strings.Split(h.address, "|")[mark])
		case isDigit(form[i]):
			h.spell(s, form[i:i+1])
		case isLetter(form[i]):
			for i+n < len(form) && isLetter(form[i+n]) {
				n++
			}
			h.addressWord(s, form[i:i+n])
		default:
			if words, ok := h.symbol[form[i:i+1]]; ok {
				h.say(s, words)
			} else {
				s.out = append(s.out, form[i])
			}
		}
		i += n
	}
	s.at += len(form)
	return true
}

// addressWord says a word, and letter by letter what nobody can read.
func (h *han) addressWord(s *scan, word string) {
	low := strings.ToLower(word)
	if low != "http" && low != "https" && low != "ftp" && (len(word) > 3 || len(word) < 3 || strings.ContainsAny(low, "aeiouy")) {
		s.out = append(s.out, word...)
		return
	}
	for i := range len(word) {
		if i > 0 {
			s.out = append(s.out, ' ')
		}
		s.out = append(s.out, word[i])
	}
}

// hanAddress: as in other languages, and names of the web of East Asia.
func hanAddress(form string) bool {
	if isAddress(form) {
		return true
	}
	host, _, _ := strings.Cut(form, "/")
	dot := strings.LastIndexByte(host, '.')
	if dot <= 0 || !isLetter(host[0]) || strings.Contains(host, "..") {
		return false
	}
	switch host[dot+1:] {
	case "cn", "jp", "hk", "tw", "tv", "me", "cc", "xyz", "app", "top":
		return true
	}
	return false
}
