package hftok

import "unicode"

// Classes of a character. Those of Unicode's tables; the first 0x800 code
// points are looked up in an array, which holds Latin, Greek, Cyrillic and
// Arabic.
const (
	classWord   = 1 << iota // \w of UTS 18: letters, marks, digits, connectors, joiners
	classSpace              // White_Space
	classLetter             // \p{L}
	classNumber             // \p{N}
	classPunct              // \p{P}
	classMark               // \p{M}
)

const nearRunes = 0x800

var nearClass = func() (table [nearRunes]uint8) {
	for r := range table {
		table[r] = slowClass(rune(r))
	}
	return table
}()

var wordTables = []*unicode.RangeTable{unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic, unicode.Join_Control}

func class(r rune) uint8 {
	if uint32(r) < nearRunes {
		return nearClass[r]
	}
	return slowClass(r)
}

func slowClass(r rune) (c uint8) {
	if unicode.In(r, wordTables...) {
		c |= classWord
	}
	if unicode.IsSpace(r) {
		c |= classSpace
	}
	if unicode.IsLetter(r) {
		c |= classLetter
	}
	if unicode.Is(unicode.N, r) {
		c |= classNumber
	}
	if unicode.Is(unicode.P, r) {
		c |= classPunct
	}
	if unicode.Is(unicode.M, r) {
		c |= classMark
	}
	return c
}

func isWord(r rune) bool { return class(r)&classWord != 0 }

// isPunctuation adds the symbols of ASCII to \p{P}, as BERT does.
func isPunctuation(r rune) bool {
	if r < 0x80 {
		return r > ' ' && r < 0x7F && class(r)&(classLetter|classNumber) == 0
	}
	return class(r)&classPunct != 0
}
