package term

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
)

// foul is what a terminal would obey: codes that clear it, ring, go back in the
// line, turn text round, end a line, C1 as a character and as a byte.
const foul = "\x1b[2J\x1b]0;owned\a\r\u202e\u2066\u2028\u009b31m\x7f"

func TestPeopleSeeEveryCharacter(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"text is left", "a\tb\nسلام ☃ «x» \u200c\u200f", "a\tb\nسلام ☃ «x» \u200c\u200f"},
		{"codes are shown", foul, `\u001b[2J\u001b]0;owned\u0007\u000d\u202e\u2066\u2028\u009b31m\u007f`},
		{"bytes that are no UTF-8", "a\x9b\xffb", `a\x9b\xffb`},
		{"an end within a character", "a\xe2\x80", `a\xe2\x80`},
		{"one byte too few before text", "\xc2a\xe2\x80b", `\xc2a\xe2\x80b`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for size := 1; size <= len(tt.in); size++ { // however it is cut into writes
				var out bytes.Buffer
				p := MakeSafe(&out)
				for part := range slices.Chunk([]byte(tt.in), size) {
					if n, err := p.Write(part); n != len(part) || err != nil {
						t.Fatalf("Write = %d, %v", n, err)
					}
				}
				p.End()
				if out.String() != tt.want {
					t.Fatalf("in parts of %d: %q, want %q", size, &out, tt.want)
				}
			}
		})
	}
	if p := MakeSafe(io.Discard); MakeSafe(p) != p || Raw(p) != io.Discard || Raw(io.Discard) != io.Discard {
		t.Error("a door stands in front of a door")
	}
	line := []byte(strings.Repeat("سلام, LJ001-0001\n", 1000))
	if n := testing.AllocsPerRun(10, func() { MakeSafe(io.Discard).Write(line) }); n > 1 {
		t.Errorf("%v allocations for harmless output, want that of the door", n)
	}
}
