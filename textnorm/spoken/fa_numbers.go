package spoken

import (
	"strings"

	"voxpack/textnorm/numbers"
)

// faSay says digits with a fraction or without; a number with a zero in front is
// said digit by digit, as nobody counts with it.
func (s *scan) faSay(a amount) bool {
	if a.fraction == "" && len(a.whole) > 1 && (a.whole[0] == '0' || len(a.whole) > 18) {
		return s.digits(a.whole)
	}
	return s.cardinal(a.String())
}

// faGap puts a space where a letter follows at once.
func (s *scan) faGap() bool {
	if !s.end(s.at) {
		s.out = append(s.out, ' ')
	}
	return true
}

// faPhone reads a telephone number, or another long one that nobody reads as an
// amount, in groups of digits.
func faPhone(s *scan) bool {
	at, code := s.at, false
	if s.text[at] == '+' {
		at, code = at+1, true
	}
	var groups []string
	total, end := 0, 0
	for len(groups) < 8 {
		open := at < len(s.text) && s.text[at] == '('
		if open {
			at++
		}
		next := s.run(at, isDigit)
		if next == at || total+next-at > 16 {
			break
		}
		groups = append(groups, s.text[at:next])
		total += next - at
		if open {
			if next >= len(s.text) || s.text[next] != ')' {
				return false
			}
			next++
		}
		if s.end(next) && (faPhoneLike(groups, total, code) || (total == 8 || total == 7) && s.faCalled()) {
			end = next
			break
		}
		if at = next; at < len(s.text) && (s.text[at] == '-' || s.text[at] == ' ') {
			at++
		}
	}
	if end == 0 || s.faCounted(end, groups) {
		return false
	}
	if code {
		s.say("مثبت")
	}
	for i, g := range faGroups(groups, total, code) {
		if i > 0 {
			s.out = append(s.out, "،"...)
		}
		s.digits(g)
	}
	s.at = end
	return true
}

// faPhoneLike reports whether groups of digits make a number that is dialled, or
// that stands on a card.
func faPhoneLike(groups []string, total int, code bool) bool {
	switch {
	case code:
		return total >= 10 && total <= 14
	case total >= 12 && strings.HasPrefix(groups[0], "00"):
		return total <= 14
	case groups[0][0] == '0':
		return total == 11 || total == 10 && len(groups) != 2
	case len(groups) == 1:
		return total >= 10
	case len(groups) == 4:
		return total == 16 && len(groups[0]) == 4 && len(groups[1]) == 4 && len(groups[2]) == 4
	}
	return false
}

// faCounted reports whether one long group is an amount after all: a round one,
// or one of money or of a measure.
func (s *scan) faCounted(end int, groups []string) bool {
	if len(groups) > 1 || groups[0][0] == '0' {
		return false
	}
	rest := s.text[end:]
	if strings.HasSuffix(groups[0], "0000") && len(groups[0]) < 16 || strings.HasPrefix(rest, "%") || strings.HasPrefix(rest, ".") && len(rest) > 1 && isDigit(rest[1]) {
		return true
	}
	for _, word := range []string{" ریال", " تومان", " نفر", " دلار", " یورو", " درصد", " متر"} {
		if strings.HasPrefix(rest, word) {
			return true
		}
	}
	return false
}

// faGroups parts what is written in one piece into groups that are said in one breath.
func faGroups(groups []string, total int, code bool) []string {
	var out []string
	for i, g := range groups {
		var sizes []int
		switch {
		case code && i == 0 && len(g) > 3:
			sizes = []int{2, 3, 3, 4}
		case len(g) == 11 && strings.HasPrefix(g, "09"):
			sizes = []int{4, 3, 4}
		case len(g) == 11:
			sizes = []int{3, 4, 4}
		case len(g) == 10 && !code:
			sizes = []int{3, 3, 4}
		case len(g) == 10:
			sizes = []int{3, 3, 4}
		case len(g) == 7:
			sizes = []int{3, 4}
		case len(g) > 7:
			sizes = []int{4, 4, 4, 4}
		}
		for _, n := range sizes {
			if n >= len(g) {
				break
			}
			out, g = append(out, g[:n]), g[n:]
		}
		out = append(out, g)
	}
	return out
}

// faDate reads 1402/5/14, 14/5/1402, 2020-03-14: years of the solar calendar
// from 1200 to 1499, others of the Gregorian.
func faDate(s *scan) bool {
	first := s.run(s.at, isDigit)
	if first >= len(s.text) || strings.IndexByte("/-.", s.text[first]) < 0 || first-s.at > 4 {
		return false
	}
	mark := s.text[first]
	second := s.run(first+1, isDigit)
	if second >= len(s.text) || s.text[second] != mark || second == first+1 {
		return false
	}
	last := s.run(second+1, isDigit)
	if last == second+1 || !s.end(last) || last+1 < len(s.text) && s.text[last] == mark && isDigit(s.text[last+1]) {
		return false
	}
	year, month, day := s.text[s.at:first], s.text[first+1:second], s.text[second+1:last]
	if len(day) == 4 {
		year, day = day, year
	}
	short := len(year) == 2 && mark == '/' && (year[0] == '0' || atoi(year) > 31)
	if len(year) != 4 && !short || len(month) > 2 || len(day) > 2 || atoi(month) < 1 || atoi(month) > 12 || atoi(day) < 1 || atoi(day) > 31 {
		return false
	}
	names := faTables().gregorian
	if y := atoi(year); short || y >= 1200 && y < 1500 {
		names = faTables().jalali
	} else if y < 1500 || y > 2199 {
		return false
	}
	s.cardinal(strings.TrimLeft(day, "0"))
	s.say(names[atoi(month)-1])
	s.at = last
	if short {
		return s.faSay(amount{whole: year})
	}
	return s.number(numbers.Year, "", year)
}

// faParts reads 1.2.3, a version or an address, and 12/5/14, where no date is sure.
func faParts(s *scan) bool {
	end := s.run(s.at, isDigit)
	if end >= len(s.text) || s.text[end] != '.' && s.text[end] != '/' {
		return false
	}
	mark, parts := s.text[end], []string{s.text[s.at:end]}
	for end+1 < len(s.text) && s.text[end] == mark && isDigit(s.text[end+1]) {
		next := s.run(end+1, isDigit)
		parts, end = append(parts, s.text[end+1:next]), next
	}
	if len(parts) < 3 {
		return false
	}
	if mark == '.' && faGrouped(parts) {
		return s.faAmountWords(amount{whole: strings.Join(parts, ""), grouped: true, start: s.at, end: end})
	}
	for i, part := range parts {
		switch {
		case i > 0 && mark == '.':
			s.say("نقطه")
		case i > 0:
			s.out = append(s.out, "،"...)
		}
		s.faSay(amount{whole: part})
	}
	s.at = end
	return s.faGap()
}

// faGrouped reports whether parts between full stops are the groups of one
// number, and not of an address.
func faGrouped(parts []string) bool {
	large := len(parts) != 4
	for i, part := range parts {
		if i > 0 && len(part) != 3 || len(part) > 3 || part[0] == '0' && i == 0 {
			return false
		}
		large = large || atoi(part) > 255
	}
	return large
}

// faTime reads 8:30 and 8:30:15; what cannot be a time is a ratio.
func faTime(s *scan) bool {
	end := s.run(s.at, isDigit)
	if end >= len(s.text) || end-s.at > 4 || s.text[end] != ':' && !s.faHourBefore(end) {
		return false
	}
	next := s.run(end+1, isDigit)
	hour, minute := s.text[s.at:end], s.text[end+1:next]
	if minute == "" || !s.end(next) {
		return false
	}
	if len(hour) > 2 || len(minute) != 2 || atoi(hour) > 24 || atoi(minute) > 59 {
		s.faSay(amount{whole: hour})
		s.say("به")
		s.out = append(s.out, ' ')
		s.at = end + 1
		return true
	}
	second := ""
	if next < len(s.text) && s.text[next] == ':' {
		if last := s.run(next+1, isDigit); last == next+3 && s.end(last) && atoi(s.text[next+1:last]) < 60 {
			second, next = s.text[next+1:last], last
		}
	}
	s.faClock(hour)
	if minute != "00" {
		s.say("و")
		s.faClock(minute)
		if second != "" || !strings.HasPrefix(s.text[next:], " دقیقه") {
			s.say("دقیقه")
		}
	}
	if second != "" && second != "00" {
		s.say("و")
		s.faClock(second)
		s.say("ثانیه")
	}
	s.at = next
	return true
}

// faHourBefore reports whether the stroke or the full stop after an hour is that of a
// time: ساعت ۷/۳۰.
func (s *scan) faHourBefore(end int) bool {
	last := s.run(end+1, isDigit)
	before := s.faBefore()
	hour := before == "ساعت" || before == "تا" && strings.Contains(s.text[max(0, s.at-faHourFar):s.at], "ساعت ")
	return (s.text[end] == '/' || s.text[end] == '.') && hour && end-s.at <= 2 && atoi(s.text[s.at:end]) <= 24 &&
		last == end+3 && s.text[end+1:last] < "60" && s.end(last) && (last+1 >= len(s.text) || s.text[last] != '/' && s.text[last] != '-' || !isDigit(s.text[last+1]))
}

// faHourFar is how far before the second of two times the word for hour may stand, in bytes.
const faHourFar = 40

// faClock says two digits without the zero in front.
func (s *scan) faClock(digits string) bool {
	if digits[0] == '0' {
		digits = digits[1:]
	}
	return s.cardinal(digits)
}

// faOrdinal reads 5م, 21 اُم, 4مین.
func faOrdinal(s *scan) bool {
	a, ok := s.amount(s.at)
	if !ok || a.fraction != "" || len(a.whole) > 15 {
		return false
	}
	at := a.end
	if at < len(s.text) && s.text[at] == ' ' {
		at++
	}
	n := faWordEnd(s.text, at) - at
	suffix := s.text[at : at+n]
	found := false
	for _, ending := range faOrdinals {
		found = found || suffix == ending && (at == a.end || ending != "م")
	}
	if !found && s.faCentury(a) {
		return true
	}
	if !found || !s.end(at+n) {
		return false
	}
	if suffix == "م" && at == a.end && s.faPaid(at+n) {
		return s.faMillions(a, at+n)
	}
	if suffix == "م" && at == a.end && s.faLong(at+n) { // دوی ۱۵۰۰م
		s.faSay(a)
		s.say("متر")
		s.at = at + n
		return true
	}
	if suffix == "م" && s.faEra(a) {
		s.cardinal(a.whole)
		s.say("میلادی")
		s.at = at + n
		return true
	}
	s.at = at + n
	if !s.number(numbers.Ordinal, "", a.whole) {
		return false
	}
	if strings.HasSuffix(suffix, "ین") {
		s.out = append(s.out, "ین"...)
	}
	return true
}

// faPaid reports whether money stands after a place: the م before it is of millions.
func (s *scan) faPaid(at int) bool {
	return at < len(s.text) && s.text[at] == ' ' && faTables().paid.has(s.text[at+1:faWordEnd(s.text, at+1)])
}

// faMillions says an amount of millions, whose letter ends at a place.
func (s *scan) faMillions(a amount, end int) bool {
	s.at = end
	ok := s.faSay(a)
	s.say("میلیون")
	return ok
}

// faRange reads the first of two numbers with a dash between, and the word for
// the dash: a range where the second is the larger, a score where it is small.
func faRange(s *scan) bool {
	a, ok := s.amount(s.at)
	if !ok {
		return false
	}
	at, spaced := a.end, false
	shares := at < len(s.text) && s.text[at] == '%'
	if shares {
		at++
	}
	if at < len(s.text) && s.text[at] == ' ' {
		at, spaced = at+1, true
	}
	n := s.dash(at)
	if n == 0 && !spaced && at < len(s.text) && s.text[at] == '~' {
		n = 1
	}
	if n == 0 {
		return false
	}
	at += n
	if at < len(s.text) && s.text[at] == ' ' {
		at++
	} else if spaced {
		return false
	}
	b, ok := s.amount(at)
	if !ok {
		return false
	}
	if shares && (b.end >= len(s.text) || s.text[b.end] != '%') {
		return false
	}
	next := min(b.end+1, len(s.text))
	more := next < len(s.text) && (isDigit(s.text[next]) || isLetter(s.text[next]) && s.text[b.end] != '.')
	more = more && strings.IndexByte("-/.", s.text[b.end]) >= 0 || s.at > 1 && s.text[s.at-1] == '-' && isDigit(s.text[s.at-2])
	word := b.end >= len(s.text) || s.end(b.end) && (s.text[b.end] != '.' || next == len(s.text) || s.text[next] == ' ')
	if !more && !spaced && word && faBackwards(a, b) {
		s.faSay(b)
		s.say("تا")
		s.at = b.end
		return s.faSay(a)
	}
	pair := word && len(a.whole) <= 2 && len(b.whole) <= 2 && a.fraction+b.fraction == ""
	if pair && len(b.whole) == 2 && faTables().seasons.has(s.faBefore()) && atoi(a.whole) == atoi(b.whole)+1 { // سال ۹۸-۹۷
		s.faSay(b)
		s.say("تا")
		s.at = b.end
		return s.faSay(a)
	}
	s.faSay(a)
	switch small := word && len(a.whole) <= 2 && len(b.whole) <= 2; {
	case more || len(a.whole) > 15 || len(b.whole) > 15:
		s.out = append(s.out, "،"...)
	case strings.HasPrefix(strings.TrimPrefix(s.text[b.end:], " "), "="): // ۵-۳=۲
		s.say("منهای")
	case small && !spaced && atoi(a.whole) > atoi(b.whole) && a.fraction+b.fraction == "" && s.before() == "" && !s.faPlayed(&faTables().games): // ۳-۱ نتایج
		s.out = append(s.out, "،"...)
	case small && atoi(a.whole) >= atoi(b.whole) && a.fraction == "" && b.fraction == "":
		if !faTables().parted.has(s.faBefore()) {
			s.say("بر")
		}
	case small && !spaced && len(b.whole) == 2 && a.fraction+b.fraction == "" && b.whole < "31" && s.before() == "" && s.faPlayed(&faTables().sets): // (۲۰-۲۵
		s.say("بر")
	default:
		s.say("تا")
	}
	s.out = append(s.out, ' ')
	s.at = at
	return true
}

// faBackwards reports whether two years stand in the order of the eye, the later
// one first, as happens where a text runs from right to left: 65-1355.
func faBackwards(a, b amount) bool {
	if a.fraction != "" || b.fraction != "" || len(b.whole) != 4 || b.whole[0] == '0' || a.grouped || b.grouped {
		return false
	}
	return len(a.whole) == 4 && atoi(a.whole) > atoi(b.whole) || len(a.whole) == 2 && atoi(b.whole) >= 1200 && atoi(b.whole) < 2100 && atoi(a.whole) > atoi(b.whole[2:])
}
