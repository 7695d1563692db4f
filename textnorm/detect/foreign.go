package detect

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The letters of languages that the detector does not know, in the scripts of those
// that it knows: by their letters alone Urdu is Persian, Marathi is Hindi and Serbian
// is Russian to it.
const (
	// foreignLetters are in no text of Arabic, Persian, Russian or Ukrainian but as a name.
	foreignLetters = "ٹڈڑںےۓ" + "ۆڵڕ" + "ټډړږښځڼۍ" + "ٻڀڄڏڳڻ" + "ۇۈۋڭ" + "ђјљњћџѓќѕў" + "әғқңөұүһҷӣӯ"
	// foreignForms are such too, but careless Persian has one of them for its own letter.
	foreignForms = "ہھێەېۀ"
)

// marathiLetter is one that Hindi does not have.
const marathiLetter = 'ळ'

var (
	hindiWords   = strings.Fields("है हैं था थे थी का की के को में से ने और पर यह वह नहीं भी")
	marathiWords = strings.Fields("आहे आहेत आणि नाही होते होता केली केले त्या मला")
)

// foreignKinds has 's' for foreignLetters and 'w' for foreignForms.
var foreignKinds = func() (m [0x800]byte) {
	for _, r := range foreignLetters {
		m[r] = 's'
	}
	for _, r := range foreignForms {
		m[r] = 'w'
	}
	return m
}()

// Foreign reports whether a text is in a script that the detector knows and in none
// of its languages, as letters show that none of them has. A fifth of the words must
// have one, so that a name does not make a text foreign.
func Foreign(text string) bool {
	words, strong, weak, forms := 0, 0, 0, ""
	hindi, other := false, false
	for at := 0; at < len(text); {
		c := text[at]
		if c < 0xD0 || c > 0xE0 { // no letter of these scripts begins so
			at++
			continue
		}
		end, isStrong, isWeak := at, false, false
		for end < len(text) && text[end] >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(text[end:])
			if !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '\u200c' && r != '\u200d' {
				break
			}
			low := unicode.ToLower(r)
			other = other || r == marathiLetter
			switch {
			case int(low) >= len(foreignKinds):
			case foreignKinds[low] == 's':
				isStrong = true
			case foreignKinds[low] == 'w':
				isWeak = true
				if !strings.ContainsRune(forms, r) {
					forms += string(r)
				}
			}
			end += n
		}
		if end == at {
			_, n := utf8.DecodeRuneInString(text[at:])
			at += n
			continue
		}
		words++
		if word := text[at:end]; c == 0xE0 {
			hindi, other = hindi || slices.Contains(hindiWords, word), other || slices.Contains(marathiWords, word)
		}
		if isStrong {
			strong++
		} else if isWeak {
			weak++
		}
		at = end
	}
	const share = 5 // one word of so many
	return other && !hindi || (strong > 0 || utf8.RuneCountInString(forms) > 1) && (strong+weak)*share >= words
}
