package textnorm

import (
	"strings"
	"unicode"
)

// languageCodes is what the `language` column stores: a code's index is its
// number. The order is frozen, because trained embeddings depend on it; a new
// code goes to the end. It is: undetermined, the languages with rules of their
// own, then the rest of ISO 639-1 by alphabet.
var languageCodes = strings.Fields(`und
	en es fr de it pt pl tr ru nl cs ar zh hu ko ja hi fa
	aa ab ae af ak am an as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cu cv cy
	da dv dz ee el eo et eu ff fi fj fo fy ga gd gl gn gu gv ha he ho hr ht hy hz
	ia id ie ig ii ik io is iu jv ka kg ki kj kk kl km kn kr ks ku kv kw ky
	la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nn no nr nv ny
	oc oj om or os pa pi ps qu rm rn ro rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw
	ta te tg th ti tk tl tn to ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zu`)

// languageAliases are spellings that corpora use for a code of the table:
// ISO 639-2 for the languages with rules, and codes that ISO 639-1 withdrew.
var languageAliases = map[string]string{
	"eng": "en", "spa": "es", "fra": "fr", "fre": "fr", "deu": "de", "ger": "de", "ita": "it", "por": "pt",
	"pol": "pl", "tur": "tr", "rus": "ru", "nld": "nl", "dut": "nl", "ces": "cs", "cze": "cs", "ara": "ar",
	"zho": "zh", "chi": "zh", "cmn": "zh", "hun": "hu", "kor": "ko", "jpn": "ja", "hin": "hi", "fas": "fa", "per": "fa",
	"iw": "he", "in": "id", "ji": "yi", "jw": "jv", "mo": "ro",
}

// LanguageIndex returns the number of an exact code of the table.
func LanguageIndex(code string) (int32, bool) {
	for i, c := range languageCodes {
		if c == code {
			return int32(i), true
		}
	}
	return 0, false
}

// LanguageCode returns the code of a number, and "und" for a number that the
// table does not have.
func LanguageCode(i int32) string {
	if i < 0 || int(i) >= len(languageCodes) {
		return languageCodes[0]
	}
	return languageCodes[i]
}

// LanguageCodes lists the table in its order: the index is the number.
func LanguageCodes() []string { return append([]string(nil), languageCodes...) }

// ParseLanguage finds the code in a tag as corpora write it: "en-US", "EN",
// "fa_IR", "zh-Hant-TW", "pt_BR.UTF-8". What follows the language is checked
// for its characters only and then left out.
func ParseLanguage(tag string) (code string, ok bool) {
	base, rest := tag, ""
	if i := strings.IndexAny(tag, "-_"); i >= 0 {
		base, rest = tag[:i], tag[i+1:]
		if rest == "" {
			return "", false
		}
	}
	for i := 0; i < len(rest); i++ {
		if !isTagByte(rest[i]) {
			return "", false
		}
	}
	base = strings.ToLower(base)
	if c, found := languageAliases[base]; found {
		base = c
	}
	_, ok = LanguageIndex(base)
	if !ok {
		return "", false
	}
	return base, true
}

func isTagByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-_.@", c) >= 0
}

// Unspaced reports whether a character is of a script that is written without
// spaces between words.
func Unspaced(r rune) bool {
	return r > unicode.MaxLatin1 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
