package spoken

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Change is one difference between a text and its letters put right.
type Change struct {
	At       int // bytes of the text
	From, To string
	Kind     ChangeKind
}

// ChangeKind is what a change is one of.
type ChangeKind uint8

// The kinds of changes.
const (
	ChangedMark   ChangeKind = iota // a vowel mark or a hamza is dropped
	ChangedUnseen                   // tatweel or a mark of no width is dropped
	ChangedRepeat                   // a letter written more than twice is dropped
	ChangedLetter                   // a letter is another one
	ChangedJoin                     // two words are one, by a half space or by the ezafe's hamza
	ChangedSign                     // a sign is another one
)

// Changes lists what differs between a text and what Persian.Letters made of it. Digits of
// another script, the signs between them, and spaces are left out: nothing of what is spoken
// is in them. Each change made at its place, the text has the letters and signs of now.
//
// The two are compared as they are, and not watched while they change, so that no step can
// forget to tell.
func Changes(was, now string) []Change {
	var list []Change
	i, j := 0, 0
	for i < len(was) || j < len(now) {
		if i < len(was) && j < len(now) && was[i] == now[j] && was[i] < utf8.RuneSelf {
			i, j = i+1, j+1
			continue
		}
		if i+1 < len(was) && j+1 < len(now) && was[i] == now[j] && was[i+1] == now[j+1] && was[i] >= 0xD8 && was[i] <= 0xDB {
			i, j = i+2, j+2
			continue
		}
		c, to := changeAt(was, now, i, j)
		if c.From+c.To != "" && !c.silent() {
			c.At = min(i, max(0, len(was)-1))
			list = append(list, c)
		}
		i, j = i+len(c.From), to
	}
	return list
}

// silent reports whether a change is none of what is spoken.
func (c Change) silent() bool {
	if c.From == c.To {
		return true
	}
	if c.Kind == ChangedJoin {
		return false
	}
	from, _ := utf8.DecodeRuneInString(c.From)
	if strings.TrimSpace(c.From+c.To) == "" {
		return true
	}
	return len(c.To) == 1 && from >= 0x600 && from <= 0x6FF && from != 0x6D4 && from != 0x66D && rune(c.To[0]) == faASCIIOf(from)
}

// faASCIIOf is the digit or sign of the ASCII for a character of another script.
func faASCIIOf(r rune) rune {
	if faMap[r-0x600] == faPoint {
		return '.'
	}
	return rune(faMap[r-0x600])
}

// changeAt is the change between a text and its letters at a place of both, and where it
// ends in the letters. From is a character at least, or To is.
func changeAt(was, now string, i, j int) (c Change, end int) {
	r, n := utf8.DecodeRuneInString(was[i:])
	q, m := utf8.DecodeRuneInString(now[j:])
	drop := func(kind ChangeKind) (Change, int) { return Change{From: was[i : i+n], Kind: kind}, j }
	put := func(kind ChangeKind) (Change, int) { return Change{To: now[j : j+m], Kind: kind}, j + m }
	swap := func(kind ChangeKind, n int) (Change, int) {
		return Change{From: was[i : i+n], To: now[j : j+m], Kind: kind}, j + m
	}
	switch {
	case i == len(was):
		return put(kindOf(q))
	case r == q && n == m:
		return swap(ChangedLetter, n)
	case q == 0x654 && faYehAt(was, i) > 0:
		return swap(ChangedJoin, faYehAt(was, i))
	case q == 0x200C && unicode.IsSpace(r):
		return swap(ChangedJoin, n)
	case q == 0x200C && !faUnseen(r) && !(r >= 0x600 && r <= 0x6FF && faMap[r-0x600] == faMark):
		return put(ChangedJoin)
	case unicode.IsSpace(r):
		return drop(ChangedSign)
	}
	switch {
	case j < len(now) && r >= 0x600 && r <= 0x6FF && faASCIIOf(r) == q:
		if faLetter(r) {
			return swap(ChangedLetter, n)
		}
		return swap(ChangedSign, n)
	case (r == 0x6C0 || r == 0x6C2) && q == 'ه' && strings.HasPrefix(now[j+m:], "\u0654"):
		m += 2
		return swap(ChangedLetter, n)
	case faUnseen(r):
		return drop(ChangedUnseen)
	case r >= 0x600 && r <= 0x6FF && (faMap[r-0x600] == faMark || r == 0x653 || r == 0x654):
		return drop(ChangedMark)
	case faLetter(r) && strings.HasSuffix(now[:j], was[i:i+n]) && q != 'أ' && q != 'آ':
		return drop(ChangedRepeat)
	case q == ' ' && j < len(now):
		return put(ChangedSign)
	case arPresented(r):
		if plain := (Persian{}).characters(string(r)); plain != "" && strings.HasPrefix(now[j:], plain) {
			m = len(plain)
			return swap(ChangedLetter, n)
		}
	case r == '.' && q == '…':
		for i+n < len(was) && was[i+n] == '.' {
			n++
		}
		return swap(ChangedSign, n)
	}
	if j == len(now) {
		return drop(kindOf(r))
	}
	return swap(kindOf(r), n)
}

// faYehAt is the length of the yeh of خانه ی with what parts it from its word, 0 where none
// stands at a place.
func faYehAt(text string, i int) int {
	for n, r := range text[i:] {
		if !unicode.IsSpace(r) && !faUnseen(r) {
			if n > 0 && r >= 0x600 && r <= 0x6FF && faMap[r-0x600] == 'ی' {
				return n + utf8.RuneLen(r)
			}
			break
		}
	}
	return 0
}

// kindOf is the kind of a change of a character that is no other.
func kindOf(r rune) ChangeKind {
	switch {
	case faLetter(r) || unicode.IsLetter(r):
		return ChangedLetter
	case faVowel(r):
		return ChangedMark
	case r == 0x200C:
		return ChangedJoin
	}
	return ChangedSign
}

// faUnseen reports whether a character has neither width nor sound.
func faUnseen(r rune) bool {
	return r == 0x640 || r == 0x61C || r >= 0x200B && r <= 0x200F || r >= 0x202A && r <= 0x202E || r >= 0x2060 && r <= 0x206F || r == 0xFEFF || r == 0xAD
}
