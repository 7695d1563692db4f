package textnorm

import "unicode/utf8"

// CheckUTF8 returns the offset of the first byte that is not part of valid
// UTF-8, or -1. Surrogates and overlong forms are invalid, as in RFC 3629.
func CheckUTF8(b []byte) int {
	if utf8.Valid(b) {
		return -1
	}
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}
