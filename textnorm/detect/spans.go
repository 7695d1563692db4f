package detect

import "unicode/utf8"

// Span is a run of a text in another script than its language has.
type Span struct {
	Start, End int    // byte offsets
	Code       string // of the languages asked for, else Undetermined
}

// surelyForeign is the confidence from which a span is not taken for English.
const surelyForeign = 0.98

// Spans finds the words of a text that are written in another script than its
// language is: Latin names in Persian text, a Russian title in an English
// sentence. Addresses are left out. Words of one script with no letter of
// another between them are one span, from the first letter to the last.
//
// The code of a span is one of those given (nil: all that the detector knows).
// Words in Latin letters are English where they are not surely something else:
// a name or two say little, and English lends more of them than all others.
func (d *Detector) Spans(text, code string, among []string) []Span {
	var (
		spans []Span
		own   = bitOf(code)
		set   = setOf(among)
		of    script // of the open span
		open  Span
	)
	end := func() {
		if of != noLetter {
			var sure float64
			open.Code, sure = d.detect(text[open.Start:open.End], set)
			if of == latin && sure < surelyForeign && set.has("en") {
				open.Code = "en"
			}
			spans = append(spans, open)
			of = noLetter
		}
	}
	for at := 0; at < len(text); {
		if past := addressEnd(text, at); past > at { // read out letter by letter, in any language
			end()
			at = past
			continue
		}
		r, size := utf8.DecodeRuneInString(text[at:])
		s := scriptOf(r)
		switch {
		case s == kana && of == han: // Japanese has both
			of = kana
		case s == han && of == kana:
			s = kana
		}
		switch {
		case s == noLetter:
		case own.writes(s):
			end()
		case s == of:
			open.End = at + size
		default:
			end()
			of, open = s, Span{Start: at, End: at + size}
		}
		if s == noLetter && joins(r) && of != noLetter && open.End == at {
			open.End = at + size // an accent belongs to its letter
		}
		at += size
	}
	end()
	return spans
}
