package spoken

import "strings"

// part is an hour, a minute or a second of a duration, as it is written.
type part struct {
	amount amount
	unit   byte // h, m or s
}

// durationLetters are what stands right after the numbers of a duration.
var durationLetters = map[string]byte{
	"h": 'h', "hr": 'h', "hrs": 'h', "u": 'h', "ч": 'h', "год": 'h', "ó": 'h', "sa": 'h',
	"m": 'm', "м": 'm', "min": 'm', "мин": 'm', "хв": 'm', "dk": 'm',
	"s": 's', "с": 's', "sec": 's', "sek": 's', "seg": 's', "сек": 's', "mp": 's', "sn": 's',
}

// duration is what stands at s.at of hours, minutes and seconds, and where it ends;
// nil where that is none. The hour before an m and the seconds after it tell that it
// is of minutes and not of metres: 2h 45m, 5m 30s, 1h45m.
func (s *scan) duration() (parts []part, end int) {
	if !s.mayLast() {
		return nil, 0
	}
	minutes := false
	for at := s.at; len(parts) < 3; {
		a, ok := s.amount(at)
		if !ok || len(a.whole) > 3 || len(parts) > 0 && (len(a.whole) > 2 || a.whole >= "60" && len(a.whole) == 2) {
			break
		}
		word := letters(s.text, a.end+gap(s.text, a.end))
		next := a.end + gap(s.text, a.end) + len(word)
		unit := durationLetters[word]
		if n := s.minuteMark(a.end); n > 0 && len(parts) > 0 && unit == 0 { // 2h 21'
			unit, next = 'm', a.end+n
		}
		if unit == 0 || len(parts) > 0 && !(parts[len(parts)-1].unit == 'h' && unit == 'm' || parts[len(parts)-1].unit == 'm' && unit == 's') {
			break
		}
		parts, end, minutes = append(parts, part{a, unit}), next, minutes || unit == 'm'
		if a.fraction != "" {
			break
		}
		at = next + gap(s.text, next)
	}
	if len(parts) < 2 || !minutes || !s.end(end) || parts[0].unit == 'm' && len(parts[0].amount.whole) > 2 {
		return nil, 0
	}
	return parts, end
}

// mayLast reports whether a short word and another number follow the one at s.at, which
// most numbers are without.
func (s *scan) mayLast() bool {
	at := s.run(s.at, isDigit)
	if s.peekAt(at) == ' ' {
		at++
	}
	if c := s.peekAt(at); c < 0xC3 && c != 'h' && c != 'm' && c != 'u' && c != 's' {
		return false
	}
	const most = 7 // bytes of the longest word, and one
	for end := at; at < end+most && at < len(s.text) && (isLetter(s.text[at]) || s.text[at] >= 0xC3 || s.text[at]&0xC0 == 0x80); {
		at++
	}
	if s.peekAt(at) == ' ' {
		at++
	}
	return isDigit(s.peekAt(at))
}

// readDuration says 2h 45m in the words for hours, minutes and seconds.
func (v *voice) readDuration(s *scan) bool {
	parts, end := s.duration()
	if parts == nil {
		return false
	}
	inGenitive, accused := v.genitive(s, parts[0].amount), v.isAccusative(s)
	if last := parts[len(parts)-1]; !inGenitive && len(parts) == 3 && last.amount.fraction == "" && v.clock.last != "" {
		return v.sayLength(s, parts, end)
	}
	for _, p := range parts {
		n := v.durationNoun(p.unit)
		if n.forms == nil {
			return false
		}
		if inGenitive {
			v.countGenitive(s, p.amount, n.gender)
			v.say(s, v.genitiveOf(n, p.amount.whole))
			continue
		}
		if accused {
			v.countAccused(s, p.amount, n)
			continue
		}
		v.count(s, p.amount, n.gender)
		v.say(s, v.nounOf(n, p.amount.String()))
	}
	s.at = end
	s.stopUnit()
	return true
}

// durationNoun is the language's hour, minute or second.
func (v *voice) durationNoun(unit byte) noun {
	for symbol := range strings.FieldsSeq(map[byte]string{'h': "h ч год sa ó", 'm': "min мин хв dk", 's': "s с sn"}[unit]) {
		if n, ok := v.unit[symbol]; ok {
			return n
		}
	}
	switch unit {
	case 'h':
		return v.clock.hour
	case 's':
		return v.clock.second
	}
	return noun{}
}

// readDuration says 2h 45m as két óra negyvenöt perc.
func (h hu) readDuration(s *scan) bool {
	parts, end := s.duration()
	from := len(s.out)
	for _, p := range parts {
		h.say2(s, p.amount, true)
		h.say(s, h.durationNoun(p.unit).forms[0])
		s.at = end
	}
	if parts != nil {
		h.behind(s, from, "")
	}
	return parts != nil
}

// enDuration says 2h 45m in English.
func enDuration(s *scan) bool {
	parts, end := s.duration()
	enSayParts(s, parts)
	s.at = max(s.at, end)
	return parts != nil
}

// minutesAt reports whether the m at a place, after digits, is of minutes: hours stand
// before the number or seconds after it. It is for languages whose units are looked up one by one.
func (s *scan) minutesAt(at int) bool {
	if at += gap(s.text, at); s.peekAt(at) != 'm' || !s.end(at+1) {
		return false
	}
	start := digitsStart(s.text, len(strings.TrimRight(s.text[:at], " ")))
	back := *s
	back.at = start
	if parts, _ := back.duration(); parts != nil { // 5m 30s
		return true
	}
	before := strings.TrimRight(s.text[max(0, start-8):start], " ")
	number, ok := strings.CutSuffix(strings.TrimRight(before, "rs"), "h")
	number = strings.TrimRight(number, " ")
	if !ok || number == "" || !isDigit(number[len(number)-1]) {
		return false
	}
	back.at = start - (len(s.text[max(0, start-8):start]) - len(number)) - 1
	for back.at > 0 && isDigit(s.text[back.at-1]) {
		back.at--
	}
	parts, _ := back.duration()
	return parts != nil
}
