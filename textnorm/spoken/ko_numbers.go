package spoken

import (
	"strings"
	"unicode/utf8"
)

// readAmount reads a number with its counter, its unit or its money.
func (k ko) readAmount(s *scan) bool {
	a, ok := s.amount(s.at)
	if !ok {
		return false
	}
	if big := magnitude(s, a.end); big != "" && !k.ranked(s) {
		words := sino(a.String())
		if a.whole == "1" && a.fraction == "" && strings.Contains("십백천만", big[:3]) {
			words = ""
		}
		k.put(s, words+big)
		s.at = a.end + len(big)
		if _, _, end := k.unitBehind(s, s.at); end > s.at {
			s.out = append(s.out, ' ')
			k.tail(s)
		} else if counter, _ := counterAt(s, s.at); counter != "" && gap(s.text, s.at) == 0 {
			s.out = append(s.out, ' ')
		}
		k.some(s)
		return true
	}
	if a.fraction == "" && strings.HasPrefix(s.text[a.end:], "분의") {
		k.put(s, sino(a.whole))
		s.at = a.end
		return true
	}
	if c, ok := k.counted(s, a); ok {
		k.put(s, c.words)
		s.at = c.end
		k.versus(s)
		k.each(s)
		return true
	}
	if k.measure(s, a) {
		return true
	}
	if words, ok := koreanCalls[a.whole]; ok && a.fraction == "" && !a.grouped && emergency(s, a.end) {
		k.put(s, words)
		s.at = a.end
		return true
	}
	if rest := s.text[a.end:]; strings.HasPrefix(rest, "째") && a.fraction == "" && len(a.whole) < 3 && a.whole[0] != '0' { // 3째
		words := map[string]string{"1": "첫", "2": "둘", "3": "셋", "4": "넷"}[a.whole]
		if words == "" {
			words = native(a.whole)
		}
		k.put(s, words)
	} else {
		k.put(s, sino(a.String()))
	}
	if s.at = a.end; !s.end(s.at) && !isHangul(s.text, s.at) {
		s.out = append(s.out, ' ')
	}
	k.some(s)
	return true
}

// koreanCalls are well-known telephone numbers, which are read digit by digit.
var koreanCalls = map[string]string{"112": "일일이", "119": "일일구", "114": "일일사", "911": "구일일"}

func emergency(s *scan, at int) bool {
	rest := hangul(s.text, at+gap(s.text, at))
	for _, word := range []string{"에 ", "로 ", "구급", "신고", "대원", "센터", "상황", "소방", "안전"} {
		if strings.HasPrefix(rest+" ", word) {
			return true
		}
	}
	return false
}

// tail says a unit that is a sign, after a magnitude.
func (k ko) tail(s *scan) {
	unit, money, end := k.unitBehind(s, s.at)
	if money[0].forms != nil {
		unit = money[0]
	}
	s.out = append(s.out, unit.forms[len(unit.forms)-1]...)
	s.at = end
}

// some reads the 여 of 30여명 and parts it from the counter.
func (k ko) some(s *scan) {
	if !strings.HasPrefix(s.rest(), "여") {
		return
	}
	if counter, _ := counterAt(s, s.at+len("여")); counter != "" && isHangul(s.text, s.at+len("여")) {
		s.out = append(s.out, "여 "...)
		s.at += len("여")
	}
}

// unitBehind is the unit or the currency after a number: its sign ends before a
// letter or a digit of the ASCII, but a particle may follow.
func (k ko) unitBehind(s *scan, at int) (n noun, money [2]noun, end int) {
	next := at + gap(s.text, at)
	rest := s.text[next:]
	if rest == "" {
		return n, money, at
	}
	for size := min(len(rest), k.begins[rest[0]]); size > 0; size-- {
		if size == 1 && isUpper(rest[0]) && next == at && s.modelBehind(at) { // F-35A
			break
		}
		unit, isUnit := k.unit[rest[:size]]
		pair, isMoney := k.money[rest[:size]]
		if !isUnit && !isMoney {
			continue
		}
		if isLetter(rest[size-1]) && size < len(rest) && !isHangul(rest, size) && !s.end(next+size) {
			continue
		}
		if rest[:size] == "m" && s.minutesAt(at) {
			unit = noun{'m', []string{"분"}}
		}
		return unit, pair, next + size
	}
	return n, money, at
}

// measure reads a number that is followed by the sign of a unit or of a currency, such as 5km.
func (k ko) measure(s *scan, a amount) bool {
	unit, money, end := k.unitBehind(s, a.end)
	switch {
	case money[0].forms != nil:
		k.sum(s, a, money)
	case len(unit.forms) == 2: // 시속 … 킬로미터
		if before := s.before(); before != unit.forms[0] {
			k.put(s, unit.forms[0])
		}
		s.say(sino(a.String()) + " " + unit.forms[1])
	case unit.forms != nil:
		k.put(s, sino(a.String())+" "+unit.forms[0])
	default:
		return false
	}
	s.at = end
	k.each(s)
	return true
}

// each reads the unit after the slash of 원/kg.
func (k ko) each(s *scan) {
	if s.peek(0) != '/' {
		return
	}
	if n, _, end := k.unitBehind(s, s.at+1); n.forms != nil {
		s.say(n.forms[0] + "당")
		s.at = end
	}
}

// sum says money, its two decimals as hundredths.
func (k ko) sum(s *scan, a amount, names [2]noun) {
	cents := strings.TrimLeft(a.fraction, "0")
	if len(a.fraction) != 2 || names[1].forms == nil {
		k.put(s, sino(a.String())+" "+names[0].forms[0])
		return
	}
	if whole := strings.TrimLeft(a.whole, "0"); whole != "" || cents == "" {
		k.put(s, sino(a.whole)+" "+names[0].forms[0])
	}
	if cents != "" {
		s.say(sino(cents) + " " + names[1].forms[0])
	}
}

// readSign reads money whose sign stands in front, and the magnitude after it.
func (k ko) readSign(s *scan) bool {
	if isLetter(s.text[s.at]) && s.inside() {
		return false
	}
	for _, sign := range k.signs {
		if !strings.HasPrefix(s.rest(), sign) {
			continue
		}
		at := s.at + len(sign)
		a, ok := s.amount(at + gap(s.text, at))
		if !ok {
			continue
		}
		s.at = a.end
		big := magnitude(s, a.end)
		if big == "" {
			k.sum(s, a, k.money[sign])
			return true
		}
		words := sino(a.String())
		if a.whole == "1" && a.fraction == "" && strings.Contains("십백천만", big[:3]) {
			words = ""
		}
		s.say(words + big + " " + k.money[sign][0].forms[0])
		s.at += len(big)
		return true
	}
	return false
}

// versus reads the second number of 3 대 1.
func (k ko) versus(s *scan) {
	n := gap(s.text, s.at)
	if !strings.HasSuffix(s.text[:s.at], "대") || n == 0 {
		return
	}
	end := s.run(s.at+n, isDigit)
	if counter, _ := counterAt(s, end); end == s.at+n || end-s.at > 7 || counter != "" || magnitude(s, end) != "" || s.peekAt(end) == '.' || s.peekAt(end) == ',' {
		return
	}
	s.say(sino(s.text[s.at+n : end]))
	s.at = end
}

// readScore reads 3:1, and 3-1 with the larger number first.
func (k ko) readScore(s *scan) bool {
	first := s.run(s.at, isDigit)
	if first >= len(s.text) || first-s.at > 3 || s.text[first] != ':' && s.text[first] != '-' {
		return false
	}
	last := s.run(first+1, isDigit)
	if last == first+1 || last-first > 4 && s.text[first] == '-' || last-first > 10 || last < len(s.text) && strings.IndexByte(":-/", s.text[last]) >= 0 {
		return false
	}
	a, b := s.text[s.at:first], s.text[first+1:last]
	if counter, _ := counterAt(s, last); s.text[first] == '-' && (atoi(a) < atoi(b) || len(a) > 2 || counter != "" || last < len(s.text) && s.text[last] == '.') {
		return false
	}
	k.put(s, sino(a)+" 대 "+sino(b))
	s.at = last
	return true
}

// readFraction reads 1/2, 2 1/2 and 2½.
func (k ko) readFraction(s *scan) bool {
	end := s.run(s.at, isDigit)
	whole := s.text[s.at:end]
	if r, n := utf8.DecodeRuneInString(s.text[end+gap(s.text, end):]); vulgar[r][0] != "" {
		s.put(k, whole, vulgar[r][0], vulgar[r][1])
		s.at = end + gap(s.text, end) + n
		k.tailCounter(s)
		return true
	}
	whole, top, bottom, last, ok := s.stroke(anyLength)
	if !ok {
		return false
	}
	if strings.HasPrefix(s.text[last:], "분기") && len(top) == 1 && len(bottom) == 1 || len(top) == 4 && len(bottom) == 2 && atoi(bottom) == (atoi(top)+1)%100 {
		k.put(s, sino(top)) // 1/4분기, 2021/22 시즌
		if len(top) == 4 {
			s.out = append(s.out, ' ')
		}
		s.out = append(s.out, sino(bottom)...)
		s.at = last
		k.tailCounter(s)
		return true
	}
	if s.strokeDay(top, bottom, whole, last) {
		k.put(s, sino(top)+" 월 "+sino(bottom)+" 일")
		s.at = last
		return true
	}
	if bottom == "" || len(top) > 3 || len(bottom) > 4 || top[0] == '0' || bottom[0] == '0' || atoi(bottom) < 2 || last < len(s.text) && s.text[last] == '/' {
		return false
	}
	s.put(k, whole, top, bottom)
	s.at = last
	k.tailCounter(s)
	return true
}

// put says a fraction: 이와 이분의 일.
func (s *scan) put(k ko, whole, top, bottom string) {
	if whole != "" {
		words := sino(whole)
		k.put(s, words+map[bool]string{true: "과", false: "와"}[closed(words)])
		s.out = append(s.out, ' ')
		s.out = append(s.out, sino(bottom)+"분의 "+sino(top)...)
		return
	}
	k.put(s, sino(bottom)+"분의 "+sino(top))
}

// tailCounter puts a space before a counter or a unit after a fraction.
func (k ko) tailCounter(s *scan) {
	if unit, money, end := k.unitBehind(s, s.at); end > s.at {
		if money[0].forms != nil {
			unit = money[0]
		}
		s.say(unit.forms[len(unit.forms)-1])
		s.at = end
		return
	}
	if counter, _ := counterAt(s, s.at); counter != "" && gap(s.text, s.at) == 0 && !oneOf(counter, "도 인 부") || !s.end(s.at) && !isHangul(s.text, s.at) {
		s.out = append(s.out, ' ')
	}
}

// closed reports whether a word ends in a consonant.
func closed(word string) bool {
	r, _ := utf8.DecodeLastRuneInString(word)
	return r >= 0xac00 && r <= 0xd7a3 && (r-0xac00)%28 != 0
}

// readRange reads 3~5, 10~20%, 1990-1995년.
func (k ko) readRange(s *scan) bool {
	a, _ := s.amount(s.at)
	at := a.end + gap(s.text, a.end)
	mark := s.dash(at)
	if at < len(s.text) && s.text[at] == '~' {
		mark = 1
	}
	if mark == 0 || at > a.end && s.text[at] == '-' {
		return false
	}
	next := at + mark
	next += gap(s.text, next)
	b, ok := s.amount(next)
	if !ok || b.end+1 < len(s.text) && strings.IndexByte("-/~", s.text[b.end]) >= 0 && isDigit(s.text[b.end+1]) {
		return false
	}
	if counter, _ := counterAt(s, b.end); s.text[at] == '-' && oneOf(counter, "번지 호 동") { // 123-4번지
		k.put(s, sino(a.String())+" 다시 ")
		s.at = next
		return true
	}
	// 3~5개: what is counted in native words is said with both.
	if counter, isNative := counterAt(s, b.end); isNative && gap(s.text, b.end) == 0 && a.fraction+b.fraction == "" && len(b.whole) < 3 && len(a.whole) < 3 && atoi(a.whole) > 0 && k.isNative(s, b, counter, b.end+len(counter)) {
		k.put(s, native(a.whole)+" "+counter+"에서 ")
		s.at = next
		return true
	}
	k.put(s, sino(a.String())+"에서 ")
	s.at = next
	return true
}

// readBefore reads the sign before a number, the wave between two, and ½.
func (k ko) readBefore(s *scan) bool {
	r, n := utf8.DecodeRuneInString(s.rest())
	if f, ok := vulgar[r]; ok {
		s.put(k, "", f[0], f[1])
		s.at += n
		k.tailCounter(s)
		return true
	}
	at := s.at + n
	if (r == '~' || r == '-' || r == '–') && s.at > 2 && isHangul(s.text, s.at-3) {
		at += gap(s.text, at)
	}
	if r == '~' && at+1 < len(s.text) && s.text[at] == '-' && isDigit(s.text[at+1]) && s.at > 0 && s.text[s.at-1] != ' ' { // -10~-5
		s.out = append(s.out, "에서 마이너스 "...)
		s.at = at + 1
		return true
	}
	if r == '~' && koreanDigitBefore(s) && startsWith(hangul(s.text, at), "오전 오후 새벽 아침 저녁 밤 낮 정오 자정 다음 이튿날 내년 올해 현재 지금") {
		s.out = append(s.out, "에서 "...) // 9시~오후 6시
		s.at = at
		return true
	}
	if at >= len(s.text) || !isDigit(s.text[at]) {
		return false
	}
	if (r == '~' || r == '-' || r == '–') && s.at > 2 && isHangul(s.text, s.at-3) && (r == '~' || koreanDigitBefore(s)) { // 3일~5일
		s.out = append(s.out, "에서 "...)
		s.at = at
		return true
	}
	if s.at > 0 && strings.IndexByte(" ([{\"'=<>:", s.text[s.at-1]) < 0 {
		return false
	}
	words := map[rune]string{'-': "마이너스", '−': "마이너스", '–': "마이너스", '+': "플러스", '~': "약", '≈': "약"}[r]
	if words == "" || r == '+' && s.at > 1 && isDigit(s.text[s.at-2]) {
		return false
	}
	s.say(words + " ")
	s.at = at
	return true
}

// koreanDigitBefore reports whether a number with a counter stands before s.at.
func koreanDigitBefore(s *scan) bool {
	at := s.at
	for at > 2 && s.at-at < 9 && isHangul(s.text, at-3) {
		at -= 3
	}
	return at > 0 && isDigit(s.text[at-1])
}
