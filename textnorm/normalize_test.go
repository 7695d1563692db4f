package textnorm

import (
	"reflect"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"voxpack/textnorm/forms"
)

func newNormalizer(t testing.TB) *Normalizer {
	t.Helper()
	n, err := NewNormalizer(Config{})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestNormalize(t *testing.T) {
	tests := []struct {
		name, in, want string
		notes          []Note
	}{
		{"empty stays empty", "", "", nil},
		{"plain ASCII stays as it is", "Printing, in the only sense", "Printing, in the only sense", nil},
		{"case is kept", "İstanbul ISPARTA", "İstanbul ISPARTA", nil},
		{"runs of white space are one space", "a \t\r\n b\u00a0\u2003c\u3000d", "a b c d", nil},
		{"no space at the ends", "\u2028 a \u0085", "a", nil},
		{"white space alone is empty", " \t\u00a0", "", nil},
		{"decomposed letters are composed", "Ba\u0308r e\u0301l", "Bär él", nil},
		{"accents are never stripped (M10)", "Bär él", "Bär él", nil},
		{"Persian madda and hamza are kept (M10)", "ا\u0653ب ي\u0654", "آب ئ", nil},
		{"heh with hamza above keeps its ezafe", "خانه\u0654 ما", "خانه\u0654 ما", nil},
		{"zwnj between prefix and stem is kept", "می\u200cروم", "می\u200cروم", nil},
		{"forms of Arabic letters are the letters", "ﺳﻼﻡ", "سلام", nil},
		{"ligatures and full width are plain letters", "ﬁne ＡＢＣ１２", "fine ABC12", nil},
		{"half-width kana is kana", "ｶﾞｷﾞ", "ガギ", nil},
		{"what means something stays", "5² ½ ™ Ⅳ", "5² ½ ™ Ⅳ", nil},
		{"zwj is kept", "क्\u200dष", "क्\u200dष", nil},
		{"joiners are nothing in other scripts", "a\u200cb \u200dж", "ab ж", []Note{{NoteInvisible, 1, "U+200C"}, {NoteInvisible, 6, "U+200D"}}},
		{"tashkeel is kept", "مَلِک", "مَلِک", nil},
		{"a control character goes with a note", "a\x07b", "ab", []Note{{NoteControl, 1, "U+0007"}}},
		{"C1 and delete are control characters", "a\x7fb\u0080", "ab",
			[]Note{{NoteControl, 1, "U+007F"}, {NoteControl, 3, "U+0080"}}},
		{"one note per character and text", "\x00a\x00b\x00\x01", "ab",
			[]Note{{NoteControl, 0, "U+0000"}, {NoteControl, 5, "U+0001"}}},
		{"a byte order mark goes with a note", "\ufeffa", "a", []Note{{NoteInvisible, 0, "U+FEFF"}}},
		{"zero width space and soft hyphen go with notes", "a\u200bb\u00adc", "abc",
			[]Note{{NoteInvisible, 1, "U+200B"}, {NoteInvisible, 5, "U+00AD"}}},
		{"direction marks go with a note", "\u200fسلام\u202c", "سلام",
			[]Note{{NoteBidi, 0, "U+200F"}, {NoteBidi, 11, "U+202C"}}},
		{"a removed character between spaces leaves one space", "a \u200b b", "a b", []Note{{NoteInvisible, 2, "U+200B"}}},
		{"a letter meets its mark over a removed character", "e\u200b\u0301", "é", []Note{{NoteInvisible, 1, "U+200B"}}},
		{"the replacement character stays and is noted", "a\ufffdb", "a\ufffdb", []Note{{NoteReplacement, 1, "U+FFFD"}}},
		{"a raw byte becomes the replacement character", "a\xffb", "a\ufffdb", []Note{{NoteInvalid, 1, "0xFF"}}},
		{"offsets count in the input, before composition", "e\u0301\x01", "é", []Note{{NoteControl, 3, "U+0001"}}},
	}
	n := newNormalizer(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, notes := n.Normalize(tt.in, "und")
			if got != tt.want {
				t.Errorf("Normalize(%q) = %q, want %q", tt.in, got, tt.want)
			}
			if !reflect.DeepEqual(notes, tt.notes) {
				t.Errorf("Normalize(%q) notes = %v, want %v", tt.in, notes, tt.notes)
			}
		})
	}
}

func TestEveryMarkWithoutSoundIsRemovedAndNoted(t *testing.T) {
	kinds := map[string][]rune{
		NoteBidi: {0x061C, 0x200E, 0x200F, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069},
		NoteInvisible: {0x00AD, 0x180E, 0x200B, 0x2060, 0x2061, 0x2062, 0x2063, 0x2064,
			0x206A, 0x206B, 0x206C, 0x206D, 0x206E, 0x206F, 0xFEFF},
	}
	n := newNormalizer(t)
	for kind, runes := range kinds {
		for _, r := range runes {
			got, notes := n.Normalize("a"+string(r)+"b", "und")
			if got != "ab" || len(notes) != 1 || notes[0].Kind != kind {
				t.Errorf("Normalize of U+%04X = %q, %v, want ab and one %s", r, got, notes, kind)
			}
		}
	}
}

func TestConfigRefusesWhatItCannotDo(t *testing.T) {
	for _, c := range []Config{{Mojibake: "guess"}, {Case: "upper"}, {Punctuation: "none"}, {VowelMarks: "drop"}, {Languages: []string{"en", "sv"}}} {
		if _, err := NewNormalizer(c); err == nil {
			t.Errorf("NewNormalizer(%+v) = nil error, want one", c)
		}
	}
	got, want := Config{}.Canonical(), Config{Mojibake: "off"}.Canonical()
	if got != want {
		t.Errorf("Canonical of the zero config = %q, want that of its defaults %q", got, want)
	}
	if other := (Config{Mojibake: "report"}).Canonical(); other == want {
		t.Errorf("Canonical does not show a changed field: %q", other)
	}
}

func TestVersionsNameTheUnicodeTables(t *testing.T) {
	for _, v := range []string{TextVersion, TokensVersion} {
		if !strings.Contains(v, unicode.Version) {
			t.Errorf("version %q does not contain Unicode's %q", v, unicode.Version)
		}
	}
}

func TestNormalizerIsSafeForConcurrentUse(t *testing.T) {
	n := newNormalizer(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 200 {
				if got, _ := n.Normalize("e\u0301 \x07 x", "en"); got != "é x" {
					t.Errorf("Normalize = %q, want %q", got, "é x")
					return
				}
			}
		})
	}
	wg.Wait()
}

func FuzzNormalize(f *testing.F) {
	for _, line := range corpus(f) {
		f.Add(line)
	}
	f.Add("a" + strings.Repeat("\u0301", 70))
	f.Add("\u0340\u0344\u0958\u2126\ufb1d\u1100\u1161\u11a8")
	n := newNormalizer(f)
	f.Fuzz(func(t *testing.T, in string) {
		got, notes := n.Normalize(in, "und")
		if !utf8.ValidString(got) {
			t.Errorf("Normalize(%q) = %q is not UTF-8", in, got)
		}
		if again, _ := n.Normalize(got, "und"); again != got {
			t.Errorf("Normalize(%q) = %q, and of that %q", in, got, again)
		}
		if got != strings.TrimSpace(got) || strings.Contains(got, "  ") {
			t.Errorf("Normalize(%q) = %q keeps white space", in, got)
		}
		if len(notes) == 0 {
			sameLetters(t, in, got)
		}
		for _, n := range notes {
			if n.At < 0 || n.At >= len(in) {
				t.Errorf("Normalize(%q): note %v is outside the input", in, n)
			}
		}
	})
}

// sameLetters compares what is left of two texts when white space and
// composition are taken away: without a note nothing else may differ.
func sameLetters(t *testing.T, in, out string) {
	t.Helper()
	if got, want := bare(out), bare(in); got != want {
		t.Errorf("Normalize(%q) = %q lost or made something without a note: %q, want %q", in, out, got, want)
	}
}

func bare(s string) string {
	s = strings.Join(strings.Fields(s), "")
	// The library adds U+034F to letters with over 30 marks.
	s, _ = forms.Compat(s)
	return strings.ReplaceAll(strings.Join(strings.Fields(Compose(s)), ""), "\u034f", "")
}
