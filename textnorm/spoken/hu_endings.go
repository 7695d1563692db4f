package spoken

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"voxpack/textnorm/numbers"
)

// endingAt is the ending after a hyphen at a place: small letters up to the end
// of the word; and where it ends.
func (h hu) endingAt(s *scan, at int) (ending string, end int) {
	for _, mark := range []string{"-", "‑"} {
		if !strings.HasPrefix(s.text[at:], mark) {
			continue
		}
		word := letters(s.text, at+len(mark))
		end = at + len(mark) + len(word)
		if word != "" && s.end(end) && strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLower(r) }) < 0 {
			return word, end
		}
	}
	return "", at
}

// ending puts the ending that stands at s.at to the last word that was said; the
// number is digits where it is a whole one, which an ending can make an ordinal,
// and "unit" where the word is the name of one.
func (h hu) ending(s *scan, from int, digits string) bool {
	ending, end := h.endingAt(s, s.at)
	if ending == "" {
		return false
	}
	s.at = end
	if digits != "" && digits != "unit" && len(digits) < 10 {
		if word, ok := h.ordinalEnding(digits, ending); ok {
			s.out = s.out[:from]
			h.say(s, word)
			return true
		}
	}
	word := s.lastWord()
	own := harmony(ending) != 0 && harmony(ending) != harmony(word) || strings.HasPrefix(ending, "ö")
	if oneOf(word, "tized század ezred") && len(word) < len(s.out) && own {
		// 3,5-ös is said after the five: három egész ötös.
		s.out = s.out[:len(s.out)-len(word)-1]
		if word = s.lastWord(); word == "két" {
			s.out = append(s.out[:len(s.out)-len(word)], "kettő"...)
			word = "kettő"
		}
	}
	put := withEnding
	if digits == "unit" {
		put = unitEnding
	}
	s.out = append(s.out[:len(s.out)-len(word)], put(word, ending)...)
	return true
}

// lastWord is the word that was said last, up to a space or a sign.
func (s *scan) lastWord() string {
	start := len(s.out)
	for start > s.from {
		r, n := utf8.DecodeLastRune(s.out[:start])
		if !inWord(r) {
			break
		}
		start -= n
	}
	return string(s.out[start:])
}

// ordinalEnding reads the endings that make an ordinal of a number: 3-ik, 3-adik,
// 3-ad, and those of days, 3-án, 1-jén, 3-i.
func (h hu) ordinalEnding(digits, ending string) (word string, ok bool) {
	for _, mark := range []string{"adik", "edik", "odik", "ödik", "dik", "ik"} {
		if rest, found := strings.CutPrefix(ending, mark); found {
			word, ok = numbers.Speak("hu", numbers.Ordinal, digits)
			return word + rest, ok
		}
	}
	for _, mark := range []string{"ad", "ed", "od", "öd"} {
		if rest, found := strings.CutPrefix(ending, mark); found && oneOf(rest+"-", "- a- e- át- ét- án- én- ára- ére- ával- ével- os- es- rész- nyi-") {
			return hungarianPart(digits) + rest, true
		}
	}
	if n := atoi(digits); len(digits) > 2 || n < 1 || n > 31 {
		return "", false
	}
	first, _ := utf8.DecodeRuneInString(ending)
	switch {
	case oneOf(ending, "ért é ás és ásra"), len(ending) > 10:
		return "", false
	case first == 'á' || first == 'é', first == 'j' && digits == "1", oneOf(ending, "a e i ai ei"):
		return h.day(digits, ending), true
	}
	return "", false
}

// hungarianPart is a part of a whole: harmad, negyed, ketted.
func hungarianPart(digits string) string {
	word, _ := numbers.Speak("hu", numbers.Ordinal, digits)
	switch word {
	case "első":
		return "egyed"
	case "második":
		return "ketted"
	}
	return strings.TrimSuffix(word, "ik")
}

// day is a day of a month with an ending: harmadika, harmadikán, elseje. An ending
// that was written without its vowel gets one: 3-tól is harmadikától.
func (h hu) day(digits, ending string) string {
	word, _ := numbers.Speak("hu", numbers.Ordinal, itoa(atoi(digits)))
	if word == "első" {
		word = "elsej"
		ending = strings.TrimPrefix(ending, "j")
	}
	front := harmony(word) == 'e'
	vowel := map[bool]string{true: "e", false: "a"}[front]
	long := map[bool]string{true: "é", false: "á"}[front]
	first, _ := utf8.DecodeRuneInString(ending)
	switch {
	case ending == "":
		return word + vowel
	case word == "elsej" && ending == "i":
		return "elsejei"
	case strings.ContainsRune("áéaei", first) && !oneOf(ending, "ig ért"):
		return word + ending
	case oneOf(ending, "on en ön n"):
		return word + long + "n"
	}
	return word + long + ending
}

// harmony tells the vowels that endings have after a word, or that an ending
// has: 'a' or 'e', 0 for an ending that has one form only.
func harmony(word string) byte {
	if oneOf(word, "ért ig ként kor i") {
		return 0
	}
	neutral := byte(0)
	for len(word) > 0 {
		r, n := utf8.DecodeLastRuneInString(word)
		word = word[:len(word)-n]
		switch {
		case strings.ContainsRune("aáoóuú", r):
			return 'a'
		case strings.ContainsRune("eöőüű", r):
			return 'e'
		case strings.ContainsRune("éií", r):
			neutral = 'e'
		}
	}
	return neutral
}

// hungarianCases are endings that a noun may have, after which kettő stays.
const hungarianCases = "t ba be ban ben ból ből ra re on en ön n ról ről hoz hez höz nál nél tól től nak nek val vel vá vé ért ig ként kor ul ül é i"

// withEnding puts an ending to a word as they are spelled together.
func withEnding(word, ending string) string {
	first, _ := utf8.DecodeRuneInString(ending)
	link := linking(ending)
	switch {
	case strings.HasSuffix(word, "kettő"):
		stem := strings.TrimSuffix(word, "kettő")
		switch {
		case link && (first == 'e' || first == 'ő'):
			return stem + "kett" + ending
		case oneOf(ending, hungarianCases):
			return word + ending
		}
		return stem + "két" + ending
	case link && (strings.HasSuffix(word, "három") && (first == 'a' || first == 'o') || strings.HasSuffix(word, "ezer") && first == 'e'):
		return word[:len(word)-2] + word[len(word)-1:] + ending
	case link && strings.HasSuffix(word, "hét") && first == 'e':
		return strings.TrimSuffix(word, "hét") + "het" + ending
	}
	last, _ := utf8.DecodeLastRuneInString(word)
	if strings.ContainsRune("aáeéiíoóöőuúüű", last) {
		return vowelEnding(word, ending, link)
	}
	switch {
	case oneOf(ending, "val vel vá vé"):
		return double(word) + ending[1:]
	case oneOf(ending, "al el"):
		return double(word) + ending
	case ending == "t" && !strings.ContainsRune("rljnszy", last):
		return word + map[byte]string{'a': "ot", 'e': "et"}[harmony(word)]
	}
	if two := digraph(word); two != "" && strings.HasPrefix(ending, two) || len(word) > 1 && word[len(word)-1] == word[len(word)-2] && ending[0] == word[len(word)-1] {
		word = word[:len(word)-1] // egy+gyel is eggyel, gramm+mal grammal
	}
	return word + ending
}

// inflects reports whether an ending is one of a noun and no word of its own.
func inflects(ending string) bool {
	return oneOf(ending, hungarianCases+" s ok ek ak ök szor szer ször al el") || linking(ending) || isWith(ending)
}

// isWith reports whether an ending is the -val that takes the sound before it.
func isWith(ending string) bool {
	stem, ok := strings.CutSuffix(ending, "al")
	if !ok {
		stem, ok = strings.CutSuffix(ending, "el")
	}
	return ok && len(stem) <= 3 && !strings.ContainsAny(stem, "aeiou") && strings.IndexFunc(stem, func(r rune) bool { return r > 'z' }) < 0
}

// unitEnding puts an ending to the name of a unit. Where it was written for the
// number it is brought to the unit: $20-at is húsz dollárt.
func unitEnding(unit, ending string) string {
	a := harmony(unit) == 'a'
	last, _ := utf8.DecodeLastRuneInString(unit)
	switch {
	case oneOf(ending, "t at et ot öt"):
		if strings.ContainsRune("aáeéiíoóöőuúüű", last) {
			return vowelEnding(unit, "t", false)
		}
		if strings.ContainsRune("rljnszy", last) && !strings.HasSuffix(unit, "tz") {
			return unit + "t"
		}
		return unit + map[bool]string{true: "ot", false: "et"}[a]
	case oneOf(ending, hungarianCases) && !oneOf(ending, "i é ul ül en on ön"):
		ending = toHarmony(ending, a)
	case isWith(ending):
		ending = toHarmony("val", a)
	case linking(ending) && strings.Contains(ending[1:], "s") && len(ending) < 5:
		_, n := utf8.DecodeRuneInString(ending)
		ending = map[bool]string{true: "o", false: "e"}[a] + ending[n:]
	}
	return withEnding(unit, ending)
}

// toHarmony is an ending with the vowels of the one kind or the other.
func toHarmony(ending string, a bool) string {
	if harmony(ending) == 0 || a == (harmony(ending) == 'a') {
		return ending
	}
	if a {
		return hungarianBack.Replace(ending)
	}
	return hungarianFront.Replace(ending)
}

var (
	hungarianBack  = strings.NewReplacer("e", "a", "é", "á", "ő", "ó", "ö", "o", "ü", "u")
	hungarianFront = strings.NewReplacer("a", "e", "á", "é", "ó", "ő", "o", "e", "u", "ü")
)

// vowelEnding puts an ending to a word that ends in a vowel: a and e grow long,
// and a vowel that joins is not needed.
func vowelEnding(word, ending string, link bool) string {
	if link {
		_, n := utf8.DecodeRuneInString(ending)
		ending = ending[n:]
	}
	if rest, ok := strings.CutPrefix(ending, "ás"); ok && strings.HasSuffix(word, "a") {
		ending = "s" + rest // 0-ás
	}
	if !oneOf(ending, "kor ként i szor szer féle fajta") {
		if stem, ok := strings.CutSuffix(word, "a"); ok {
			word = stem + "á"
		} else if stem, ok := strings.CutSuffix(word, "e"); ok {
			word = stem + "é"
		}
	}
	return word + ending
}

// linking reports whether an ending begins with a vowel that only joins it.
func linking(ending string) bool {
	_, n := utf8.DecodeRuneInString(ending)
	return strings.ContainsAny(ending[:n], "aeoöő") && len(ending) > n && strings.IndexByte("stnk", ending[n]) >= 0 && ending != "ek"
}

// digraph is the letter of two signs at the end of a word.
func digraph(word string) string {
	if two := word[max(0, len(word)-2):]; oneOf(two, "sz gy cs ny ly ty zs dz") {
		return two
	}
	return ""
}

// double is a word with its last consonant twice.
func double(word string) string {
	if two := digraph(word); two != "" {
		return word[:len(word)-1] + two
	}
	if n := len(word); n > 1 && word[n-1] == word[n-2] {
		return word
	}
	return word + word[len(word)-1:]
}
