package textnorm

import (
	"strings"
	"sync"
	"unicode"
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

// mixed notes the runs of a text in another script than its language's that are still there
// in what is said of it, addresses too.
func (n *Normalizer) mixed(text, said, language string) []Note {
	if detect.Alone(said, language) {
		return nil
	}
	var book notebook
	note := func(s detect.Span) {
		if (said == text || n.config.CodeSwitching || left(text[s.Start:s.End], said)) && book.fresh(mark{NoteMixed + s.Code, 0}) {
			book.notes = append(book.notes, Note{NoteMixed, s.Start, s.Code})
		}
	}
	done := 0
	for _, s := range append(n.spans(text, language), detect.Span{Start: len(text), End: len(text)}) {
		if !detect.Alone("a", language) {
			addresses(text[:s.Start], done, note)
		}
		if s.End > s.Start {
			note(s)
		}
		done = s.End
	}
	return book.notes
}

// addresses finds what stands between spans in Latin letters: addresses, which are read in
// English.
func addresses(text string, from int, found func(detect.Span)) {
	for at := from; at < len(text); at++ {
		if !latin(text[at]) {
			continue
		}
		end := at
		for end < len(text) && text[end] > ' ' && text[end] < utf8.RuneSelf {
			end++
		}
		found(detect.Span{Start: at, End: end, Code: "en"})
		at = end
	}
}

// left reports whether a word of a run still stands in what is said.
func left(run, said string) bool {
	for word := range strings.FieldsFuncSeq(run, func(r rune) bool { return !unicode.IsLetter(r) }) {
		for from := 0; ; {
			at := strings.Index(said[from:], word)
			if at < 0 {
				break
			}
			at += from
			end := at + len(word)
			if (at == 0 || !latin(said[at-1])) && (end == len(said) || !latin(said[end])) {
				return true
			}
			from = end
		}
	}
	return false
}

func latin(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

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
