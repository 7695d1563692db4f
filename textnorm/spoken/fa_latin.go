package spoken

import (
	"strings"
	"unicode/utf8"
)

// persianLatin is Persian that writes Latin words and addresses in Persian letters.
func persianLatin() *language {
	l := persian()
	l.readsSmall = true
	l.plain = func(text string) bool { return faPlain(text) && !strings.ContainsFunc(text, faLatin) }
	for i, r := range l.rules {
		switch r.name {
		case "url":
			l.rules[i].read = faAddress
		case "letters and digits":
			l.rules = append(l.rules[:i:i], append([]rule{{"latin", isLetter, false, faLatinWords}}, l.rules[i:]...)...)
			return l
		}
	}
	return l
}

var (
	faLatinEntry  = &entry{code: "fa", make: persianLatin}
	faLatinReader = &Reader{of: faLatinEntry}
)

// faLatinWords writes words in Latin letters by the table, and capitals by their names. Where
// one word of a run is not known the run stays: nobody can tell how a name is said by its
// letters.
func faLatinWords(s *scan) bool {
	var words []string
	end := s.at
	for at := s.at; at < len(s.text) && isLetter(s.text[at]); {
		next := s.run(at, isLetter)
		said := faLatinWord(s.text[at:next])
		if said == "" || next < len(s.text) && strings.IndexByte("'-/@&_", s.text[next]) >= 0 || next+1 < len(s.text) && s.text[next] == '.' && isLetter(s.text[next+1]) {
			return false
		}
		words, end, at = append(words, said), next, next
		if at+1 < len(s.text) && s.text[at] == ' ' {
			at++
		}
	}
	if !s.end(end) && !isDigit(s.text[end]) {
		return false
	}
	s.say(strings.Join(words, " "))
	s.at = end
	return s.faGap()
}

// mostFaCapitals is how many capitals are a word that is spelled.
const mostFaCapitals = 5

// faLatinWord is a word in Persian letters, "" where nobody knows it.
func faLatinWord(word string) string {
	if said := faTables().latin[strings.ToLower(word)]; said != "" {
		return said
	}
	if len(word) > mostFaCapitals || word != strings.ToUpper(word) {
		return ""
	}
	return faSpelled(word, "\u200c")
}

// faSpelled names the letters of a word.
func faSpelled(word, between string) string {
	var names []string
	for i := range len(word) {
		names = append(names, faTables().latinLetters[strings.ToUpper(word[i:i+1])])
	}
	return strings.Join(names, between)
}

// faAddress reads an address of the web or of mail: words that are known, other letters by
// their names.
func faAddress(s *scan) bool {
	in := func(c byte) bool { return c > ' ' && c < utf8.RuneSelf && c != '(' && c != '"' }
	if s.at > 0 && in(s.text[s.at-1]) {
		return false // not its beginning, which was looked at
	}
	form := strings.TrimRight(s.text[s.at:min(s.run(s.at, in), s.at+maxURL)], ".,;:!?)'")
	if !isAddress(form) {
		return false
	}
	for i := 0; i < len(form); {
		n := 1
		switch c := form[i]; {
		case isLetter(c):
			for i+n < len(form) && isLetter(form[i+n]) {
				n++
			}
			said := faTables().latin[strings.ToLower(form[i:i+n])]
			if said == "" {
				said = faSpelled(form[i:i+n], " ")
			}
			s.say(said)
		case isDigit(c):
			s.cardinal(form[i : i+1])
		default:
			name := faTables().latin[form[i:i+1]]
			if name == "" {
				name = form[i : i+1]
			}
			s.say(name)
		}
		i += n
	}
	s.at += len(form)
	return s.faGap()
}

// takeLatin puts a row of latin.tsv into its table: one capital is a letter.
func (t *faTable) takeLatin(written, said string) error {
	if len(written) == 1 && isUpper(written[0]) {
		return put(t.latinLetters, written, said)
	}
	return put(t.latin, written, said)
}
