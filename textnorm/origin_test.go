package textnorm

import (
	"strings"
	"testing"
)

// TestNotesStandWhereTheInputHasThem: what is removed, composed, or becomes a phrase before a
// character, in its own word too, does not move the note about it.
func TestNotesStandWhereTheInputHasThem(t *testing.T) {
	n, err := NewNormalizer(Config{Verbalise: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, text, language, kind, at string }{
		{"nothing before it", "Windows خوب است", "fa", NoteMixed, "Windows"},
		{"spaces", "این   \u00a0 Windows است", "fa", NoteMixed, "Windows"},
		{"words without sound", "این \u00ad \u200b Windows است", "fa", NoteMixed, "Windows"},
		{"characters without sound in words before", "ا\u00adی\u200bن را Windows", "fa", NoteMixed, "Windows"},
		{"and in its own", "ا\u00adی\u200bن-Windows", "fa", NoteMixed, "Windows"},
		{"a phrase that was one character", "محمد ﷺ و Windows", "fa", NoteMixed, "Windows"},
		{"in the same word", "محمدﷺ-Windows", "fa", NoteMixed, "Windows"},
		{"accents apart", "cafe\u0301 e\u0301te\u0301 слово", "fr", NoteMixed, "слово"},
		{"bytes that are none", "caf\xe9 \xff слово", "fr", NoteMixed, "слово"},
		{"a vowel mark of Persian", "این\u00ad  کتاب\u00ad  لَلِه", "fa", NoteMarks, "\u064e"},
		{"letters of no spaces", "昨日\u200bは\u00adмирへ", "ja", NoteMixed, "мир"},
		{"a word that is too long to be searched: its beginning", "слово " + strings.Repeat("я\u00ad", longWord) + "Windows", "ru", NoteMixed, "я"},
	} {
		_, notes := n.Normalize(tt.text, tt.language)
		want := strings.Index(tt.text, tt.at)
		found := false
		for _, note := range notes {
			if note.Kind == tt.kind && !found {
				found = true
				if note.At != want {
					t.Errorf("%s: Normalize(%.60q) has the note %v, want it at %d", tt.name, tt.text, note, want)
				}
			}
		}
		if !found {
			t.Errorf("%s: Normalize(%.60q) has no note %s: %v", tt.name, tt.text, tt.kind, notes)
		}
	}
}
