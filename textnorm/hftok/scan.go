package hftok

import (
	"strings"
	"unicode/utf8"
)

// contractions are what GPT's expressions cut off after an apostrophe, in the
// order in which they are tried.
var contractions = []string{"s", "t", "re", "ve", "m", "ll", "d"}

// gpt2 is the match at from of GPT-2's expression (wholePatterns). It matches
// everywhere, and never the empty text. Its alternatives, in their order:
//
//	's 't 're 've 'm 'll 'd    in small letters
//	letters, digits, others    with at most one space before them
//	white space                of which the last one is left to the word after it
//
// No look-ahead is needed: which alternative matches follows from the first few
// characters.
func gpt2(s string, from int) (start, end int) {
	if from >= len(s) {
		return -1, -1
	}
	if n := contraction(s[from:], false); n > 0 {
		return from, from + n
	}
	at := from
	if s[at] == ' ' {
		at++
	}
	if at < len(s) {
		switch c := classAt(s, at); {
		case c&classLetter != 0:
			return from, run(s, at, classLetter)
		case c&classNumber != 0:
			return from, run(s, at, classNumber)
		case c&classSpace == 0:
			return from, runNot(s, at, classLetter|classNumber|classSpace)
		}
	}
	return from, whiteSpace(s, from)
}

// gpt4 is the match at from of the expression of GPT-4 and its kin (cl100k in the
// package tiktoken). It differs from gpt2:
//
//	contractions  in any case
//	digits        without a space, and at most 3 or 1 together (most)
//	letters       with any one character before them but a digit or a line end
//	others        with the line ends after them
//	white space   up to its last line end, where it has one
func gpt4(s string, from, most int) (start, end int) {
	if from >= len(s) {
		return -1, -1
	}
	if n := contraction(s[from:], true); n > 0 {
		return from, from + n
	}
	r, size := utf8.DecodeRuneInString(s[from:])
	c := class(r)
	if c&classLetter != 0 {
		return from, run(s, from, classLetter)
	}
	line := r == '\r' || r == '\n'
	if !line && c&classNumber == 0 && from+size < len(s) && classAt(s, from+size)&classLetter != 0 {
		return from, run(s, from+size, classLetter)
	}
	if c&classNumber != 0 {
		end := from
		for n := 0; n < most && end < len(s) && classAt(s, end)&classNumber != 0; n++ {
			_, size := utf8.DecodeRuneInString(s[end:])
			end += size
		}
		return from, end
	}
	at := from
	if s[at] == ' ' {
		at++
	}
	if at < len(s) && classAt(s, at)&(classLetter|classNumber|classSpace) == 0 {
		end := runNot(s, at, classLetter|classNumber|classSpace)
		for end < len(s) && (s[end] == '\r' || s[end] == '\n') {
			end++
		}
		return from, end
	}
	if end := strings.LastIndexAny(s[from:run(s, from, classSpace)], "\r\n"); end >= 0 {
		return from, from + end + 1
	}
	return from, whiteSpace(s, from)
}

// contraction is the size of the one that s begins with, 0 for none. The long s
// is an s where case does not count.
func contraction(s string, fold bool) int {
	if s[0] != '\'' {
		return 0
	}
	s = s[1:]
	for _, c := range contractions {
		if strings.HasPrefix(s, c) || fold && len(s) >= len(c) && strings.EqualFold(s[:len(c)], c) {
			return 1 + len(c)
		}
		if fold && c == "s" && strings.HasPrefix(s, "\u017f") {
			return 1 + len("\u017f")
		}
	}
	return 0
}

// classAt is the class of the character at s[at:].
func classAt(s string, at int) uint16 {
	if c := s[at]; c < utf8.RuneSelf {
		return classTable[c]
	}
	r, _ := utf8.DecodeRuneInString(s[at:])
	return class(r)
}

// run is the end of the characters from at on that have a class of mask, runNot
// that of those which have none.
func run(s string, at int, mask uint16) int    { return runOf(s, at, mask, true) }
func runNot(s string, at int, mask uint16) int { return runOf(s, at, mask, false) }

func runOf(s string, at int, mask uint16, has bool) int {
	for at < len(s) {
		c, size := uint16(0), 1
		if s[at] < utf8.RuneSelf {
			c = classTable[s[at]]
		} else {
			var r rune
			r, size = utf8.DecodeRuneInString(s[at:])
			c = class(r)
		}
		if (c&mask != 0) != has {
			return at
		}
		at += size
	}
	return at
}

// whiteSpace is \s+(?!\S)|\s+ at from: all of it at the end of the text, else
// all but the last one, and a single one whole.
func whiteSpace(s string, from int) int {
	end := run(s, from, classSpace)
	if end == len(s) {
		return end
	}
	_, last := utf8.DecodeLastRuneInString(s[from:end])
	if end-last > from {
		return end - last
	}
	return end
}
