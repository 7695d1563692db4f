package spoken

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"voxpack/textnorm/numbers"
)

// ukrainian: days, hours and years are ordinals in the case that the words beside
// them ask for; endings after a hyphen tell that of other ordinals.
func ukrainian() *voice {
	return &voice{
		code: "uk", decimal: ",", groups: []string{" ", "\u00a0", "\u202f", "."}, slavic: true, gendered: true,
		letters: ukrainianLetters, agree: ukrainianAgree, part: ukrainianPart, compounds: ukrainianCompound,
		date:   dateWords{kind: numbers.Ordinal},
		clock:  clockWords{dots: true, kind: numbers.Ordinal, zero: true},
		regnal: romanWords{upTo: 99},
	}
}

// ukrainianLetters brings the apostrophe inside a word to the letter that CLDR has
// for it, whichever of its look-alikes was typed, a Latin i among Cyrillic letters to
// the Cyrillic one, and Roman numerals in Cyrillic letters, ХІХ, to those of Rome.
func ukrainianLetters(text string) string {
	const marks = "'’‘`´ʹ′＇"
	if !mayBeRespelled(text) {
		return text
	}
	var out []byte
	kept, numeral := 0, -1 // what of the text is in out; where the last numeral ended
	put := func(at, size int, letters string) {
		if out == nil {
			out = make([]byte, 0, len(text)+8)
		}
		out, kept = append(append(out, text[kept:at]...), letters...), at+size
	}
	for at := 0; at < len(text); {
		if n := ukrainianStays(text, at); n > 0 {
			at += n
			continue
		}
		before := rune('X')
		if at != numeral {
			before, _ = utf8.DecodeLastRuneInString(text[:at])
		}
		if n := cyrillicNumeral(text, at, before); n > 0 {
			put(at, n, romanLetters.Replace(text[at:at+n]))
			at += n
			numeral = at
			continue
		}
		r, n := utf8.DecodeRuneInString(text[at:])
		if (r == 'i' || r == 'I' || strings.ContainsRune(marks, r)) && unicode.Is(unicode.Cyrillic, before) {
			if next, _ := utf8.DecodeRuneInString(text[at+n:]); unicode.Is(unicode.Cyrillic, next) {
				put(at, n, ukrainianFor(r))
			}
		}
		at += n
	}
	if out == nil {
		return text
	}
	return string(append(out, text[kept:]...))
}

// ukrainianStays is the length of a space or a Cyrillic letter at a place that begins
// no numeral, 0 for any other character: most are these.
func ukrainianStays(text string, at int) int {
	c := text[at]
	if c == ' ' {
		return 1
	}
	if at+1 >= len(text) || text[at+1]&0xc0 != 0x80 || c != 0xd1 && (c != 0xd0 || text[at+1] == 0xa5 || text[at+1] == 0x86) {
		return 0
	}
	return 2
}

// ukrainianFor is the Cyrillic letter for a look-alike between two of them.
func ukrainianFor(r rune) string {
	switch r {
	case 'i':
		return "і"
	case 'I':
		return "І"
	}
	return "ʼ"
}

// mayBeRespelled is quick, and true for some texts that stay: it looks at bytes.
func mayBeRespelled(text string) bool {
	for i := range len(text) {
		switch text[i] {
		case '\'', '`', 'i', 'I', 0xe2, 0xef, 0xc2: // the last three begin the other marks
			return true
		case 0xd0: // Х and І
			if i+1 < len(text) && (text[i+1] == 0xa5 || text[i+1] == 0x86) {
				return true
			}
		case 0xca: // ʹ
			if i+1 < len(text) && text[i+1] == 0xb9 {
				return true
			}
		}
	}
	return false
}

var romanLetters = strings.NewReplacer("Х", "X", "І", "I")

// cyrillicNumeral is the length of a word that is a Roman numeral once its Cyrillic
// letters are those of Rome. One letter alone is one only before its century.
func cyrillicNumeral(text string, at int, before rune) int {
	const most = 16 // bytes: LXXXVIII
	if c := text[at]; c != 0xd0 && c != 'X' && c != 'V' && c != 'I' && c != 'L' && c != 'C' || inWord(before) {
		return 0
	}
	if text[at] == 0xd0 && at+1 < len(text) && text[at+1] != 0xa5 && text[at+1] != 0x86 { // Х and І alone are numerals
		return 0
	}
	word := letters(text[:min(len(text), at+most)], at)
	if !romanLike(word) {
		return 0
	}
	roman := romanLetters.Replace(word)
	if roman == word || romanValue(roman) == 0 {
		return 0
	}
	rest := text[at+len(word):]
	if r, _ := utf8.DecodeRuneInString(rest); inWord(r) {
		return 0
	}
	rest = strings.TrimLeft(rest, " \u00a0")
	if len(roman) == 1 && !strings.HasPrefix(rest, "ст.") && !strings.HasPrefix(rest, "століт") && !strings.HasPrefix(rest, "світов") {
		return 0
	}
	return len(word)
}

// romanLike reports whether a word has no letter but those of Rome and the Cyrillic
// ones that look so.
func romanLike(word string) bool {
	for i := 0; i < len(word); i++ {
		switch c := word[i]; {
		case romanDigit(c) != 0:
		case c == 0xd0 && i+1 < len(word) && (word[i+1] == 0xa5 || word[i+1] == 0x86):
			i++
		default:
			return false
		}
	}
	return true
}

// ukrainianPart: одна пʼята, дві пʼятих, пʼять восьмих.
func ukrainianPart(_ int, ordinal func(form string) string) noun {
	many := ordinal("plural-genitive")
	return noun{'f', []string{ordinal("feminine"), many, many, many}}
}

// ukrainianCompound: двадцятирічний, дворічний, девʼяностохвилинний, сторіччя.
func ukrainianCompound(genitive string) string {
	return strings.NewReplacer(" ", "", "одного", "одно", "двохсот", "двохсот", "двох", "дво", "трьохсот", "трьохсот", "трьох", "три",
		"чотирьохсот", "чотирьохсот", "чотирьох", "чотири", "девʼяноста", "девʼяносто", "ста", "сто").Replace(genitive)
}

// ukrainianFeminine are nouns of women and things that are she, as they stand after
// two, where their ending is that of the masculine ones.
const ukrainianFeminine = "години хвилини секунди сестри доньки дочки дівчинки жінки дівчини бабусі тітки подруги студентки учениці книги книжки сторінки сторони країни частини " +
	"гривні копійки монети тонни милі склянки чашки ложки пляшки тарілки коробки штуки кімнати квартири хати школи лікарні вулиці площі машини ракети бомби групи команди " +
	"перемоги поразки ночі речі спроби зміни дати літери букви цифри точки лінії мови пісні казки картини зірки руки ноги голови особи людини родини сімʼї пари доби весни осені зими " +
	"таблиці глави статті ролі дороги стіни карти картки скарги заяви справи причини проблеми теми думки ідеї версії шахти станції зупинки бригади дивізії корови кози вівці кішки собаки"

// ukrainianAgree: one and two have a gender, which the noun shows by its ending or
// by being known.
func ukrainianAgree(digits, before, noun string) byte {
	if strings.ToLower(noun) != noun || utf8.RuneCountInString(noun) < 3 || len(digits) > 1 && digits[len(digits)-2] == '1' ||
		oneOf(noun, "або для для це при під над без через була було були та але якщо щоб де на за") ||
		oneOf(before, "глава сторінка номер стаття група рівень том версія частина тип лінія розділ") {
		return 0
	}
	switch {
	case strings.HasSuffix(digits, "1"):
		switch {
		case endsIn(noun, "ння ття лля ззя ддя сся ццє ще ле це о е ре") && noun != "метро":
			return 'n'
		case endsIn(noun, "а я ість ова нь") && !oneOf(noun, "день тиждень місяць мужчина суддя дядя кінь рівень ступінь камінь учень січень відповідач") || oneOf(noun, "ніч річ мить тінь область мати кров любов подорож стаття сімʼя"):
			return 'f'
		case oneOf(noun, ukrainianFeminine): // what half of is said: дві з половиною години
			return 'f'
		}
	case strings.HasSuffix(digits, "2"):
		if oneOf(noun, ukrainianFeminine) || endsIn(noun, "ції сії зії ості ниці инки істки") && !oneOf(noun, "будинки гості") {
			return 'f'
		}
	}
	return 0
}
