package spoken

import (
	"strings"
	"unicode/utf8"
)

// hanLetters brings digits and their signs to the ASCII and drops the spaces with
// which some set numbers apart from characters: what is said there has none.
func hanLetters(text string) string {
	wide, spaced := false, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == 0xEF || c == 0xD9 || c == 0xDB || c == 0xE0:
			wide = true
		case c == ' ':
			spaced = spaced || i > 0 && text[i-1] >= 0x80 || i+1 < len(text) && text[i+1] >= 0x80 || i+2 < len(text) && text[i+2] == ' '
		}
	}
	if wide {
		text = hanNarrow(text)
	}
	if spaced {
		text = hanUnspace(text)
	}
	return text
}

// hanNarrow writes full-width letters, digits and the signs beside them, and the
// digits of Arabic and Devanagari, in the ASCII.
func hanNarrow(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	last, wideDigit := rune(0), false // what is written already, and how its digit was
	for at, r := range text {
		if r < 0x0660 || r == utf8.RuneError {
			n := 1
			if r == utf8.RuneError {
				_, n = utf8.DecodeRuneInString(text[at:])
			} else {
				n = utf8.RuneLen(r)
			}
			b.WriteString(text[at : at+n])
			last, wideDigit = r, false
			continue
		}
		next := rune(0)
		if r >= 0xFF00 {
			next, _ = utf8.DecodeRuneInString(text[at+utf8.RuneLen(r):])
		}
		to := narrow(r)
		switch {
		case to == ',' && !(wideDigit && isGroup(text[at+3:])):
			to = r
		case (to == '.' || to == ':' || to == '/') && !(isASCIIDigit(last) && isASCIIDigit(narrow(next))):
			to = r
		case to == '-' && !isASCIIDigit(narrow(next)):
			to = r
		}
		wideDigit = r >= 0xFF10 && r <= 0xFF19
		b.WriteRune(to)
		last = to
	}
	return b.String()
}

// isGroup reports whether three full-width digits stand at the beginning, and no
// fourth.
func isGroup(text string) bool {
	for i := range 4 {
		r, n := utf8.DecodeRuneInString(text)
		if (r >= 0xFF10 && r <= 0xFF19) != (i < 3) {
			return false
		}
		text = text[n:]
	}
	return true
}

func isASCIIDigit(r rune) bool { return r >= '0' && r <= '9' }

// narrow is the ASCII of a digit of another script, of a full-width letter and of
// the full-width signs that stand with digits.
func narrow(r rune) rune {
	switch {
	case r >= 0xFF10 && r <= 0xFF19, r >= 0xFF21 && r <= 0xFF3A, r >= 0xFF41 && r <= 0xFF5A:
		return r - 0xFF00 + 0x20
	case r >= 0x0660 && r <= 0x0669:
		return r - 0x0660 + '0'
	case r >= 0x06F0 && r <= 0x06F9:
		return r - 0x06F0 + '0'
	case r >= 0x0966 && r <= 0x096F:
		return r - 0x0966 + '0'
	}
	switch r {
	case '％', '＄', '＆', '＠', '＋', '＝', '＃', '＜', '＞', '，', '．', '：', '／', '－', '＊':
		return r - 0xFF00 + 0x20
	case '￥':
		return '¥'
	case '￡':
		return '£'
	case '￦':
		return '₩'
	}
	return r
}

// hanUnspace drops the spaces around a number that stands between characters: both
// or, at an edge of the text or a sign, one.
func hanUnspace(text string) string {
	var b strings.Builder
	kept := 0 // what of text stands in b
	for at := 0; at < len(text); {
		r, n := utf8.DecodeRuneInString(text[at:])
		if r == ' ' || isHan(r) {
			at += n
			continue
		}
		end, digits := at, false
		for end < len(text) {
			r, n := utf8.DecodeRuneInString(text[end:])
			if r == ' ' || isHan(r) {
				break
			}
			digits = digits || isASCIIDigit(r)
			end += n
		}
		before, behind := lastOf(text[:at]), firstOf(text[end:])
		if !digits && before == ' ' && behind == ' ' && hanJoins(text[:at-1], text[at:end], text[end+1:]) {
			b.WriteString(text[kept : at-1])
			b.WriteString(text[at:end])
			kept = end + 1
		}
		if digits && !isHan(before) && !isHan(behind) {
			if before == ' ' && isHan(lastOf(text[:at-1])) && numberBegins(text[at:end]) {
				b.WriteString(text[kept : at-1])
				kept = at
			}
			if behind == ' ' && isHan(firstOf(text[end+1:])) && numberEnds(text[:end]) {
				b.WriteString(text[kept:end])
				kept = end + 1
			}
		}
		at = end
	}
	if kept == 0 {
		return text
	}
	b.WriteString(text[kept:])
	return b.String()
}

// hanJoins reports whether a form between spaces is a sign between two numbers.
func hanJoins(before, form, behind string) bool {
	r, n := utf8.DecodeRuneInString(form)
	if n < len(form) || behind == "" || !strings.ContainsRune("-–—−~～〜=+×÷<>≤≥≈", r) || !isDigit(behind[0]) {
		return false
	}
	last := lastOf(before)
	// Spaces may be gone from what is before once this has been done.
	tail := strings.ReplaceAll(before[max(0, len(before)-40):], " ", "")
	return isASCIIDigit(last) || strings.ContainsRune("-–—−~～〜", r) && endsQuantity(tail)
}

// numberBegins: a digit, or a sign and one.
func numberBegins(form string) bool {
	r, n := utf8.DecodeRuneInString(form)
	return isASCIIDigit(r) || !inWord(r) && n < len(form) && isDigit(form[n])
}

// numberEnds: a digit, or a sign after one.
func numberEnds(form string) bool {
	r, n := utf8.DecodeLastRuneInString(form)
	return isASCIIDigit(r) || (r == '%' || r == '℃' || r == '°' || r == '‰') && n < len(form) && isDigit(form[len(form)-n-1])
}

// hanPlain is true for letters and the usual punctuation, where no rule would look
// at anything.
func hanPlain(text string) bool {
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c >= 0xE4 && c <= 0xED: // characters of Han and Hangul
			i += 2
		case c == 0xE3:
			if i+2 >= len(text) || text[i+1] >= 0x88 && text[i+1] <= 0x8F || text[i+1] == 0x80 && text[i+2] == 0x92 {
				return false // ㈱ ㎡ 〒
			}
			i += 2
		case c == 0xEF:
			if i+2 >= len(text) || !hanFullPlain(text[i+1], text[i+2]) {
				return false
			}
			i += 2
		case c == 0xE2:
			if i+2 >= len(text) || text[i+1] != 0x80 || text[i+2] >= 0xB0 && text[i+2] <= 0xB7 {
				return false // ℃ Ⅱ ‰
			}
			i += 2
		case c == 0xC2:
			if i+1 >= len(text) || text[i+1] != 0xB7 {
				return false
			}
			i++
		case isLetter(c):
			next := byte(' ')
			if i+1 < len(text) {
				next = text[i+1]
			}
			if strings.IndexByte(".:/@+-_", next) >= 0 && i+2 < len(text) && text[i+2] != ' ' || strings.IndexByte("IVX", c) >= 0 && strings.IndexByte("IVX", next) >= 0 {
				return false
			}
		case c == '.':
			if i+1 < len(text) && text[i+1] < utf8.RuneSelf && strings.IndexByte(" .,!?)\"'", text[i+1]) < 0 {
				return false
			}
		case strings.IndexByte(" ,;!?\"()'", c) < 0:
			return false
		}
	}
	return true
}

// hanFullPlain: ！（），：；？ and halves of katakana.
func hanFullPlain(b, c byte) bool {
	r := rune(0xF)<<12 | rune(b&0x3F)<<6 | rune(c&0x3F)
	return r >= 0xFF65 && r <= 0xFF9F || strings.ContainsRune("！（），：；？［］｛｝", r)
}
