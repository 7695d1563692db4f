package spoken

import (
	"strings"
	"unicode/utf8"

	"voxpack/textnorm/numbers"
)

// faStroke reads two numbers with a stroke between: a fraction where the first is
// the smaller and nothing is measured, else the old form of a decimal.
func faStroke(s *scan) bool {
	end := s.run(s.at, isDigit)
	whole, at := "", s.at
	if end < len(s.text) && s.text[end] == ' ' {
		if over := s.run(end+1, isDigit); over > end+1 && over < len(s.text) && s.text[over] == '/' {
			whole, at, end = s.text[s.at:end], end+1, over
		}
	}
	if r, n := utf8.DecodeRuneInString(s.text[end:]); faVulgar[r][0] != "" && s.end(end+n) {
		s.faSay(amount{whole: s.text[s.at:end]})
		s.say("و")
		s.at = end + n
		return s.faFraction(faVulgar[r][0], faVulgar[r][1], "نیم")
	}
	if end >= len(s.text) || s.text[end] != '/' {
		return false
	}
	last := s.run(end+1, isDigit)
	top, bottom := s.text[at:end], s.text[end+1:last]
	if bottom == "" || len(top) > 15 || len(bottom) > 9 || last < len(s.text) && s.text[last] == '/' {
		return false
	}
	if whole == "" && (s.faYears(top, bottom, last) || s.faGrade(top, bottom, last) || s.faDayMonth(top, bottom, last)) {
		return true
	}
	if before := s.faBefore(); whole == "" && (before == "پلاک" || before == "واحد") { // پلاک ۱۲/۱
		s.faSay(amount{whole: top})
		s.at = last
		return s.faSay(amount{whole: bottom}) && s.faGap()
	}
	if whole == "" && faTables().dated.has(s.faBefore()) && len(top) <= 2 && len(bottom) <= 2 && s.end(last) { // مورخ ۱/۲
		s.faSay(amount{whole: strings.TrimLeft(top, "0")})
		s.at = last
		return s.faSay(amount{whole: strings.TrimLeft(bottom, "0")})
	}
	if (bottom == "2" || bottom == "3" || bottom == "4" || bottom == "8") && whole == "" && top < bottom && len(top) == 1 && top != "0" && s.end(last) && s.faBefore() == "و" && s.at > 4 && isDigit(s.text[s.at-5]) { // ۳۷ و ۱/۲
		s.at = last
		return s.faFraction(top, bottom, "نیم")
	}
	smaller := len(top) <= 3 && len(bottom) <= 4 && bottom[0] != '0' && top[0] != '0' && atoi(top) < atoi(bottom)
	if whole != "" && !smaller {
		return false
	}
	if whole == "" && (!smaller || s.faMeasured(last) && !s.faTimed(bottom, last) || !faDenominator(bottom) || s.faToldBefore(&faTables().decimals)) {
		a := amount{whole: top, fraction: bottom, start: at, end: last}
		return s.faAmountWords(a)
	}
	if !s.end(last) {
		return false
	}
	s.at = last
	if whole == "" {
		return s.faFraction(top, bottom, s.faHalf())
	}
	s.faSay(amount{whole: whole})
	s.say("و")
	return s.faFraction(top, bottom, "نیم")
}

// faTimed reports whether parts of a time stand at a place: ۱/۲ ساعت is half of one, and no
// 1.2 hours.
func (s *scan) faTimed(bottom string, at int) bool {
	return len(bottom) == 1 && bottom <= "4" && at < len(s.text) && s.text[at] == ' ' && faTables().times.has(s.text[at+1:faWordEnd(s.text, at+1)])
}

// faHalf is the word for one half by what stands at s.at: نیم ساعت, نصف لیوان, یک دوم.
func (s *scan) faHalf() string {
	if s.peek(0) != ' ' {
		return ""
	}
	next := strings.TrimSuffix(s.text[s.at+1:faWordEnd(s.text, s.at+1)], string(faKasre))
	switch {
	case len(next) < 4 || faTables().particle.has(next):
		return ""
	case faTables().times.has(next) || faTables().measures.has(next):
		return "نیم"
	}
	return "نصف"
}

// faDenominator reports whether a number usually stands below a fraction's line.
func faDenominator(digits string) bool {
	n := atoi(digits)
	return n <= 12 || n == 16 || n == 32 || n == 64 || n%10 == 0
}

// faMeasured reports whether what stands at a place tells a measure, money or a
// share, of which parts are not said as fractions.
func (s *scan) faMeasured(at int) bool {
	rest := s.text[at:]
	if strings.HasPrefix(rest, "%") || strings.HasPrefix(rest, " %") {
		return true
	}
	if len(rest) < 2 || rest[0] != ' ' {
		return false
	}
	word := rest[1:faWordEnd(rest, 1)]
	if short := strings.TrimSuffix(word, "ی"); faTables().measures.has(short) { // درصدی
		return true
	}
	for _, m := range faTables().magnitudes {
		if word == m || word == m+"ی" {
			return true
		}
	}
	return faTables().measures.has(word)
}

// faFraction says a numerator and a denominator, of one half the word that is given.
func (s *scan) faFraction(top, bottom, half string) bool {
	if half != "" && top == "1" && bottom == "2" {
		s.say(half)
		return true
	}
	return s.cardinal(top) && s.number(numbers.Ordinal, "", bottom)
}
