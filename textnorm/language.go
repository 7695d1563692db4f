package textnorm

import (
	"cmp"
	"slices"
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

// languageAliases are spellings that corpora use for a code of the table, each
// with the code: those of ISO 639-2, terminological and bibliographic (Source: the
// iso-codes tables), and at the end codes that ISO 639-1 withdrew.
var languageAliases = func() map[string]string {
	words, aliases := strings.Fields(languageSpellings), map[string]string{}
	for i := 0; i+1 < len(words); i += 2 {
		aliases[words[i]] = words[i+1]
	}
	return aliases
}()

const languageSpellings = `
	eng en spa es fra fr fre fr deu de ger de ita it por pt pol pl tur tr rus ru nld nl dut nl ces cs cze cs ara ar zho zh
	chi zh hun hu kor ko jpn ja hin hi fas fa per fa aar aa abk ab ave ae afr af aka ak amh am arg an asm as ava av aym ay
	aze az bak ba bel be bul bg bis bi bam bm ben bn bod bo tib bo bre br bos bs cat ca che ce cha ch cos co cre cr chu cu
	chv cv cym cy wel cy dan da div dv dzo dz ewe ee ell el gre el epo eo est et eus eu baq eu ful ff fin fi fij fj fao fo
	fry fy gle ga gla gd glg gl grn gn guj gu glv gv hau ha heb he hmo ho hrv hr hat ht hye hy arm hy her hz ina ia ind id
	ile ie ibo ig iii ii ipk ik ido io isl is ice is iku iu jav jv kat ka geo ka kon kg kik ki kua kj kaz kk kal kl khm km
	kan kn kau kr kas ks kur ku kom kv cor kw kir ky lat la ltz lb lug lg lim li lin ln lao lo lit lt lub lu lav lv mlg mg
	mah mh mri mi mao mi mkd mk mac mk mal ml mon mn mar mr msa ms may ms mlt mt mya my bur my nau na nob nb nde nd nep ne
	ndo ng nno nn nor no nbl nr nav nv nya ny oci oc oji oj orm om ori or oss os pan pa pli pi pus ps que qu roh rm run rn
	ron ro rum ro kin rw san sa srd sc snd sd sme se sag sg sin si slk sk slo sk slv sl smo sm sna sn som so sqi sq alb sq
	srp sr ssw ss sot st sun su swe sv swa sw tam ta tel te tgk tg tha th tir ti tuk tk tgl tl tsn tn ton to tso ts tat tt
	twi tw tah ty uig ug ukr uk urd ur uzb uz ven ve vie vi vol vo wln wa wol wo xho xh yid yi yor yo zha za zul zu cmn zh
	iw he in id ji yi jw jv mo ro`

// LanguageIndex returns the number of an exact code of the table.
func LanguageIndex(code string) (int32, bool) {
	i := slices.Index(languageCodes, code)
	return int32(max(i, 0)), i >= 0
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
	base = strings.ToLower(base)
	base = cmp.Or(languageAliases[base], base)
	if !slices.Contains(languageCodes, base) || strings.ContainsFunc(rest, func(r rune) bool { return !isOfTag(r) }) {
		return "", false
	}
	return base, true
}

func isOfTag(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.@", r)
}

// Unspaced reports whether a character is of a script that is written without
// spaces between words.
func Unspaced(r rune) bool {
	return r > unicode.MaxLatin1 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
