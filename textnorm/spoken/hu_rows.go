package spoken

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"voxpack/textnorm/numbers"
)

// hungarianStreets are words after which a number with a full stop is that of a
// house.
const hungarianStreets = "u utca utcában út úton tér téren körút krt köz sétány sor fasor rakpart part telep park hsz szám házszám tel"

// readOrdinal reads 3. before a word: harmadik.
func (h hu) readOrdinal(s *scan) bool {
	end := s.run(s.at, isDigit)
	digits := s.text[s.at:end]
	if len(digits) > 6 || digits[0] == '0' || end >= len(s.text) || s.text[end] != '.' {
		return false
	}
	at := end + 1
	before := s.before()
	if ending, next := h.endingAt(s, at); ending != "" { // 5.-ként
		word, ok := h.ordinalEnding(digits, ending)
		if !ok {
			word, _ = numbers.Speak("hu", numbers.Ordinal, digits)
			word = withEnding(word, ending)
		}
		h.say(s, word)
		s.at = next
		return true
	}
	if !h.ordinalStop(s, at, before) {
		return false
	}
	n := gap(s.text, at)
	next := letters(s.text, at+n)
	switch {
	case next == "sz" && atoi(digits) < 22 && h.isCentury(s, at+n+2):
		h.speak(s, numbers.Ordinal, "", digits)
		h.say(s, "század")
		s.at = at + n + 3
		h.ending(s, len(s.out), "")
		return true
	case next == "sz" && strings.HasPrefix(s.text[at+n+2:], ". "): // 5. sz.
		h.space(s)
		from := len(s.out)
		h.count(s, amount{whole: digits}, 0)
		word := string(s.out[from:])
		s.out = append(s.out[:from], withEnding(word, adjective(digits))+" számú"...)
		s.at = at + n + 3
		return true
	case oneOf(strings.ToLower(before), hungarianStreets),
		len(digits) == 4 && digits < "2100" && digits >= "1000" && next != "" && !strings.HasPrefix(next, "év"):
		h.say2(s, amount{whole: digits}, false)
		s.at = at
		return true
	}
	s.at = at
	return h.speak(s, numbers.Ordinal, "", digits)
}

// isCentury reports whether the full stop of sz. at a place is one of a century.
func (h hu) isCentury(s *scan, at int) bool {
	if at >= len(s.text) || s.text[at] != '.' {
		return false
	}
	ending, _ := h.endingAt(s, at+1)
	return ending != "" || oneOf(letters(s.text, at+1+gap(s.text, at+1)), "eleje elején vége végén végéig közepe közepén első második fordulóján folyamán óta")
}

// ordinalStop reports whether the full stop that ends at a place makes an ordinal:
// a word or a comma follows and no sentence begins.
func (h hu) ordinalStop(s *scan, at int, before string) bool {
	if at >= len(s.text) {
		return false
	}
	if s.text[at] == ',' || s.text[at] == ';' {
		n := gap(s.text, at+1)
		if n == 0 || at+1+n >= len(s.text) {
			return false
		}
		r, _ := utf8.DecodeRuneInString(s.text[at+1+n:])
		return unicode.IsDigit(r) || unicode.IsLower(r)
	}
	n := gap(s.text, at)
	if n == 0 {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s.text[at+n:])
	return r == '§' || unicode.IsLower(r) || unicode.IsUpper(r) && oneOf(before, "a az A Az")
}

// adjective is the ending of the adjective of a number: 5-ös, 8-as, 100-as.
func adjective(digits string) string {
	if strings.HasSuffix(digits, "000") {
		return "es"
	}
	if strings.HasSuffix(digits, "00") {
		return "as"
	}
	if tens, ok := strings.CutSuffix(digits, "0"); ok && tens != "" {
		return map[bool]string{true: "as", false: "es"}[strings.IndexByte("2368", tens[len(tens)-1]) >= 0]
	}
	switch digits[len(digits)-1] {
	case '3', '8', '0':
		return "as"
	case '6':
		return "os"
	case '5':
		return "ös"
	}
	return "es"
}

// readRange reads 5–10, 1990–1995 and 3–4.: from … to between years and hours, a
// hyphen between small numbers, and … and before between.
func (h hu) readRange(s *scan) bool {
	a, _ := s.amount(s.at)
	at, stop := a.end, false
	if at+1 < len(s.text) && s.text[at] == '.' && s.dash(at+1) > 0 { // 3.–4.
		at, stop = at+1, true
	}
	space := gap(s.text, at)
	at += space
	mark := s.dash(at)
	if mark == 0 || space > 0 && (gap(s.text, at+mark) == 0 || s.text[at] == '-') {
		return false
	}
	next := at + mark
	next += gap(s.text, next)
	b, ok := s.amount(next)
	if !ok || b.end+1 < len(s.text) && (s.text[b.end] == '-' || s.text[b.end] == '/') && isDigit(s.text[b.end+1]) {
		return false
	}
	if b.end < len(s.text) && s.text[b.end] == '.' && a.fraction+b.fraction == "" && len(b.whole) < 4 && h.ordinalStop(s, b.end+1, s.before()) {
		h.speak(s, numbers.Ordinal, "", a.whole)
		s.out = append(s.out, '-')
		s.at = b.end + 1
		return h.speak(s, numbers.Ordinal, "", b.whole)
	}
	if stop {
		return false
	}
	s.at = next
	years := len(a.whole) == 4 && len(b.whole) == 4 && !a.grouped && !b.grouped && a.fraction+b.fraction == "" && a.whole < b.whole && b.whole < "2200" && a.whole >= "1000"
	switch ending, _ := h.endingAt(s, b.end); {
	case h.between(s, b.end):
		h.say2(s, a, false)
		h.say(s, "és ")
	case years && ending == "" && !h.counts(s, b.end):
		h.fromTo(s, a, b)
	default:
		from := len(s.out)
		h.say2(s, a, h.counts(s, b.end) || h.isUnit(s, b.end))
		if strings.ContainsAny(strings.TrimSpace(string(s.out[from:])), " -") || len(b.whole) > 3 {
			h.say(s, "– ")
		} else {
			s.out = append(s.out, '-')
		}
	}
	return true
}

// between reports whether a range stands before the word between, with one word
// of what is counted before it.
func (h hu) between(s *scan, at int) bool {
	for range 2 {
		if _, _, end := h.unitAt(s, at); end > at {
			at = end
		}
		n := gap(s.text, at)
		word := letters(s.text, at+n)
		if n == 0 || word == "" {
			return false
		}
		if oneOf(word, "között közötti közt közti") {
			return true
		}
		at += n + len(word)
	}
	return false
}

// fromTo says two numbers as from … to.
func (h hu) fromTo(s *scan, a, b amount) {
	h.say2(s, a, false)
	s.out = append(s.out, map[byte]string{'a': "tól", 'e': "től"}[harmony(s.lastWord())]...)
	h.say2(s, b, false)
	s.out = append(s.out, "ig"...)
	s.at = b.end
}

// readRatio reads 1:10 000 and 1:10 arányban: egy a tízezerhez.
func (h hu) readRatio(s *scan) bool {
	end := s.run(s.at, isDigit)
	if end-s.at > 3 || end >= len(s.text) || s.text[end] != ':' {
		return false
	}
	a, ok := s.amount(end + 1)
	if !ok || a.fraction != "" || a.start != end+1 || !a.grouped && len(a.whole) < 4 && !strings.HasPrefix(letters(s.text, a.end+gap(s.text, a.end)), "arány") {
		return false
	}
	h.say2(s, amount{whole: s.text[s.at:end]}, false)
	var many scan
	many.lang = s.lang
	if !h.say2(&many, a, false) {
		return false
	}
	word := string(many.out)
	article := "a"
	if r, _ := utf8.DecodeRuneInString(word); strings.ContainsRune("aáeéiíoóöőuúüű", r) {
		article = "az"
	}
	to := map[string]string{"szor": "hoz", "ször": "höz", "szer": "hez"}[timesEnding(word)]
	if strings.HasSuffix(word, "kettő") {
		to = "höz"
	}
	h.say(s, article)
	h.say(s, withEnding(word, to))
	s.at = a.end
	return true
}
