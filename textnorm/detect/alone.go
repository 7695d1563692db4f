package detect

import "unicode/utf8"

// Version is that of the detector with its model; it changes whenever a text may
// get another code or other spans.
const Version = "detect/1"

// Alone reports whether a text has letters of the scripts of one language only,
// so that it has no [Detector.Spans]; of a language that the detector does not
// know nobody can tell. It asks no model.
func Alone(text, code string) bool {
	own := bitOf(code)
	if own == 0 {
		return true
	}
	var writes [scripts]bool
	for s := range writes {
		writes[s] = script(s) == noLetter || own.writes(script(s))
	}
	for at := 0; at < len(text); {
		if text[at] < utf8.RuneSelf && writes[latin] {
			at++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[at:])
		if !writes[scriptOf(r)] {
			return false
		}
		at += size
	}
	return true
}
