package intake

import (
	"iter"
	"slices"
	"strings"
)

// ljspeech is LJSpeech's own form and its two relatives. A quote is an ordinary
// character: a csv reader joins 189 of LJSpeech's 13,100 rows at odd quotes. The
// README of LJSpeech 1.1 says what a line has: an id, which is the clip's name in
// wavs/, the transcription, and the same with numbers and abbreviations in words,
// in UTF-8, between bars, without a header.
var ljspeech = Format{
	Name:  "ljspeech",
	Shape: "lines of id|text, id|text|normalised or id|text|normalised|speaker|language",
	Look:  ljspeechLook,
	Read:  func(in *Input) error { return ljspeechShapes.read(in, ljspeechWidth) },
}

// LJSpeech's README has the three columns; two are those of corpora without a
// normalised text, and five are this project's own.
var ljspeechShapes = shapes{2: "id|text", 3: "id|text|normalised", 5: "id|text|normalised|speaker|language"}

// ljspeechLook leaves out the lines that say themselves to be of another form
// with bars: file|speaker|text, path.wav|text of a list, or JSON with bars in its text.
func ljspeechLook(lines []string) int {
	width, count := ljspeechWidth(slices.Values(lines))
	if coquiHeader(lines) {
		return 0
	}
	for _, l := range lines {
		if cols := bars(l); len(cols) == width && (namesSpeaker(cols) || listsFolder(cols) || strings.HasPrefix(cols[0], "{")) {
			count--
		}
	}
	return count
}

// ljspeechWidth is the number of columns that most lines have, and how many
// have it. A tie goes to the LJSpeech form of three, then to the narrower.
func ljspeechWidth(lines iter.Seq[string]) (width, count int) {
	var have [6]int
	for l := range lines {
		if n := strings.Count(l, "|") + 1; n < len(have) {
			have[n]++
		}
	}
	width = 3
	for _, w := range []int{2, 5} {
		if have[w] > have[width] {
			width = w
		}
	}
	return width, have[width]
}
