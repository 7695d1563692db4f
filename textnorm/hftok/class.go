package hftok

import (
	"sync"
	"unicode"
)

// Classes of a character, by Unicode's tables.
const (
	classWord   = 1 << iota // \w of UTS 18: letters, marks, digits, connectors, joiners
	classSpace              // White_Space
	classLetter             // \p{L}
	classNumber             // \p{N}
	classPunct              // \p{P}
	classMark               // \p{M}
)

// nearRunes is the end of the code points whose tokens are looked up in an array.
const nearRunes = 0x800

// classTable holds the classes of the basic plane. Parse fills it, so that a
// program that reads no file does not pay for it at its start.
var (
	classTable [1 << 16]uint8
	fillOnce   sync.Once
)

// classSets are the tables that make the classes.
var classSets = []struct {
	class  uint8
	tables []*unicode.RangeTable
}{
	{classWord, wordTables}, {classSpace, []*unicode.RangeTable{unicode.White_Space}}, {classLetter, []*unicode.RangeTable{unicode.L}},
	{classNumber, []*unicode.RangeTable{unicode.N}}, {classPunct, []*unicode.RangeTable{unicode.P}}, {classMark, []*unicode.RangeTable{unicode.M}},
}

func fillClasses() {
	for _, set := range classSets {
		for _, t := range set.tables {
			for _, r := range t.R16 {
				for c := uint32(r.Lo); c <= uint32(r.Hi); c += uint32(r.Stride) {
					classTable[c] |= set.class
				}
			}
		}
	}
}

var wordTables = []*unicode.RangeTable{unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic, unicode.Join_Control}

func class(r rune) uint8 {
	if uint32(r) < uint32(len(classTable)) {
		return classTable[r]
	}
	return slowClass(r)
}

// slowClass goes through the tables.
func slowClass(r rune) (c uint8) {
	for _, set := range classSets {
		if unicode.In(r, set.tables...) {
			c |= set.class
		}
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
