package hftok

import "sync"

// Classes of a character. Each is a set of unicode.txt, as the package
// tokenizers has it in the components that ask for it.
const (
	classWord     = 1 << iota // \w of UTS 18: letters, marks, digits, connectors, joiners
	classSpace                // White_Space
	classLetter               // \p{L}
	classNumber               // \p{N}
	classDigit                // what Digits takes for a number
	classPunct                // punctuation, with the symbols of ASCII
	classMark                 // what StripAccents removes
	classBertMark             // what BERT removes for an accent
	classControl              // what BERT's clean-up removes
	classLate                 // what normal forms leave alone; see normalForm
	classUpper                // has another small letter
	classExtend               // belongs to the grapheme cluster before it
	classPrepend              // has the character after it in its cluster
	classBreaking             // has no other one in its cluster
)

// nearRunes is the end of the code points whose tokens and small letters are looked
// up in arrays: those of at most two bytes in UTF-8, which hold the alphabets of
// Latin, Greek, Cyrillic, Hebrew and Arabic.
const nearRunes = 0x800

// classTable holds the classes of the first two planes, in which nearly all
// characters are, in 256 KiB. Emoji are in the second plane. Parse fills both once for
// all tokenizers, so that a program that reads none does not pay for them.
var (
	classTable [1 << 17]uint16
	lowerNear  [nearRunes]rune // small letters
	fillOnce   sync.Once
)

// classSets are the names of the sets that make the classes.
var classSets = []struct {
	class uint16
	name  string
}{
	{classWord, "word"}, {classSpace, "space"}, {classLetter, "L"}, {classNumber, "N"}, {classDigit, "digit"}, {classPunct, "punctuation"},
	{classMark, "mark"}, {classBertMark, "bertmark"}, {classControl, "control"}, {classLate, "late"}, {classExtend, "extend"},
	{classPrepend, "prepend"}, {classBreaking, "breaking"},
}

// fillClasses is called by fillOnce only.
func fillClasses() {
	t := tables()
	for _, set := range classSets {
		for _, in := range t.sets[set.name] {
			for r := in.from; r <= in.to && int(r) < len(classTable); r++ {
				classTable[r] |= set.class
			}
		}
	}
	for r := range lowerNear {
		lowerNear[r] = rune(r)
	}
	for r, small := range t.lower {
		if r < nearRunes {
			lowerNear[r] = small
		}
		if int(r) < len(classTable) {
			classTable[r] |= classUpper
		}
	}
}

// class is the set of classes of a character. Beyond the table it is 13 searches.
func class(r rune) uint16 {
	if uint32(r) < uint32(len(classTable)) {
		return classTable[r]
	}
	return slowClass(r)
}

// slowClass goes through the sets: for planes 2 and above, and for the test of the
// table.
func slowClass(r rune) (c uint16) {
	t := tables()
	for _, set := range classSets {
		if t.sets[set.name].has(r) {
			c |= set.class
		}
	}
	if _, ok := t.lower[r]; ok {
		c |= classUpper
	}
	return c
}

func isWord(r rune) bool  { return class(r)&classWord != 0 }
func isSpace(r rune) bool { return class(r)&classSpace != 0 }
