package mojibake

import (
	"testing"
	"unicode/utf8"
)

// FuzzRepair: any bytes give spans in order and in range, valid UTF-8 where it
// was, a repair that nothing is left to add to, and the same findings from Find.
func FuzzRepair(f *testing.F) {
	for _, text := range []string{"cafÃ©", "Ø³Ù„Ø§Ù… Ù", "ط³ظ„ط§ظ…", "ÿ≥ŸÑÿßŸÖ", "â€œHelloâ€", "voilÃ  bien", "ÃƒÂ©", "\xff", "Ã\u0083Â©", "é…»”", "اک ظپ"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		repaired, found := Repair(text)
		checkSpans(t, text, repaired, found)
		if utf8.RuneCountInString(repaired) > utf8.RuneCountInString(text) {
			t.Fatalf("Repair(%q) = %q is longer", text, repaired)
		}
		again := Find(text)
		if len(again) != len(found) {
			t.Fatalf("Find(%q) = %+v, Repair found %+v", text, again, found)
		}
		for i := range again {
			if again[i] != found[i] {
				t.Fatalf("Find(%q) = %+v, Repair found %+v", text, again, found)
			}
		}
	})
}
