package hftok

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// normalizer is one step on a text that holds no added token as written.
type normalizer func(string) string

// readNormalizers reads a component and all that a sequence holds, as one list:
// sequences in sequences mean the same as a long one. BertNormalizer is several, too.
// An error begins with the path of the component.
func readNormalizers(raw json.RawMessage, path string, depth int) ([]normalizer, error) {
	kind, err := typeOf(raw, path, depth)
	if err != nil || kind == "" {
		return nil, err
	}
	simple := map[string]normalizer{"Lowercase": lowercase, "StripAccents": stripAccents, "Nmt": nmt, "ByteLevel": byteLevel}
	if f, ok := simple[kind]; ok {
		return []normalizer{f}, settings(raw, path, new(component))
	}
	if f, ok := normalForms[kind]; ok {
		return []normalizer{f.normalize}, settings(raw, path, new(component))
	}
	switch kind {
	case "Sequence":
		var c struct {
			Type        string
			Normalizers []json.RawMessage
		}
		if err := settings(raw, path, &c); err != nil {
			return nil, err
		}
		return readSequence(c.Normalizers, path+".normalizers", depth, readNormalizers)
	case "Replace":
		return readReplace(raw, path)
	case "Prepend":
		var c struct{ Type, Prepend string }
		err = settings(raw, path, &c)
		return []normalizer{func(s string) string {
			if s == "" {
				return s
			}
			return c.Prepend + s
		}}, err
	case "Strip":
		return readStrip(raw, path)
	case "BertNormalizer":
		return readBert(raw, path)
	case "Precompiled":
		m, err := readCharsmap(raw, path)
		if err != nil {
			return nil, err
		}
		return []normalizer{m.normalize}, nil
	}
	return nil, unknownType(path, kind, "BertNormalizer", "ByteLevel", "Lowercase", "NFC", "NFD", "NFKC", "NFKD", "Nmt", "Precompiled",
		"Prepend", "Replace", "Sequence", "Strip", "StripAccents")
}

// patternJSON is {"String": …} or {"Regex": …}.
type patternJSON struct {
	String, Regex *string
}

// readReplace is Replace: each match from the left, none of which overlap. A literal
// needs no finder.
func readReplace(raw json.RawMessage, path string) ([]normalizer, error) {
	var c struct {
		Type, Content string
		Pattern       patternJSON
	}
	if err := settings(raw, path, &c); err != nil {
		return nil, err
	}
	if c.Pattern.String != nil && *c.Pattern.String != "" {
		return []normalizer{strings.NewReplacer(*c.Pattern.String, c.Content).Replace}, nil
	}
	find, err := readPattern(c.Pattern, path)
	if err != nil {
		return nil, err
	}
	return []normalizer{func(s string) string {
		var b strings.Builder
		last := 0
		for at := 0; ; {
			from, to := find(s, at)
			if from < 0 {
				break
			}
			b.WriteString(s[last:from])
			b.WriteString(c.Content)
			last, at = to, to
		}
		if last == 0 {
			return s
		}
		b.WriteString(s[last:])
		return b.String()
	}}, nil
}

// readStrip is Strip, of White_Space.
func readStrip(raw json.RawMessage, path string) ([]normalizer, error) {
	var c struct {
		Type       string
		StripLeft  bool `json:"strip_left"`
		StripRight bool `json:"strip_right"`
	}
	if err := settings(raw, path, &c); err != nil {
		return nil, err
	}
	return []normalizer{func(s string) string {
		if c.StripLeft {
			s = s[leadingSpace(s):]
		}
		if c.StripRight {
			s = s[:len(s)-trailingSpace(s)]
		}
		return s
	}}, nil
}

// lowercase maps each character by itself, so that no sigma is final; U+0130 is
// the one whose small form has two characters, and is mapped after the others. The
// small letters are those of the package tokenizers, by unicode.txt.
func lowercase(s string) string {
	if isLowerASCII(s) {
		return s
	}
	lower := tables().lower
	small := strings.Map(func(r rune) rune {
		if r < nearRunes {
			return lowerNear[r]
		}
		if class(r)&classUpper != 0 {
			return lower[r]
		}
		return r
	}, s)
	return strings.ReplaceAll(small, "\u0130", "i\u0307")
}

func isLowerASCII(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' {
			return false
		}
	}
	return true
}

// stripAccents removes marks (the set "mark"). A letter that is composed with its mark
// has none: files put NFD or NFKD before it.
func stripAccents(s string) string {
	return without(s, func(r rune) bool { return class(r)&classMark != 0 })
}

// without is s without the characters that drop names.
func without(s string, drop func(rune) bool) string {
	return strings.Map(func(r rune) rune {
		if drop(r) {
			return -1
		}
		return r
	}, s)
}

// nmt is the list of characters that sentencepiece's rules of that name remove
// or take for a space, as the package tokenizers has it (normalizers/unicode.rs).
func nmt(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 1 && r <= 8, r == 0xB, r >= 0xE && r <= 0x1F, r == 0x7F, r == 0x8F, r == 0x9F:
			return -1
		case r == '\t', r == '\n', r == '\f', r == '\r', r == 0x1680, r >= 0x200B && r <= 0x200F, r == 0x2028, r == 0x2029,
			r == 0x2581, r == 0xFEFF, r == 0xFFFD:
			return ' '
		}
		return r
	}, s)
}

// readBert is BertNormalizer, whose parts are applied in this order whatever the order
// in the file. strip_accents null means that lowercase decides.
func readBert(raw json.RawMessage, path string) (all []normalizer, err error) {
	var c struct {
		Type          string
		CleanText     bool  `json:"clean_text"`
		ChineseChars  bool  `json:"handle_chinese_chars"`
		StripAccents  *bool `json:"strip_accents"`
		MakeLowercase bool  `json:"lowercase"`
	}
	if err := settings(raw, path, &c); err != nil {
		return nil, err
	}
	if c.CleanText {
		all = append(all, bertClean)
	}
	if c.ChineseChars {
		all = append(all, spaceIdeographs)
	}
	if c.StripAccents != nil && *c.StripAccents || c.StripAccents == nil && c.MakeLowercase {
		all = append(all, normalForms["NFD"].normalize, func(s string) string {
			return without(s, func(r rune) bool { return class(r)&classBertMark != 0 })
		})
	}
	if c.MakeLowercase {
		all = append(all, lowercase)
	}
	return all, nil
}

// bertClean removes what BERT takes for a control character, and makes every
// other white space a plain one.
func bertClean(s string) string {
	return strings.Map(func(r rune) rune {
		switch c := class(r); {
		case c&classControl != 0:
			return -1
		case c&classSpace != 0:
			return ' '
		}
		return r
	}, s)
}

// spaceIdeographs puts spaces around the ideographs, as BERT's list has them. Kana and
// Hangul are not among them, nor the ideographs of later extensions.
func spaceIdeographs(s string) string {
	var b strings.Builder
	for _, r := range s {
		if isIdeograph(r) {
			b.WriteByte(' ')
			b.WriteRune(r)
			b.WriteByte(' ')
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// isIdeograph has the ranges of _is_chinese_char in BERT's tokenization.py.
func isIdeograph(r rune) bool {
	switch {
	case r < 0x3400:
		return false
	case r <= 0x4DBF, r >= 0x4E00 && r <= 0x9FFF, r >= 0xF900 && r <= 0xFAFF:
		return true
	case r >= 0x20000 && r <= 0x2A6DF, r >= 0x2A700 && r <= 0x2B81F, r >= 0x2B920 && r <= 0x2CEAF, r >= 0x2F800 && r <= 0x2FA1F:
		return true
	}
	return false
}

// byteRunes are GPT-2's letters for the 256 bytes (bytes_to_unicode in its encoder.py):
// a printable byte of Latin-1 is itself, the others follow from U+0100 on in their
// order, so that the space is U+0120, Ġ, and the line feed U+010A, Ċ. No letter is
// white space, which would not survive a vocabulary of lines.
var byteRunes = func() (table [256]string) {
	next := rune(0x100)
	for b := range table {
		switch {
		case b >= '!' && b <= '~', b >= 0xA1 && b <= 0xAC, b >= 0xAE:
			table[b] = string(rune(b))
		default:
			table[b] = string(next)
			next++
		}
	}
	return table
}()

// byteLevel writes each byte of s as its letter, as a normalizer and for a cutter.
func byteLevel(s string) string {
	b := make([]byte, 0, 2*len(s))
	for i := range len(s) {
		b = append(b, byteRunes[s[i]]...)
	}
	return string(b)
}
