package spoken

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

// arabic is ready for Arabic, whose rules are its own.
func (q *quick) arabic() {
	q.own = (*scan).copyArabic
	for c := range 256 {
		q.starts[c] = faFirst(byte(c))
	}
	for _, c := range []byte(".,;:!?\"')") {
		q.mute[c] = true
	}
}

// copyArabic takes a word that no rule reads, and the punctuation of Arabic. The
// rules look at words of one letter and at those that arTables lists.
func (s *scan) copyArabic() bool {
	end, all := wordEnd(s.text, s.at)
	switch word := s.text[s.at:end]; {
	case word == "":
		if sign := s.text[s.at:min(s.at+2, len(s.text))]; sign != "،" && sign != "؛" && sign != "؟" {
			return false
		}
		end += 2
	case all&classDigit != 0, len(word) == 2, len(word) <= arLongest && arTables().looked[word]:
		return false
	}
	s.out = append(s.out, s.text[s.at:end]...)
	s.at = end
	return true
}

// arLongest is the bytes of the longest word that arTables lists as looked for.
const arLongest = 10

// arNames are the names of a table by their first characters, the longest first.
type arNames map[string][]string

func (n arNames) add(name string) {
	head := arHead(name)
	n[head] = append(n[head], name)
}

func (n arNames) sort() {
	for head, names := range n {
		slices.SortFunc(names, func(a, b string) int { return cmp.Or(len(b)-len(a), cmp.Compare(a, b)) })
		n[head] = slices.Compact(names)
	}
}

// at are the names that a text may begin with.
func (n arNames) at(text string) []string { return n[arHead(text)] }

// arHead is the first character of a name, or bytes that are not those of one.
func arHead(text string) string {
	if text == "" || text[0] < utf8.RuneSelf {
		return text[:min(1, len(text))]
	}
	if text[0] < 0xE0 {
		return text[:min(2, len(text))]
	}
	return text[:min(3, len(text))]
}
