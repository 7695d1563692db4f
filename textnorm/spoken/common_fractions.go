package spoken

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"voxpack/textnorm/numbers"
)

// readFraction reads 3/4, 2 1/2 and 2½.
func (v *voice) readFraction(s *scan) bool {
	end := s.run(s.at, isDigit)
	whole := s.text[s.at:end]
	if r, n := utf8.DecodeRuneInString(s.text[end+gap(s.text, end):]); vulgar[r][0] != "" {
		s.at = end + gap(s.text, end) + n
		v.mixed(s, whole, vulgar[r][0], vulgar[r][1])
		v.unitBehind(s, whole)
		if !s.end(s.at) {
			s.out = append(s.out, ' ')
		}
		return true
	}
	whole, top, bottom, last, ok := s.stroke(anyLength)
	if !ok {
		return false
	}
	if len(top) == 4 && len(bottom) == 2 && whole == "" && s.end(last) && atoi(bottom) == (atoi(top)+1)%100 { // 1990/91
		v.countOrYear(s, amount{whole: top}, 0)
		s.at = last
		return v.count(s, amount{whole: bottom}, 0)
	}
	if bottom == "" || len(top) > 3 || len(bottom) > 3 || top[0] == '0' || atoi(bottom) < 2 || !s.end(last) || last < len(s.text) && s.text[last] == '/' {
		return false
	}
	if top == "24" && bottom == "7" {
		s.at = last
		return v.count(s, amount{whole: top}, 0) && v.count(s, amount{whole: bottom}, 0)
	}
	if over := v.notFraction(s, top, bottom, last); over != "" && whole == "" {
		v.count(s, amount{whole: top}, 0)
		v.say(s, over)
		s.at = last - len(bottom) // a unit or the mark of an ordinal may follow it
		s.out = append(s.out, ' ')
		return true
	}
	s.at = last
	v.mixed(s, whole, top, bottom)
	if whole != "" {
		v.unitBehind(s, whole)
	}
	return true
}

// mixed says a whole number, if any, and a fraction; the halves of a noun have
// words of their own.
func (v *voice) mixed(s *scan, whole, top, bottom string) {
	next, gender := "", 0
	unit, _, end := v.unitAt(s, s.at)
	if n := gap(s.text, s.at); end > s.at && unit.forms != nil {
		next = unit.forms[0]
	} else if unit.forms = nil; n > 0 {
		next = letters(s.text, s.at+n)
	}
	if unit.gender == 'f' || v.agree != nil && next != "" && v.agree("1", "", strings.TrimSuffix(next, "s")) == 'f' || v.code == "it" && oneOf(next, "ore tazze") {
		gender = 1
	}
	half := top == "1" && bottom == "2"
	switch {
	case half && whole == "1" && v.halfOne != "":
		forms := strings.Split(v.halfOne, "|")
		v.say(s, forms[min(gender, len(forms)-1)])
	case half && whole != "":
		v.count(s, amount{whole: whole}, map[int]byte{0: 0, 1: 'f'}[gender])
		word := strings.Split(v.halves, "|")[gender]
		if v.code == "de" { // zweieinhalb
			s.out = append(s.out, word...)
			return
		}
		v.say(s, word)
	case half && next != "":
		word := strings.Split(v.aHalf, "|")[gender]
		if v.code == "de" && (unit.gender == 'n' || endsIn(next, "chen Jahr Pfund Glas Kilo Dutzend Brot Brötchen Hähnchen Prozent")) {
			word = "ein halbes"
		}
		v.half1(s, word, next, unit, end)
	case whole != "":
		v.count(s, amount{whole: whole}, 0)
		v.say(s, v.symbol["½"])
		v.fraction(s, top, bottom)
	default:
		v.fraction(s, top, bottom)
		if unit.forms == nil {
			return
		}
		switch word := unit.forms[0]; {
		case v.slavic:
			v.say(s, unit.forms[len(unit.forms)-1])
		case v.code == "de" || v.code == "nl" || v.code == "tr":
			v.say(s, word)
		default:
			v.say(s, v.ofNoun(word))
		}
		s.at = end
		s.stopUnit()
	}
}

// half1 says half of a unit or of the noun after, in the one word that some
// languages make of both.
func (v *voice) half1(s *scan, half, next string, unit noun, end int) {
	joined := v.code == "fr" || v.code == "ru"
	switch {
	case unit.forms == nil && (!joined || v.isUpper(next) || len(next) < 4):
		v.say(s, half)
		return
	case unit.forms == nil:
		end = s.at + gap(s.text, s.at) + len(next)
	case v.slavic:
		next = unit.forms[len(unit.forms)-1]
	}
	first, _ := utf8.DecodeRuneInString(next)
	switch {
	case v.code == "fr": // une demi-tasse
		half = strings.TrimSuffix(half, "demie")
		v.say(s, strings.TrimSuffix(half, "demi")+"demi-"+next)
	case v.code != "ru":
		v.say(s, half)
		v.say(s, next)
	case endsIn(next, "ой ого его ей"):
		v.say(s, "пол "+next)
	case strings.ContainsRune("аеёиоуыэюял", first):
		v.say(s, "пол-"+next)
	default:
		v.say(s, "пол"+next)
	}
	if s.at = end; unit.forms != nil {
		s.stopUnit()
	}
}

// unitBehind says the unit after a number that is no amount: 2½ kg.
func (v *voice) unitBehind(s *scan, number string) {
	unit, _, end := v.unitAt(s, s.at)
	if end == s.at || unit.forms == nil || v.percentAt != "" {
		return
	}
	word := unit.forms[0]
	if v.slavic || number != "" {
		word = v.nounOf(unit, number+".5")
	}
	v.say(s, word)
	s.at = end
	s.stopUnit()
}

// fraction says a numerator and a denominator; those that have no name of their
// own are said one over the other.
func (v *voice) fraction(s *scan, top, bottom string) {
	var name noun
	switch bottom {
	case "2":
		name = v.half
	case "3":
		name = v.third
	case "4":
		name = v.quarter
	}
	if words, ok := v.partOf[bottom]; ok { // dörtte üç
		v.say(s, words)
		v.count(s, amount{whole: top}, 0)
		return
	}
	if name.forms == nil && v.part != nil {
		name = v.part(atoi(bottom), func(form string) string {
			words, _ := numbers.SpeakForm(v.code, numbers.Ordinal, form, bottom)
			return words
		})
	}
	if name.forms == nil || v.code == "fr" && bottom == "20" { // la note 15/20
		v.count(s, amount{whole: top}, 0)
		v.say(s, v.over)
		v.count(s, amount{whole: bottom}, 0)
		return
	}
	v.count(s, amount{whole: top}, name.gender)
	v.say(s, v.nounOf(name, top))
}

// notFraction is what is said for the slash between two numbers that are no fraction: a
// pressure, 145/90; every eight hours, 8/8 h; what goes up no fraction is said of, 95/12;
// a label before them, No: 21/5. It is "" where they are one.
func (v *voice) notFraction(s *scan, top, bottom string, end int) string {
	label := strings.TrimRight(s.text[max(0, s.at-24):s.at], ".: ")
	label = label[strings.LastIndexAny(label, " ,;(")+1:]
	unit := letters(s.text, end+gap(s.text, end))
	switch a, b := atoi(top), atoi(bottom); {
	case b > 20 && (holds("mmHg мм mmHg. Hgmm", unit) || holds(pressureAfter, strings.ToLower(label))), a < 30 && holds(pressureAfter, strings.ToLower(label)):
		return cmp.Or(v.pressure, v.over)
	case a == b && v.each != "" && unit == "h":
		return v.each
	case v.score != "" && s.setOfGames(top, bottom, end):
		return v.score
	case a >= b, v.labels[strings.ToLower(label)], a >= 13 && b-a <= 2: // 24/25 is no part of anything
		return cmp.Or(v.symbol["/"], v.over)
	}
	return ""
}

// pressureAfter are words before the two numbers of a blood pressure.
const pressureAfter = `rr ta pa p/a bp tk ад ат blutdruck tension tensión presión pressione pressão bloeddruk tansiyon ciśnienie tlak давление тиск vérnyomás druck`
