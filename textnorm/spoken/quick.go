package spoken

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// quick is what a language's rules are sure not to look at: most words and signs of
// most texts, which are copied without asking one rule after the other. It is
// there for languages with the shared rules only.
type quick struct {
	starts [256]bool   // no other rule than the shared ones looks at a word that begins so
	mute   [128]bool   // signs that mean nothing where no digit follows
	looked [256]uint64 // lengths of the words below, by their first byte
	words  map[string]bool
	own    func(*scan) bool // takes the words in place of copyQuick
}

// ready finds out what is quick from the rules that can begin with each byte.
func (q *quick) ready(l *language) {
	if l.voice == nil {
		switch l.code {
		case "fa":
			q.persian()
		case "hi":
			q.hindi()
		case "ar":
			q.arabic()
		}
		return
	}
	q.words = map[string]bool{}
	look := func(key string) {
		if end, _ := wordEnd(key, 0); end > 0 {
			q.words[key[:end]] = true
			q.looked[key[0]] |= 1 << min(end, 63)
		}
	}
	for _, list := range l.voice.short {
		for _, p := range list {
			look(p.short)
		}
	}
	for _, sign := range l.voice.signs {
		look(sign)
	}
	for day := range l.voice.days {
		look(day)
	}
	if !l.shared {
		return
	}
	only := func(c byte, names ...string) bool {
		return !slices.ContainsFunc(l.byFirst[c], func(r *rule) bool { return !slices.Contains(names, r.name) })
	}
	for c := range 256 {
		q.starts[c] = c >= 0xC3 && only(byte(c), "weekdays", "abbreviation", "money", "sign", "symbol", "letters and digits") ||
			isLetter(byte(c)) && only(byte(c), "url", "weekdays", "abbreviation", "money", "roman", "letters and digits")
	}
	for key := range l.voice.symbol {
		if end, _ := wordEnd(key, 0); end > 0 {
			q.starts[key[0]] = false
		}
	}
	for _, c := range []byte(".,;:!?\"')(") {
		_, said := l.voice.symbol[string(c)]
		_, paid := l.voice.money[string(c)]
		q.mute[c] = !said && !paid && only(c, "sign", "symbol", "phone")
	}
}

// persian is ready for Persian, whose rules are its own.
func (q *quick) persian() {
	q.own = (*scan).copyPersian
	for c := 0xD8; c <= 0xDB; c++ {
		q.starts[c] = true
	}
	for _, c := range []byte(".!:)") {
		q.mute[c] = true
	}
}

// copyQuick takes a word that no rule reads, whatever stands beside it.
func (s *scan) copyQuick() bool {
	q, c := &s.lang.quick, s.text[s.at]
	if q.own != nil {
		return q.own(s)
	}
	end, all := wordEnd(s.text, s.at)
	if all&classDigit != 0 || end == s.at {
		return false
	}
	word := s.text[s.at:end]
	if c < utf8.RuneSelf && (mayBeRoman(word) || !s.quickBehind(word, end)) {
		return false
	}
	if q.looked[c]&(1<<min(len(word), 63)) != 0 && q.words[word] {
		return false
	}
	s.out = append(s.out, word...)
	s.at = end
	return true
}

// mayBeRoman is true for numerals, and for words that are one with an ending:
// IVe, Xer.
func mayBeRoman(word string) bool {
	n := 0
	for n < len(word) && strings.IndexByte("IVXLCM", word[n]) >= 0 {
		n++
	}
	return n > 0 && (len(word)-n <= 4 || n > 1)
}

// quickBehind reports whether what stands after a word of the ASCII makes no address of
// it, and no abbreviation.
func (s *scan) quickBehind(word string, end int) bool {
	if end == len(s.text) {
		return true
	}
	const most = 100 // bytes to the next space, or a line without one would be looked through at every word
	last := end+1 == len(s.text)
	switch s.text[end] {
	case ' ':
		return true
	case ',', ';', '?', '!', ')', '"', '\'':
		for i := end + 1; i < len(s.text) && s.text[i] != ' '; i++ {
			if c := s.text[i]; c == '@' || c == '.' && i+1 < len(s.text) && s.text[i+1] != ' ' || i > end+most {
				return false
			}
		}
		return true
	case ':':
		return last || s.text[end+1] == ' '
	case '.':
		return (last || s.text[end+1] == ' ') && s.lang.noAbbreviation(word)
	}
	return false
}
