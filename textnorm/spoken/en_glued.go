package spoken

import "strings"

// What a letter right after digits is: an s is a plural unless something tells of
// seconds, an m before people is a million of them.

// plural says a number in the plural: 747s, the 700s, ones and zeros.
func (s *scan) plural(a amount, end int) bool {
	if before := s.before(); len(before) > 1 && !isUpper(before[0]) && before != strings.ToLower(before) { // iPhone 5s
		s.at = a.end
		return s.gluedLetters(a)
	}
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

// seconds reports whether the s right after a number is of seconds: it has a
// fraction, minutes stand before it, or a word at either side tells of time.
func (s *scan) seconds(a amount, end int) bool {
	if a.fraction != "" || s.behindMinutes() {
		return true
	}
	rest := s.text[end:]
	next := ""
	if strings.HasPrefix(rest, " ") {
		next = s.word(end + 1)
	}
	if enTimedThings.has(next) {
		return true
	}
	stops := next == "" && !strings.HasPrefix(rest, "-") || enNoNoun.has(next)
	before := strings.ToLower(s.before())
	text := strings.ToLower(s.text[max(0, s.at-12):s.at])
	for _, words := range []string{"time: ", "timeout: ", "duration: ", "length: ", "in under ", "up to ", "at least ", "at most ", "t = ", "t="} {
		if stops && strings.HasSuffix(text, words) {
			return true
		}
	}
	return stops && (enTimes.has(before) || enMayTime.has(before) && len(a.whole) < 3 && next != "and" && next != "or" && next != "of")
}

var (
	// enTimes stand before a time, enMayTime before other things as well.
	enTimes   = wordSet("took takes take taking lasted lasts lasting wait waits waited waiting within after every sleep sleeps slept pause pauses paused delay timeout exposure duration")
	enMayTime = wordSet("in for than about approximately roughly only")
	// enTimedThings are counted in seconds: a 5s delay.
	enTimedThings = wordSet("delay delays timeout timer exposure exposures interval intervals pause countdown clip clips video sprint cooldown ago later faster slower quicker behind ahead longer remaining")
)

// enPeople are counted by the million: 5m people.
var enPeople = wordSet("people followers users viewers subscribers voters customers listeners readers members workers employees jobs homes households deaths downloads streams copies patients refugees migrants children adults women men visitors tourists passengers players students pupils residents inhabitants Americans Britons Europeans Indians Russians Africans")

// wireless is the family of standards whose members are told apart by letters: 802.11ac.
const wireless = "802.11"

// gluedLetters reads 4K, 1080p, 3D, 10x.
func (s *scan) gluedLetters(a amount) bool {
	letters := s.word(a.end)
	end := a.end + len(letters)
	if letters == "" || !s.end(end) {
		if !s.amountWords(a) {
			return false
		}
		s.out = append(s.out, ' ')
		return true
	}
	if a.String() == wireless {
		s.say("eight oh two point eleven")
	} else {
		s.amountWords(a)
	}
	switch {
	case letters == "x" || letters == "X":
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
