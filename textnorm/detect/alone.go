package detect

import (
	"sync"
	"unicode/utf8"
)

// Version is that of the detector with its model; it changes whenever a text may
// get another code or other spans.
const Version = "detect/2"

// Alone reports whether a text has letters of the scripts of one language only,
// so that it has no [Detector.Spans]; of a language that the detector does not
// know nobody can tell. It asks no model.
func Alone(text, code string) bool {
	own, known := aloneMasks()[code]
	if !known {
		return true
	}
	table := lowScripts()
	for at := 0; at < len(text); {
		c := text[at]
		// ASCII has Latin letters and no others.
		if c < utf8.RuneSelf && own>>latin&1 != 0 {
			at++
			continue
		}
		var s script
		if next := at + 1; c >= 0xC2 && c < 0xE0 && next < len(text) && text[next]&0xC0 == 0x80 {
			s = table[int(c&0x1F)<<6|int(text[next]&0x3F)] // most letters of most scripts, without a call
			at += 2
		} else {
			r, size := utf8.DecodeRuneInString(text[at:])
			if int(r) < len(table) {
				s = table[r]
			} else {
				s = scriptOf(r)
			}
			at += size
		}
		if own>>s&1 == 0 {
			return false
		}
	}
	return true
}

// aloneMasks has, for each language, a bit for each script that it is written in,
// and one for what is no letter.
var aloneMasks = sync.OnceValue(func() map[string]uint32 {
	m := map[string]uint32{}
	for _, code := range Codes() {
		mask := uint32(1) << noLetter
		for s := script(0); s < scripts; s++ {
			if s != noLetter && bitOf(code).writes(s) {
				mask |= 1 << s
			}
		}
		m[code] = mask
	}
	return m
})

// lowScripts has the scripts of the characters below U+1000, which is a third of a
// look at Unicode's tables.
var lowScripts = sync.OnceValue(func() *[0x1000]script {
	var table [0x1000]script
	for r := range table {
		table[r] = scriptOf(rune(r))
	}
	return &table
})
