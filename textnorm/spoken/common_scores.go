package spoken

import (
	"strings"
	"unicode/utf8"
)

// readScore reads 3:1.
func (v *voice) readScore(s *scan) bool {
	first := s.run(s.at, isDigit)
	colon, second := first, first+1
	if strings.HasPrefix(s.text[first:], " : ") { // 3 : 1
		colon, second = first+1, first+3
	}
	if s.peekAt(colon) != ':' || first-s.at > 3 {
		return false
	}
	last := s.run(min(second, len(s.text)), isDigit)
	if last == second || last-second > 3 || !s.end(last) || s.peekAt(last) == ':' {
		return false
	}
	v.count(s, amount{whole: s.text[s.at:first]}, 0)
	switch {
	case v.code == "nl" && v.ratio(s): // schaal 1:50
		v.say(s, v.over)
	case v.score != "":
		v.say(s, v.score)
	}
	s.at = last
	return v.sayCase(s, v.scoreForm, s.text[second:last])
}

// result reads 2-0: no range goes down.
func (v *voice) result(s *scan, a, b amount, next int, unit noun) bool {
	word := letters(s.text, b.end+gap(s.text, b.end))
	if a.fraction+b.fraction != "" || len(a.whole) > 2 || len(b.whole) > 2 || atoi(a.whole) < atoi(b.whole) && !(v.game(s, s.at) && againstAt(word)) || a.whole[0] == '0' && len(a.whole) > 1 ||
		next > a.end+len("–") || v.to == "-" || unit.forms != nil || !s.end(b.end) || holds("uur u h Uhr heures horas ore hodin hod godz saat", word) ||
		s.at > 0 && s.text[s.at-1] == '-' || v.labels[strings.ToLower(v.before(s))] {
		return false
	}
	v.count(s, a, 0)
	if v.score != "" {
		v.say(s, v.score)
	}
	s.at = b.end
	return v.count(s, b, 0)
}

// againstAt reports whether a word, or none, may follow the score of a game: nothing is
// counted by it.
func againstAt(word string) bool {
	return word == "" || utf8.RuneCountInString(word) <= 3 || holds("gegen tegen contre contra contro", word)
}
