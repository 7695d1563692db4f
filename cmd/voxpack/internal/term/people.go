package term

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode/utf8"
)

// Safe is the door through which everything goes that the program writes to
// its stdout and stderr. Ids, paths and messages can hold what a terminal obeys:
// control characters, C1 among them, overrides of the direction of text, and
// bytes that are no UTF-8. They come out as \u001b and \x9b. In JSON, which has
// no bytes of that kind, \u escapes are the same value.
type Safe struct {
	out  io.Writer
	mu   sync.Mutex
	held []byte // the beginning of a character whose other bytes are to come
}

// MakeSafe is the door to w, which is w itself where it is one.
func MakeSafe(w io.Writer) *Safe {
	if p, ok := w.(*Safe); ok {
		return p
	}
	return &Safe{out: w}
}

// Raw is where lines are drawn again and again, which takes codes of the
// terminal: w without its door. What is drawn holds no names.
func Raw(w io.Writer) io.Writer {
	if p, ok := w.(*Safe); ok {
		return p.out
	}
	return w
}

// Write passes b on with what a terminal would obey made visible.
func (p *Safe) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(b)
	if len(p.held) > 0 {
		b = append(p.held, b...)
		p.held = nil
	}
	if whole := wholeCharacters(b); whole < len(b) {
		p.held = append([]byte(nil), b[whole:]...)
		b = b[:whole]
	}
	if harmless(b) {
		_, err := p.out.Write(b)
		return n, err
	}
	_, err := p.out.Write(visible(b))
	return n, err
}

// End writes what was held back: the output ended within a character.
func (p *Safe) End() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.out.Write(visible(p.held))
	p.held = nil
}

// wholeCharacters is the length of b without the bytes at its end that begin a
// character.
func wholeCharacters(b []byte) int {
	for i := len(b) - 1; i >= 0 && i >= len(b)-utf8.UTFMax+1; i-- {
		if utf8.RuneStart(b[i]) {
			if !utf8.FullRune(b[i:]) {
				return i
			}
			break
		}
	}
	return len(b)
}

// harmless reports whether nothing in b has to be made visible. Output is most
// often so, and runs at the speed of a pipe.
func harmless(b []byte) bool {
	for i, c := range b {
		switch {
		case c < ' ' && c != '\n' && c != '\t', c == 0x7f:
			return false
		case c == 0xC2 && i+1 < len(b) && b[i+1] < 0xA0, c == 0xE2 && i+1 < len(b) && (b[i+1] == 0x80 || b[i+1] == 0x81):
			if r, _ := utf8.DecodeRune(b[i:]); Obeyed(r) {
				return false
			}
		}
	}
	return utf8.Valid(b)
}

// Obeyed are the characters that a terminal acts on instead of showing them.
func Obeyed(r rune) bool {
	switch {
	case r == '\n', r == '\t':
		return false
	case r < ' ', r >= 0x7f && r < 0xA0: // C0, DEL, C1
		return true
	}
	return r >= 0x2028 && r <= 0x202E || r >= 0x2066 && r <= 0x2069 // line ends, embeddings, overrides, isolates
}

// Line is text from outside as a part of one line of a screen that is drawn past
// the door: with what a terminal would obey, and ends of lines, made visible.
func Line(text string) string {
	return strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(string(visible([]byte(text))))
}

func visible(b []byte) []byte {
	out := make([]byte, 0, 2*len(b))
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		switch {
		case r == utf8.RuneError && n == 1:
			out = fmt.Appendf(out, `\x%02x`, b[0])
		case Obeyed(r):
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			out = append(out, b[:n]...)
		}
		b = b[n:]
	}
	return out
}
