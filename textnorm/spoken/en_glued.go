package spoken

import "strings"

// What letters right after digits can be.
var (
	enPlural   = &class{name: "plural", say: enSayPlural}
	enSeconds  = &class{name: "seconds", say: enSayMeasure}
	enDecades  = &class{name: "decade", say: func(s *scan) bool { return s.decade(s.form.one.whole, s.form.end) }}
	enShilling = &class{name: "shillings", say: enShillings}
	enMeasured = &class{name: "measure", say: enSayMeasure}
	enMinutes  = &class{name: "minutes", say: enSayMinutes}
	enZulu     = &class{name: "time", say: enSayZulu}
	enMillion  = &class{name: "million", say: enSayMillion}
	enLettered = &class{name: "code", say: func(s *scan) bool { return s.gluedLetters(s.form.one) }, safe: true}
)

// enGlued proposes what letters right after a number are: 747s, 5m, 2.5h, 802.11ac, 4K.
func enGlued(s *scan) {
	digits := s.run(s.at, isDigit)
	if c := s.peekAt(digits); !isLetter(c) && c != '.' && c != ',' {
		return
	}
	a, _ := s.amount(s.at)
	letters := s.word(a.end)
	end := a.end + len(letters)
	if letters == "" || !s.end(end) || a.fraction == "" && enOrdinalEnds.has(letters) {
		return
	}
	u, last := s.unitAt(a.end)
	if last > end { // of a measure of more than letters: m²
		return
	}
	s.form = form{one: a, letters: letters, unit: u, end: end}
	switch {
	case letters == "s":
		s.gluedS(a, end)
	case letters == "bn" || letters == "mn" || letters == "tn":
		s.may(enMillion, certain, "a number by its form")
	case letters == "M" || letters == "B":
		s.may(enMillion, map[bool]int{true: usual, false: possible}[a.fraction != "" || s.peekAt(end) == '+'], "a part of a million")
		s.may(enLettered, possible, "")
	case letters == "Z" && (len(a.whole) == 4 || len(a.whole) == 6) && a.end == digits: // 1200Z
		s.may(enZulu, certain, "a time by its form")
	case len(letters) == 1 && isUpper(letters[0]) && s.at > 1 && s.text[s.at-1] == '-' && isUpper(s.text[s.at-2]): // I-35W
		s.may(enLettered, certain, "a code by its form")
	case a.String() == wireless || u.many == "" || s.behindModel():
		s.may(enLettered, certain, "a code by its form")
	case letters == "m":
		s.may(enMeasured, possible, "")
		s.may(enMillion, possible, "")
		s.may(enMinutes, possible, "")
		s.may(enLettered, 0, "")
	case len(letters) == 1 && strings.IndexByte("AJNt", letters[0]) >= 0: // seats and rooms have them as often
		s.may(enMeasured, possible, "")
		s.may(enLettered, possible, "")
	default:
		s.may(enMeasured, margin, "a measure by its form")
		s.may(enLettered, 0, "")
	}
}

// enOrdinalEnds are the endings of ordinals.
var enOrdinalEnds = wordSet("st nd rd th ST ND RD TH")

// gluedS proposes what an s after digits is.
func (s *scan) gluedS(a amount, end int) {
	pence, _ := s.pence(end)
	long := len(a.whole) > 2
	switch stop := s.peekAt(end) == '.' && s.peekAt(end+1) != 0 && !s.sentenceEnd(end); {
	case a.fraction != "" || s.behindMinutes():
		s.may(enSeconds, certain, "a part of a second, or minutes before it")
		return
	case s.behindModel():
		s.may(enLettered, certain, "a name before it")
		return
	case pence != "" || stop && len(a.whole) < 3 && (s.at == 0 || s.text[s.at-1] == ' '):
		s.may(enShilling, certain, "a full stop, or pence after it")
		return
	case s.behindTheName():
		s.may(enPlural, certain, "a name before it")
		return
	case long:
		s.may(enPlural, cueNext, "three digits or more")
	case a.whole[len(a.whole)-1] == '0' && len(a.whole) == 2:
		s.may(enDecades, usual, "a round number")
	default:
		s.may(enPlural, possible, "")
	}
	s.may(enSeconds, possible, "")
	s.may(enLettered, 0, "")
}

// inSum reports whether the sign of a sum follows: 3x + 2.
func (s *scan) inSum(at int) bool {
	if s.peekAt(at) == ' ' {
		at++
	}
	rest := s.text[at:]
	return rest != "" && (strings.IndexByte("+=<>^)", rest[0]) >= 0 || strings.HasPrefix(rest, "- ") || strings.HasPrefix(rest, "−"))
}

// behindModel reports whether the word before has a capital inside: iPhone 5s.
func (s *scan) behindModel() bool {
	before := s.before()
	return len(before) > 1 && !isUpper(before[0]) && before != strings.ToLower(before)
}

// behindTheName reports whether a name stands before that begins no sentence, or the
// letters of a model: Boeing 747s, B-52s.
func (s *scan) behindTheName() bool {
	if s.at > 1 && s.text[s.at-1] == '-' && isLetter(s.text[s.at-2]) { // omega-3s too
		return isUpper(s.text[s.at-2]) || s.at > 3 && isLetter(s.text[s.at-4])
	}
	before := s.before()
	start := s.at - 1 - len(before)
	return before != "" && isUpper(before[0]) && !enStarts[before] && start > 1 && strings.IndexByte(".!?:\"", s.text[start-2]) < 0
}

// wireless is the family of standards whose members are told apart by letters: 802.11ac.
const wireless = "802.11"

// enSayPlural says a number in the plural: 747s, 6s, hundreds of.
func enSayPlural(s *scan) bool {
	a, end := s.form.one, s.form.end
	switch round := a.whole == "100" || a.whole == "1000"; {
	case round && strings.HasPrefix(s.text[end:], " of "):
		s.say(map[string]string{"100": "hundred", "1000": "thousand"}[a.whole])
	case enIsYear(a):
		s.year(a.whole)
	default:
		s.plainDigits(a.whole)
	}
	s.at = end
	switch last := s.out[len(s.out)-1]; last {
	case 'y':
		s.out = append(s.out[:len(s.out)-1], "ies"...)
	case 'x':
		s.out = append(s.out, "es"...)
	default:
		s.out = append(s.out, 's')
	}
	return true
}

func enSayMeasure(s *scan) bool { return s.measure(s.form.one, s.form.unit, s.form.end) }

func enSayZulu(s *scan) bool {
	s.digits(s.form.one.whole)
	s.say("Zulu")
	s.at = s.form.end
	return true
}

func enSayMinutes(s *scan) bool {
	return s.measure(s.form.one, enTables().units["min"], s.form.end)
}

func enSayMillion(s *scan) bool {
	s.amountWords(s.form.one)
	s.say(enTables().magnitude[s.form.letters])
	s.at = s.form.end
	return true
}

// gluedLetters reads 4K, 1080p, 3D, 10x.
func (s *scan) gluedLetters(a amount) bool {
	letters := s.word(a.end)
	end := a.end + len(letters)
	if letters == "" || !s.end(end) {
		if !s.amountWords(a) {
			return false
		}
		s.at = a.end
		s.out = append(s.out, ' ')
		return true
	}
	if a.String() == wireless {
		s.say("eight oh two point eleven")
	} else {
		s.amountWords(a)
	}
	switch {
	case (letters == "x" || letters == "X") && !s.inSum(end):
		s.say("times")
	case len(letters) <= 3 && strings.ToUpper(letters) == letters, len(letters) == 1, a.String() == wireless:
		for i := range len(letters) {
			s.say(letters[i : i+1])
		}
	default:
		s.say(letters)
	}
	s.at = end
	return true
}
