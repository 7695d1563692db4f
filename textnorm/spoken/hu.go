package spoken

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// hu is Hungarian: the shared tables, and rules of its own, because endings stand
// after a hyphen and change the last word of the number (7-es is hetes), and two
// is két before a noun and kettő elsewhere.
type hu struct{ *voice }

func hungarian() *language {
	v := &voice{code: "hu", decimal: ",", groups: []string{" ", "\u00a0", "\u202f", "."}}
	l, h := v.language(), hu{v}
	l.shared, l.rules = false, []rule{
		{"url", atLetter, false, v.readAddress},
		{"abbreviation", func(c byte) bool { return v.short[c] != nil }, false, h.readShort},
		{"money", func(c byte) bool { return v.signsBy[c] != nil }, false, h.readSign},
		{"roman", func(c byte) bool { return strings.IndexByte("IVXLCM", c) >= 0 }, false, h.readRoman},
		{"ratio", isDigit, false, h.readRatio},
		{"duration", isDigit, false, h.readDuration},
		{"date", isDigit, false, h.readDate},
		{"phone", func(c byte) bool { return isDigit(c) || c == '+' || c == '(' }, false, v.readPhone},
		{"time", isDigit, false, h.readTime},
		{"dotted number", isDigit, false, h.ended(h.readParts)},
		{"score", isDigit, false, h.ended(v.readScore)},
		{"fraction", isDigit, false, h.readFraction},
		{"ordinal", isDigit, false, h.readOrdinal},
		{"range", isDigit, false, h.readRange},
		{"amount", isDigit, false, h.readAmount},
		{"sign", atSign, false, h.readBefore},
		{"symbol", atSign, true, h.readSymbol},
		{"letters and digits", func(c byte) bool { return !atSign(c) && c != ' ' || c >= 0x80 }, true, h.ended(v.readMixed)},
	}
	return l
}

// readShort reads abbreviations, and the ending after one: Kft.-nél.
func (h hu) readShort(s *scan) bool {
	if !h.readAbbreviation(s) {
		return false
	}
	h.ending(s, len(s.out), "")
	return true
}

// ended is a rule after whose last word an ending may stand.
func (h hu) ended(read func(*scan) bool) func(*scan) bool {
	return func(s *scan) bool {
		from := len(s.out)
		if !read(s) {
			return false
		}
		if !isDigit(s.text[s.at-1]) {
			return true
		}
		h.twos(s, from)
		if ending, _ := h.endingAt(s, s.at); inflects(ending) {
			h.ending(s, from, "")
		}
		return true
	}
}

// readParts reads 3.2 and the full stop that makes it the number of a chapter.
func (h hu) readParts(s *scan) bool {
	if !h.readDotted(s) {
		return false
	}
	if s.peek(0) == '.' && s.peek(1) == ' ' && h.counts(s, s.at+1) {
		if r, _ := utf8.DecodeRuneInString(s.text[s.at+2:]); unicode.IsLower(r) {
			s.at++
		}
	}
	return true
}

// hungarianNoNoun are words before which a number stands for itself.
const hungarianNoNoun = "és s vagy meg is sem se de hogy ha mert mint volt voltak van vannak lesz lesznek lett lettek legyen lenne maradt maradtak jött jöttek ment nyert kell kapott után előtt között közül közötti körül körüli felett fölött feletti alatt alatti fölé alá felé óta helyett szerint miatt nélkül a az egy ez nem már még csak pedig azaz tehát majd per plusz mínusz egyenlő"

// counts reports whether a word that is counted follows a number.
func (h hu) counts(s *scan, at int) bool {
	n := gap(s.text, at)
	if n == 0 {
		return false
	}
	word := letters(s.text, at+n)
	if word == "és" && strings.HasPrefix(s.text[at+n+len(word):], " fél") {
		return true
	}
	if utf8.RuneCountInString(word) == 1 {
		_, _, end := h.unitAt(s, at)
		return end > at
	}
	return word != "" && !oneOf(word, hungarianNoNoun)
}

// say2 says an amount, as két and not kettő where something is counted.
func (h hu) say2(s *scan, a amount, counted bool) bool {
	h.space(s)
	from := len(s.out)
	if !h.count(s, a, 0) {
		return false
	}
	h.twos(s, from)
	if n := len(s.out) - len("kettő"); counted && a.fraction == "" && n >= from && string(s.out[n:]) == "kettő" {
		s.out = append(s.out[:n], "két"...)
	}
	return true
}

// twos makes két of the kettő inside of a number: tizenkétezer, két tized.
func (h hu) twos(s *scan, from int) {
	said := string(s.out[from:])
	if i := strings.Index(said, "kettő"); i < 0 || i+len("kettő") == len(said) {
		return
	}
	s.out = append(s.out[:from], hungarianTwos.Replace(said)...)
}

var hungarianTwos = strings.NewReplacer("kettőezer", "kétezer", "kettőmilli", "kétmilli", "kettőbilli", "kétbilli", "kettőszáz", "kétszáz",
	"kettő tized", "két tized", "kettő század", "két század", "kettő ezred", "két ezred")
