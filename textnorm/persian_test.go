package textnorm

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// persianLines are the lines of the corpora and of the sets that have Persian in them.
func persianLines(t *testing.T) []string {
	t.Helper()
	lines := sentences(t, 1)["fa"]
	for _, file := range []string{"../testdata/corpus/fa/metadata.csv", "spoken/testdata/fa.tsv", "spoken/testdata/fa2.tsv", "spoken/testdata/fa3.tsv",
		"spoken/testdata/blind.tsv", "spoken/testdata/harm.tsv", "spoken/testdata/never.tsv", "testdata/corpus.txt"} {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for in := bufio.NewScanner(f); in.Scan(); {
			line := in.Text()
			if !strings.ContainsFunc(line, func(r rune) bool { return unicode.Is(unicode.Arabic, r) }) {
				continue
			}
			for part := range strings.FieldsFuncSeq(line, func(r rune) bool { return r == '\t' || r == '|' }) {
				lines = append(lines, unescaped(part))
			}
		}
	}
	if len(lines) < 2000 {
		t.Fatalf("%d lines, want 2000", len(lines))
	}
	return lines
}

// unescaped is a text of a set with its characters in place of \uXXXX.
func unescaped(text string) string {
	for {
		at := strings.Index(text, `\u`)
		var r rune
		if at < 0 || at+6 > len(text) {
			return text
		}
		if _, err := fmt.Sscanf(text[at+2:at+6], "%x", &r); err != nil {
			return text
		}
		text = text[:at] + string(r) + text[at+6:]
	}
}

// TestPersianLosesNothingInSilence: each note made at its place in the text gives every letter
// and sign of what the rules read, so that nothing is lost or replaced without a note.
func TestPersianLosesNothingInSilence(t *testing.T) {
	lines := persianLines(t)
	noted := map[string]int{}
	for _, marks := range []string{MarksAuto, MarksKeep, MarksStrip} {
		n, err := NewNormalizer(Config{Verbalise: true, VowelMarks: marks, Mojibake: MojibakeOff})
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines {
			text, _ := n.plain(line)
			_, notes := n.Normalize(text, "fa")
			want := n.readers["fa"].Letters(text)
			if got := counted(t, applied(t, text, notes, noted)); got != counted(t, want) {
				t.Errorf("marks %s: %q with its notes %v is\n%q, and its letters are\n%q", marks, text, notes, got, counted(t, want))
			}
		}
	}
	for _, kind := range []string{NoteMarks, NoteInvisible, NoteRepeats, NoteLetter, NoteJoined, NoteSign} {
		if noted[kind] == 0 {
			t.Errorf("no line has a note %s", kind)
		}
	}
}

// applied makes the changes that notes tell.
func applied(t *testing.T, text string, notes []Note, noted map[string]int) string {
	var b strings.Builder
	at := 0
	for _, n := range notes {
		switch n.Kind {
		case NoteMarks, NoteInvisible, NoteRepeats, NoteLetter, NoteJoined, NoteSign:
		default:
			continue
		}
		noted[n.Kind]++
		if n.At < at || strings.HasPrefix(n.Detail, "and ") {
			t.Fatalf("%q: note %v after byte %d", text, n, at)
		}
		b.WriteString(text[at:n.At])
		at = n.At
		from, to, both := strings.Cut(n.Detail, " to ")
		switch {
		case n.Kind == NoteJoined && from == "U+0654": // with the yeh of the ezafe
			at += strings.IndexAny(text[at:], "یيى") + len("ی")
			to = from
		case n.Kind == NoteJoined:
			to = from
		case both || n.Kind == NoteMarks || n.Kind == NoteInvisible || n.Kind == NoteRepeats:
			for range strings.Fields(from) {
				_, size := utf8.DecodeRuneInString(text[at:])
				at += size
			}
		default:
			to = from // a character that was put in
		}
		for _, point := range strings.Fields(to) {
			var r rune
			if _, err := fmt.Sscanf(point, "U+%X", &r); err != nil {
				t.Fatalf("%q: note %v: %v", text, n, err)
			}
			b.WriteRune(r)
		}
	}
	return b.String() + text[at:]
}

// counted is a text without spaces, its digits and the signs between them those of the ASCII.
func counted(t *testing.T, text string) string {
	t.Helper()
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return -1
		case r >= 0x660 && r <= 0x669:
			return '0' + r - 0x660
		case r >= 0x6F0 && r <= 0x6F9:
			return '0' + r - 0x6F0
		}
		if sign, ok := map[rune]rune{'٪': '%', '٫': '.', '٬': ','}[r]; ok {
			return sign
		}
		return r
	}, text)
}
