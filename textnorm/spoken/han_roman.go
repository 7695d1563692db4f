package spoken

import "unicode/utf8"

// readRoman reads the numeral right after a character or after a name: 路易XIV,
// Final Fantasy VII. One letter alone is a letter, and XX stands for a name left out.
func (h *han) readRoman(s *scan) bool {
	end := s.at
	for end < len(s.text) && (s.text[end] == 'I' || s.text[end] == 'V' || s.text[end] == 'X') {
		end++
	}
	if end-s.at < 2 || end-s.at > 6 || end < len(s.text) && (isLetter(s.text[end]) || isDigit(s.text[end])) {
		return false
	}
	before, n := utf8.DecodeLastRuneInString(s.text[:s.at])
	if before == ' ' {
		before, _ = utf8.DecodeLastRuneInString(s.text[:s.at-n])
	}
	if before == 0 || !inWord(before) {
		return false
	}
	value := smallRoman(s.text[s.at:end])
	if value == 0 || value == 20 || value == 30 {
		return false
	}
	h.speak(s, itoa(value))
	s.at = end
	h.skipSpace(s)
	return true
}

// smallRoman is the value of a numeral below forty in its usual spelling, 0 for others.
func smallRoman(form string) int {
	ones := [...]string{"", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"}
	tens := 0
	for len(form) > 0 && form[0] == 'X' {
		form = form[1:]
		tens += 10
	}
	for one, spelling := range ones {
		if form == spelling && tens <= 30 {
			return tens + one
		}
	}
	return 0
}
