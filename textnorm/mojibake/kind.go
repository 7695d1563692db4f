package mojibake

import (
	"sort"
	"unicode"
)

// script groups the letters that stand in one word.
type script uint8

const (
	noScript script = iota
	latin
	arabic
	cyrillic
	greek
	hebrew
	han
	kana
	hangul
	indic
	otherScript
)

// role is what a character does in a text.
type role uint8

const (
	space role = iota
	lower
	upper
	letter // of a script without cases
	mark
	digit
	ascii // punctuation of ASCII
	quote
	opening
	closing // what ends a phrase
	dash
	numeric  // after a number: °, ², ½, ‰
	trade    // after a word: ™, ®
	currency // before or after a number
	symbol
	picture // an emoji, an arrow, a piece of a frame: alone or in rows
	format  // without width
	broken  // what no text has
)

// kind is what the cost of a character and of its place depends on.
type kind struct {
	role   role
	script script
	bits   int8 // how rare the character is in any text, relative to the common ones
}

// kinds is a table of ranges in order; what stands in none is broken. The bits
// are rough powers of two by which a character is rarer than the common letters
// of the languages that have it.
var kinds = []struct {
	from, to rune
	kind     kind
}{
	{0x00, 0x08, kind{broken, noScript, 4}}, {0x09, 0x0D, kind{space, noScript, 0}}, {0x0E, 0x1F, kind{broken, noScript, 4}},
	{' ', ' ', kind{space, noScript, 0}}, {'!', '!', kind{closing, noScript, 0}}, {'"', '+', kind{ascii, noScript, 0}}, {',', ',', kind{closing, noScript, 0}}, {'-', '-', kind{ascii, noScript, 0}},
	{'.', '.', kind{closing, noScript, 0}}, {'/', '/', kind{ascii, noScript, 0}}, {'0', '9', kind{digit, noScript, 0}}, {':', '>', kind{ascii, noScript, 0}}, {'?', '?', kind{closing, noScript, 0}}, {'@', '@', kind{ascii, noScript, 0}},
	{'A', 'Z', kind{upper, latin, 0}}, {'[', '`', kind{ascii, noScript, 0}}, {'a', 'z', kind{lower, latin, 0}}, {'{', '~', kind{ascii, noScript, 0}},
	{0x7F, 0x9F, kind{broken, noScript, 7}}, {0xA0, 0xA0, kind{space, noScript, 3}}, {'¡', '¡', kind{opening, noScript, 1}}, {'¢', '¥', kind{currency, noScript, 2}},
	{'¦', '¦', kind{symbol, noScript, 4}}, {'§', '§', kind{opening, noScript, 2}}, {'¨', '¨', kind{symbol, noScript, 4}}, {'©', '©', kind{symbol, noScript, 2}},
	{'ª', 'ª', kind{numeric, noScript, 2}}, {'«', '«', kind{quote, noScript, 1}}, {'¬', '¬', kind{symbol, noScript, 4}}, {0xAD, 0xAD, kind{format, noScript, 3}},
	{'®', '®', kind{trade, noScript, 2}}, {'¯', '¯', kind{symbol, noScript, 4}}, {'°', '°', kind{numeric, noScript, 1}}, {'±', '±', kind{symbol, noScript, 2}},
	{'²', '³', kind{numeric, noScript, 2}}, {'´', '´', kind{symbol, noScript, 3}}, {'µ', 'µ', kind{symbol, noScript, 2}}, {'¶', '¶', kind{symbol, noScript, 3}},
	{'·', '·', kind{symbol, noScript, 1}}, {'¸', '¸', kind{symbol, noScript, 5}}, {'¹', '¹', kind{numeric, noScript, 2}}, {'º', 'º', kind{numeric, noScript, 2}},
	{'»', '»', kind{quote, noScript, 1}}, {'¼', '¾', kind{numeric, noScript, 2}}, {'¿', '¿', kind{opening, noScript, 1}},
	{'À', 'Á', kind{upper, latin, 2}}, {'Â', 'Â', kind{upper, latin, 4}}, {'Ã', 'Ã', kind{upper, latin, 6}}, {'Ä', 'Ö', kind{upper, latin, 2}}, {'×', '×', kind{symbol, noScript, 2}}, {'Ø', 'Þ', kind{upper, latin, 2}}, {'ß', 'ï', kind{lower, latin, 1}},
	{'ð', 'ð', kind{lower, latin, 3}}, {'ñ', 'ö', kind{lower, latin, 1}}, {'÷', '÷', kind{symbol, noScript, 3}}, {'ø', 'ý', kind{lower, latin, 1}},
	{'þ', 'þ', kind{lower, latin, 3}}, {'ÿ', 'ÿ', kind{lower, latin, 4}}, {0x100, 0x151, kind{letter, latin, 2}}, {'Œ', 'œ', kind{letter, latin, 3}}, {0x154, 0x17F, kind{letter, latin, 2}}, {0x180, 0x191, kind{letter, latin, 7}}, {'ƒ', 'ƒ', kind{letter, latin, 9}}, {0x193, 0x217, kind{letter, latin, 7}},
	{0x218, 0x21B, kind{letter, latin, 2}}, {0x21C, 0x24F, kind{letter, latin, 8}}, {0x250, 0x2AF, kind{letter, latin, 6}}, {0x2B0, 0x2C5, kind{letter, latin, 6}},
	{'ˆ', 'ˇ', kind{symbol, noScript, 4}}, {'ˈ', 'ˌ', kind{letter, latin, 5}}, {0x2CD, 0x2D7, kind{symbol, noScript, 6}}, {0x2D8, 0x2DD, kind{symbol, noScript, 4}},
	{0x2DE, 0x2FF, kind{symbol, noScript, 8}}, {0x300, 0x304, kind{mark, noScript, 5}}, {0x305, 0x305, kind{mark, noScript, 10}}, {0x306, 0x308, kind{mark, noScript, 5}},
	{0x309, 0x309, kind{mark, noScript, 10}}, {0x30A, 0x30C, kind{mark, noScript, 5}}, {0x30D, 0x326, kind{mark, noScript, 10}},
	{0x327, 0x328, kind{mark, noScript, 5}}, {0x329, 0x36F, kind{mark, noScript, 10}}, {0x370, 0x385, kind{letter, greek, 7}},
	{0x386, 0x3CE, kind{letter, greek, 1}}, {0x3CF, 0x3FF, kind{letter, greek, 7}}, {0x400, 0x400, kind{letter, cyrillic, 6}}, {0x401, 0x401, kind{letter, cyrillic, 2}},
	{0x402, 0x40F, kind{letter, cyrillic, 3}}, {0x410, 0x44F, kind{letter, cyrillic, 1}}, {0x450, 0x45F, kind{letter, cyrillic, 3}}, {0x460, 0x48F, kind{letter, cyrillic, 8}},
	{0x490, 0x4FF, kind{letter, cyrillic, 6}}, {0x500, 0x530, kind{letter, cyrillic, 9}}, {0x531, 0x58F, kind{letter, otherScript, 8}}, {0x591, 0x5C7, kind{mark, hebrew, 6}},
	{0x5D0, 0x5F4, kind{letter, hebrew, 3}}, {0x600, 0x60B, kind{symbol, noScript, 9}}, {'،', '،', kind{closing, noScript, 1}}, {0x60D, 0x61A, kind{mark, arabic, 8}},
	{'؛', '؛', kind{closing, noScript, 2}}, {0x61C, 0x61C, kind{format, noScript, 6}}, {0x61D, 0x61E, kind{symbol, noScript, 9}}, {'؟', '؟', kind{closing, noScript, 1}},
	{0x620, 0x620, kind{letter, arabic, 8}}, {0x621, 0x63A, kind{letter, arabic, 1}}, {0x63B, 0x63F, kind{letter, arabic, 9}}, {'ـ', 'ـ', kind{letter, arabic, 3}},
	{0x641, 0x64A, kind{letter, arabic, 1}}, {0x64B, 0x652, kind{mark, arabic, 3}}, {0x653, 0x655, kind{mark, arabic, 4}}, {0x656, 0x65F, kind{mark, arabic, 8}},
	{'٠', '٩', kind{digit, arabic, 2}}, {'٪', '٬', kind{numeric, noScript, 3}}, {0x66D, 0x66F, kind{symbol, noScript, 7}}, {0x670, 0x670, kind{mark, arabic, 3}},
	{0x671, 0x671, kind{letter, arabic, 4}}, {0x672, 0x678, kind{letter, arabic, 8}}, {'ٹ', 'ٹ', kind{letter, arabic, 4}}, {0x67A, 0x67D, kind{letter, arabic, 8}},
	{'پ', 'پ', kind{letter, arabic, 1}}, {0x67F, 0x685, kind{letter, arabic, 8}}, {'چ', 'چ', kind{letter, arabic, 1}}, {0x687, 0x687, kind{letter, arabic, 8}},
	{'ڈ', 'ڈ', kind{letter, arabic, 4}}, {0x689, 0x690, kind{letter, arabic, 8}}, {'ڑ', 'ڑ', kind{letter, arabic, 4}}, {0x692, 0x697, kind{letter, arabic, 8}},
	{'ژ', 'ژ', kind{letter, arabic, 1}}, {0x699, 0x6A8, kind{letter, arabic, 8}}, {'ک', 'ک', kind{letter, arabic, 1}}, {0x6AA, 0x6AE, kind{letter, arabic, 8}},
	{'گ', 'گ', kind{letter, arabic, 1}}, {0x6B0, 0x6B9, kind{letter, arabic, 8}}, {'ں', 'ں', kind{letter, arabic, 4}}, {0x6BB, 0x6BD, kind{letter, arabic, 8}},
	{'ھ', 'ھ', kind{letter, arabic, 4}}, {0x6BF, 0x6BF, kind{letter, arabic, 8}}, {0x6C0, 0x6C3, kind{letter, arabic, 4}}, {0x6C4, 0x6CB, kind{letter, arabic, 8}},
	{'ی', 'ی', kind{letter, arabic, 1}}, {0x6CD, 0x6D1, kind{letter, arabic, 8}}, {0x6D2, 0x6D5, kind{letter, arabic, 4}}, {0x6D6, 0x6EF, kind{mark, arabic, 8}},
	{'۰', '۹', kind{digit, arabic, 2}}, {0x6FA, 0x6FF, kind{letter, arabic, 8}}, {0x700, 0x8FF, kind{letter, otherScript, 9}}, {0x900, 0x903, kind{mark, indic, 1}},
	{0x904, 0x939, kind{letter, indic, 1}}, {0x93A, 0x93C, kind{mark, indic, 2}}, {0x93D, 0x93D, kind{letter, indic, 3}}, {0x93E, 0x94D, kind{mark, indic, 1}},
	{0x94E, 0x957, kind{mark, indic, 6}}, {0x958, 0x961, kind{letter, indic, 3}}, {0x962, 0x963, kind{mark, indic, 4}}, {0x964, 0x965, kind{closing, noScript, 1}},
	{0x966, 0x96F, kind{digit, indic, 2}}, {0x970, 0x97F, kind{letter, indic, 5}}, {0x980, 0x109F, kind{letter, otherScript, 5}}, {0x10A0, 0x1E9F, kind{letter, otherScript, 8}},
	{0x1EA0, 0x1EF9, kind{letter, latin, 3}}, {0x1EFA, 0x1FFF, kind{letter, otherScript, 8}}, {0x2000, 0x200A, kind{space, noScript, 5}}, {0x200B, 0x200B, kind{format, noScript, 4}},
	{0x200C, 0x200C, kind{format, arabic, 2}}, {0x200D, 0x200D, kind{format, arabic, 5}}, {0x200E, 0x200F, kind{format, noScript, 5}}, {0x2010, 0x2012, kind{dash, noScript, 5}}, {'–', '—', kind{dash, noScript, 1}}, {0x2015, 0x2015, kind{dash, noScript, 4}}, {0x2016, 0x2017, kind{symbol, noScript, 6}},
	{'‘', '’', kind{ascii, noScript, 1}}, {'‚', '‚', kind{opening, noScript, 4}}, {'‛', '”', kind{quote, noScript, 1}}, {'„', '„', kind{opening, noScript, 1}}, {'‟', '‟', kind{quote, noScript, 4}}, {'†', '‡', kind{symbol, noScript, 5}}, {'•', '•', kind{symbol, noScript, 2}}, {0x2023, 0x2025, kind{symbol, noScript, 6}},
	{'…', '…', kind{closing, noScript, 1}}, {0x2027, 0x2027, kind{symbol, noScript, 6}}, {0x2028, 0x2029, kind{space, noScript, 4}}, {0x202A, 0x202E, kind{format, noScript, 6}},
	{0x202F, 0x202F, kind{space, noScript, 3}}, {'‰', '‰', kind{numeric, noScript, 3}}, {0x2031, 0x2031, kind{symbol, noScript, 7}}, {0x2032, 0x2037, kind{numeric, noScript, 3}},
	{0x2038, 0x2038, kind{symbol, noScript, 7}}, {'‹', '›', kind{quote, noScript, 2}}, {0x203B, 0x205E, kind{symbol, noScript, 4}}, {0x205F, 0x205F, kind{space, noScript, 6}},
	{0x2060, 0x206F, kind{format, noScript, 5}}, {0x2070, 0x209C, kind{numeric, noScript, 4}}, {0x20A0, 0x20C0, kind{currency, noScript, 2}}, {0x20D0, 0x20F0, kind{mark, noScript, 6}},
	{0x2100, 0x2121, kind{symbol, noScript, 3}}, {'™', '™', kind{trade, noScript, 2}}, {0x2123, 0x214F, kind{symbol, noScript, 5}}, {0x2150, 0x218B, kind{numeric, noScript, 3}},
	{0x2190, 0x21FF, kind{picture, noScript, 3}}, {0x2200, 0x22FF, kind{symbol, noScript, 4}}, {0x2300, 0x23FF, kind{picture, noScript, 3}}, {0x2400, 0x245F, kind{picture, noScript, 6}},
	{0x2460, 0x26FF, kind{picture, noScript, 3}}, {0x2700, 0x27BF, kind{picture, noScript, 3}}, {0x27C0, 0x2BFF, kind{picture, noScript, 4}}, {0x2C00, 0x2E7F, kind{letter, otherScript, 9}},
	{0x2E80, 0x2FFF, kind{letter, han, 7}}, {0x3000, 0x3003, kind{closing, noScript, 1}}, {0x3005, 0x3007, kind{letter, han, 2}}, {0x3008, 0x303F, kind{quote, noScript, 1}},
	{0x3041, 0x30FF, kind{letter, kana, 1}}, {0x3100, 0x318F, kind{letter, otherScript, 6}}, {0x3190, 0x33FF, kind{picture, noScript, 4}}, {0x3400, 0x4DBF, kind{letter, han, 8}},
	{0x4E00, 0x9FFF, kind{letter, han, 2}}, {0xA000, 0xABFF, kind{letter, otherScript, 9}}, {0xAC00, 0xD7A3, kind{letter, hangul, 1}}, {0xE000, 0xF8FF, kind{broken, noScript, 9}},
	{0xF900, 0xFAFF, kind{letter, han, 7}}, {0xFB00, 0xFB06, kind{letter, latin, 4}}, {0xFB07, 0xFB4F, kind{letter, otherScript, 8}}, {0xFB50, 0xFDFF, kind{letter, arabic, 4}},
	{0xFE0E, 0xFE0F, kind{format, noScript, 2}}, {0xFE10, 0xFE6F, kind{symbol, noScript, 4}}, {0xFE70, 0xFEFC, kind{letter, arabic, 3}}, {0xFEFF, 0xFEFF, kind{format, noScript, 3}},
	{0xFF01, 0xFF0F, kind{closing, noScript, 1}}, {0xFF10, 0xFF19, kind{digit, noScript, 2}}, {0xFF1A, 0xFF20, kind{closing, noScript, 1}}, {0xFF21, 0xFF3A, kind{letter, latin, 3}},
	{0xFF3B, 0xFF40, kind{quote, noScript, 3}}, {0xFF41, 0xFF5A, kind{letter, latin, 3}}, {0xFF5B, 0xFF65, kind{quote, noScript, 2}}, {0xFF66, 0xFF9F, kind{letter, kana, 3}},
	{0xFFA0, 0xFFDC, kind{letter, hangul, 6}}, {0xFFE0, 0xFFEE, kind{currency, noScript, 3}}, {0xFFFD, 0xFFFD, kind{symbol, noScript, 5}},
	{0x1D400, 0x1D7FF, kind{letter, latin, 5}}, {0x1F000, 0x1FAFF, kind{picture, noScript, 2}}, {0x20000, 0x2FA1F, kind{letter, han, 7}}, {0xE0020, 0xE007F, kind{format, noScript, 6}},
}

// lowKinds are the kinds of the characters below highEnd, where nearly all lie
// that are ever asked for.
var lowKinds = func() (table [highEnd]kind) {
	for r := range table {
		table[r] = search(rune(r))
	}
	return table
}()

// kindOf is the kind of r.
func kindOf(r rune) kind {
	if r < highEnd {
		return lowKinds[r]
	}
	return search(r)
}

// search finds r in the ranges. The cases of the letters beyond Latin-1 are
// those of Unicode.
func search(r rune) kind {
	at := sort.Search(len(kinds), func(i int) bool { return kinds[i].to >= r })
	if at == len(kinds) || kinds[at].from > r {
		return kind{broken, noScript, 10}
	}
	k := kinds[at].kind
	switch {
	case k.role != letter || k.script > greek:
	case unicode.IsUpper(r):
		k.role = upper
	case unicode.IsLower(r):
		k.role = lower
	}
	return k
}
