package intake

import (
	"iter"
	"slices"
	"strings"
	"unicode"

	"voxpack/textnorm"
)

// speaker is the form of lists with several speakers, as Piper, Mimic and
// GPT-SoVITS have it. Piper's names clips without folder and extension, GPT-SoVITS'
// by absolute paths of the machine that cut them, often with backslashes.
var speaker = Format{
	Name:  "speaker",
	Shape: "lines of file|speaker|text or file|speaker|language|text",
	Look: func(lines []string) int {
		if coquiHeader(lines) {
			return 0
		}
		_, fits := speakerWidth(slices.Values(lines))
		return fits
	},
	Read: func(in *Input) error { return speakerShapes.read(in, speakerWidth) },
}

// Piper's TRAINING.md has three columns, GPT-SoVITS' README four.
var speakerShapes = shapes{3: "file|speaker|text", 4: "file|speaker|language|text"}

// speakerWidth is the number of columns that most lines have, 3 or 4, and how
// many lines of that width are of the form.
// A tie goes to three columns.
func speakerWidth(lines iter.Seq[string]) (width, count int) {
	var have, fits [5]int
	for l := range lines {
		cols := bars(l)
		switch n := len(cols); {
		case n < 3 || n > 4:
		case n == 3 && namesSpeaker(cols) && !listsNumber(cols),
			n == 4 && oneWord(cols[1]) && languageTag(cols[2]):
			fits[n]++
			fallthrough
		default:
			have[n]++
		}
	}
	width = 3
	if have[4] > have[3] {
		width = 4
	}
	return width, fits[width]
}

// namesSpeaker tells file|speaker|text from LJSpeech's id|text|normalised: the
// second column is one word and the third is more, or is of a script that puts
// no spaces while the second is not.
func namesSpeaker(cols []string) bool {
	if len(cols) != 3 || !oneWord(cols[1]) {
		return false
	}
	return strings.ContainsFunc(cols[2], unicode.IsSpace) || unspaced(cols[2]) && !unspaced(cols[1])
}

// oneWord bounds a name: texts that are one word and longer than this are of
// scripts without spaces.
func oneWord(s string) bool {
	return s != "" && len(s) <= 64 && !strings.ContainsFunc(s, unicode.IsSpace)
}

// unspaced reports whether a text has a letter of a script that is written
// without spaces.
func unspaced(s string) bool {
	return strings.ContainsFunc(s, textnorm.Unspaced)
}

// languageTag is generous: a code that is not known refuses its line later, and
// says so.
func languageTag(s string) bool {
	return len(s) >= 2 && len(s) <= 16 && !strings.ContainsFunc(s, func(r rune) bool {
		return (r|0x20 < 'a' || r|0x20 > 'z') && (r < '0' || r > '9') && r != '-' && r != '_'
	})
}
