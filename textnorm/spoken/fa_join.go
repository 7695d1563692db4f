package spoken

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// faJoin puts a half space between what the grammar joins: می and نمی with a verb,
// ها with a noun, تر with an adjective, ام and its like with a word that ends in heh;
// and writes the ezafe after heh as its hamza.
func faJoin(text string) string {
	var out []byte
	done := 0 // what stands before is in out
	put := func(from int, words string, to int) {
		if out == nil {
			out = make([]byte, 0, len(text)+16)
		}
		out = append(append(out, text[done:from]...), words...)
		done = to
	}
	before := "" // the word before, where one space stands between
	for at := 0; at < len(text); {
		end := faWordEnd(text, at)
		if end == at {
			if text[at] != ' ' || at == 0 || text[at-1] == ' ' {
				before = ""
			}
			at++
			continue
		}
		word := text[at:end]
		if join := faSuffix(before, word); join != "" && text[at-1] == ' ' {
			put(at-1, join, at)
			if join != "\u200c" {
				done = end // the ezafe's yeh is in the hamza
			}
			before += word
		} else if n := faPrefix(word); n > 0 {
			switch {
			case n < len(word):
				if faIsVerb(word[n:]) && !faTables().noVerb.has(word) {
					put(at+n, "\u200c", at+n)
				}
			case end < len(text) && text[end] == ' ':
				if next := faWordEnd(text, end+1); faIsVerb(text[end+1 : next]) {
					put(end, "\u200c", end+1)
					end = next
				}
			}
			before = text[at:end]
		} else {
			if stem, ok := strings.CutSuffix(word, "ه\u200cی"); ok {
				put(at+len(stem), "هٔ", end)
			}
			before = word
		}
		at = end
	}
	if out == nil {
		return text
	}
	return string(append(out, text[done:]...))
}

// faWordEnd is where the word at a place ends: letters, their marks, half spaces.
func faWordEnd(text string, at int) int {
	for at < len(text) {
		switch c := text[at]; {
		case c >= 0xD8 && c <= 0xDB && at+1 < len(text):
			if !faInWord[int(c&0x03)<<6|int(text[at+1]&0x3F)] {
				return at
			}
			at += 2
		case c == 0xE2 && strings.HasPrefix(text[at:], "\u200c"):
			at += 3
		default:
			return at
		}
	}
	return at
}

// faInWord are the characters U+0600 to U+06FF that words are made of.
var faInWord = func() (m [256]bool) {
	for i := range m {
		r := rune(0x600 + i)
		m[i] = faLetter(r) || faVowel(r)
	}
	return m
}()

// faSuffix is what joins a word to the one before, where it is an ending of it.
func faSuffix(before, word string) string {
	if before == "" || len(word) > 24 {
		return ""
	}
	if first := word[:2]; first != "ه" && first != "ت" && first != "ا" && first != "ی" {
		return ""
	}
	t := faTables()
	heh := strings.HasSuffix(before, "ه") && !t.openHeh.has(before)
	switch {
	case word == "ی":
		if heh {
			return "\u0654"
		}
	case t.afterHeh.has(word) && heh,
		t.plural.has(word) && !t.plural.has(before) && !t.particle.has(before),
		t.compare.has(word) && !t.particle.has(before) && (len(word) > 4 || !t.wet.has(before)) && !t.compare.has(before):
		return "\u200c"
	}
	return ""
}

// faPrefix is the length of می or نمی at the beginning of a word, 0 for none.
func faPrefix(word string) int {
	for _, p := range []string{"می", "نمی"} {
		if strings.HasPrefix(word, p) {
			return len(p)
		}
	}
	return 0
}

// faIsVerb reports whether می may stand before a word: a form of a verb, perhaps
// with an object after it, or what is left of it before a half space.
func faIsVerb(word string) bool {
	word, _, _ = strings.Cut(word, "\u200c")
	verbs := faVerbs()
	if verbs[word] {
		return true
	}
	for _, object := range []string{"شان", "تان", "مان", "ش", "ت", "م"} {
		if stem, ok := strings.CutSuffix(word, object); ok && len(stem) > 6 && verbs[stem] {
			return true
		}
	}
	return false
}

// faVerbs has every form that stands after می.
var faVerbs = sync.OnceValue(func() map[string]bool {
	m := make(map[string]bool, 8192)
	for _, stem := range strings.Fields(faTables().present) {
		for _, ending := range strings.Fields("م ی د یم ید ند") {
			m[stem+ending] = true
		}
	}
	for _, stem := range strings.Fields(faTables().past) {
		m[stem] = true
		for _, ending := range strings.Fields("م ی یم ید ند ه") {
			m[stem+ending] = true
		}
	}
	for _, word := range strings.Fields(faTables().spokenVerbs) {
		m[word] = true
	}
	return m
})

// faTidy reports whether the characters and signs of a text are surely right
// already, and whether it may have words to join. A text that is not tidy may
// be right all the same.
func faTidy(text string) (tidy, joins bool) {
	var last, last2 byte // classes of the characters before
	var letter, letter2 rune
	for i := 0; i < len(text); {
		c := text[i]
		if c >= 0xD8 && c <= 0xDB && i+1 < len(text) {
			r := rune(c&0x1F)<<6 | rune(text[i+1]&0x3F)
			switch kind := faKinds[r-0x600]; {
			case kind == 'a':
				if last == '0' || last == ')' || r == letter && r == letter2 && last == 'a' && last2 == 'a' {
					return false, true
				}
				if last != 'a' && !joins {
					joins = faMayJoin(text, i)
				}
			case last == '0' && strings.HasPrefix(text[i:], "، 0"):
				return false, true
			case kind == '.' && last != ' ' && last != 0 && faEndAt(text, i+2):
			case r == 0x654 && letter == 'ه' && last == 'a', last == 'a' && faLetter(letter) && faSpelt(r, text[i+2:]) && !faMarkAt(text, i+2):
				last2, last = last, 'a'
				i += 2
				letter, letter2 = r, letter
				continue
			default:
				return false, true
			}
			letter, letter2 = r, letter
			last2, last = last, faKinds[r-0x600]
			i += 2
			continue
		}
		kind, n := faOther(text, i, last)
		if kind == 0 {
			return false, true
		}
		if kind == 'h' {
			joins = joins || strings.HasPrefix(text[i:], "\u200cی") && letter == 'ه'
			kind = 'a'
			letter, letter2 = 0, 0
		}
		last2, last = last, kind
		i += n
	}
	return last != ' ', joins
}

// faMarkAt reports whether a vowel mark stands at a place.
func faMarkAt(text string, i int) bool {
	r, _ := utf8.DecodeRuneInString(text[i:])
	return faVowel(r)
}

// faKinds are the classes of U+0600 to U+06FF in a tidy text: letters, signs.
var faKinds = func() (m [256]byte) {
	for i := range m {
		r := rune(0x600 + i)
		switch {
		case rune(faMap[i]) != r:
		case faLetter(r):
			m[i] = 'a'
		case r == '،' || r == '؛' || r == '؟':
			m[i] = '.'
		}
	}
	return m
}()

// faOther is the class of another character of a tidy text, 0 where it may not
// be one, and its length.
func faOther(text string, i int, last byte) (kind byte, n int) {
	c := text[i]
	if c < utf8.RuneSelf {
		return faASCII(text, i, last), 1
	}
	spaced := last == ' ' || last == 0
	switch {
	case strings.HasPrefix(text[i:], "\u200c"):
		if last == 'a' && i+4 < len(text) && text[i+3] >= 0xD8 && text[i+3] <= 0xDB {
			if r, _ := utf8.DecodeRuneInString(text[i+3:]); faLetter(r) {
				return 'h', 3
			}
		}
	case strings.HasPrefix(text[i:], "«"):
		if spaced && i+2 < len(text) && text[i+2] != ' ' {
			return '(', 2
		}
	case strings.HasPrefix(text[i:], "»"):
		if !spaced && faEndAt(text, i+2) {
			return '.', 2
		}
	case strings.HasPrefix(text[i:], "…"):
		if !spaced && faEndAt(text, i+3) {
			return '.', 3
		}
	}
	return 0, 0
}

// faASCII is the class of a character of the ASCII in a tidy text.
func faASCII(text string, i int, last byte) byte {
	c := text[i]
	spaced := last == ' ' || last == 0
	switch {
	case c == ' ':
		if !spaced && last != '(' {
			return ' '
		}
	case last == '0' && i+1 < len(text) && isDigit(text[i+1]) && (c == '.' || c == ':' || c == ',' && faGroupAt(text, i)):
		return '-'
	case isDigit(c):
		if last != 'a' && last != '.' && last != ')' {
			return '0'
		}
	case isLetter(c):
		return 'z'
	case c == '.' || c == ':' || c == '!':
		if !spaced && last != '.' && faEndAt(text, i+1) {
			return '.'
		}
	case c == '-' || c == '/' || c == '%' || c == '\'' || c == '$' || c == '&':
		if last != '.' {
			return '-'
		}
	}
	return 0
}

// faGroupAt reports whether a comma at a place stands between groups of three digits.
func faGroupAt(text string, i int) bool {
	end, from := i+1, i
	for end < len(text) && isDigit(text[end]) {
		end++
	}
	for from > 0 && isDigit(text[from-1]) && i-from < 4 {
		from--
	}
	return end == i+4 && i-from < 4
}

// faEndAt reports whether a text ends at a place, or a space stands there, or a
// sign that may follow another.
func faEndAt(text string, i int) bool {
	return i >= len(text) || text[i] == ' ' || strings.HasPrefix(text[i:], "»") || strings.HasPrefix(text[i:], "،")
}

// faMayJoin reports whether the word at a place may be one that faJoin looks at.
func faMayJoin(text string, i int) bool {
	w := text[i:]
	if len(w) < 2 {
		return false
	}
	if w[0] == 0xD9 && w[1] == 0x85 || w[0] == 0xD9 && w[1] == 0x86 { // می, نمی
		n := faPrefix(w)
		return n > 0 && !strings.HasPrefix(w[n:], "\u200c")
	}
	switch {
	case i < 3 || text[i-1] != ' ':
	case w[0] == 0xDB && w[1] == 0x8C: // ی
		return faWordEnd(text, i) == i+2
	case len(w) < 4:
	case w[0] == 0xD9 && w[1] == 0x87 && w[2] == 0xD8 && w[3] == 0xA7: // ها
		return true
	case w[0] == 0xD8 && w[1] == 0xAA && w[2] == 0xD8 && w[3] == 0xB1: // تر
		return true
	case w[0] == 0xD8 && w[1] == 0xA7 && text[i-2] == 0x87 && text[i-3] == 0xD9: // ه ا
		return true
	}
	return false
}
