package spoken

import "strings"

// Chapters and verses, and what else has a colon between numbers and is no time of the day.

// enBook reads the name of a book of scripture before a chapter and a verse: Gen. 1:1,
// 1 Cor. 13:4. Without a verse a cut name is many other things.
func enBook(s *scan) bool {
	at, which := s.at, ""
	if c := s.text[at]; isDigit(c) {
		if s.inside() || c < '1' || c > '3' || s.peek(1) != ' ' {
			return false
		}
		which, at = []string{"First", "Second", "Third"}[c-'1'], at+2
	}
	end := s.run(at, isLetter)
	if dot := s.peekAt(end) == '.'; !dot && (s.peekAt(end) != ' ' || !isDigit(s.peekAt(end+1))) || dot && !isDigit(s.peekAt(end+2)) {
		return false
	}
	word := s.text[at:end]
	name := enTables().books[word]
	if name == "" && which != "" && len(word) > 2 && isUpper(word[0]) && s.lang.cues.has(word, "verse") {
		name = word
	}
	if at += len(word); name == "" {
		return false
	}
	if s.peekAt(at) == '.' {
		at++
	}
	if s.peekAt(at) != ' ' {
		return false
	}
	colon := s.run(at+1, isDigit)
	if colon == at+1 || s.peekAt(colon) != ':' || !isDigit(s.peekAt(colon+1)) {
		return false
	}
	if which != "" {
		s.say(which)
	}
	s.say(name)
	s.at = at
	return true
}

// enSayVerse says a chapter, a verse, and the last verse of a passage.
func enSayVerse(s *scan) bool {
	enBetween("")(s)
	mark := s.dash(s.at)
	if mark == 0 || !isDigit(s.peek(mark)) {
		return true
	}
	s.toNext(mark)
	last := s.run(s.at, isDigit)
	s.plainDigits(s.text[s.at:last])
	if s.at = last; s.peek(0) == ':' && isDigit(s.peek(1)) { // 3:16-4:2
		end := s.run(last+1, isDigit)
		s.at = end
		return s.plainDigits(s.text[last+1 : end])
	}
	return true
}

// lap is what a watch shows: 1:10.567, and 2:01:09 where a word tells of it.
func (s *scan) lap(colon, end int) (f form, ok bool) {
	b := s.text[colon+1 : end]
	if len(b) != 2 || b > "59" {
		return f, false
	}
	f.one, f.two, f.end = amount{whole: s.text[s.at:colon]}, amount{whole: itoa(atoi(b))}, end
	switch next := s.run(min(end+1, len(s.text)), isDigit); {
	case next <= end+1 || !s.end(next):
	case s.text[end] == '.' && next-end <= 4 && colon-s.at <= 2:
		half, _ := s.half(next)
		f.two.fraction, f.end = s.text[end+1:next], next
		return f, half == "" && !(s.peekAt(next) == '.' && isDigit(s.peekAt(next+1)))
	case s.text[end] == ':' && next == end+3 && s.text[end+1:next] <= "59" && s.peekAt(next) != ':':
		f.letters, f.end = s.text[end+1:next], next
		if s.peekAt(next) == '.' && isDigit(s.peekAt(next+1)) {
			f.end = s.run(next+1, isDigit)
			f.letters = s.text[end+1 : f.end]
		}
		half, _ := s.half(f.end)
		return f, half == ""
	}
	return f, false
}

// enSayLap says hours, minutes and seconds by their names.
func enSayLap(s *scan) bool {
	f := s.form
	parts := []part{{f.one, 'm'}, {f.two, 's'}}
	if f.letters != "" {
		whole, fraction, _ := strings.Cut(f.letters, ".")
		parts = []part{{f.one, 'h'}, {f.two, 'm'}, {amount{whole: itoa(atoi(whole)), fraction: fraction}, 's'}}
	}
	enSayParts(s, parts)
	s.at = f.end
	return true
}

// enDigital is a clock's face or a watch's, number by number.
var enDigital = &class{name: "code", safe: true, say: func(s *scan) bool {
	s.cardinal(itoa(atoi(s.form.one.whole)))
	for _, two := range []string{s.form.two.whole, s.form.letters} {
		if len(strings.TrimLeft(two, "0")) < 2 {
			s.say("oh")
		}
		s.cardinal(itoa(atoi(two)))
	}
	s.at = s.form.end
	return true
}}

// enClockMarks reads 17'30", which has too many seconds to be inches, and 1'23"4.
func enClockMarks(s *scan, minutes, seconds string, at int) bool {
	b := amount{whole: itoa(atoi(seconds))}
	if end := s.run(at, isDigit); end > at {
		if end-at > 3 || !s.end(end) {
			return false
		}
		b.fraction, at = s.text[at:end], end
	}
	enSayParts(s, []part{{amount{whole: itoa(atoi(minutes))}, 'm'}, {b, 's'}})
	s.at = at
	return true
}

// enSayParts says the parts of a duration.
func enSayParts(s *scan, parts []part) {
	for _, p := range parts {
		s.amountWords(p.amount)
		u := enTables().units[map[byte]string{'h': "h", 'm': "min", 's': "s"}[p.unit]]
		if p.amount.isOne() {
			s.say(u.one)
		} else {
			s.say(u.many)
		}
	}
}
