package hftok

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// charsmap is sentencepiece's compiled table of replacements: a double array in
// the layout of Darts-clone, whose values are offsets into texts that end with 0.
type charsmap struct {
	units []uint32
	texts string
}

// longestCluster is from where on a grapheme cluster is not looked up as a whole.
const longestCluster = 6

func readCharsmap(raw json.RawMessage, path string) (*charsmap, error) {
	var c struct {
		Type     string
		Charsmap string `json:"precompiled_charsmap"`
	}
	if err := settings(raw, path, &c); err != nil {
		return nil, err
	}
	b, err := base64.StdEncoding.DecodeString(c.Charsmap)
	if err != nil {
		return nil, fmt.Errorf("%s: precompiled_charsmap: %w", path, err)
	}
	if len(b) < 4 {
		return nil, fmt.Errorf("%s: precompiled_charsmap: %d bytes, less than its head", path, len(b))
	}
	size := int64(binary.LittleEndian.Uint32(b))
	if size%4 != 0 || size == 0 || 4+size > int64(len(b)) {
		return nil, fmt.Errorf("%s: precompiled_charsmap: a trie of %d bytes in %d", path, size, len(b))
	}
	m := &charsmap{units: make([]uint32, size/4), texts: string(b[4+size:])}
	for i := range m.units {
		m.units[i] = binary.LittleEndian.Uint32(b[4+4*i:])
	}
	if !utf8.ValidString(m.texts) {
		return nil, fmt.Errorf("%s: precompiled_charsmap: its texts are not UTF-8", path)
	}
	return m, nil
}

// find is the replacement of the shortest entry that s begins with. That the
// shortest one counts, and for the whole of s, is how the original does it.
func (m *charsmap) find(s string) (text string, ok bool) {
	at := m.units[0] >> 10 << (m.units[0] & (1 << 9) >> 6)
	for i := range len(s) {
		c := uint32(s[i])
		if c == 0 {
			return "", false
		}
		if at ^= c; int(at) >= len(m.units) {
			return "", false
		}
		unit := m.units[at]
		if unit&(1<<31|0xFF) != c {
			return "", false
		}
		if at ^= unit >> 10 << (unit & (1 << 9) >> 6); int(at) >= len(m.units) {
			return "", false
		}
		if unit>>8&1 == 0 {
			continue
		}
		from := int(m.units[at] & (1<<31 - 1))
		if from > len(m.texts) || from < len(m.texts) && !utf8.RuneStart(m.texts[from]) {
			return "", false
		}
		text, _, _ = strings.Cut(m.texts[from:], "\x00")
		return text, true
	}
	return "", false
}

func (m *charsmap) normalize(s string) string {
	var b strings.Builder
	changed := false
	put := func(part string) bool {
		text, ok := m.find(part)
		if ok {
			b.WriteString(text)
			changed = true
		}
		return ok
	}
	for len(s) > 0 || b.Len() > 0 && !changed {
		if len(s) == 0 {
			break
		}
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
	for size < len(s) {
		next, width := utf8.DecodeRuneInString(s[size:])
		joined := isExtending(next) || unicode.Is(unicode.Prepended_Concatenation_Mark, r) && !isBreaking(next)
		if !joined {
			break
		}
		r = next
		size += width
	}
	return size
}

// isBreaking is Grapheme_Cluster_Break = Control, CR or LF.
func isBreaking(r rune) bool {
	if r < utf8.RuneSelf {
		return r < ' ' || r == 0x7F
	}
	if r == 0x200C || r == 0x200D || unicode.Is(unicode.Prepended_Concatenation_Mark, r) || isExtending(r) {
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// notSpacing are the spacing combining marks that UAX 29 leaves out of
// SpacingMark (table 2, Unicode 15).
var notSpacing = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x102B, Hi: 0x102C, Stride: 1}, {Lo: 0x1038, Hi: 0x1062, Stride: 0x2A}, {Lo: 0x1063, Hi: 0x1064, Stride: 1},
	{Lo: 0x1067, Hi: 0x106D, Stride: 1}, {Lo: 0x1083, Hi: 0x1087, Stride: 4}, {Lo: 0x1088, Hi: 0x108C, Stride: 1},
	{Lo: 0x108F, Hi: 0x109A, Stride: 11}, {Lo: 0x109B, Hi: 0x109C, Stride: 1}, {Lo: 0x1A61, Hi: 0x1A63, Stride: 2},
	{Lo: 0x1A64, Hi: 0x1A64, Stride: 1}, {Lo: 0xAA7B, Hi: 0xAA7D, Stride: 2},
}, R32: []unicode.Range32{{Lo: 0x11720, Hi: 0x11721, Stride: 1}}}

// isExtending is Grapheme_Cluster_Break = Extend, ZWJ or SpacingMark.
func isExtending(r rune) bool {
	if r < 0x300 {
		return false
	}
	if r == 0x200D || r == 0x0E33 || r == 0x0EB3 || r >= 0x1F3FB && r <= 0x1F3FF {
		return true
	}
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Other_Grapheme_Extend) {
		return true
	}
	return unicode.Is(unicode.Mc, r) && !unicode.Is(notSpacing, r)
}
