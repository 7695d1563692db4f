package spoken

import (
	"maps"
	"strings"
	"unicode/utf8"
)

// arabic is read as the news are, in the modern standard: numbers from three to
// ten have the other gender than their noun, the noun its case and number by the
// number. Its rules look for the digits 0-9 that arLetters leaves.
func arabic() *language {
	sign := func(c byte) bool { return atSign(c) && !faFirst(c) }
	return &language{
		code: "ar", decimal: ".", groups: []string{",", "\u00a0", "\u202f"}, money: maps.Keys(arTables().money),
		letters: plainFormsOf("ar").with(arLetters), plain: arPlain,
		noAbbreviation: func(string) bool { return true },
		rules: []rule{
			{"url", isLetter, false, arURL},
			{"roman", isUpper, false, arRoman},
			{"currency code", isUpper, false, arMoneyBefore},
			{"letters and digits", isLetter, true, arMixedWord},
			{"prefix", faFirst, false, arPrefix},
			{"abbreviation", faFirst, false, arAbbreviation},
			{"honour", func(c byte) bool { return c == '(' }, true, arHonour},
			{"date", isDigit, false, arDate},
			{"phone", func(c byte) bool { return isDigit(c) || c == '(' || c == '+' }, false, arPhone},
			{"time", isDigit, false, arTime},
			{"year", isDigit, false, arYear},
			{"dotted number", isDigit, false, arVersion},
			{"fraction", isDigit, false, arFraction},
			{"range", isDigit, false, arRange},
			{"money", sign, true, arMoneyBefore},
			{"sign of a number", sign, true, arSign},
			{"amount", isDigit, true, arAmounts},
			{"symbol", sign, true, arSymbol},
		},
	}
}

// arPlain is true for words of Arabic letters and the usual punctuation, where no
// letter stands alone and no rule would look at a word.
func arPlain(text string) bool {
	for at := 0; at < len(text); {
		c := text[at]
		switch {
		case c == 0xD8 || c == 0xD9:
			end, letters := at, 0
			for end+1 < len(text) && arLetterByte(text[end], text[end+1]) {
				end, letters = end+2, letters+1
			}
			if word := text[at:end]; letters == 0 {
				if r, _ := utf8.DecodeRuneInString(text[at:]); r != '،' && r != '؛' && r != '؟' {
					return false
				}
				end = at + 2
			} else if letters < 6 && (letters == 1 && word != "و" || arTables().short[word] != "") {
				return false
			}
			at = end
			continue
		case c == ' ' || c == '!' || c == '"' || c == ')':
		case c == '.' || c == ':':
			if at+1 < len(text) && text[at+1] != ' ' && text[at+1] != '"' {
				return false
			}
		case strings.HasPrefix(text[at:], "«"), strings.HasPrefix(text[at:], "»"):
			at++
		case strings.HasPrefix(text[at:], "…"):
			at += 2
		default:
			return false
		}
		at++
	}
	return true
}

// arLetterByte reports whether two bytes are an Arabic letter or vowel mark that
// stays.
func arLetterByte(c, d byte) bool {
	return c == 0xD8 && d >= 0xA0 && d <= 0xBF || c == 0xD9 && (d >= 0x81 && d <= 0x9F)
}

// arWordEnd is the end of the Arabic letters at a place, within most bytes.
func arWordEnd(text string, at, most int) int {
	end := at
	for end+1 < len(text) && end-at < most && faFirst(text[end]) && (text[end] != 0xD9 || text[end+1] >= 0x81 && text[end+1] <= 0x9F || text[end+1] > 0xAD) &&
		(text[end] != 0xD8 || text[end+1] >= 0xA0) {
		end += 2
	}
	return end
}

// arNext is the word after a place, a space between.
func (s *scan) arNext(at int) (word string, end int) {
	if n := gap(s.text, at); n > 0 {
		at += n
		end = arWordEnd(s.text, at, 64)
		return s.text[at:end], end
	}
	return "", at
}

// arSigns are the names of the signs of addresses.
var arSigns = &voice{code: "ar", address: "نقطة|شرطة مائلة|نقطتان|آت|شرطة|شرطة سفلية"}

func arURL(s *scan) bool {
	if s.at > 0 && s.text[s.at-1] > ' ' && s.text[s.at-1] < utf8.RuneSelf && s.text[s.at-1] != '(' && s.text[s.at-1] != '"' {
		return false // not its beginning, which was looked at
	}
	return arSigns.readAddress(s) && s.arGap()
}

// arMixedWord parts Latin letters from the digits after them: A4.
func arMixedWord(s *scan) bool {
	end := s.run(s.at, isLetter)
	if end >= len(s.text) || !isDigit(s.text[end]) {
		return false
	}
	s.out = append(append(s.out, s.text[s.at:end]...), ' ')
	s.at = end
	return true
}

// arGap writes a space where a word follows at once.
func (s *scan) arGap() bool {
	if !s.end(s.at) {
		s.out = append(s.out, ' ')
	}
	return true
}

// arPrefix reads the small words that are written to a number: و5, ب50, ال21.
func arPrefix(s *scan) bool {
	const most = 10 // bytes of the longest of them
	end := arWordEnd(s.text, s.at, most)
	word := s.text[s.at:end]
	stem, ok := arPrefixes[word]
	if !ok {
		return false
	}
	at := end
	if at < len(s.text) && s.text[at] == ' ' && word != "و" && word != "ف" {
		at++
	}
	if at >= len(s.text) {
		return false
	}
	if stem != "" {
		digits := s.text[at:s.run(at, isDigit)]
		if digits == "" || at == end+1 && word == "ل" {
			return false
		}
		return s.arDefiniteNumber(stem, at, digits)
	}
	r, n := utf8.DecodeRuneInString(s.text[at:])
	next := byte(0)
	if at+n < len(s.text) {
		next = s.text[at+n]
	}
	if !isDigit(s.text[at]) && !((strings.ContainsRune(arSignedMoney, r) || r == '-' || r == '%') && isDigit(next)) {
		return false
	}
	s.say(word)
	return s.arJoined(at)
}

// arJoined reads the form at a place and writes its words to the word before.
func (s *scan) arJoined(at int) bool {
	words := len(s.out)
	s.at = at
	for _, rule := range s.lang.byFirst[s.text[at]] {
		if rule.read(s) {
			if words < len(s.out) && s.out[words] == ' ' {
				s.out = append(s.out[:words], s.out[words+1:]...)
			}
			return true
		}
		s.at, s.out = at, s.out[:words]
	}
	return false
}

// arPrefixes are the words that are written to a number; those with the article
// have what stands before it.
var arPrefixes = map[string]string{"و": "", "ف": "", "ب": "", "ل": "", "ك": "", "وب": "", "ول": "", "فب": "", "فل": "",
	"ال": "ال", "وال": "وال", "بال": "بال", "لل": "لل", "كال": "كال", "فال": "فال", "وبال": "وبال", "ولل": "ولل"}

// arDefiniteNumber reads a number with the article: an ordinal after a noun with
// the article, else as many of what is known.
func (s *scan) arDefiniteNumber(prefix string, at int, digits string) bool {
	end := at + len(digits)
	a, ok := s.arAmount(at)
	if !ok || len(digits) > 15 {
		return false
	}
	before, start := s.arBack(s.at)
	f := arForm{oblique: s.arGoverned(start) || s.arGoverned(s.at) || prefix != "ال" && prefix != "وال"}
	if before == "ال" || before == "" {
		f.oblique = prefix != "ال" && prefix != "وال"
	}
	next, _ := s.arNext(end)
	words, isOrdinal := "", false
	switch {
	case a.end > end || !s.end(end):
	case before == "سنوات" && len(digits) == 2 && digits[1] == '0' && digits >= "20":
		words, _ = arWords(digits, arForm{oblique: true})
		words, isOrdinal = arDefinite(words)+"يات", true
	case next == "من" && digits <= "31" && s.arMonthBehind(end):
		words, isOrdinal = arOrdinal(digits, f)
	case arOrdinalBehind(before, next):
		f.feminine = arFeminine(before)
		words, isOrdinal = arOrdinal(digits, f)
	}
	if !isOrdinal {
		f.feminine = arPluralFeminine(strings.TrimPrefix(before, "ال")) || before == "مجموعة"
		if next != "" && !arTables().function.has(next) && !strings.HasPrefix(next, "ال") {
			f.feminine = s.arNounFeminine(a, next)
		}
		f.oblique = f.oblique || before != "" && !strings.HasPrefix(before, "ال")
		if words, ok = arWords(a.String(), f); !ok {
			return false
		}
		words, end = arDefinite(words), a.end
	}
	if prefix = strings.TrimSuffix(prefix, "ال"); strings.HasSuffix(prefix, "لل") {
		prefix, words = strings.TrimSuffix(prefix, "ل"), strings.TrimPrefix(words, "ا")
	}
	s.say(prefix + words)
	s.at = end
	return s.arGap()
}

// arMonthBehind reports whether "من مارس" stands at a place.
func (s *scan) arMonthBehind(at int) bool {
	_, at = s.arNext(at)
	word, _ := s.arNext(at)
	return arMonthName(word) || s.arMonth(at+gap(s.text, at)) > 0 || word == "الشهر" || word == "هذا" || word == "شهر"
}

// arOrdinalBehind reports whether a number with the article after a word is an
// ordinal: the word is a noun in the singular that is known.
func arOrdinalBehind(before, next string) bool {
	bare := before
	for _, prefix := range []string{"و", "ب", "ف", "ك"} {
		if rest, ok := strings.CutPrefix(before, prefix+"ال"); ok {
			bare = "ال" + rest
		}
	}
	if rest, ok := strings.CutPrefix(before, "لل"); ok {
		bare = "ال" + rest
	}
	switch {
	case arTables().definitePlurals.has(bare) || arTables().function.has(bare) || arTables().governing.has(bare) && bare != "سن":
		return false
	case strings.HasPrefix(bare, "ال"):
		return !endsIn(bare, "ات ون ين") || bare == "الاثنين"
	case bare == "سن":
		return true
	}
	return len(bare) >= 8 && endsIn(bare, "ه ها هم") && !(next != "" && !arTables().function.has(next) && !strings.HasPrefix(next, "ال"))
}

// arFeminine reports whether a noun in the singular is feminine.
func arFeminine(noun string) bool {
	switch {
	case arTables().masculineEnds.has(noun):
		return false
	case arTables().feminineNouns.has(noun), endsIn(noun, "ة ةً ى اء ته تها تهم"), noun == "السن" || noun == "سن":
		return !endsIn(noun, "لقاء بناء غذاء عطاء أداء إجراء اعتداء انتهاء قضاء وباء فضاء دعاء وزراء شتاء مساء ثلاثاء أربعاء") || endsIn(noun, "ة")
	}
	return false
}

// arPluralFeminine reports whether a plural is that of a feminine noun.
func arPluralFeminine(noun string) bool {
	if n, ok := arTables().units[noun]; ok {
		return n.feminine
	}
	return arTables().femininePlurals.has(noun) || endsIn(noun, "ات") && !arTables().masculinePlurals.has(noun)
}

// arNounFeminine is the gender of the noun after a number.
func (s *scan) arNounFeminine(a amount, noun string) bool {
	if n, ok := arTables().units[noun]; ok {
		return n.feminine
	}
	if tail := arTail(a.whole); tail >= 3 && tail <= 10 {
		return arPluralFeminine(noun)
	}
	return arFeminine(noun)
}
