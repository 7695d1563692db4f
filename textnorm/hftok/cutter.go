package hftok

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// piece is a run of text on its way to the model.
type piece struct {
	text  string
	id    int32 // of an added token that was found; -1 for text
	first bool  // it begins where the whole text begins
}

// cutter is a pre-tokenizer: it appends what becomes of one piece of text. Its order
// is that of the text. It never sees an added token, and never a piece without text.
type cutter func(dst []piece, p piece) []piece

// readCutters reads a component and all that a sequence holds. BertPreTokenizer is two
// cutters, white space and then punctuation, which is what it is defined to be. An
// error begins with the path of the component.
func readCutters(raw json.RawMessage, path string, depth int) ([]cutter, error) {
	kind, err := typeOf(raw, path, depth)
	if err != nil || kind == "" {
		return nil, err
	}
	one := func(c cutter, err error) ([]cutter, error) { return []cutter{c}, err }
	switch kind {
	case "Sequence":
		var c struct {
			Type          string
			Pretokenizers []json.RawMessage
		}
		if err := settings(raw, path, &c); err != nil {
			return nil, err
		}
		return readSequence(c.Pretokenizers, path+".pretokenizers", depth, readCutters)
	case "Whitespace":
		return one(cutWords, settings(raw, path, new(component)))
	case "WhitespaceSplit":
		return one(cutBy(isSpace, removed), settings(raw, path, new(component)))
	case "BertPreTokenizer":
		return []cutter{cutBy(isSpace, removed), cutBy(is(classPunct), isolated)}, settings(raw, path, new(component))
	case "Metaspace":
		return one(readMetaspace(raw, path))
	case "ByteLevel":
		return one(readByteLevel(raw, path))
	case "Split":
		return one(readSplit(raw, path))
	case "CharDelimiterSplit":
		return one(readDelimiter(raw, path))
	case "Punctuation":
		c := struct {
			Type     string
			Behavior behavior
		}{Behavior: isolated}
		err := settings(raw, path, &c)
		return one(cutBy(is(classPunct), c.Behavior), err)
	case "Digits":
		var c struct {
			Type   string
			Single bool `json:"individual_digits"`
		}
		err := settings(raw, path, &c)
		how := contiguous
		if c.Single {
			how = isolated
		}
		return one(cutBy(is(classDigit), how), err)
	}
	return nil, unknownType(path, kind, "BertPreTokenizer", "ByteLevel", "CharDelimiterSplit", "Digits", "Metaspace", "Punctuation",
		"Sequence", "Split", "Whitespace", "WhitespaceSplit")
}

// behavior is what becomes of the delimiters at which a text is split. Of "a-b--c",
// split at "-":
//
//	Removed             a b c
//	Isolated            a - b - - c
//	MergedWithPrevious  a- b- - c
//	MergedWithNext      a -b - -c
//	Contiguous          a - b -- c
type behavior int

const (
	removed behavior = iota
	isolated
	mergedWithPrevious
	mergedWithNext
	contiguous
)

var behaviors = map[string]behavior{"Removed": removed, "Isolated": isolated, "MergedWithPrevious": mergedWithPrevious,
	"MergedWithNext": mergedWithNext, "Contiguous": contiguous}

// UnmarshalJSON reads the name of a behaviour.
func (b *behavior) UnmarshalJSON(src []byte) error {
	var name string
	if err := json.Unmarshal(src, &name); err != nil {
		return err
	}
	known, ok := behaviors[name]
	if !ok {
		return fmt.Errorf("behavior %q is not known", name)
	}
	*b = known
	return nil
}

// splitter puts the parts of a piece together, as its behaviour wants them. Parts
// come in the order of the text and without gaps; two of one kind may follow each
// other, as delimiters do.
type splitter struct {
	how     behavior
	dst     []piece
	whole   piece
	began   bool // a part was seen
	delim   bool // the last part is a delimiter
	held    int  // mergedWithNext: where a delimiter that waits begins; -1: none
	heldEnd int
}

// newSplitter appends to dst what p is split into.
func newSplitter(dst []piece, p piece, how behavior) *splitter {
	return &splitter{how: how, dst: dst, whole: p, held: -1}
}

// push appends a piece. It begins the text if the whole piece did and it is the
// first of it: prepend_scheme "first" of a later Metaspace asks for that.
func (s *splitter) push(from, to int) {
	s.dst = append(s.dst, piece{s.whole.text[from:to], -1, s.whole.first && from == 0})
}

// part takes the next part of the text, which is not empty.
func (s *splitter) part(from, to int, delim bool) {
	switch {
	case s.how == removed && delim:
	case s.how == mergedWithPrevious && delim && s.began && !s.delim, s.how == contiguous && s.began && s.delim == delim:
		last := &s.dst[len(s.dst)-1]
		last.text = s.whole.text[from-len(last.text) : to]
	case s.how == mergedWithNext && delim:
		s.flush()
		s.held, s.heldEnd = from, to
	case s.held >= 0:
		s.push(s.held, to)
		s.held = -1
	default:
		s.push(from, to)
	}
	s.began, s.delim = true, delim
}

// flush pushes a delimiter that nothing follows.
func (s *splitter) flush() {
	if s.held >= 0 {
		s.push(s.held, s.heldEnd)
		s.held = -1
	}
}

// cutBy splits at each single character that is a delimiter.
func cutBy(delim func(rune) bool, how behavior) cutter {
	return cutAt(func(s string, from int) (int, int) {
		at := strings.IndexFunc(s[from:], delim)
		if at < 0 {
			return -1, -1
		}
		_, size := utf8.DecodeRuneInString(s[from+at:])
		return from + at, from + at + size
	}, how, false)
}

// cutAt splits at each match, or at what is between them. A match is never empty, so
// that it comes to an end.
func cutAt(find finder, how behavior, invert bool) cutter {
	return func(dst []piece, p piece) []piece {
		s := newSplitter(dst, p, how)
		last := 0
		for last < len(p.text) {
			from, to := find(p.text, last)
			if from < 0 {
				break
			}
			if last < from {
				s.part(last, from, invert)
			}
			s.part(from, to, !invert)
			last = to
		}
		if last < len(p.text) {
			s.part(last, len(p.text), invert)
		}
		s.flush()
		return s.dst
	}
}

// cutWords is Whitespace, \w+|[^\w\s]+: it keeps runs of word characters and runs of
// what is neither word nor white space.
func cutWords(dst []piece, p piece) []piece {
	s := p.text
	for at := 0; at < len(s); {
		end := run(s, at, classWord)
		if end == at {
			end = runNot(s, at, classWord|classSpace)
		}
		if end == at {
			at = run(s, at, classSpace)
			continue
		}
		dst = append(dst, piece{s[at:end], -1, p.first && at == 0})
		at = end
	}
	return dst
}

// readSplit is Split. invert swaps delimiters and what is between them, so that a
// pattern may describe words.
func readSplit(raw json.RawMessage, path string) (cutter, error) {
	var c struct {
		Type     string
		Pattern  patternJSON
		Behavior *behavior
		Invert   bool
	}
	if err := settings(raw, path, &c); err != nil {
		return nil, err
	}
	if c.Behavior == nil {
		return nil, fmt.Errorf("%s: it has no behavior", path)
	}
	find, err := readPattern(c.Pattern, path)
	return cutAt(find, *c.Behavior, c.Invert), err
}

// readDelimiter is CharDelimiterSplit: one character, which is removed.
func readDelimiter(raw json.RawMessage, path string) (cutter, error) {
	var c struct{ Type, Delimiter string }
	if err := settings(raw, path, &c); err != nil {
		return nil, err
	}
	delim, size := utf8.DecodeRuneInString(c.Delimiter)
	if size == 0 || size != len(c.Delimiter) {
		return nil, fmt.Errorf("%s: delimiter %q is not one character", path, c.Delimiter)
	}
	return cutBy(func(r rune) bool { return r == delim }, removed), nil
}

// readMetaspace makes sentencepiece's spaces: each becomes a visible character,
// which begins a piece. One is put before a piece that has none, by prepend_scheme:
// always, first (at the beginning of the text only) or never. add_prefix_space is the
// older setting; a file in which it is false and the scheme prepends is refused.
func readMetaspace(raw json.RawMessage, path string) (cutter, error) {
	c := struct {
		Type        string
		Replacement string
		Prefix      *bool  `json:"add_prefix_space"`
		Scheme      string `json:"prepend_scheme"`
		Split       *bool
		Rep         string `json:"str_rep"` // the replacement again, in old files
	}{Scheme: "always"}
	if err := settings(raw, path, &c); err != nil {
		return nil, err
	}
	if utf8.RuneCountInString(c.Replacement) != 1 {
		return nil, fmt.Errorf("%s: replacement %q is not one character", path, c.Replacement)
	}
	if c.Scheme != "always" && c.Scheme != "first" && c.Scheme != "never" {
		return nil, fmt.Errorf("%s: prepend_scheme %q is not known", path, c.Scheme)
	}
	if c.Prefix != nil && !*c.Prefix && c.Scheme != "never" {
		return nil, fmt.Errorf("%s: add_prefix_space is false, and prepend_scheme %q", path, c.Scheme)
	}
	mark, _ := utf8.DecodeRuneInString(c.Replacement)
	split := cutBy(func(r rune) bool { return r == mark }, mergedWithNext)
	whole := c.Split != nil && !*c.Split
	return func(dst []piece, p piece) []piece {
		p.text = strings.ReplaceAll(p.text, " ", c.Replacement)
		if !strings.HasPrefix(p.text, c.Replacement) && (c.Scheme == "always" || c.Scheme == "first" && p.first) {
			p.text = c.Replacement + p.text
		}
		if whole {
			return append(dst, p)
		}
		return split(dst, p)
	}, nil
}

// readByteLevel makes GPT-2's pieces: words with the space before them (gpt2), then
// each byte one letter (byteRunes). The words are cut in the text as it is, and their
// ends are counted in letters, of one or two bytes each. use_regex false is for files
// that cut by a Split before it.
func readByteLevel(raw json.RawMessage, path string) (cutter, error) {
	c := struct {
		Type        string
		PrefixSpace *bool `json:"add_prefix_space"`
		TrimOffsets bool  `json:"trim_offsets"` // about offsets, which nothing here has
		UseRegex    bool  `json:"use_regex"`
	}{UseRegex: true}
	if err := settings(raw, path, &c); err != nil {
		return nil, err
	}
	if c.PrefixSpace == nil {
		return nil, errors.New(path + ": it has no add_prefix_space")
	}
	prefix := *c.PrefixSpace
	return func(dst []piece, p piece) []piece {
		if prefix && !strings.HasPrefix(p.text, " ") {
			p.text = " " + p.text
		}
		letters := byteLevel(p.text)
		if !c.UseRegex {
			return append(dst, piece{letters, -1, p.first})
		}
		done := 0 // of letters
		for at := 0; at < len(p.text); {
			_, end := gpt2(p.text, at)
			size := 0
			for _, b := range []byte(p.text[at:end]) {
				size += len(byteRunes[b])
			}
			dst = append(dst, piece{letters[done : done+size], -1, p.first && at == 0})
			at, done = end, done+size
		}
		return dst
	}, nil
}

// is reports whether a character has a class of mask.
func is(mask uint16) func(rune) bool { return func(r rune) bool { return class(r)&mask != 0 } }

// isLoud reports whether a character says something: it is no space, no format
// character, and not the visible space.
func isLoud(r rune) bool {
	return r != '\u2581' && class(r)&classSpace == 0 && !tables().sets["Cf"].has(r)
}
