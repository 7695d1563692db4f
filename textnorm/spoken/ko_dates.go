package spoken

import (
	"strings"
	"unicode/utf8"
)

// readDate reads 2020.5.3., 2020-05-03, 2020/5/3, 12/25(수) and 6·25.
func (k ko) readDate(s *scan) bool {
	end := s.run(s.at, isDigit)
	first := s.text[s.at:end]
	if r, n := utf8.DecodeRuneInString(s.text[end:]); (r == '·' || r == 'ㆍ' || r == '・') && len(first) <= 2 {
		return k.readMemorial(s, first, end+n)
	}
	if end >= len(s.text) || strings.IndexByte("./-", s.text[end]) < 0 {
		return false
	}
	if s.text[end] == '.' && len(first) <= 2 && k.isMemorial(s, end+1) {
		return k.readMemorial(s, first, end+1)
	}
	if len(first) <= 2 && s.text[end] == '/' {
		return k.dayOfWeek(s, first, end)
	}
	mark := s.text[end]
	if len(first) != 4 || first[0] == '0' || s.inside() {
		return false
	}
	at := end + 1 + gap(s.text, end+1)
	next := s.run(at, isDigit)
	month := s.text[at:next]
	if at > end+1 && mark != '.' || len(month) == 0 || len(month) > 2 || next >= len(s.text) || s.text[next] != mark {
		return false
	}
	at = next + 1 + gap(s.text, next+1)
	last := s.run(at, isDigit)
	day := s.text[at:last]
	if len(day) == 0 && mark == '.' && isDayMonth("1", month) { // 2020. 5.
		s.say(sino(first) + " 년 " + koreanMonth(month))
		s.at = next
		k.dateStop(s)
		return true
	}
	if len(day) == 0 || len(day) > 2 || !isDayMonth(day, month) || last < len(s.text) && (isLetter(s.text[last]) || s.text[last] == mark && mark != '.') {
		return false
	}
	s.say(sino(first) + " 년 " + koreanMonth(month) + " " + sino(itoa(atoi(day))) + " 일")
	if s.at = last; mark == '.' {
		k.dateStop(s)
	}
	return true
}

// dateStop takes the full stop after the day, but for that of a sentence.
func (k ko) dateStop(s *scan) {
	if s.peek(0) == '.' && s.at+1 < len(s.text) && !isDigit(s.peek(1)) {
		s.at++
	}
}

// koreanMonth is a month; those of six and ten lose their last sound.
func koreanMonth(month string) string {
	switch n := atoi(month); n {
	case 6:
		return "유 월"
	case 10:
		return "시 월"
	default:
		return sino(itoa(n)) + " 월"
	}
}

// dayOfWeek reads 12/25(수).
func (k ko) dayOfWeek(s *scan, month string, end int) bool {
	last := s.run(end+1, isDigit)
	day := s.text[end+1 : last]
	rest, ok := strings.CutPrefix(s.text[last:], "(")
	r, n := utf8.DecodeRuneInString(rest)
	if !ok || len(day) == 0 || len(day) > 2 || !isDayMonth(day, month) || !strings.ContainsRune("월화수목금토일", r) || !strings.HasPrefix(rest[n:], ")") {
		return false
	}
	k.put(s, koreanMonth(month)+" "+sino(itoa(atoi(day)))+" 일")
	s.at = last
	return true
}

// isMemorial reports whether the number at a place is that of 5.18 민주화운동,
// which is as often written so as with its own mark.
func (k ko) isMemorial(s *scan, at int) bool {
	end := s.run(at, isDigit)
	if end == at || end-at > 2 {
		return false
	}
	next := hangul(s.text, end+gap(s.text, end))
	for _, word := range []string{"민주", "전쟁", "혁명", "운동", "광복", "절", "사태", "항쟁", "테러", "참전", "동란", "쿠데타", "선언", "만세", "학살"} {
		if strings.HasPrefix(next, word) {
			return true
		}
	}
	return false
}

// readMemorial reads a day that gave an event its name, 6·25: the month is a
// number, the day its digits.
func (k ko) readMemorial(s *scan, month string, at int) bool {
	end := s.run(at, isDigit)
	day := s.text[at:end]
	if len(day) == 0 || len(day) > 2 || !isDayMonth(day, month) || month[0] == '0' || day[0] == '0' {
		return false
	}
	if counter, _ := counterAt(s, end); oneOf(counter, "위 등 급 차 호 층 학년 학기 분기 번 군 부 호선 조 항 세대 단계 라운드 회 세트 쿼터 명 개") { // 1·2위
		return false
	}
	words := oneByOne(day, "")
	if day == "10" || day == "12" || day == "20" || day == "30" {
		words = sino(day)
	}
	k.put(s, sino(month)+words)
	s.at = end
	return true
}

// readTime reads 10:30 as native hours up to twelve, and 2:03:05.
func (k ko) readTime(s *scan) bool {
	end := s.run(s.at, isDigit)
	hour := s.text[s.at:end]
	if len(hour) > 2 || atoi(hour) > 24 || end >= len(s.text) || s.text[end] != ':' {
		return false
	}
	next := s.run(end+1, isDigit)
	minute := s.text[end+1 : next]
	if len(minute) != 2 || minute > "59" {
		return false
	}
	second := ""
	if next < len(s.text) && s.text[next] == ':' {
		last := s.run(next+1, isDigit)
		if second = s.text[next+1 : last]; len(second) != 2 || second > "59" {
			return false
		}
		next = last
	}
	if next < len(s.text) && (isLetter(s.text[next]) || s.text[next] == ':') {
		return false
	}
	n := atoi(hour)
	words, unit := sino(itoa(n)), " 시"
	if n > 0 && n <= 12 {
		words = native(itoa(n))
	}
	if second != "" && len(hour) == 1 {
		unit = " 시간"
	}
	if words += unit; minute != "00" || second != "" {
		words += " " + sino(itoa(atoi(minute))) + " 분"
	}
	if second != "" {
		words += " " + sino(itoa(atoi(second))) + " 초"
	}
	k.put(s, words)
	s.at = next
	if at := next + gap(s.text, next); at < len(s.text) && s.text[at] == '~' || s.dash(next) > 0 { // 10:00~12:00
		at += max(1, s.dash(next))
		if at += gap(s.text, at); at < len(s.text) && isDigit(s.text[at]) {
			s.out = append(s.out, "에서 "...)
			s.at = at
		}
	}
	return true
}

// readPhone reads 010-1234-5678, (02) 345-6789, 1588-1234 and +82-10-1234-5678.
func (k ko) readPhone(s *scan) bool {
	at, plus := s.at, s.text[s.at] == '+'
	if plus {
		at++
	}
	var groups []string
	for at < len(s.text) && len(groups) < 5 {
		open := s.text[at] == '('
		if open {
			at++
		}
		end := s.run(at, isDigit)
		if end == at || end-at > 11 {
			return false
		}
		groups = append(groups, s.text[at:end])
		if at = end; open {
			if at >= len(s.text) || s.text[at] != ')' {
				return false
			}
			at++
		}
		next := at
		if next < len(s.text) && strings.IndexByte("-. )", s.text[next]) >= 0 {
			next++
		}
		if next >= len(s.text) || next == at && !open || !isDigit(s.text[next]) {
			break
		}
		at = next
	}
	if len(groups) == 0 || s.inside() || !koreanPhone(groups, plus, s.text[s.at:at]) {
		return false
	}
	if plus {
		s.say("플러스")
	}
	for i, g := range groups {
		if i > 0 {
			s.out = append(s.out, ',')
		}
		s.say(oneByOne(g, " "))
	}
	s.at = at
	return true
}

// koreanPhone reports whether groups of digits are a number of a telephone.
func koreanPhone(groups []string, plus bool, form string) bool {
	total, long := 0, len(groups) > 2 && strings.Count(form, "-") == len(groups)-1 // of a bank, of a card
	for _, g := range groups {
		total += len(g)
	}
	last := groups[len(groups)-1]
	switch {
	case plus:
		return total >= 9
	case long && total >= 10, len(groups) == 2 && len(groups[0]) == 6 && len(last) == 7 && strings.Contains(form, "-"):
		return true
	case groups[0][0] == '0' && len(groups) == 1:
		return total >= 9 && total <= 11
	case groups[0][0] == '0':
		return len(groups[0]) >= 2 && total >= 9 && total <= 11 && len(last) == 4 && !strings.Contains(form, ". ")
	case len(groups) == 2 && len(groups[0]) == 4 && len(last) == 4 && groups[0][0] == '1' && groups[0][1] >= '5':
		return strings.Contains(form, "-") && (groups[0] < "1900" || groups[0] > "1999")
	}
	return false
}

// readURL reads an address, after which a particle may stand.
func (k ko) readURL(s *scan) bool {
	if s.at > 0 && s.text[s.at-1] < utf8.RuneSelf && strings.IndexByte(" (\"'<[", s.text[s.at-1]) < 0 {
		return false // not its beginning, which was looked at
	}
	const most = 1000
	end := s.run(s.at, func(c byte) bool {
		return c > ' ' && c < utf8.RuneSelf && c != '(' && c != ')' && c != '"' && c != '\''
	})
	if end-s.at > most || !strings.Contains(s.text[s.at:end], ".") {
		return false
	}
	text := s.text
	s.text = text[:end]
	ok := k.readAddress(s)
	s.text = text
	return ok
}

// readParts reads 1.2.3 and 192.168.0.1.
func (k ko) readParts(s *scan) bool {
	var parts []string
	at := s.at
	const most = 20
	for len(parts) < most {
		end := s.run(at, isDigit)
		parts = append(parts, s.text[at:end])
		at = end
		if at+1 >= len(s.text) || s.text[at] != '.' || !isDigit(s.text[at+1]) {
			break
		}
		at++
	}
	if len(parts) < 3 {
		return false
	}
	for i, part := range parts {
		parts[i] = sino(part)
	}
	k.put(s, strings.Join(parts, " 점 "))
	s.at = at
	return true
}
