package spoken

import (
	"strings"
	"unicode/utf8"
)

// quantity is a number and what stands for its magnitude in characters: 3.5万.
type quantity struct {
	amount
	magnitude string
	end       int
}

const hanMagnitudes = "十百千万亿萬億兆"

func (h *han) quantity(s *scan, at int) (q quantity, ok bool) {
	if q.amount, ok = s.amount(at); !ok {
		return q, false
	}
	q.end = q.amount.end
	for q.end < len(s.text) {
		r, n := utf8.DecodeRuneInString(s.text[q.end:])
		if !strings.ContainsRune(hanMagnitudes, r) {
			break
		}
		q.end += n
	}
	q.magnitude = s.text[q.amount.end:q.end]
	return q, true
}

// readAmount reads a number and the percent sign, the unit or the currency after it.
func (h *han) readAmount(s *scan) bool {
	q, ok := h.quantity(s, s.at)
	if !ok {
		return false
	}
	before := s.text[:s.at]
	if h.readSpelled(s, q, before) {
		return true
	}
	if words, end := h.percentAt(s, q.end); end > 0 {
		h.share(s, q, words, before)
		s.at = end
		return true
	}
	if rest := s.text[q.end:]; isYear(q) && strings.HasPrefix(rest, "s") && q.whole[3] == '0' && !isLetter(s.peekAt(q.end+1)) { // 1980s
		h.count(s, q.amount, before, h.year+"代")
		h.say(s, h.year+"代")
		return s.to(q.end + 1)
	}
	if n := ordinalEnd(s.text, q.amount); n > 0 {
		h.ordinal(s, q.whole)
		return s.to(q.end + n)
	}
	if unit, end := h.unitAt(s, q.end); end > 0 {
		if !strings.HasSuffix(before, "速") { // 風速5m/s
			h.say(s, unit[0])
		}
		h.countAll(s, q, before, unit[1])
		h.say(s, unit[1])
		if under, last := h.unitAt(s, end+1); h.per != "" && s.peekAt(end) == '/' && last > 0 { // 10mg/kg
			h.say(s, h.per)
			h.say(s, under[1])
			end = last
		}
		s.at = end
		h.skipSpace(s)
		return true
	}
	if name, end := h.currencyAt(s, q.end); end > 0 {
		front, behind, both := strings.Cut(name, "*")
		if !both {
			front, behind = "", name
		}
		h.say(s, front)
		h.sayPaid(s, q, before, behind)
		h.say(s, behind)
		s.at = end
		h.skipSpace(s)
		return true
	}
	h.count(s, q.amount, before, s.text[q.amount.end:])
	s.at = q.amount.end
	h.readVulgar(s)
	return true
}

var englishEndings = wordsOf("st nd rd th")

// ordinalEnd is the length of the English ending after a number, 0 for none.
func ordinalEnd(text string, a amount) int {
	if rest := text[a.end:]; a.fraction == "" && englishEndings.begin(rest) && (len(rest) == 2 || !isLetter(rest[2]) && !isDigit(rest[2])) {
		return 2
	}
	return 0
}

// countAll says a number with its magnitude before a word.
func (h *han) countAll(s *scan, q quantity, before, after string) {
	h.count(s, q.amount, before, q.magnitude+after)
	s.out = append(s.out, q.magnitude...)
}

// share says a percentage.
func (h *han) share(s *scan, q quantity, words [2]string, before string) {
	h.say(s, words[0])
	if words[0] != "" && q.String() == "100" && q.magnitude == "" && words == h.percent {
		h.say(s, "百")
	} else {
		h.countAll(s, q, before, words[1])
	}
	h.say(s, words[1])
}

// percentAt is how the sign of a share at a place is said, and its end.
func (h *han) percentAt(s *scan, at int) (words [2]string, end int) {
	at += gap(s.text, at)
	r, n := utf8.DecodeRuneInString(s.text[min(at, len(s.text)):])
	switch r {
	case '%', '٪':
		return h.percent, at + n
	case '‰':
		return h.permille, at + n
	}
	return words, 0
}

// readSpelled reads the digits of what is a name rather than a number: 007, G1234,
// what a word before it calls a code.
func (h *han) readSpelled(s *scan, q quantity, before string) bool {
	digits, rest := q.whole, s.text[q.amount.end:]
	if len(q.whole) <= 2 && len(q.fraction) > 0 && len(q.fraction) <= 2 && h.events.begin(rest) { // 5.12地震
		h.spell(s, q.whole)
		h.say(s, h.dot)
		return h.spell(s, q.fraction) && s.to(q.amount.end)
	}
	if q.fraction != "" || q.grouped {
		return false
	}
	last := lastOf(before)
	letter := hasLetters(before)
	switch {
	case len(digits) == 2 && digits[0] == '0' && h.padded.begin(rest), len(digits) > 1 && digits[0] == '0' && isASCIIDigit(lastOf(strings.TrimRight(before, "万萬亿億兆"))):
		return false
	case len(digits) > 1 && digits[0] == '0', len(digits) > 15:
	case letter && len(digits) >= 3:
	case len(digits) >= 3 && len(digits) <= 4 && rest != "" && rest[0]|0x20 == 'p' && !isLetter(s.peekAt(q.amount.end+1)) && !isDigit(s.peekAt(q.amount.end+1)):
	case len(digits) >= 3 && h.labels.end(before):
	case last == '《' && isYear(q) && strings.HasPrefix(rest, "》"): // 《1984》
		return h.count(s, q.amount, before, h.year) && s.to(q.amount.end)
	case len(digits) == 6 && (last == '(' || last == '（') && (strings.HasPrefix(rest, ")") || strings.HasPrefix(rest, "）")): // the code of a share
	case h.named.begin(h.behindList(rest, len(digits))) && len(digits) >= 3, h.dot == "" && strings.HasPrefix(rest, "·") && isDigit(s.peekAt(q.amount.end+2)):
	default:
		return false
	}
	h.spell(s, digits)
	s.at = q.amount.end
	return true
}

// hasLetters reports whether a number stands in a name that begins with letters of
// the ASCII, perhaps with digits and hyphens: i7-9700, B·12345.
func hasLetters(before string) bool {
	name := strings.TrimSuffix(strings.TrimSuffix(before, "-"), "·")
	first := byte(0)
	for i := len(name) - 1; i >= 0 && i >= len(name)-12; i-- {
		if c := name[i]; !isLetter(c) && !isDigit(c) && c != '-' {
			break
		}
		first = name[i]
	}
	return isLetter(first)
}

// behindList is what stands after a list of numbers of so many digits, of which
// one was read: the word that all of them belong to.
func (h *han) behindList(rest string, digits int) string {
	for range 4 {
		r, n := utf8.DecodeRuneInString(rest)
		if !strings.ContainsRune("、和与與及/", r) || len(rest) < n+digits || n == 0 {
			return rest
		}
		for i := range digits {
			if !isDigit(rest[n+i]) {
				return rest
			}
		}
		rest = rest[n+digits:]
	}
	return rest
}

// readVulgar reads the ½ of 1½.
func (h *han) readVulgar(s *scan) bool {
	r, n := utf8.DecodeRuneInString(s.rest())
	f := vulgar[r]
	if f[0] == "" {
		return false
	}
	if s.at > 0 && isDigit(s.text[s.at-1]) {
		h.say(s, h.and)
	}
	h.part(s, f[0], f[1])
	s.at += n
	return true
}

// part says a fraction.
func (h *han) part(s *scan, over, under string) {
	h.plainCount(s, amount{whole: under})
	h.say(s, h.over)
	h.plainCount(s, amount{whole: over})
}

// readFraction reads 1/2 and 1 1/2; what is no part of a whole is a proportion.
func (h *han) readFraction(s *scan) bool {
	end := s.run(s.at, isDigit)
	whole, at := "", s.at
	if s.peekAt(end) == ' ' && isDigit(s.peekAt(end+1)) {
		whole, at = s.text[s.at:end], end+1
		end = s.run(at, isDigit)
	}
	last := s.run(min(end+1, len(s.text)), isDigit)
	if s.peekAt(end) != '/' || last == end+1 || last-at > 9 || s.at > 0 && (s.text[s.at-1] == '/' || s.text[s.at-1] == '.') {
		return false
	}
	if next := s.peekAt(last); next == '/' && isDigit(s.peekAt(last+1)) || next == '.' && isDigit(s.peekAt(last+1)) || isLetter(next) {
		return false
	}
	over, under := s.text[at:end], s.text[end+1:last]
	if over[0] == '0' || under[0] == '0' || whole != "" && (len(over) > 2 || atoi(over) >= atoi(under)) {
		return false
	}
	if floor := firstOf(s.text[last:]); h.code == "zh" && (floor == '层' || floor == '層') && atoi(over) <= atoi(under) { // 6/18层
		h.plainCount(s, amount{whole: over})
		s.out = append(s.out, string(floor)+"共"...)
		h.plainCount(s, amount{whole: under})
		return s.to(last)
	}
	if s.strokeDay(over, under, whole, last) && !h.scored(s, last) {
		h.plainCount(s, amount{whole: over})
		h.say(s, h.month)
		h.plainCount(s, amount{whole: under})
		h.say(s, h.day)
		return s.to(last)
	}
	if whole != "" {
		h.plainCount(s, amount{whole: whole})
		h.say(s, h.and)
	}
	if a, b := atoi(over), atoi(under); a > b && h.isSum(s, last) {
		h.plainCount(s, amount{whole: over})
		h.say(s, h.symbol["÷"])
		h.plainCount(s, amount{whole: under})
	} else if a > b && a >= 20 || b == 1 {
		h.plainCount(s, amount{whole: over})
		h.say(s, h.versus)
		h.plainCount(s, amount{whole: under})
	} else {
		h.part(s, over, under)
	}
	s.at = last
	return true
}

// readDotted reads versions, and addresses of machines digit by digit.
func (h *han) readDotted(s *scan) bool {
	if s.peekAt(s.run(s.at, isDigit)) != '.' {
		return false
	}
	parts, end := s.numbersBy(s.at, '.')
	if len(parts) < 3 || isLetter(s.peekAt(end)) && !s.end(end) && len(parts) > 4 {
		return false
	}
	machine := len(parts) == 4
	for _, p := range parts {
		machine = machine && len(p) <= 3 && atoi(p) <= 255
	}
	machine = machine && (len(parts[0]) == 3 || len(parts[1]) == 3 || atoi(parts[0]) == 10)
	for i, p := range parts {
		if i > 0 {
			h.say(s, h.point)
		}
		if machine || len(p) > 2 {
			h.spell(s, p)
		} else {
			h.plainCount(s, amount{whole: p})
		}
	}
	s.at = end
	return true
}

// numbersBy are the digits at a place with a mark between them, and their end.
func (s *scan) numbersBy(at int, mark byte) (parts []string, end int) {
	for {
		next := s.run(at, isDigit)
		if next == at {
			return parts, end
		}
		parts, end = append(parts, s.text[at:next]), next
		if s.peekAt(next) != mark || len(parts) > 40 {
			return parts, end
		}
		at = next + 1
	}
}

// readChain reads the numbers of a house, 3-2-501.
func (h *han) readChain(s *scan) bool {
	if s.peekAt(s.run(s.at, isDigit)) != '-' {
		return false
	}
	parts, end := s.numbersBy(s.at, '-')
	if s.at > 0 && isLetter(s.text[s.at-1]) || !(len(parts) > 2 || len(parts) == 2 && h.isPlace(s, parts, end)) {
		return false
	}
	for i, p := range parts {
		if i > 0 {
			h.say(s, h.dash)
		}
		if len(p) > 2 {
			h.spell(s, p)
		} else {
			h.plainCount(s, amount{whole: p})
		}
	}
	s.at = end
	return true
}

// isPlace reports whether two numbers that end at a place are those of a house: a
// word says so, or in Japanese a kanji with nothing counted after them.
func (h *han) isPlace(s *scan, parts []string, end int) bool {
	before := s.text[:s.at]
	if h.houses.end(before) {
		return true
	}
	last, next := lastOf(before), firstOf(s.text[end:])
	return h.code == "ja" && last >= 0x4E00 && last < 0xA000 && !strings.ContainsRune("約第計各毎昨", last) && len(parts[0]) < 3 &&
		!h.scored(s, end) && (next == 0 || strings.ContainsRune(" 、。にので", next))
}

// readScore reads 3:1 and 3:2:1, and 3-1 where a word says that it is one or where
// it would go downwards.
func (h *han) readScore(s *scan) bool {
	end := s.run(s.at, isDigit)
	mark := s.peekAt(end)
	if mark == '.' { // 1.5:1
		end = s.run(end+1, isDigit)
		mark = s.peekAt(end)
	}
	if mark == '-' {
		return h.readDownward(s, end)
	}
	if mark != ':' || !isDigit(s.peekAt(end+1)) || s.text[end-1] == '.' {
		return false
	}
	for first := true; ; first = false {
		a, _ := s.amount(s.at)
		if !first {
			h.say(s, h.versus)
		}
		h.plainCount(s, a)
		if s.at = a.end; s.peek(0) != ':' || !isDigit(s.peek(1)) {
			return true
		}
		s.at++
	}
}

// readDownward reads 3-1, whose first number ends at a place.
func (h *han) readDownward(s *scan, end int) bool {
	last := s.run(end+1, isDigit)
	over, under := s.text[s.at:end], s.text[end+1:last]
	if under == "" || len(over) > 2 || strings.Contains(over, ".") || over[0] == '0' && len(over) > 1 || under[0] == '0' && len(under) > 1 || s.peekAt(last) == '-' && isDigit(s.peekAt(last+1)) {
		return false
	}
	cue := len(under) < 3 && h.scored(s, last)
	down := len(under) < 3 && atoi(over) >= atoi(under) && (s.end(last) || !h.countable(s, last))
	if !cue && !down || h.isSum(s, last) {
		return false
	}
	h.plainCount(s, amount{whole: over})
	h.say(s, h.versus)
	h.plainCount(s, amount{whole: under})
	s.at = last
	return true
}

// scored reports whether words beside a form that ends at a place say that it is a score.
func (h *han) scored(s *scan, end int) bool {
	return h.scores.end(s.text[:s.at]) || h.won.begin(s.text[end:])
}

// countable: a unit or a percent sign stands at a place.
func (h *han) countable(s *scan, at int) bool {
	_, percent := h.percentAt(s, at)
	_, unit := h.unitAt(s, at)
	return percent > 0 || unit > 0
}

// isSum: an equals sign follows a place.
func (h *han) isSum(s *scan, at int) bool {
	at += gap(s.text, at)
	return s.peekAt(at) == '=' && s.peekAt(at+1) != '='
}
