package spoken

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a character can be.
const (
	classWord  = 1 << iota // of a word
	classDigit             // of a number in any script
)

// classes has the characters up to the kana: every second look at a text asks
// for one, and the tables of package unicode take ten times as long.
var classes = func() (m [0x3100]byte) {
	mark := func(table *unicode.RangeTable, class byte) {
		for _, r := range table.R16 {
			for c := int(r.Lo); c <= int(r.Hi) && c < len(m); c += int(r.Stride) {
				m[c] |= class
			}
		}
	}
	mark(unicode.L, classWord)
	mark(unicode.M, classWord)
	mark(unicode.Nd, classWord|classDigit)
	m['\u200c'] |= classWord
	m['\u200d'] |= classWord
	return m
}()

// classOf is what a character can be.
func classOf(r rune) byte {
	if uint32(r) < uint32(len(classes)) {
		return classes[r]
	}
	if unicode.IsDigit(r) {
		return classWord | classDigit
	}
	if unicode.IsLetter(r) || unicode.IsMark(r) {
		return classWord
	}
	return 0
}

// inWord reports whether a character is of a word: an apostrophe is not.
func inWord(r rune) bool { return classOf(r)&classWord != 0 }

// wordEnd is where the run of characters of a word ends that stands at a place,
// and what they are together.
func wordEnd(text string, at int) (end int, all byte) {
	for at < len(text) {
		c := text[at]
		if c < utf8.RuneSelf {
			class := classes[c]
			if class == 0 {
				break
			}
			all |= class
			at++
			continue
		}
		r, n := rune(0), 2
		if c < 0xE0 && c >= 0xC2 && at+1 < len(text) && text[at+1]&0xC0 == 0x80 {
			r = rune(c&0x1F)<<6 | rune(text[at+1]&0x3F)
		} else {
			r, n = utf8.DecodeRuneInString(text[at:])
		}
		class := classOf(r)
		if class == 0 {
			break
		}
		all |= class
		at += n
	}
	return at, all
}

// Unread lists the words of a text that no rule could read: those that hold digits, and single
// Arabic letters, which stand for some word but for the و that is one.
func Unread(said string) (words []string) {
	for at := 0; at < len(said); {
		end, all := wordEnd(said, at)
		if all&classDigit != 0 || end == at+2 && said[at] >= 0xD8 && said[at] <= 0xDB && said[at:end] != "و" {
			words = append(words, said[at:end])
		}
		if at = end; at >= len(said) {
			break
		}
		if said[at] < utf8.RuneSelf {
			at++
			continue
		}
		_, n := utf8.DecodeRuneInString(said[at:])
		at += n
	}
	return words
}

// holds reports whether a list of words between white space has one.
func holds(list, word string) bool {
	if word == "" || strings.ContainsAny(word, " \n\t") {
		return false
	}
	for from := 0; ; {
		at := strings.Index(list[from:], word)
		if at < 0 {
			return false
		}
		at += from
		end := at + len(word)
		if (at == 0 || list[at-1] <= ' ') && (end == len(list) || list[end] <= ' ') {
			return true
		}
		from = at + 1
	}
}
