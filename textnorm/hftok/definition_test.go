package hftok

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// settledText draws text of code points whose classes have not changed for many editions of
// Unicode, so that the tables of Go may judge it.
func settledText(seed uint64) string {
	r := random(seed)
	alphabet := []rune("aZß é\u0301ё٣६１²½Ⅷ②ªǅʰ中ひ한ा _-'!?.,“”«…—§©°€$+<|~^`\u00a0\u2003\u3000\t\n\r\u0085\u2028\u200b\u200d\ufeff\u00ad\x07\U0001F680#،؟।、・")
	if r.IntN(3) == 0 {
		return strings.Map(func(c rune) rune {
			if c < 0x250 || c >= 0x400 && c < 0x460 || c >= 0x3040 && c < 0x3097 || c >= 0x4E00 && c < 0x9FA6 || c == 0x301 {
				return c
			}
			return -1
		}, anyText(r, 8))
	}
	return word(r, alphabet, 24)
}

// pieces cuts a text before and after what is of a class: each run of it is a piece, or each
// character where alone is set; the runs between are pieces too.
func pieces(s string, in func(rune) bool, alone bool) (list []string) {
	was := false
	for i, r := range s {
		if now := in(r); i > 0 && now == was && !(now && alone) {
			list[len(list)-1] += string(r)
		} else {
			list, was = append(list, string(r)), now
		}
	}
	return list
}

func not(in func(rune) bool) func(rune) bool { return func(r rune) bool { return !in(r) } }

// The classes that the documentation names: a sign is one of the general categories P, or any
// other of ASCII that is no letter, digit or space; \w is UTS 18's, annex C.
func isSign(r rune) bool {
	return unicode.IsPunct(r) || r < 0x7f && r > ' ' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

func isWordly(r rune) bool {
	return unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic, unicode.Join_Control)
}

// TestPreTokenizersByDefinition: what the documentation says of each one that knows classes
// of characters, on texts by chance.
func TestPreTokenizersByDefinition(t *testing.T) {
	drop := func(in func(rune) bool, list []string) []string {
		return slices.DeleteFunc(list, func(s string) bool { r, _ := utf8.DecodeRuneInString(s); return in(r) })
	}
	each := func(list []string, cut func(string) []string) (all []string) {
		for _, s := range list {
			all = append(all, cut(s)...)
		}
		return all
	}
	for component, want := range map[string]func(string) []string{
		`{"type": "WhitespaceSplit"}`: func(s string) []string { return strings.FieldsFunc(s, unicode.IsSpace) },
		`{"type": "Whitespace"}`: func(s string) []string {
			return each(strings.FieldsFunc(s, unicode.IsSpace), func(s string) []string { return pieces(s, isWordly, false) })
		},
		`{"type": "Digits", "individual_digits": true}`:  func(s string) []string { return pieces(s, unicode.IsNumber, true) },
		`{"type": "Digits", "individual_digits": false}`: func(s string) []string { return pieces(s, unicode.IsNumber, false) },
		`{"type": "Punctuation", "behavior": "Isolated"}`: func(s string) []string {
			return pieces(s, isSign, true)
		},
		`{"type": "Punctuation", "behavior": "Contiguous"}`: func(s string) []string { return pieces(s, isSign, false) },
		`{"type": "Punctuation", "behavior": "Removed"}`:    func(s string) []string { return drop(isSign, pieces(s, isSign, false)) },
		`{"type": "BertPreTokenizer"}`: func(s string) []string {
			return each(strings.FieldsFunc(s, unicode.IsSpace), func(s string) []string { return pieces(s, isSign, true) })
		},
		`{"type": "Split", "pattern": {"Regex": "\\p{L}+"}, "behavior": "Removed", "invert": true}`: func(s string) []string {
			return strings.FieldsFunc(s, not(unicode.IsLetter))
		},
		`{"type": "CharDelimiterSplit", "delimiter": "a"}`: func(s string) []string { return strings.FieldsFunc(s, func(r rune) bool { return r == 'a' }) },
		`{"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, {"type": "Digits", "individual_digits": true}]}`: func(s string) []string {
			return each(strings.FieldsFunc(s, unicode.IsSpace), func(s string) []string { return pieces(s, unicode.IsNumber, true) })
		},
	} {
		for seed := range uint64(400) {
			s := settledText(seed)
			if got, want := cutting(t, component, s), want(s); !slices.Equal(got, want) {
				t.Fatalf("%s makes %+q of %+q, want %+q", component, got, s, want)
			}
		}
	}
}

// TestMetaspaceByDefinition: spaces are the mark; one is put before a text that has none
// there, as the scheme says; a piece begins at each mark, or the text is one piece.
func TestMetaspaceByDefinition(t *testing.T) {
	for seed := range uint64(400) {
		s := word(random(seed), []rune("ab ▁  é"), 10)
		for _, scheme := range []string{"always", "first", "never"} {
			marked := strings.ReplaceAll(s, " ", "▁")
			if scheme != "never" && s != "" && !strings.HasPrefix(marked, "▁") {
				marked = "▁" + marked
			}
			var want []string
			for i, r := range marked {
				if i == 0 || r == '▁' {
					want = append(want, "")
				}
				want[len(want)-1] += string(r)
			}
			const head = `{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "`
			if got := cutting(t, head+scheme+`"}`, s); !slices.Equal(got, want) {
				t.Fatalf("%s: %+q of %+q, want %+q", scheme, got, s, want)
			}
			if got := cutting(t, head+scheme+`", "split": false}`, s); strings.Join(got, "|") != marked {
				t.Fatalf("%s, not split: %+q of %+q, want %+q", scheme, got, s, marked)
			}
		}
	}
}

// letterOfByte is the alphabet of bytes as GPT-2 published it (bytes_to_unicode): a byte that
// can be seen in Latin-1 is its character, the others follow from U+0100 on in their order.
func letterOfByte(b byte) rune {
	seen := func(b byte) bool { return b >= '!' && b <= '~' || b >= 0xA1 && b != 0xAD }
	if seen(b) {
		return rune(b)
	}
	next := rune(0x100)
	for before := range b {
		if !seen(before) {
			next++
		}
	}
	return next
}

// gpt2Pieces cuts as the expression of GPT-2 says, by hand: 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+|
// ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+.
func gpt2Pieces(s string) (list []string) {
	classes := []func(rune) bool{unicode.IsLetter, unicode.IsNumber,
		func(r rune) bool { return !unicode.IsSpace(r) && !unicode.IsLetter(r) && !unicode.IsNumber(r) }}
	run := func(s string, in func(rune) bool) int {
		if i := strings.IndexFunc(s, not(in)); i >= 0 {
			return i
		}
		return len(s)
	}
	next := func(s string) int {
		for _, suffix := range []string{"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"} {
			if strings.HasPrefix(s, suffix) {
				return len(suffix)
			}
		}
		rest := strings.TrimPrefix(s, " ")
		for _, in := range classes {
			if n := run(rest, in); n > 0 {
				return len(s) - len(rest) + n
			}
		}
		n := run(s, unicode.IsSpace)
		if _, last := utf8.DecodeLastRuneInString(s[:n]); n < len(s) && n > last {
			n -= last // the last one belongs to what is after it
		}
		return n
	}
	for s != "" {
		n := next(s)
		list, s = append(list, s[:n]), s[n:]
	}
	return list
}

// TestByteLevelByDefinition: the pieces of GPT-2's expression in its alphabet of bytes.
func TestByteLevelByDefinition(t *testing.T) {
	for seed := range uint64(1500) {
		s := settledText(seed)
		if seed%2 == 0 {
			s = word(random(seed), []rune("aé1٣ '\u00a0stredvml\n!—"), 24)
		}
		for add, prefix := range map[string]string{"false": "", "true": " "} {
			if s == "" {
				continue // an empty text is no piece, and is never cut
			}
			if strings.HasPrefix(s, " ") {
				prefix = ""
			}
			var want []string
			for _, p := range gpt2Pieces(prefix + s) {
				var b strings.Builder
				for i := range len(p) {
					b.WriteRune(letterOfByte(p[i]))
				}
				want = append(want, b.String())
			}
			if got := cutting(t, `{"type": "ByteLevel", "add_prefix_space": `+add+`}`, s); !slices.Equal(got, want) {
				t.Fatalf("ByteLevel makes %+q of %+q, want %+q", got, s, want)
			}
		}
	}
}

// TestNormalizersByDefinition: the simple ones, by the functions of Go's library, and a
// Sequence, which is one after the other.
func TestNormalizersByDefinition(t *testing.T) {
	fillOnce.Do(fillClasses)
	normal := func(component, s string) string {
		list, err := readNormalizers([]byte(component), "normalizer", 0)
		if err != nil {
			t.Fatal(err)
		}
		return (&Tokenizer{normalize: list}).normalized(s)
	}
	spaced := func(s string) string {
		var b strings.Builder
		for _, r := range s {
			if r >= 0x4E00 && r <= 0x9FFF {
				b.WriteString(" " + string(r) + " ")
			} else {
				b.WriteRune(r)
			}
		}
		return b.String()
	}
	const bert = `{"type": "BertNormalizer", "clean_text": false, "strip_accents": false, "lowercase": false, "handle_chinese_chars": `
	laws := map[string]func(string) string{
		`{"type": "Strip", "strip_left": true, "strip_right": true}`:  strings.TrimSpace,
		`{"type": "Strip", "strip_left": true, "strip_right": false}`: func(s string) string { return strings.TrimLeftFunc(s, unicode.IsSpace) },
		`{"type": "Strip", "strip_left": false, "strip_right": true}`: func(s string) string { return strings.TrimRightFunc(s, unicode.IsSpace) },
		`{"type": "Lowercase"}`: func(s string) string { // SpecialCasing.txt: İ is two characters
			return strings.ToLower(strings.ReplaceAll(s, "İ", "i\u0307"))
		},
		`{"type": "StripAccents"}`: func(s string) string {
			return strings.Map(func(r rune) rune {
				if unicode.Is(unicode.M, r) { // also the marks that have a width
					return -1
				}
				return r
			}, s)
		},
		`{"type": "Replace", "pattern": {"String": "a"}, "content": "aa"}`:  func(s string) string { return strings.ReplaceAll(s, "a", "aa") },
		`{"type": "Replace", "pattern": {"Regex": "\\s+"}, "content": " "}`: func(s string) string { return strings.Join(replaceRuns(s), " ") },
		bert + `true}`:  spaced,
		bert + `false}`: func(s string) string { return s },
	}
	for component, want := range laws {
		for seed := range uint64(300) {
			s := settledText(seed)
			if got, want := normal(component, s), want(s); got != want {
				t.Fatalf("%s makes %+q of %+q, want %+q", component, got, s, want)
			}
			for second, then := range laws {
				both := `{"type": "Sequence", "normalizers": [` + component + `, ` + second + `]}`
				if got, want := normal(both, s), then(want(s)); got != want {
					t.Fatalf("%s makes %+q of %+q, want %+q", both, got, s, want)
				}
			}
		}
	}
}

// replaceRuns are the parts of a text between runs of white space, the empty ones at its
// ends too.
func replaceRuns(s string) []string {
	list := pieces(s, unicode.IsSpace, false)
	parts := []string{""}
	for _, p := range list {
		if strings.TrimSpace(p) == "" {
			parts = append(parts, "")
		} else {
			parts[len(parts)-1] = p
		}
	}
	return parts
}
