package detect

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	tatweel = 'ـ'
	zwj     = '\u200d'
)

// maxWord bounds a word; a longer run of letters is read as several. Nothing
// that is spoken is longer, and it keeps a line of one megabyte linear.
const maxWord = 32

// word is a run of letters of one script, folded: small letters, one code point
// for a letter with its accent, without Arabic vowel signs and joiners.
type word struct {
	runes [maxWord + 2]rune // from the second on; what stands around them is its edges
	n     int
}

// add puts a letter of the script after the word.
func (w *word) add(r rune) {
	w.n++
	w.runes[w.n] = fold(r)
}

// mark takes up a combining mark: an accent composes with the letter before it
// where the languages here have such a letter.
func (w *word) mark(r rune) {
	if w.n > 0 && r >= 0x0300 && r < 0x0330 {
		if c := compose(w.runes[w.n], r); c != 0 {
			w.runes[w.n] = c
		}
	}
}

// letters are the word's, with an edge of 0 on either side if asked for.
func (w *word) letters(edges bool) []rune {
	if !edges {
		return w.runes[1 : w.n+1]
	}
	w.runes[w.n+1] = 0
	return w.runes[:w.n+2]
}

// fold brings a letter to the form that the model knows.
func fold(r rune) rune {
	switch {
	case r < 0x80:
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	case r >= 0xFF21 && r < 0xFF5B: // full width
		return fold(r - 0xFF21 + 'A')
	case r >= 0xFB50 && r < 0xFF00:
		return presentation(r)
	case r >= 0x0600 && r < 0x1E00 || r >= 0x1F00:
		return r
	}
	return unicode.ToLower(r)
}

// presentation gives the letter after the Arabic presentation forms that tell
// the languages apart; the other forms keep their code point.
func presentation(r rune) rune {
	switch {
	case r >= 0xFB56 && r <= 0xFB59:
		return 'پ'
	case r >= 0xFB7A && r <= 0xFB7D:
		return 'چ'
	case r >= 0xFB8A && r <= 0xFB8B:
		return 'ژ'
	case r >= 0xFB8E && r <= 0xFB91:
		return 'ک'
	case r >= 0xFB92 && r <= 0xFB95:
		return 'گ'
	case r >= 0xFBFC && r <= 0xFBFF:
		return 'ی'
	case r >= 0xFE93 && r <= 0xFE94:
		return 'ة'
	case r >= 0xFED9 && r <= 0xFEDC:
		return 'ك'
	case r >= 0xFEF1 && r <= 0xFEF4:
		return 'ي'
	case r >= 0xFE8D && r <= 0xFEEC && int(r-0xFE8D) < len(forms):
		return forms[r-0xFE8D]
	}
	return r
}

// forms are the letters of U+FE8D to U+FEEC in the order of Unicode.
var forms = [...]rune{
	'ا', 'ا', 'ب', 'ب', 'ب', 'ب', 'ة', 'ة', 'ت', 'ت', 'ت', 'ت', 'ث', 'ث', 'ث', 'ث', 'ج', 'ج', 'ج', 'ج',
	'ح', 'ح', 'ح', 'ح', 'خ', 'خ', 'خ', 'خ', 'د', 'د', 'ذ', 'ذ', 'ر', 'ر', 'ز', 'ز', 'س', 'س', 'س', 'س',
	'ش', 'ش', 'ش', 'ش', 'ص', 'ص', 'ص', 'ص', 'ض', 'ض', 'ض', 'ض', 'ط', 'ط', 'ط', 'ط', 'ظ', 'ظ', 'ظ', 'ظ',
	'ع', 'ع', 'ع', 'ع', 'غ', 'غ', 'غ', 'غ', 'ف', 'ف', 'ف', 'ف', 'ق', 'ق', 'ق', 'ق', 'ك', 'ك', 'ك', 'ك',
	'ل', 'ل', 'ل', 'ل', 'م', 'م', 'م', 'م', 'ن', 'ن', 'ن', 'ن', 'ه', 'ه', 'ه', 'ه',
}

// compositions are the accented letters of the languages here, by their mark:
// pairs of a letter and what it becomes.
var compositions = [...]struct {
	mark  rune
	pairs string
}{
	{0x0300, "aàeèiìoòuù"},
	{0x0301, "aáeéiíoóuúyýcćnńsśzźlĺrŕ"},
	{0x0302, "aâeêiîoôuû"},
	{0x0303, "aãnñoõ"},
	{0x0306, "gğаӑий"},
	{0x0307, "zżeėii"},
	{0x0308, "aäeëiïoöuüyÿеё"},
	{0x030A, "aåuů"},
	{0x030B, "oőuű"},
	{0x030C, "cčdďeěnňrřsštťzž"},
	{0x0327, "cçsş"},
	{0x0328, "aąeę"},
}

// compose joins a folded letter and a combining mark, 0 where no language here
// has the letter.
func compose(letter, mark rune) rune {
	for i := range compositions {
		if compositions[i].mark != mark {
			continue
		}
		composed, before := false, rune(0)
		for _, r := range compositions[i].pairs {
			if composed && before == letter {
				return r
			}
			composed, before = !composed, r
		}
	}
	return 0
}

// words goes through a text, word by word of the group's scripts.
type words struct {
	g    *group
	text string
	at   int
	word word
}

// next reads the next word, and says whether there was one.
func (w *words) next() bool {
	w.word.n = 0
	for w.at < len(w.text) {
		r, size := rune(w.text[w.at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(w.text[w.at:])
		}
		// An address ends the word before it and is left out.
		if end := addressEnd(w.text, w.at); end > w.at {
			w.at = end
			if w.word.n > 0 {
				return true
			}
			continue
		}
		switch {
		case w.g.writes(r):
			if w.word.n == maxWord {
				return true
			}
			w.word.add(r)
		case joins(r):
			w.word.mark(r)
		case w.word.n > 0:
			w.at += size
			return true
		}
		w.at += size
	}
	return w.word.n > 0
}

// addressEnd finds the end of a URL or a mail address that begins at a place, or
// gives the place back. It looks only where something ASCII begins, so that a
// text is looked through once.
func addressEnd(text string, at int) int {
	if !plain(text[at]) || at > 0 && plain(text[at-1]) {
		return at
	}
	end, found := at, strings.HasPrefix(text[at:], "www.")
	for ; end < len(text) && plain(text[end]); end++ {
		switch text[end] {
		case '@':
			found = found || end > at
		case ':':
			found = found || strings.HasPrefix(text[end:], "://")
		}
	}
	if !found {
		return at
	}
	return end
}

// plain says whether a byte can stand in an address.
func plain(b byte) bool { return b > ' ' && b < utf8.RuneSelf }

func (g *group) writes(r rune) bool {
	return g.script == scriptOf(r)
}

// joins says whether a sign that is no letter stands inside a word: accents,
// Arabic vowel signs, the joiners and tatweel.
func joins(r rune) bool {
	return r >= 0x0300 && r < 0x0370 || r >= 0x064B && r <= 0x065F || r == 0x0670 || r == tatweel || r == zwj
}
