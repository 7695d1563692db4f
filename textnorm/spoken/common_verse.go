package spoken

import "voxpack/textnorm/numbers"

// readVerse says the chapter and verse that stand behind a book of scripture, as 3,16 and
// 5:3–12. It reports false where there are none: Ps. 23 is a number as any other.
func (v *voice) readVerse(s *scan, at int) bool {
	chapter := s.run(at, isDigit)
	mark := s.peekAt(chapter)
	if chapter == at || chapter > at+3 || mark != ':' && mark != ',' && mark != '.' {
		return false
	}
	from := chapter + 1
	if mark == ',' && s.peekAt(from) == ' ' { // Lc 15, 11-32
		from++
	}
	to := s.run(from, isDigit)
	if to == from || to > from+3 || s.peekAt(to) == ':' {
		return false
	}
	v.speak(s, numbers.Cardinal, "", s.text[at:chapter])
	s.out = append(s.out, ',')
	v.speak(s, numbers.Cardinal, "", s.text[from:to])
	if dash := s.dash(to); dash > 0 && s.run(to+dash, isDigit) > to+dash {
		last := to + dash
		to = s.run(last, isDigit)
		v.sayTo(s)
		v.speak(s, numbers.Cardinal, "", s.text[last:to])
	}
	s.at = to
	return true
}
