package spoken

import (
	"strings"
	"testing"
)

// TestArabicQuickMissesNoTable: copyArabic leaves every word to the rules that one of
// them looks for, and takes others and the punctuation.
func TestArabicQuickMissesNoTable(t *testing.T) {
	copies := func(text string) bool {
		s := scan{text: text, lang: entryOf("ar").language()}
		return s.copyArabic()
	}
	for _, list := range []map[string]string{arPrefixes, arTables().short, arTables().numbered, arTables().titles, arTables().dotted} {
		for word := range list {
			for _, behind := range []string{"", " 5", ". أحمد"} {
				if copies(word + behind) {
					t.Errorf("%q is copied, and a rule looks for it", word+behind)
				}
			}
			if first, _, _ := strings.Cut(word, "."); len(first) > arLongest {
				t.Errorf("%q is longer than %d bytes", first, arLongest)
			}
		}
	}
	for text, want := range map[string]bool{"كتاب 5": true, "، 5": true, "؟": true, "مدرسة.": true, "وال": false, "كتاب5": false, "كتاب٥": false, "س": false, "٪": false} {
		if got := copies(text); got != want {
			t.Errorf("copyArabic(%q) = %v, want %v", text, got, want)
		}
	}
	for c, mute := range entryOf("ar").language().quick.mute {
		if mute && (arTables().symbols[string(rune(c))] != "" || len(arTables().moneyNames.at(string(rune(c)))) > 0) {
			t.Errorf("%q is mute and read", rune(c))
		}
	}
}

// TestArabicNamesAreTheLongest: of two names that a text begins with the longer one
// is found, and the end of a word is looked at.
func TestArabicNamesAreTheLongest(t *testing.T) {
	for text, want := range map[string]string{" كم²": "كم²", "كم/ساعة": "كم/ساعة", " كم.": "كم", "كمال": "", "كيلومترات": "كيلومترات", "\xd9": "", "": ""} {
		s := scan{text: text, lang: entryOf("ar").language()}
		if got, _ := s.arKeyAt(0, arTables().unitNames); got != want {
			t.Errorf("the unit of %q is %q, want %q", text, got, want)
		}
	}
}
