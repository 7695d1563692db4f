package hftok

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
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
	sets := tables().sets
	sign := r == '\u00a9' || r == '\u00ae' // the pictures that are short enough
	for size < len(s) {
		next, width := utf8.DecodeRuneInString(s[size:])
		switch {
		case class(next)&classExtend != 0:
		case sets["prepend"].has(r) && !isBreaking(next):
		case sign && r == '\u200d' && sets["pictures"].has(next):
		default:
			return size
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
	return tables().sets["breaking"].has(r)
}
