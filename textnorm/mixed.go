package textnorm

import (
	"sync"
	"unicode/utf8"

	"voxpack/textnorm/detect"
	"voxpack/textnorm/spoken"
)

// Undetermined is the code of a text whose language nobody knows.
const Undetermined = detect.Undetermined

// detector is made with the first text that asks for it: its model takes longer
// to unpack than a build with nothing to do lasts.
var detector = sync.OnceValue(detect.New)

// surely is the confidence below which the first of the config's languages is
// taken instead of another. Of the 13,100 lines of LJSpeech 3 are below it, two of
// which were taken for another of all 18 languages.
const surely = 0.5

// Language is the code of the language that a text is likeliest in, among the
// config's. Where the text says too little it is the first of these, and where its
// letters are of a language that nobody here reads it is Undetermined; with none in
// the config, a text without a letter of a known language is Undetermined.
func (n *Normalizer) Language(text string) string {
	text, _ = n.plain(n.unmarked(text))
	code, sure := detector().Detect(text, n.config.Languages)
	if code == Undetermined && detect.Foreign(text) {
		return code
	}
	if among := n.config.Languages; len(among) > 0 && sure < surely {
		return among[0]
	}
	return code
}

// DetectVersion is that of the detector and its model.
const DetectVersion = detect.Version

// Spans are the runs of a text in another script than its language's, in what the
// rules of all languages make of it.
func (n *Normalizer) Spans(text, language string) []detect.Span {
	text, _ = n.plain(text)
	return n.spans(text, language)
}

func (n *Normalizer) spans(text, language string) []detect.Span {
	if detect.Alone(text, language) { // as is a text whose language nobody knows
		return nil
	}
	return detector().Spans(text, language, n.config.Languages)
}

// mixed notes the runs of a text in another script than its language's.
func (n *Normalizer) mixed(text, language string) []Note {
	var book notebook
	for _, s := range n.spans(text, language) {
		if book.fresh(mark{NoteMixed + s.Code, 0}) {
			book.notes = append(book.notes, Note{NoteMixed, s.Start, s.Code})
		}
	}
	return book.notes
}

// others finds the runs that another language's rules read.
func (n *Normalizer) others(code string) func(text string) []spoken.Other {
	return func(text string) []spoken.Other {
		var list []spoken.Other
		for _, s := range n.spans(text, code) {
			if r, ok := spoken.New(s.Code); ok && s.Code != code && utf8.ValidString(text[s.Start:s.End]) {
				list = append(list, spoken.Other{Start: s.Start, End: s.End, Reader: r})
			}
		}
		return list
	}
}
