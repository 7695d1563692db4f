package spoken

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Numbers as science and code write them, and signs between them.

// enExponent reads 6.626e-34. Without a point or a sign, 6E is a thing's name.
func enExponent(s *scan) bool {
	a, ok := s.amount(s.at)
	if !ok || s.at2(a.end)|0x20 != 'e' {
		return false
	}
	at, minus, signed := a.end+1, false, true
	switch rest := s.text[at:]; {
	case strings.HasPrefix(rest, "-"):
		at, minus = at+1, true
	case strings.HasPrefix(rest, "−"):
		at, minus = at+len("−"), true
	case strings.HasPrefix(rest, "+"):
		at++
	default:
		signed = false
	}
	end := s.run(at, isDigit)
	if end == at || end-at > 3 || !s.end(end) || a.fraction == "" && !signed && (s.text[a.end] == 'E' || len(a.whole) > 1) {
		return false
	}
	s.amountWords(a)
	s.say("times ten to the power of")
	if minus {
		s.say("minus")
	}
	s.at = end
	ok = s.plainDigits(s.text[at:end])
	s.measureBehind()
	return ok
}

// measureBehind reads the measure after a power.
func (s *scan) measureBehind() {
	if u, end := s.unitAt(s.at); u.many != "" {
		if after, ok := strings.CutPrefix(s.text[end:], "⁻¹"); ok { // mol⁻¹
			s.say("per")
			s.say(u.one)
			s.at = len(s.text) - len(after)
			return
		}
		s.say(u.many)
		s.at = end
		s.per()
	}
}

// enRaise reads x^2 and 2^n.
func enRaise(s *scan) bool {
	if s.at == 0 || s.end(s.at-1) && s.text[s.at-1] != ')' {
		return false
	}
	at, minus := s.at+1, s.peek(1) == '-'
	if minus {
		at++
	}
	end := s.run(at, isDigit)
	if end == at {
		end = s.run(at, isLetter)
	}
	if end == at || !s.end(end) || isLetter(s.text[at]) && end > at+1 {
		return false
	}
	s.at = end
	switch power := s.text[at:end]; {
	case power == "2" && !minus:
		s.say("squared")
	case power == "3" && !minus:
		s.say("cubed")
	default:
		s.say("to the power of")
		if minus {
			s.say("minus")
		}
		if isDigit(power[0]) {
			return s.plainDigits(power)
		}
		s.say(power)
	}
	return true
}

// enOperators are said between two numbers of a sum that has its result.
var enOperators = map[byte]string{'-': "minus", '/': "divided by", '*': "times"}

// enOperator reads the sign of 8 - 3 = 5, and 2*3.
func enOperator(s *scan) bool {
	words, at := enOperators[s.text[s.at]], s.at+1
	if s.at == 0 || words == "" {
		return false
	}
	if spaced := s.text[s.at-1] == ' '; spaced {
		if s.at < 2 || s.end(s.at-2) && s.text[s.at-2] != ')' || s.peekAt(at) != ' ' {
			return false
		}
		end := s.run(at+1, func(c byte) bool { return isDigit(c) || c == '.' || c == ',' })
		if end == at+1 && isLetter(s.peekAt(at+1)) {
			end++
		}
		if end == at+1 || !s.end(end) || !strings.HasPrefix(s.text[end:], " =") {
			return false
		}
	} else if s.text[s.at] != '*' || !isDigit(s.text[s.at-1]) || !isDigit(s.peekAt(at)) {
		return false
	}
	s.say(words)
	if s.at = at; s.peek(0) != ' ' {
		s.out = append(s.out, ' ')
	}
	return true
}

// inGreek reports whether a letter that is a sign stands in a word of Greek.
func (s *scan) inGreek(r rune, n int) bool {
	if !unicode.Is(unicode.Greek, r) {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(s.text[:s.at])
	after, _ := utf8.DecodeRuneInString(s.text[s.at+n:])
	return unicode.Is(unicode.Greek, before) || unicode.Is(unicode.Greek, after)
}

// enChord reads Am7 and Gmaj9.
func enChord(s *scan, end int) bool {
	word := s.word(s.at)
	if len(word) < 2 || word[0] > 'G' || s.at+len(word) == end || s.run(s.at+len(word), isDigit) != end {
		return false
	}
	quality, ok := enTables().chords[word[1:]]
	if !ok || end-s.at-len(word) > 2 {
		return false
	}
	s.say(word[:1])
	s.say(quality)
	at := s.at + len(word)
	s.at = end
	return s.plainDigits(s.text[at:end])
}

// enPaired says a number of three digits in the way of roads, rooms and aircraft:
// one oh one, two eighty.
func (s *scan) paired(digits string) bool {
	if len(digits) != 3 || digits[0] == '0' || digits[1:] == "00" {
		return s.plainDigits(digits)
	}
	s.cardinal(digits[:1])
	if digits[1] == '0' {
		s.say("oh")
		return s.cardinal(digits[2:])
	}
	return s.cardinal(digits[1:])
}
