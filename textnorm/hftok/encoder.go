package hftok

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// Bounds on what an encoder remembers: pieces come again and again, as words
// do, and a full memory is emptied. The keys of an encoder take 2 MiB at most. To
// drop the oldest piece instead would need a list that each hit changes.
const (
	maxRemembered  = 1 << 15 // pieces
	rememberedSize = 64      // bytes of a piece
)

// encoder is the scratch memory of one call of Encode. A pool lends it, so that its
// buffers and the pieces that it remembers outlive the call.
type encoder struct {
	t       *Tokenizer
	ids     []int32
	keep    bool // write the unk for what is not known
	unknown []rune

	spans        []span
	pieces, next []piece
	remembered   map[string]memory
	arena        []int32 // what memories point into

	bpe    bpeScratch
	double []way[float64]
	single []way[float32]
	parts  []part
	spm    spmMerges
}

// memory is arena[at : at+n].
type memory struct{ at, n int32 }

// encoderPool lends encoders, so that a Tokenizer can be shared.
type encoderPool struct{ sync.Pool }

func (p *encoderPool) take(t *Tokenizer) *encoder {
	if e, ok := p.Get().(*encoder); ok {
		return e
	}
	return &encoder{t: t, remembered: map[string]memory{}}
}

// Encode appends the ids of text to dst, with those that the post-processor
// adds. unknown lists the characters that the vocabulary has nothing for, each
// as often as it stands there; keep says whether the unk that the file has for
// them, if any, is written. heard reports whether a token says anything; spaces
// and what the post-processor adds do not.
//
// A byte that is not UTF-8 counts as U+FFFD.
func (t *Tokenizer) Encode(dst []int32, text string, keep bool) (ids []int32, unknown []rune, heard bool) {
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	e := t.pool.take(t)
	defer t.pool.Put(e)
	e.ids, e.keep = e.ids[:0], keep
	e.unknown = e.unknown[:0]
	e.cut(text)
	for i := range e.pieces {
		if p := &e.pieces[i]; p.id >= 0 {
			e.ids = append(e.ids, p.id)
		} else if p.text != "" {
			e.piece(p.text)
		}
	}
	clear(e.pieces) // they hold the text
	for _, id := range e.ids {
		if heard = !t.silent[id]; heard {
			break
		}
	}
	if len(e.unknown) > 0 {
		unknown = append(unknown, e.unknown...)
	}
	return t.wrap(dst, e.ids), unknown, heard
}

// cut makes the pieces of a text: added tokens as written, then those as normalised
// in what is left, then one cutter after the other. An added token is a piece with an
// id, which passes the cutters by.
func (e *encoder) cut(text string) {
	t := e.t
	e.pieces = e.pieces[:0]
	e.spans = t.raw.find(e.spans[:0], text)
	inner := len(e.spans)
	for i := range inner {
		s := e.spans[i]
		part := text[s.start:s.end]
		if s.id >= 0 {
			e.pieces = append(e.pieces, piece{part, s.id, s.start == 0})
			continue
		}
		first := s.start == 0 && !t.movesStart(part)
		part = t.normalized(part)
		if t.normal == nil {
			if part != "" {
				e.pieces = append(e.pieces, piece{part, -1, first})
			}
			continue
		}
		e.spans = t.normal.find(e.spans[:inner], part)
		for _, n := range e.spans[inner:] {
			e.pieces = append(e.pieces, piece{part[n.start:n.end], n.id, first && n.start == 0})
		}
	}
	for _, c := range t.cut {
		e.next = e.next[:0]
		for _, p := range e.pieces {
			if p.id >= 0 {
				e.next = append(e.next, p)
			} else if p.text != "" {
				e.next = c(e.next, p)
			}
		}
		e.pieces, e.next = e.next, e.pieces
	}
}

// normalized is s after all normalizers of the file, in their order.
func (t *Tokenizer) normalized(s string) string {
	for _, f := range t.normalize {
		s = f(s)
	}
	return s
}

// movesStart reports whether the normalizer takes the first character of s
// away, so that what is left does not begin where the text begins. The package
// tokenizers knows by offsets, which nothing here keeps; normalising with and without
// the character answers the same. It is asked only where strips is set.
func (t *Tokenizer) movesStart(s string) bool {
	if !t.strips || s == "" {
		return false
	}
	_, size := utf8.DecodeRuneInString(s)
	return t.normalized(s) == t.normalized(s[size:])
}

// piece appends the ids of one piece, remembered ones where it can. A piece
// with something unknown is worked out each time, because it is reported.
func (e *encoder) piece(s string) {
	short := len(s) <= rememberedSize
	if short {
		if m, ok := e.remembered[s]; ok {
			e.ids = append(e.ids, e.arena[m.at:m.at+m.n]...)
			return
		}
	}
	start, unknown := len(e.ids), len(e.unknown)
	e.t.model.encode(e, s)
	if !short || len(e.unknown) > unknown {
		return
	}
	if len(e.remembered) == maxRemembered {
		clear(e.remembered)
		e.arena = e.arena[:0]
	}
	made := e.ids[start:]
	e.remembered[strings.Clone(s)] = memory{int32(len(e.arena)), int32(len(made))}
	e.arena = append(e.arena, made...)
}

// miss reports the characters of s as unknown, and writes the unk for all of
// them where there is one and it is wanted.
func (e *encoder) miss(s string, unk int32) {
	for _, r := range s {
		e.unknown = append(e.unknown, r)
	}
	if unk >= 0 && e.keep {
		e.ids = append(e.ids, unk)
	}
}
