package spoken

import (
	"strings"
	"unicode/utf8"
)

// arAbbreviation reads letters with full stops, titles before a name, letters
// before a number, and the few words that stand for longer ones.
func arAbbreviation(s *scan) bool {
	const most = 10 // bytes of the longest of them
	end := arWordEnd(s.text, s.at, most)
	word := s.text[s.at:end]
	if !s.end(end) || len(word) > 8 {
		return false
	}
	if letter, ok := strings.CutPrefix(word, "و"); ok && arTables().titles[letter] != "" && s.arTitle(letter, "و", end) {
		return true
	}
	if words := arTables().short[word]; words != "" {
		s.say(words)
		s.at = end
		return true
	}
	if len(word) == 2 {
		if form, last := s.arDottedAt(); form != "" {
			s.say(arTables().dotted[form])
			if s.at = last; s.peek(0) == '.' && s.peek(1) == ' ' {
				s.at++
			}
			return true
		}
		if s.arTitle(word, "", end) {
			return true
		}
	}
	name, ok := arTables().numbered[word]
	if !ok || name == "" {
		return false
	}
	at := end
	if at < len(s.text) && (s.text[at] == '.' || s.text[at] == ':' && word == "ت") {
		at++
	}
	if at += gap(s.text, at); at == end || at >= len(s.text) || !isDigit(s.text[at]) || word == "م" && s.at > 1 && isDigit(s.text[s.at-2]) {
		return false
	}
	if last := s.run(at, isDigit); word == "ت" && last-at <= 4 && (s.end(last) || s.arEraBehind(last)) && s.dash(last) == 0 { // (ت 505 هـ)
		if !s.arEraBehind(last+gap(s.text, last)) && (s.at == 0 || s.text[s.at-1] != '(') {
			return false // neither a telephone nor a year, as far as one can see
		}
		name = arTables().died
	}
	if arTables().cited[word] && !s.arCites() {
		return false
	}
	s.say(name)
	s.out = append(s.out, ' ')
	s.at = at
	if last := s.run(at, isDigit); strings.HasPrefix(name, "ال") && last-at <= 3 && s.end(last) && s.arNumberEnds(last) && s.dash(last) == 0 {
		if words, ok := arOrdinal(s.text[at:last], arForm{feminine: arFeminine(name), oblique: s.arGoverned(s.at)}); ok {
			s.out = append(s.out, words...)
			s.at = last
		}
	}
	return true
}

// arTitle reads the letter of a title before a name.
func (s *scan) arTitle(letter, and string, end int) bool {
	title := arTables().titles[letter]
	if title == "" || end >= len(s.text) || s.text[end] != '.' && s.text[end] != '/' {
		return false
	}
	at := end + 1 + gap(s.text, end+1)
	if name := arWordEnd(s.text, at, 16); name <= at+2 && (at == end+1 || arTables().titles[s.text[at:name]] == "") {
		return false
	}
	s.say(and + title)
	s.out = append(s.out, ' ')
	s.at = at
	return true
}

// arCites reports whether a source is cited where s.at stands, which is all that tells a
// letter such as م before a number from others.
func (s *scan) arCites() bool {
	const far = 60 // bytes back to what tells
	for word := range strings.FieldsFuncSeq(s.text[max(0, s.at-far):s.at], func(r rune) bool { return !inWord(r) }) {
		if arTables().cites.has(word) {
			return true
		}
	}
	return false
}

// arDottedAt is the abbreviation with full stops that stands at s.at, and its
// end; a space may follow a stop.
func (s *scan) arDottedAt() (form string, end int) {
	letters, at := "", s.at
	for range 4 {
		next := arWordEnd(s.text, at, 4)
		if next != at+2 {
			break
		}
		if letters != "" {
			letters += "."
		}
		if letters += s.text[at:next]; arTables().dotted[letters] != "" {
			form, end = letters, next
		}
		if next >= len(s.text) || s.text[next] != '.' {
			break
		}
		at = next + 1
		at += gap(s.text, at)
	}
	return form, end
}

// arHonour reads a blessing in brackets after a name.
func arHonour(s *scan) bool {
	end := arWordEnd(s.text, s.at+1, 12)
	words := arTables().honours[s.text[s.at+1:end]]
	if words == "" || end >= len(s.text) || s.text[end] != ')' || s.at == 0 {
		return false
	}
	s.say(words)
	s.at = end + 1
	return s.arGap()
}

// arPhone reads telephone numbers digit by digit.
func arPhone(s *scan) bool {
	groups, form, end := s.phoneShape()
	if end == 0 {
		return false
	}
	at := s.at
	if at > 1 && s.text[at-1] == ' ' && strings.IndexByte(":.", s.text[at-2]) >= 0 {
		at -= 2
	}
	label, start := s.arBack(at)
	if label == "رقم" || label == "على" || label == "الرقم" {
		if earlier, _ := s.arBack(start); arTables().phoneWords.has(earlier) || arTables().phoneWords.has(strings.TrimPrefix(earlier, "ال")) {
			label = earlier
		}
	}
	if !isPhoneShape(groups, form, arTables().phoneWords.has(label)) || end+1 < len(s.text) && strings.IndexByte(".,:/", s.text[end]) >= 0 && isDigit(s.text[end+1]) {
		return false
	}
	if form[0] == '+' {
		s.say("زائد")
	}
	s.at = end
	return s.sayGroups(groups, "،")
}

// arVersion reads 1.2.3 and 192.168.0.1.
func arVersion(s *scan) bool {
	const most = 20 // of a line of nothing else each number looks at those after it
	var parts []string
	at := s.at
	for {
		end := s.run(at, isDigit)
		parts = append(parts, s.text[at:end])
		if at = end; at+1 >= len(s.text) || s.text[at] != '.' || !isDigit(s.text[at+1]) || len(parts) == most {
			break
		}
		at++
	}
	if a, ok := s.arAmount(s.at); len(parts) < 3 || ok && a.end >= at {
		return false
	}
	for i, part := range parts {
		if i > 0 {
			s.say("نقطة")
		}
		s.arSay(amount{whole: part}, arForm{})
	}
	s.at = at
	return s.arGap()
}

// arFraction reads 3/4, 2 1/2 and 2½, and seasons of two years.
func arFraction(s *scan) bool {
	end := s.run(s.at, isDigit)
	whole := s.text[s.at:end]
	if f, ok := vulgar[firstRune(s.text[end+gap(s.text, end):])]; ok && len(whole) <= 15 {
		at := end + gap(s.text, end)
		_, n := utf8.DecodeRuneInString(s.text[at:])
		return s.arMixed(whole, f[0], f[1], at+n)
	}
	whole, top, bottom, last, ok := s.stroke(3)
	if !ok {
		return false
	}
	if whole == "" && len(top) == 4 && (len(bottom) == 4 || len(bottom) == 2) && s.end(last) {
		f := arForm{oblique: true}
		ok := s.arSay(amount{whole: top}, f) && s.arSay(amount{whole: bottom}, f)
		s.at = last
		return ok && s.arGap()
	}
	if bottom == "" || len(top) > 3 || len(bottom) > 3 || top[0] == '0' || atoi(bottom) < 2 || !s.end(last) || last < len(s.text) && s.text[last] == '/' {
		return false
	}
	return s.arMixed(whole, top, bottom, last)
}

// arMixed says a whole number, if any, with what it counts, and a fraction.
func (s *scan) arMixed(whole, top, bottom string, end int) bool {
	f := arForm{oblique: s.arGoverned(s.at)}
	n, last := s.arUnit(end)
	if pair, at := s.arCurrency(end); at > end {
		n, last = pair[0], at
	}
	s.at = end
	if whole != "" {
		a := amount{whole: whole}
		if last > end {
			s.at = last
			s.arCounted(a, n, f)
		} else {
			s.arSay(a, f)
		}
		s.say("و")
		words := len(s.out)
		s.arParted(top, bottom, f, false)
		s.out = append(s.out[:words], s.out[words+1:]...)
		return s.arGap()
	}
	next, _ := s.arNext(end)
	s.arParted(top, bottom, f, last > end || next != "" && !arTables().function.has(next))
	if last > end && !n.written {
		s.at = last
		s.say(n.one)
	}
	return s.arGap()
}

// arParted says a numerator and a denominator; those without a name of their own
// are said one over the other.
func (s *scan) arParted(top, bottom string, f arForm, construct bool) {
	names, ok := arTables().parts[atoi(bottom)]
	switch count := atoi(top); {
	case !ok || count > 10:
		s.arSay(amount{whole: top}, f)
		s.say("على")
		s.arSay(amount{whole: bottom}, arForm{oblique: true})
	case count == 1:
		s.say(names[0])
	case count == 2:
		word := names[1]
		if f.oblique {
			word = strings.TrimSuffix(word, "ان") + "ين"
		}
		if construct {
			word = strings.TrimSuffix(word, "ن")
		}
		s.say(word)
	default:
		f.construct = true
		s.arSay(amount{whole: top}, f)
		s.say(names[2])
	}
}

// arRange reads two numbers with a dash or a colon between: from one to the
// other, or the result of a game.
func arRange(s *scan) bool {
	a, ok := s.arAmount(s.at)
	if !ok {
		return false
	}
	at := a.end
	if at < len(s.text) && s.text[at] == '%' {
		at++
	}
	spaced := gap(s.text, at)
	at += spaced
	mark, ratio := s.dash(at), false
	if mark == 0 && at < len(s.text) && s.text[at] == ':' && spaced == 0 && at == a.end {
		mark, ratio = 1, true
	}
	next := at + mark
	if mark == 0 || (spaced > 0) != (gap(s.text, next) > 0) || spaced > 0 && s.text[at] == '-' && at == a.end+spaced && s.dash(at) == 1 && !s.arRises(a, next+1) {
		return false
	}
	next += gap(s.text, next)
	b, ok := s.arAmount(next)
	if !ok || b.end+1 < len(s.text) && strings.IndexByte("-/:", s.text[b.end]) >= 0 && isDigit(s.text[b.end+1]) || ratio && !s.end(b.end) {
		return false
	}
	if s.at > 1 && strings.IndexByte("-:/", s.text[s.at-1]) >= 0 && isDigit(s.text[s.at-2]) {
		return false
	}
	before, _ := s.arBack(s.at)
	f := arForm{oblique: s.arGoverned(s.at), feminine: s.arRangeFeminine(b)}
	_, unit := s.arUnit(b.end)
	small := len(a.whole) <= 2 && len(b.whole) <= 2 && a.fraction == "" && b.fraction == "" && unit == b.end
	switch {
	case ratio:
		s.arSay(a, f)
		s.say("إلى")
	case small && spaced == 0 && (arTables().scoreWords.has(before) || atoi(a.whole) >= atoi(b.whole) && !arTables().governing.has(before)):
		s.arSay(a, f)
		s.say("مقابل")
	case before == "بين" || before == "وبين":
		s.arSay(a, f)
		s.say("و")
		s.at = next
		words := len(s.out)
		ok := s.arAmountWords(b, arForm{oblique: true})
		s.out = append(s.out[:words], s.out[words+1:]...)
		return ok
	default:
		if before != "من" && !f.oblique {
			s.say("من")
			f.oblique = true
		}
		s.arSay(a, f)
		s.say("إلى")
	}
	s.at = next
	if at := b.end + gap(s.text, b.end); len(a.whole) >= 3 && len(b.whole) == 4 && atoi(a.whole) < atoi(b.whole) && b.whole < "2100" && b.fraction == "" && s.arEraBehind(at) && !oneOf(before, arMetres) { // (1332 - 1406 م)
		s.at = b.end
		return s.arSay(b, arForm{oblique: true}) && s.arEra(false) && s.arGap()
	}
	return s.arAmountWords(b, arForm{oblique: true})
}

// arRises reports whether the number at a place is larger than another.
func (s *scan) arRises(a amount, at int) bool {
	b, ok := s.arAmount(min(at, len(s.text)))
	return ok && (len(b.whole) > len(a.whole) || len(b.whole) == len(a.whole) && b.whole > a.whole)
}

// arRangeFeminine is the gender of what stands after the last number of a range.
func (s *scan) arRangeFeminine(b amount) bool {
	if n, end := s.arUnit(b.end); end > b.end {
		return n.feminine
	}
	if pair, end := s.arCurrency(b.end); end > b.end {
		return pair[0].feminine
	}
	next, _ := s.arNext(b.end)
	return next != "" && !arTables().function.has(next) && s.arNounFeminine(b, next)
}

// arSign reads what stands in front of a number: -5, +4, %20, ~20, ½.
func arSign(s *scan) bool {
	r, n := utf8.DecodeRuneInString(s.rest())
	if f, ok := vulgar[r]; ok {
		return s.arMixed("", f[0], f[1], s.at+n)
	}
	clear := s.at == 0 || strings.IndexByte(" ([\"'=<>", s.text[s.at-1]) >= 0 || strings.HasSuffix(s.text[:s.at], "«") || s.inside() && r != '-' && r != '+'
	if s.inside() && r == '-' { // ب-5
		word, _ := s.arBack(s.at)
		_, clear = arPrefixes[word]
	}
	if !clear || !isDigit(s.peek(n)) {
		return false
	}
	a, ok := s.arAmount(s.at + n)
	if !ok {
		return false
	}
	switch r {
	case '%':
		if !s.arSay(a, arForm{oblique: s.arGoverned(s.at)}) {
			return false
		}
		s.say("بالمئة")
		s.at = a.end
		return s.arGap()
	case '-', '−', '–':
		s.say("ناقص")
	case '+':
		s.say("زائد")
	case '~', '≈':
		s.say("حوالي")
		s.at += n
		return s.arAmountWords(a, arForm{oblique: true})
	case '#':
		s.say("رقم")
		s.at += n
		return s.arAmountWords(a, arForm{oblique: true})
	default:
		return false
	}
	s.at += n
	return s.arAmountWords(a, arForm{})
}

// arSymbol says a sign that stands for a word, and parts a word from the number
// after its hyphen.
func arSymbol(s *scan) bool {
	r, n := utf8.DecodeRuneInString(s.rest())
	words := arTables().symbols[string(r)]
	switch {
	case r == '#':
		words = "هاشتاغ"
		if s.end(s.at + n) {
			return false
		}
	case r == '_' || (r == '-' || r == '–') && s.inside() && (isDigit(s.peek(n)) || isDigit(s.text[s.at-1]) && faFirst(s.peek(n))):
		if len(s.out) > s.from && lastRune(s.out) != ' ' {
			s.out = append(s.out, ' ')
		}
		s.at += n
		return true
	case words == "":
		if words = arTables().money[string(r)][0].one; words == "" || inWord(r) {
			return false
		}
	}
	s.say(words)
	s.at += n
	if c := s.peek(0); c != 0 && c != ' ' && strings.IndexByte(".:!?)", c) < 0 && !strings.HasPrefix(s.rest(), "،") {
		s.out = append(s.out, ' ')
	}
	return true
}

// arRoman reads the numerals of kings, centuries and chapters: as ordinals.
func arRoman(s *scan) bool {
	end := s.run(s.at, func(c byte) bool { return strings.IndexByte("IVXLCM", c) >= 0 })
	n := romanValue(s.text[s.at:end])
	before, start := s.arBack(s.at)
	single := end-s.at == 1
	if n == 0 || n > 99 || !s.end(end) || len(before) < 4 || s.at == 0 || s.text[s.at-1] != ' ' || !faFirst(before[0]) || arTables().function.has(before) || arTables().governing.has(before) {
		return false
	}
	known := oneOf(before, "القرن الفصل الجزء الباب المجلد الملك البابا لويس هنري إدوارد جورج تشارلز فيليب نابليون بيوس")
	if single && (!known || strings.IndexByte("IVX", s.text[s.at]) < 0) {
		return false
	}
	feminine := arFeminine(before) || oneOf(before, "إليزابيث إليزابث كاترين ماري")
	words, ok := arOrdinal(itoa(n), arForm{feminine: feminine, oblique: s.arGoverned(start)})
	if ok {
		s.say(words)
		s.at = end
	}
	return ok
}
