package textnorm

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// dressRounds bounds how often a dressed text is read again until it stays.
const dressRounds = 8

// dress brings capitals, punctuation and vowel marks to what the config says. A
// word in small letters may be one that a rule reads, so that the text is read
// again until it stays as it is.
func (n *Normalizer) dress(text, language string) string {
	if !n.dresses(language) {
		return text
	}
	dressed := n.dressOnce(text, language)
	for range dressRounds {
		if dressed == text {
			break
		}
		text, _ = n.plain(dressed)
		if n.readers[language] != nil && !n.damaged(text) {
			text, _ = n.say(text, language, nil)
		}
		dressed = n.dressOnce(text, language)
	}
	return dressed
}

func (n *Normalizer) dresses(language string) bool {
	c := n.config
	return c.Case == CaseLower || c.Punctuation != "" && c.Punctuation != PunctuationKeep || c.VowelMarks == MarksStrip && language == "ar"
}

func (n *Normalizer) dressOnce(text, language string) string {
	c := n.config
	if c.Case == CaseLower {
		text = lower(text, language)
	}
	if c.VowelMarks == MarksStrip && language == "ar" {
		text = strings.Map(func(r rune) rune {
			if r >= 0x064B && r <= 0x0652 || r == 0x0670 {
				return -1
			}
			return r
		}, text)
	}
	switch c.Punctuation {
	case PunctuationPlain:
		text = plainSigns.Replace(text)
	case PunctuationStrip:
		text = strip(text)
	}
	return text
}

// lower is a text in small letters, by the rules of its language: in Turkish and
// Azerbaijani İ is i and I is ı.
func lower(text, language string) string {
	if language == "tr" || language == "az" {
		return strings.ToLowerSpecial(unicode.TurkishCase, text)
	}
	return strings.ToLower(text)
}

// plainSigns are typographic signs with the keyboard's sign for the same.
var plainSigns = strings.NewReplacer(
	"\u2018", "'", "\u2019", "'", "\u201a", "'", "\u201b", "'", "\u2032", "'", "\u2039", "'", "\u203a", "'",
	"\u201c", "\"", "\u201d", "\"", "\u201e", "\"", "\u201f", "\"", "\u2033", "\"", "\u00ab", "\"", "\u00bb", "\"",
	"\u2010", "-", "\u2011", "-", "\u2012", "-", "\u2013", "-", "\u2014", "-", "\u2015", "-", "\u2212", "-",
	"\u2026", "...",
)

// strip removes punctuation. What stands between two letters of a word stays, as
// in don't; a dash, a stroke or any other sign there becomes a space.
func strip(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	before := ' '
	for at, r := range text {
		if !unicode.IsPunct(r) {
			if r != ' ' || before != ' ' {
				b.WriteRune(r)
				before = r
			}
			continue
		}
		next, _ := utf8.DecodeRuneInString(text[at+utf8.RuneLen(r):])
		switch {
		case (r == '\'' || r == '\u2019') && unicode.IsLetter(before) && unicode.IsLetter(next):
			b.WriteRune(r)
			before = r
		case before != ' ':
			b.WriteByte(' ')
			before = ' '
		}
	}
	return strings.TrimSpace(b.String())
}
