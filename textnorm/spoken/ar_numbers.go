package spoken

import (
	"strings"
	"unicode/utf8"

	"voxpack/textnorm/numbers"
)

// arForm is how a number is said: beside a feminine noun, in the genitive and
// accusative (which sound alike), before what it counts.
type arForm struct{ feminine, oblique, construct bool }

// arSay says an amount in a form. What is longer than a number gets, or begins
// with a zero, is said digit by digit.
func (s *scan) arSay(a amount, f arForm) bool {
	if a.fraction == "" && (len(a.whole) > 15 || len(a.whole) > 1 && a.whole[0] == '0') {
		return s.digits(a.whole)
	}
	words, ok := arWords(a.String(), f)
	if ok {
		s.say(words)
	}
	return ok
}

// arWords is a number in words.
func arWords(digits string, f arForm) (string, bool) {
	form := "masculine"
	if f.feminine && !strings.Contains(digits, ".") {
		form = "feminine"
	}
	words, ok := numbers.SpeakForm("ar", numbers.Cardinal, form, digits)
	if !ok {
		return "", false
	}
	words = strings.Replace(words, "واحدة و", "إحدى و", 1)
	if f.construct {
		words = arConstruct(words)
	}
	if f.oblique {
		words = arOblique(words)
	}
	return words, true
}

// arConstruct puts a number before its noun: a dual loses its last letter there,
// and eight has its yeh back.
func arConstruct(words string) string {
	at := strings.LastIndexByte(words, ' ') + 1
	last := words[at:]
	switch strings.TrimPrefix(last, "و") {
	case "مئتان", "ألفان", "مليونان", "ملياران", "تريليونان":
		return words[:len(words)-len("ن")]
	case "ثمان":
		return words + "ي"
	}
	return words
}

// arOblique puts words of numbers, duals and tens into the genitive.
func arOblique(words string) string {
	var out []string
	for word := range strings.SplitSeq(words, " ") {
		bare := strings.TrimPrefix(strings.TrimPrefix(word, "و"), "ال")
		if arCased.has(bare) {
			stem := strings.TrimSuffix(bare, "ن")
			to := strings.TrimSuffix(strings.TrimSuffix(stem, "ا"), "و") + "ي"
			if stem != bare {
				to += "ن"
			}
			word = word[:len(word)-len(bare)] + to
		}
		out = append(out, word)
	}
	return strings.Join(out, " ")
}

// arCased are the words of numbers that change with the case.
var arCased = wordSet(`عشرون ثلاثون أربعون خمسون ستون سبعون ثمانون تسعون اثنان اثنتان اثنا اثنتا
	مئتان ألفان مليونان ملياران تريليونان مئتا ألفا مليونا مليارا تريليونا`)

// arDefinite puts the article to a number: to its first word and after each and.
func arDefinite(words string) string {
	parts := strings.Split(words, " ")
	for i, word := range parts {
		if rest, ok := strings.CutPrefix(word, "و"); ok && (i > 0 || word != "واحد" && word != "واحدة") {
			parts[i] = "وال" + rest
		} else if i == 0 {
			parts[i] = "ال" + word
		}
	}
	return strings.Join(parts, " ")
}

// arOrdinal is the ordinal of a number with its article.
func arOrdinal(digits string, f arForm) (string, bool) {
	form := "masculine"
	if f.feminine {
		form = "feminine"
	}
	words, ok := numbers.SpeakForm("ar", numbers.Ordinal, form, digits)
	if f.oblique {
		words = arOblique(words)
	}
	return words, ok && len(digits) <= 3 && digits[0] != '0'
}

// arAmount is a number at a place, with the marks of either half of the Arab
// world: 1,234.5 and 1.234,5.
func (s *scan) arAmount(at int) (a amount, ok bool) {
	if a, ok = s.amount(at); !ok {
		return a, false
	}
	dotted := a.fraction != "" && !a.grouped && len(a.fraction) == 3 && len(a.whole) <= 3 && a.whole[0] != '0'
	if dotted { // 1.234.567 and 1.234,5
		end, more := a.end, ""
		for end < len(s.text) && s.text[end] == '.' && s.run(end+1, isDigit) == end+4 {
			more, end = more+s.text[end+1:end+4], end+4
		}
		mark, next := s.arComma(end)
		if dotted = more != "" || mark > 0 || a.fraction == "000"; dotted && s.arNumberEnds(end) {
			a.whole, a.fraction, a.end, a.grouped = a.whole+a.fraction+more, "", end, true
			if mark > 0 {
				a.fraction, a.end = s.text[end+mark:next], next
			}
			return a, true
		}
	}
	if a.fraction == "" {
		if end, whole := s.arSpaced(a); end > a.end {
			a.whole, a.end, a.grouped = whole, end, true
		}
		if mark, next := s.arComma(a.end); mark > 0 && !a.grouped {
			a.fraction, a.end = s.text[a.end+mark:next], next
		}
	}
	return a, true
}

// arNumberEnds reports whether no further part of digits follows after a full stop.
func (s *scan) arNumberEnds(at int) bool {
	return at+1 >= len(s.text) || s.text[at] != '.' || !isDigit(s.text[at+1])
}

// arComma is a comma at a place that stands between the whole and the fraction,
// and where the fraction ends: no list goes on after it.
func (s *scan) arComma(at int) (mark, end int) {
	for _, comma := range []string{",", "،"} {
		if !strings.HasPrefix(s.text[at:], comma) {
			continue
		}
		end = s.run(at+len(comma), isDigit)
		if end == at+len(comma) || !s.end(end) && s.text[end] >= '0' && s.text[end] <= '9' {
			return 0, at
		}
		if strings.HasPrefix(s.text[end:], comma) && end+len(comma) < len(s.text) && isDigit(s.text[end+len(comma)]) {
			return 0, at
		}
		return len(comma), end
	}
	return 0, at
}

// arSpaced is a number whose groups stand apart by spaces: two groups at least,
// where the space is one that may also part words.
func (s *scan) arSpaced(a amount) (end int, whole string) {
	end, whole = a.end, a.whole
	if a.grouped || len(whole) > 3 || whole[0] == '0' || a.start > 1 && s.text[a.start-1] == ' ' && isDigit(s.text[a.start-2]) {
		return end, whole
	}
	groups, wide := 0, false
	for n := gap(s.text, end); n > 0 && s.run(end+n, isDigit) == end+n+3; n = gap(s.text, end) {
		whole += s.text[end+n : end+n+3]
		wide = wide || n == 1
		groups, end = groups+1, end+n+3
		const most = 5
		if groups == most {
			break
		}
	}
	if !s.end(end) || wide && groups < 2 {
		return a.end, a.whole
	}
	return end, whole
}

// arTail is what a number's last two digits ask of its noun.
func arTail(whole string) int { return atoi(whole[max(0, len(whole)-2):]) }

// arBack is the word before a place and where it begins; a space may stand
// between, or a letter that is written to what follows.
func (s *scan) arBack(at int) (word string, start int) {
	const most = 48 // bytes; no word that says anything of a number is longer
	if at > 0 && s.text[at-1] == ' ' {
		at--
	}
	start = at
	for start > 0 && at-start < most {
		r, n := utf8.DecodeLastRuneInString(s.text[:start])
		if !inWord(r) {
			break
		}
		start -= n
	}
	return s.text[start:at], start
}

// arGoverned reports whether the words before a place put a number into the
// genitive or accusative.
func (s *scan) arGoverned(at int) bool {
	word, start := s.arBack(at)
	switch word {
	case "":
		return false
	case "و": // what governs the first part of a list governs its last
		for range 4 {
			if word, start = s.arBack(start); arGoverns(word) {
				return true
			}
		}
		return false
	}
	if arGoverns(word) {
		return true
	}
	const most = 4 // words of a subject
	for range most {
		if arTables().verbs.has(word) || arTables().verbs.has(strings.TrimPrefix(word, "و")) {
			return true
		}
		if start == 0 || s.text[start-1] != ' ' {
			return false
		}
		if start > 1 && s.text[start-2] == '.' { // of a title: د. سامي
			if start -= 2; start < 3 || s.text[start-3] != ' ' {
				return false
			}
		}
		word, start = s.arBack(start)
	}
	return false
}

// arGoverns reports whether a word governs the noun after it.
func arGoverns(word string) bool {
	if word == "" {
		return false
	}
	if arTables().governing.has(word) || arMonthName(word) {
		return true
	}
	for _, prefix := range []string{"و", "ف", "ب", "ل"} {
		if rest, ok := strings.CutPrefix(word, prefix); ok && arTables().governing.has(rest) {
			return true
		}
	}
	return false
}

// arCounted says an amount with its noun.
func (s *scan) arCounted(a amount, n arNoun, f arForm) bool {
	f.feminine = n.feminine
	if a.fraction != "" {
		return s.arSay(a, f) && s.arWord(n.one)
	}
	whole := strings.TrimLeft(a.whole, "0")
	tail := arTail(a.whole)
	switch {
	case len(whole) != len(a.whole) || len(whole) > 15:
		return s.arSay(a, f) && s.arWord(n.one)
	case whole == "1":
		return s.arWord(arWithOne(n))
	case whole == "2" && n.two != n.one:
		return s.arWord(n.dual(f.oblique))
	case tail >= 11:
		return s.arSay(a, f) && s.arWord(n.eleven)
	case tail >= 3:
		f.construct = true
		return s.arSay(a, f) && s.arWord(n.three)
	}
	f.construct = true
	return s.arSay(a, f) && s.arWord(n.one)
}

func (s *scan) arWord(words string) bool {
	s.say(words)
	return true
}

// arWithOne is a noun and one of it; what it is measured by stands after.
func arWithOne(n arNoun) string {
	one := " واحد"
	if n.feminine {
		one = " واحدة"
	}
	if what, per, ok := strings.Cut(n.one, " في "); ok {
		return what + one + " في " + per
	}
	return n.one + one
}

// arNoun is what is counted: one of it, two, three to ten, eleven and more.
type arNoun struct {
	feminine                bool
	one, two, three, eleven string
	written                 bool // one of its forms stood in the text
}

// dual is two of a noun, in the genitive where oblique.
func (n arNoun) dual(oblique bool) string {
	if !oblique {
		return n.two
	}
	what, per, cut := strings.Cut(n.two, " في ")
	parts := strings.Split(what, " ")
	for i, word := range parts {
		if stem, ok := strings.CutSuffix(word, "ان"); ok {
			parts[i] = stem + "ين"
		}
	}
	what = strings.Join(parts, " ")
	if cut {
		what += " في " + per
	}
	return what
}
