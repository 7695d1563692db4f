package textnorm

// ipa1Groups is the built-in table ipa-1 after its five specials, one symbol a
// code point. It is FROZEN, as chars-1 is: a change is a new table.
//
// It has the letters and marks of the International Phonetic Alphabet (the chart
// of 2020), the few others that espeak-ng writes (ᵻ, tones as digits, letters of
// ASCII where it has no sign), and the punctuation that stays in its place. Marks
// stand after their letter, never in one character with it, but for ç.
var ipa1Groups = []string{
	" ",
	// Stress, length, breaks and links.
	"ˈˌːˑ\u0306|‖.‿",
	// Vowels.
	"iyɨʉɯuɪʏʊeøɘɵɤoəɛœɜɞʌɔæɐaɶɑɒ",
	// Vowels with r, and the ones that espeak-ng has beside them.
	"ɚɝᵻᵿ",
	// Consonants.
	"pbtdʈɖcɟkɡqɢʔmɱnɳɲŋɴʙrʀⱱɾɽɸβfvθðszʃʒʂʐçʝxɣχʁħʕhɦɬɮʋɹɻjɰlɭʎʟ",
	// Clicks, implosives, and the others of the chart.
	"ʘǀǃǂǁɓɗʄɠʛʍwɥʜʢʡɕʑɺɧɫ",
	// Affricates in one character, which espeak-ng writes for a few languages.
	"ʣʤʥʦʧʨ",
	// Marks over, under and through.
	"\u0325\u030a\u0324\u032a\u032c\u0330\u033a\u033c\u033b\u0339\u031c\u031f\u0320\u0308\u033d\u0329\u030d\u032f\u0311\u031d\u031e\u0318\u0319\u0303\u031a\u0334\u0361\u035c",
	// Marks beside.
	"ʰʱʲʷˠˤⁿˡʼ˞ᵊᵝʴʵʳˀ",
	// Tones and intonation.
	"˥˦˧˨˩↓↑↗↘\u030b\u0301\u0304\u0300\u030f\u030c\u0302",
	// Digits, which are tones in a few voices.
	"0123456789",
	// ASCII punctuation but for braces, of which "." and "|" stand above.
	"!\"#$%&'()*+,-/:;<=>?@[\\]^_`~",
	// ASCII letters that are no letters of the alphabet above.
	"ABCDEFGHIJKLMNOPQRSTUVWXYZg",
	// Typographic punctuation.
	"¡¿«»‹›‘’‚“”„\u2010\u2011\u2013\u2014\u2015…",
	// Arabic and Persian punctuation.
	"،؛؟۔",
	// Chinese, Japanese and Hindi punctuation.
	"。，、；：？！（）「」『』《》〈〉【】〔〕・〜·।॥",
	// Greek letters that stand for ɛ and ɸ in voices of Danish and Sami.
	"εΦ",
}

// ipa1 is the table ipa-1: pad 0, unk 1, bos 2, eos 3, blank 4, space 5, and so on.
func ipa1() []string {
	symbols := []string{SpecialPad, SpecialUnk, SpecialBOS, SpecialEOS, SpecialBlank}
	for _, group := range ipa1Groups {
		for _, r := range group {
			symbols = append(symbols, string(r))
		}
	}
	return symbols
}
