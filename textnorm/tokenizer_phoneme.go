package textnorm

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"voxpack/textnorm/forms"
)

// KindPhoneme is the kind of symbols of the International Phonetic Alphabet,
// which a program outside makes of text.
const KindPhoneme = "phoneme"

// PhonemesVersion is that of what Phonemize makes of a text and of what is said
// of its clauses. Unicode's is part of it, which says what punctuation is.
const PhonemesVersion = "phonemes-1 unicode-" + unicode.Version + " norm-" + forms.Version

// ErrNoPhonemes says that nobody is there who knows phonemes.
var ErrNoPhonemes = errors.New("phonemes are not to be had")

// Phonemize is a spoken text in phonemes. say knows those of a clause, a piece of
// text between punctuation; punctuation and spaces stay where they are. What
// stands in braces is phonemes already and stays as it is, without the braces.
func Phonemize(text string, say func(clause string) (string, error)) (string, error) {
	var b strings.Builder
	var in span
	from := 0 // of the clause that is being read
	flush := func(to int) error {
		clause := text[from:to]
		trimmed := strings.TrimSpace(clause)
		if trimmed == "" {
			b.WriteString(clause)
			return nil
		}
		said, err := say(trimmed)
		if err != nil {
			return err
		}
		at := strings.Index(clause, trimmed)
		b.WriteString(clause[:at] + strings.TrimSpace(said) + clause[at+len(trimmed):])
		return nil
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		marked := in.begins(text, i)
		if !marked && !ends(text, i, r, size) {
			i += size
			continue
		}
		if err := flush(i); err != nil {
			return "", err
		}
		if marked {
			b.WriteString(text[i+1 : in.end-1])
			size = in.end - i
		} else {
			b.WriteString(text[i : i+size])
		}
		i += size
		from = i
	}
	if err := flush(len(text)); err != nil {
		return "", err
	}
	return ipaForm(strings.Join(strings.Fields(b.String()), " ")), nil
}

// ends reports whether the character r at byte i is punctuation between clauses.
// What belongs to a word or a number does not end one: don't, x-ray, 3.14, 12:30,
// U.S.A; nor do signs that are said, such as %.
func ends(text string, i int, r rune, size int) bool {
	if r < utf8.RuneSelf && (r == ' ' || r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z') {
		return false
	}
	if !unicode.IsPunct(r) && r != '`' {
		return false
	}
	if strings.ContainsRune("%&@#*/\\_", r) {
		return false
	}
	before, width := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i+size:])
	switch r {
	case '\'', '’', '·', '״', '׳':
		return !isLetter(before) || !isLetter(after)
	case '-', '\u2010', '\u2011':
		return !(isLetter(before) || unicode.IsDigit(before)) || !(isLetter(after) || unicode.IsDigit(after))
	case '.':
		if isLetter(before) && isLetter(after) {
			earlier, _ := utf8.DecodeLastRuneInString(text[:i-width])
			return isLetter(earlier) || unicode.IsDigit(earlier)
		}
		return !unicode.IsDigit(before) || !unicode.IsDigit(after)
	case ',', ':', '٫', '٬':
		return !unicode.IsDigit(before) || !unicode.IsDigit(after)
	}
	return true
}

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) }

// ipaForm is s with each mark after its letter, as espeak-ng writes nearly all of
// them and symbols can be learnt once; ç is a letter of the alphabet itself.
func ipaForm(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return strings.ReplaceAll(forms.NFD(s), "c\u0327", "ç")
		}
	}
	return s
}
