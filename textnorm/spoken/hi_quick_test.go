package spoken

import (
	"strings"
	"testing"
)

// TestHindiQuickMissesNoTable: what copyHindi takes begins no name that a rule
// looks for, as each is one word of Devanagari, or one before a full stop.
func TestHindiQuickMissesNoTable(t *testing.T) {
	names := map[string]bool{}
	for _, list := range hiTables().short {
		for _, p := range list {
			names[p.short] = true
		}
	}
	for name := range hiTables().money {
		names[name] = true
	}
	looked := 0
	for name := range names {
		end := hiWordEnd(name, 0)
		if end == 0 {
			continue // which copyHindi leaves
		}
		looked++
		if end < len(name) && name[end] != '.' || end == len(name) && hiTables().money[name] == nil {
			t.Errorf("%q begins with the word %q, which is copied", name, name[:end])
		}
		for _, text := range []string{name, name + " 5", name + " क"} {
			s := scan{text: text, lang: entryOf("hi").language()}
			copied := s.copyHindi()
			if want := hiTables().money[name] != nil && end == len(name) && !strings.HasSuffix(text, "5"); copied != want {
				t.Errorf("copyHindi(%q) = %v, want %v", text, copied, want)
			}
		}
	}
	if looked < 70 {
		t.Errorf("%d names, want all of the tables", looked)
	}
	for c, mute := range entryOf("hi").language().quick.mute {
		if mute && (hiTables().symbols[string(rune(c))] != "" || len(hiTables().moneyNames[string(rune(c))]) > 0 || hiTables().short[string(rune(c))] != nil) {
			t.Errorf("%q is mute and read", rune(c))
		}
	}
}

// TestHindiWordEndIsWordEnd: looking at bytes finds the words of all languages' rules.
func TestHindiWordEndIsWordEnd(t *testing.T) {
	for r := rune(0); r < 0x3100; r++ {
		text := "क" + string(r)
		end, all := wordEnd(text, 0)
		if r < 0x900 || r > 0x97F || all&classDigit != 0 {
			end = len("क")
		}
		if got := hiWordEnd(text, 0); got != end {
			t.Errorf("hiWordEnd(%+q) = %d, want %d", text, got, end)
		}
		if danda := r == '।' || r == '॥'; hiDanda(string(r)) != danda {
			t.Errorf("hiDanda(%+q) = %v, want %v", string(r), !danda, danda)
		}
	}
	for _, text := range []string{"\xe0", "\xe0\xa4", "\xe0\xa5\x33", "\xe0\xa6\x85"} {
		if got := hiWordEnd(text, 0); got != 0 {
			t.Errorf("hiWordEnd(%+q) = %d, want 0", text, got)
		}
	}
}
