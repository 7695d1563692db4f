package spoken

import (
	"strings"
	"unicode/utf8"

	"voxpack/textnorm/numbers"
)

// enVersion reads 1.2.3 and 192.168.0.1.
func enVersion(s *scan) bool {
	if s.at < s.chained {
		return false
	}
	var parts []string
	at := s.at
	for {
		end := s.run(at, isDigit)
		if end == at {
			return false
		}
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
	if !s.end(at) { // 1.2.3.4a: nor is what is left of it from any later part on
		s.chained = at
		return false
	}
	address := len(parts) == 4
	for i, p := range parts {
		if i > 0 {
			s.say(map[bool]string{true: "dot", false: "point"}[address])
		}
		if address {
			s.digits(p)
		} else {
			s.plainDigits(p)
		}
	}
	s.at = at
	return true
}

// enVersionLetter reads v1.2.
func enVersionLetter(s *scan) bool {
	if end := s.run(s.at+1, isDigit); end == s.at+1 || end-s.at > 3 || s.text[s.at] == 'V' && s.peek(end-s.at) != '.' {
		return false
	}
	s.say("version")
	s.at++
	if enVersion(s) {
		return true
	}
	a, ok := s.amount(s.at)
	if !ok || !s.end(a.end) {
		return false
	}
	s.at = a.end
	return s.amountWords(a)
}

// plainDigits says a whole number; one with a zero in front, or of more digits
// than anybody reads as a number, digit by digit.
func (s *scan) plainDigits(digits string) bool {
	if len(digits) > 1 && digits[0] == '0' || len(digits) > 15 {
		return s.digits(digits)
	}
	return s.cardinal(digits)
}

func enOrdinal(s *scan) bool {
	a, ok := s.amount(s.at)
	if !ok || a.fraction != "" {
		return false
	}
	for _, suffix := range []string{"st", "nd", "rd", "th", "ST", "ND", "RD", "TH"} {
		if strings.HasPrefix(s.text[a.end:], suffix) && s.end(a.end+2) {
			s.at = a.end + 2
			return s.number(numbers.Ordinal, "", a.whole)
		}
	}
	return false
}

// toNext reads the dash of a range; what follows is read by itself.
func (s *scan) toNext(mark int) {
	s.say("to")
	s.out = append(s.out, ' ')
	s.at += mark
}

// enIsYear reports whether a number is read as a year where nothing else tells.
func enIsYear(a amount) bool {
	if len(a.whole) != 4 || a.fraction != "" || a.grouped {
		return false
	}
	n := atoi(a.whole)
	return n >= 1100 && n < 2100
}

// enNegative reads the sign in front of a number: -5, −3.2, +4, ~20, ½.
func enNegative(s *scan) bool {
	r, n := utf8.DecodeRuneInString(s.rest())
	if f, ok := vulgar[r]; ok {
		s.at += n
		s.fraction(f[0], f[1], false)
		s.partOf(false, f[0])
		return true
	}
	next := s.peek(n)
	if !isDigit(next) && !(next == '.' && isDigit(s.peek(n+1))) && !(r == '-' && next == '$') && !(r == '.' && isLetter(next)) {
		return false
	}
	clear := s.at == 0 || strings.ContainsRune(" ([{\"'“‘=<>", rune(s.text[s.at-1]))
	switch {
	case (r == '-' || r == '−' || r == '–') && clear:
		s.say("minus")
	case r == '.' && clear && isDigit(next):
		end := s.run(s.at+1, isDigit)
		if end-s.at == 4 && s.end(end) && enBats.has(s.before()) { // hit .310
			digits := s.text[s.at+1 : end]
			s.at = end
			return s.paired(digits)
		}
		if caliber := end-s.at == 3 && end < len(s.text) && (s.text[end] == ' ' || s.text[end] == '-') && enGuns.has(s.word(end+1)); caliber {
			s.cardinal(strings.TrimLeft(s.text[s.at+1:end], "0"))
		} else {
			s.cardinal("0." + s.text[s.at+1:end])
		}
		s.at = end
		return true
	case r == '.' && clear && isLetter(next):
		s.say("dot")
	case r == '~' && clear:
		s.say("about")
	case r == '#':
		s.say("number")
	default:
		return false
	}
	s.out = append(s.out, ' ')
	s.at += n
	return true
}

// enBats stand before an average of baseball.
var enBats = wordSet("hit hits hitting batted batting bats slugging slugged")

// enGuns stand after a caliber.
var enGuns = wordSet("caliber calibre cal rifle rifles pistol pistols revolver revolvers gun guns handgun bullet bullets cartridge cartridges ammunition round rounds shell shells Magnum magnum automatic slug slugs")

// enAmount reads a number with what stands after it: a measure, a percent sign,
// a currency, letters; else a year or a number.
func enAmount(s *scan) bool {
	a, ok := s.amount(s.at)
	if !ok {
		return false
	}
	if u, end := s.unitAt(a.end); u.many != "" {
		return s.measure(a, u, end)
	}
	if words, end := s.points(a); words != "" {
		s.amountWords(a)
		s.say(words)
		s.at = end
		return true
	}
	rest := s.text[a.end:]
	for _, sign := range []string{"%", " %", "‰", "¢", "€", "£", "$", " €", " £", "₽", " ₽", "₺", " ₺", "₴", " ₴", "₹", " ₹", "₩", " ₩", " zł", " Kč"} {
		if !strings.HasPrefix(rest, sign) || sign[0] == ' ' && isDigit(s.peekAt(a.end+len(sign))) { // 5 €20 notes
			continue
		}
		s.at = a.end + len(sign)
		switch sign[len(sign)-1] {
		case '%':
			s.amountWords(a)
			s.say("percent")
			if mark := s.dash(s.at); mark > 0 && isDigit(s.peek(mark)) {
				s.toNext(mark)
			}
			return true
		}
		switch strings.TrimSpace(sign) {
		case "‰":
			s.amountWords(a)
			s.say("per mille")
			return true
		case "¢":
			s.amountWords(a)
			s.say(unit{"cent", "cents"}.of(a.whole))
			s.per()
			return true
		}
		end := s.at
		s.at = a.start
		if !s.money(enTables().money[strings.TrimSpace(sign)]) {
			return false
		}
		s.at = max(s.at, end)
		return true
	}
	if word := s.word(min(a.end+1, len(s.text))); rest != "" && rest[0] == ' ' && len(word) == 3 && s.end(a.end+1+len(word)) {
		if names, ok := enTables().money[word]; ok {
			end := a.end + 4
			if !s.money(names) {
				return false
			}
			s.at = max(s.at, end)
			return true
		}
	}
	return s.bareAmount(a)
}

// measure says an amount of a measure that ends at a place.
func (s *scan) measure(a amount, u unit, end int) bool {
	single := a.isOne() || s.text[a.end] == '-' || s.adjective(end)
	s.amountWords(a)
	if single {
		s.say(u.one)
	} else {
		s.say(u.many)
	}
	s.at = end
	if s.text[end-1] != '.' && s.peek(0) == '.' && s.peek(1) != 0 && !s.sentenceEnd(s.at) {
		s.at++
	}
	s.per()
	return true
}

// bareAmount reads a number with nothing after it that it measures: by what
// stands before it and by its form, for digits, a house, a year or a count.
func (s *scan) bareAmount(a amount) bool {
	before := s.before()
	s.at = a.end
	if !s.end(a.end) {
		return s.gluedLetters(a)
	}
	switch {
	case len(a.whole) == 3 && a.fraction == "" && (enDialled.has(strings.ToLower(before)) || s.behindLine(a.start)),
		s.typed(a),
		len(a.whole) > 3 && a.fraction == "" && !a.grouped && (before == "Box" || before == "box" || enTexted.has(strings.ToLower(before)) && len(a.whole) < 7),
		len(a.whole) == 5 && a.fraction == "" && !a.grouped && (enTables().states[before] != "" || s.behindState(a.start)):
		return s.digits(a.whole)
	case len(a.whole) == 3 && a.fraction == "" && enPairedAfter.has(strings.ToLower(before)):
		return s.paired(a.whole)
	case s.house(a):
		return true
	case enIsYear(a) && s.counts(a, before):
		return s.amountWords(a)
	case len(a.whole) == 4 && !a.grouped && a.fraction == "" && s.era(), enIsYear(a), len(a.whole) == 4 && !a.grouped && a.fraction == "" && a.whole[:2] == "10" && (before == "in" || before == "In" || before == "since" || before == "until" || before == "year"):
		return s.year(a.whole)
	}
	s.amountWords(a)
	if s.peek(0) == '/' && enTables().units[letters(s.text, s.at+1)].many != "" { // 106/km²
		s.per()
	}
	return true
}

// behindState reports whether the letters of a state stand before: N.Y. 10019.
func (s *scan) behindState(at int) bool {
	const form = len("N.Y. ")
	if at < form {
		return false
	}
	w := s.text[at-form : at]
	return isUpper(w[0]) && w[1] == '.' && isUpper(w[2]) && w[3] == '.' && enTables().states[w[:1]+w[2:3]] != ""
}

// enPairedAfter stand before a number of three digits that is said in two parts.
var enPairedAfter = wordSet("route interstate highway hwy error room suite flight")

// era reports whether the era of a year follows.
func (s *scan) era() bool {
	for _, era := range []string{" B.C", " BC", " A.D", " AD", " CE"} {
		if strings.HasPrefix(s.rest(), era) {
			return true
		}
	}
	return false
}

// behindLine reports whether the word before tells of a telephone: "crisis line: 988".
func (s *scan) behindLine(at int) bool {
	before := strings.ToLower(s.text[max(0, at-10):at])
	return strings.HasSuffix(before, "line: ") || strings.HasSuffix(before, "phone: ") || strings.HasSuffix(before, "police: ") || strings.HasSuffix(before, "number: ")
}

// enDialled and enTexted stand before the short number of a telephone.
var (
	enDialled = wordSet("dial dialed dialing call called calling calls phone phoned phoning ring rang text")
	enTexted  = wordSet("dial dialed text")
)

// adjective reports whether a measure or an amount that ends at a place stands
// before what it measures, as in "a $5 bill" and "a 60 W bulb".
func (s *scan) adjective(end int) bool { return s.adjectiveFrom(s.at, end) }

func (s *scan) adjectiveFrom(start, end int) bool {
	back := scan{text: s.text, at: start}
	switch back.before() {
	case "a", "an", "A", "An", "each", "every", "another", "this", "that":
	default:
		return false
	}
	if end+1 >= len(s.text) || s.text[end] != ' ' || s.text[end+1] < 'a' || s.text[end+1] > 'z' {
		return false
	}
	return !enNoNoun.has(s.word(end + 1))
}

// enNoNoun begin no name of a thing.
var enNoNoun = wordSet("to for in of on and or at a an per more less each from by with is was were are be been had has have will would can could may might must as than but into out off down up over under before after ago later away all only so if when while because since until till that which who")

// mostUnit and mostFaUnit are the bytes of the longest measure that is looked for.
const mostUnit, mostFaUnit = 8, 6

// unitAt is the measure after a number, and where it ends.
func (s *scan) unitAt(at int) (u unit, end int) {
	next := at
	if next < len(s.text) && (s.text[next] == ' ' || s.text[next] == '-') {
		next++
	}
	rest, t := s.text[next:], enTables()
	for n := min(len(rest), mostUnit); n > 0; n-- {
		u, ok := t.units[rest[:n]]
		if !ok || !s.end(next+n) && rest[:n] != "°" || rest[:n] == "°" && n < len(rest) && isLetter(rest[n]) && s.end(next+n+1) {
			continue
		}
		if next > at && s.text[at] == ' ' && t.near[rest[:n]] {
			switch stop := n < len(rest) && rest[n] == '.'; {
			case rest[:n] == "in" && (stop && !s.sentenceEnd(next+n) || s.before() == "ft" || s.before() == "feet"):
			case s.at2(next+n) == '/' && n == 1 && enTables().units[s.word(next+2)].many != "": // 5 J/kg
			case rest[:n] == "s" && (strings.IndexByte(",;)", s.at2(next+n)) >= 0 || s.decimalBehind(at)) && isDigit(s.text[at-1]): // 9.58 s, and
			case (rest[:n] == "W" || rest[:n] == "V" || rest[:n] == "L" || rest[:n] == "l") && (!stop || s.sentenceEnd(next+n)):
			case rest[:n] == "s" && stop && s.sentenceEnd(next+n): // 9.58 s.
			default:
				continue
			}
		}
		if n < len(rest) && rest[n] == '\'' || s.text[at:next] == "-" && n < 2 && rest[:n] != "m" && rest[:n] != "g" && rest[:n] != "l" {
			continue
		}
		return u, next + n
	}
	return unit{}, at
}

// enSymbol says a sign that stands for a word.
func enSymbol(s *scan) bool {
	r, n := utf8.DecodeRuneInString(s.rest())
	words, ok := enTables().symbols[string(r)]
	open := s.at == 0 || s.text[s.at-1] == ' ' || s.text[s.at-1] == '('
	if r == '<' && open && isLetter(s.peek(1)) || r == '>' && !open && s.peek(1) != '>' && s.text[s.at-1] != '>' && (s.peek(1) == 0 || !isDigit(s.peek(1)) && !isLetter(s.peek(1)) && !isDigit(s.text[s.at-1])) {
		return false // brackets round a word
	}
	if !ok {
		if r == '#' && s.at > 0 && (s.text[s.at-1] == 'C' || s.text[s.at-1] == 'F') && !isDigit(s.peek(n)) {
			words, ok = "sharp", true
		} else if r == '#' && isLetter(s.peek(n)) {
			words, ok = "hashtag", true
		} else if r == '/' && s.at > 0 && isDigit(s.text[s.at-1]) && isDigit(s.peek(1)) {
			words, ok = "slash", true
		}
	}
	if words == "dollar" && (s.peek(1) == '$' || s.at > 0 && s.text[s.at-1] == '$') { // $$$
		return false
	}
	if !ok {
		return r == '^' && enRaise(s) || r < utf8.RuneSelf && enOperator(s)
	}
	if s.inGreek(r, n) {
		return false
	}
	s.say(words)
	if r == '§' && s.peek(n) != 0 && strings.HasPrefix(s.text[s.at+n:], "§") {
		s.out, n = append(s.out, 's'), 2*n
	}
	s.at += n
	if c := s.peek(0); c != 0 && c != ' ' && strings.IndexByte(".,;:!?)", c) < 0 {
		s.out = append(s.out, ' ')
	}
	return true
}

// enMixed reads a word of letters and digits: B2B, A4, H2O, MP3.
func enMixed(s *scan) bool {
	end := s.at
	digits, letters := false, false
	for end < len(s.text) && (isLetter(s.text[end]) || isDigit(s.text[end])) {
		if isDigit(s.text[end]) {
			digits = true
		} else {
			letters = true
		}
		end++
	}
	if !digits || !s.end(end) {
		return false
	}
	if !letters {
		return s.takeDigits(end)
	}
	if enChord(s, end) || enEvery(s, end) {
		return true
	}
	for s.at < end {
		if isDigit(s.text[s.at]) {
			if !s.takeDigits(s.run(s.at, isDigit)) {
				return false
			}
			continue
		}
		word := s.word(s.at)
		if strings.ToUpper(word) == word && len(word) <= 3 {
			for i := range len(word) {
				s.say(word[i : i+1])
			}
		} else {
			s.say(word)
		}
		s.at += len(word)
	}
	return true
}

// enEvery reads q8h of prescriptions.
func enEvery(s *scan, end int) bool {
	digits := s.run(s.at+1, isDigit)
	if s.text[s.at] != 'q' || digits == s.at+1 || digits+1 != end || s.text[digits] != 'h' {
		return false
	}
	s.say("every")
	s.cardinal(s.text[s.at+1 : digits])
	s.say("hours")
	s.at = end
	return true
}

func (s *scan) takeDigits(end int) bool {
	digits := s.text[s.at:end]
	s.at = end
	if len(digits) <= 2 {
		return s.plainDigits(digits)
	}
	if len(digits) == 4 && (digits[:2] == "19" || digits[:2] == "20") { // FY2021
		return s.year(digits)
	}
	return s.digits(digits)
}
