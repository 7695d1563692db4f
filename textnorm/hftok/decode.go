package hftok

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// Decoder puts tokens together to text. A file may name a decoder of its own,
// which changes no id and is therefore not kept with a dataset: this one follows
// from the components that cut the text, as those do that come with such files.
// Special tokens, and ids without a token, are left out. It never changes, and any
// number of goroutines may use it at once.
//
// It is one of four kinds, by the components of the file:
//
//	ByteLevel               each letter is a byte again
//	a sign for a space      it is a space again; the one that was prepended goes
//	end_of_word_suffix      it is a space again, but for the last one
//	everything else         tokens are words, and the prefix joins them
//
// Of ByteLevel, Decode(Encode(text)) is the text wherever the normalizer leaves it
// alone and no special token is in it. With a sign for a space that holds where
// nothing is unknown and the text has no such sign. The others lose the spaces, as
// the decoders of the package tokenizers do.
type Decoder struct {
	tokens   []string
	silent   map[int32]bool
	signs    map[int32]byte // <0x0A>: a byte by itself
	letter   map[rune]byte  // ByteLevel: the byte of each letter; nil: it is not that
	space    string         // what stands for a space; "": a space does
	strip    bool           // the space that stands at the beginning was put there
	stripAll bool           // all spaces that stand there go
	prefix   string         // of tokens that go on with a word
	suffix   string         // of tokens that end a word
	apart    bool           // tokens are words or begin them
}

// NewDecoder is the decoder of a tokenizer. Where the text came with a sign for
// each space, space is that; tokens that stand around every text, and that the
// file does not call special, are ends.
func NewDecoder(t *Tokenizer, space string, ends ...string) *Decoder {
	var f struct {
		Added        []addedToken `json:"added_tokens"`
		Normalizer   any          `json:"normalizer"`
		PreTokenizer any          `json:"pre_tokenizer"`
		Model        struct {
			Type     string `json:"type"`
			Prefix   string `json:"continuing_subword_prefix"`
			Suffix   string `json:"end_of_word_suffix"`
			Fallback bool   `json:"byte_fallback"`
		} `json:"model"`
	}
	_ = json.Unmarshal([]byte(t.canonical), &f) // which Parse has written
	d := &Decoder{tokens: t.tokens, silent: map[int32]bool{}, signs: map[int32]byte{}, space: space}
	for _, a := range f.Added {
		if a.Special {
			d.silent[t.added[a.Content]] = true
		}
	}
	for _, end := range ends {
		if id, ok := t.ID(end); ok {
			d.silent[id] = true
		}
	}
	d.follow(f.Normalizer)
	d.follow(f.PreTokenizer)
	if m, ok := t.model.(*sentencePiece); ok {
		d.space, d.strip, d.stripAll = spaceMark, m.Dummy, m.Squeeze
		for i, p := range m.Pieces {
			d.silent[int32(i)] = p.kind == pieceControl || p.kind == pieceUnknown
		}
	}
	if f.Model.Fallback {
		for b, id := range findBytes(t.ID) {
			if id >= 0 {
				d.signs[id] = byte(b)
				delete(d.silent, id)
			}
		}
	}
	if id, ok := t.ID(d.space); ok {
		delete(d.silent, id)
	}
	switch {
	case d.letter != nil || d.space != "":
	case f.Model.Suffix != "":
		d.suffix = f.Model.Suffix
	default:
		d.prefix, d.apart = f.Model.Prefix, true
	}
	return d
}

// follow takes from a component and those in it what it made of spaces and bytes.
func (d *Decoder) follow(component any) {
	if parts, ok := component.([]any); ok {
		for _, part := range parts {
			d.follow(part)
		}
	}
	c, ok := component.(map[string]any)
	if !ok {
		return
	}
	d.follow(c["normalizers"])
	d.follow(c["pretokenizers"])
	switch c["type"] {
	case "ByteLevel":
		d.letter = make(map[rune]byte, 256)
		for b, letter := range byteRunes {
			r, _ := utf8.DecodeRuneInString(letter)
			d.letter[r] = byte(b)
		}
		d.strip = d.strip || c["add_prefix_space"] == true
	case "Metaspace":
		d.space, _ = c["replacement"].(string)
		d.strip = c["prepend_scheme"] != "never" && c["add_prefix_space"] != false
	case "Prepend":
		d.strip = true
	case "Replace":
		pattern, _ := c["pattern"].(map[string]any)
		if to, _ := c["content"].(string); pattern["String"] == " " && to != "" {
			d.space = to
		}
	}
}

// Decode is the text of ids. Bytes that are no UTF-8 become U+FFFD, one for each run
// of them; a character whose bytes are several tokens is put together first.
func (d *Decoder) Decode(ids []int32) string {
	kept := make([]int32, 0, len(ids))
	for _, id := range ids {
		if id >= 0 && int(id) < len(d.tokens) && !d.silent[id] {
			kept = append(kept, id)
		}
	}
	var b []byte
	for i, id := range kept {
		if sign, ok := d.signs[id]; ok {
			b = append(b, sign)
			continue
		}
		b = append(b, d.token(d.tokens[id], i == 0, i == len(kept)-1)...)
	}
	text := strings.ToValidUTF8(string(b), "\uFFFD")
	if d.stripAll {
		text = strings.TrimLeft(text, " ")
	} else if d.strip {
		text = strings.TrimPrefix(text, " ")
	}
	return text
}

// token is what one token adds to a text.
func (d *Decoder) token(s string, first, last bool) string {
	switch {
	case d.letter != nil:
		return d.bytesOf(s)
	case d.space != "":
		return strings.ReplaceAll(s, d.space, " ")
	case d.suffix != "" && last:
		return strings.ReplaceAll(s, d.suffix, "")
	case d.suffix != "":
		return strings.ReplaceAll(s, d.suffix, " ")
	case !d.apart || first:
		return s
	case d.prefix != "" && strings.HasPrefix(s, d.prefix):
		return s[len(d.prefix):]
	case d.prefix != "":
		return tight.Replace(" " + s)
	}
	return " " + s
}

// tight closes the gap before signs that have none in English. It is the clean-up of
// the decoder WordPiece in the package tokenizers, which cleans each token by itself;
// its rules for " ' " and " do not" cannot match there, and are left out.
var tight = strings.NewReplacer(" .", ".", " ?", "?", " !", "!", " ,", ",", " n't", "n't", " 'm", "'m", " 's", "'s", " 've", "'ve", " 're", "'re")

// bytesOf is a token of ByteLevel. An added one may have other letters, and is
// written as it is.
func (d *Decoder) bytesOf(s string) string {
	b := make([]byte, 0, len(s))
	for _, r := range s {
		c, ok := d.letter[r]
		if !ok {
			return s
		}
		b = append(b, c)
	}
	return string(b)
}
