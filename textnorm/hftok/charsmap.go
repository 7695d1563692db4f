package hftok

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// charsmap is sentencepiece's compiled table of replacements: a double array in
// the layout of Darts-clone, whose values are offsets into texts that end with 0.
//
// A file holds it as: the size of the trie in bytes (32 bits), the units of the trie
// (32 bits each, little-endian), the texts. The bits of a unit:
//
//	31     it is a leaf, and bits 0 to 30 are its value
//	10-30  the offset to its children; times 256 where bit 9 is set
//	8      the byte 0 leads to a leaf: a key ends here
//	0-7    the byte that leads to it
//
// A child by byte c is at its parent's index XOR the offset XOR c. The trie comes
// from a file, so that each index is checked before it is used.
type charsmap struct {
	units []uint32
	texts string
}

// maxKey bounds the text that is replaced, in bytes: a letter with its marks. It
// keeps a hostile table whose nodes lead in a circle from reading a whole text at
// each character.
const maxKey = 256

// longestCluster is the size in bytes from which a grapheme cluster is not looked up
// as a whole, in the package tokenizers (normalizers/precompiled.rs and the crate
// spm_precompiled).
const longestCluster = 6

// readCharsmap reads the component Precompiled. An error names the key, since the table
// has no places that a reader could find.
func readCharsmap(raw json.RawMessage, path string) (*charsmap, error) {
	var c struct {
		Type     string
		Charsmap string `json:"precompiled_charsmap"`
	}
	if err := settings(raw, path, &c); err != nil {
		return nil, err
	}
	return newCharsmap(c.Charsmap, path)
}

// newCharsmap checks the sizes of a table in base64 and copies it. Replacements longer
// than a token are refused, so that a text grows by a bounded factor.
func newCharsmap(coded, path string) (*charsmap, error) {
	b, err := base64.StdEncoding.DecodeString(coded)
	var m *charsmap
	if err == nil {
		m, err = readTable(b)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: precompiled_charsmap: %w", path, err)
	}
	return m, nil
}

func readTable(b []byte) (*charsmap, error) {
	if len(b) < 4 {
		return nil, fmt.Errorf("%d bytes, less than its head", len(b))
	}
	size := int64(binary.LittleEndian.Uint32(b))
	if size%4 != 0 || size == 0 || 4+size > int64(len(b)) {
		return nil, fmt.Errorf("a trie of %d bytes in %d", size, len(b))
	}
	m := &charsmap{units: make([]uint32, size/4), texts: string(b[4+size:])}
	for i := range m.units {
		m.units[i] = binary.LittleEndian.Uint32(b[4+4*i:])
	}
	if !utf8.ValidString(m.texts) {
		return nil, errors.New("its texts are not UTF-8")
	}
	for text := range strings.SplitSeq(m.texts, "\x00") {
		if len(text) > maxToken {
			return nil, fmt.Errorf("a replacement of %d bytes; at most %d are read", len(text), maxToken)
		}
	}
	return m, nil
}

// find is the replacement of the shortest entry that s begins with. That the
// shortest one counts, and for the whole of s, is how the package tokenizers
// does it.
func (m *charsmap) find(s string) (text string, ok bool) {
	m.each(s, func(its string, _ int) bool {
		text, ok = its, true
		return false
	})
	return text, ok
}

// longest is the replacement of the longest entry that s begins with, and the
// size of that, 0 where there is none, as in the package sentencepiece.
func (m *charsmap) longest(s string) (text string, size int) {
	m.each(s, func(its string, n int) bool {
		text, size = its, n
		return true
	})
	return text, size
}

// each calls found for the entries that s begins with, the shortest one first,
// until it says that it has what it wants.
func (m *charsmap) each(s string, found func(text string, size int) bool) {
	at := m.units[0] >> 10 << (m.units[0] & (1 << 9) >> 6)
	for i := range min(len(s), maxKey) {
		c := uint32(s[i])
		if c == 0 {
			return
		}
		if at ^= c; int(at) >= len(m.units) {
			return
		}
		unit := m.units[at]
		if unit&(1<<31|0xFF) != c {
			return
		}
		if at ^= unit >> 10 << (unit & (1 << 9) >> 6); int(at) >= len(m.units) {
			return
		}
		if unit>>8&1 == 0 {
			continue
		}
		from := int(m.units[at] & (1<<31 - 1))
		if from > len(m.texts) || from < len(m.texts) && !utf8.RuneStart(m.texts[from]) {
			return
		}
		text, _, _ := strings.Cut(m.texts[from:], "\x00")
		if !found(text, i+1) {
			return
		}
	}
}

// normalize is the component Precompiled: a short grapheme cluster is replaced as a
// whole where an entry is a prefix of it, and otherwise character by character. A
// SentencePiece model uses longest instead; see there.
func (m *charsmap) normalize(s string) string {
	var b strings.Builder
	put := func(part string) bool {
		text, ok := m.find(part)
		if ok {
			b.WriteString(text)
		}
		return ok
	}
	for len(s) > 0 {
		cluster := s[:clusterSize(s)]
		s = s[len(cluster):]
		if len(cluster) < longestCluster && put(cluster) {
			continue
		}
		for i := 0; i < len(cluster); {
			_, size := utf8.DecodeRuneInString(cluster[i:])
			if part := cluster[i : i+size]; !put(part) {
				b.WriteString(part)
			}
			i += size
		}
	}
	return b.String()
}

// clusterSize is the size of the extended grapheme cluster (UAX 29) that s
// begins with, as far as clusters below longestCluster bytes go: Hangul
// syllables of parts, flags and joined emoji are longer anyway.
func clusterSize(s string) int {
	r, size := utf8.DecodeRuneInString(s)
	if r == '\r' && size < len(s) && s[size] == '\n' {
		return 2
	}
	if isBreaking(r) {
		return size
	}
	sign := r == '\u00a9' || r == '\u00ae' // the pictures that are short enough
	for size < len(s) {
		next, width := utf8.DecodeRuneInString(s[size:])
		switch {
		case class(next)&classExtend != 0:
		case class(r)&classPrepend != 0 && !isBreaking(next):
		case sign && r == '\u200d' && tables().sets["pictures"].has(next):
		default:
			return size
		}
		r = next
		size += width
	}
	return size
}

// isBreaking reports whether a character is a cluster by itself:
// Grapheme_Cluster_Break = Control, CR or LF.
func isBreaking(r rune) bool {
	if r < utf8.RuneSelf {
		return r < ' ' || r == 0x7F
	}
	return class(r)&classBreaking != 0
}
