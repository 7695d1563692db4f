package numbers

import (
	"strings"
	"testing"
	"unicode"
)

// TestEngineAgainstICU: on CLDR's rules alone the engine says what ICU says, in
// every public set of every language.
func TestEngineAgainstICU(t *testing.T) {
	var sets map[string]*ruleSet
	rows, language := 0, ""
	readTable(t, "icu.txt.bz2", func(head string, f []string) {
		lang, name, _ := strings.Cut(head, " ")
		if lang != language {
			var err error
			if sets, err = parseRules(section(cldrRules, lang)); err != nil {
				t.Fatal(err)
			}
			language = lang
		}
		if f[1] == "" || strings.ContainsFunc(f[1], unicode.IsDigit) {
			return // a number that CLDR has no words for
		}
		if f[0][0] == '-' && strings.Contains(name, "ordinal") && strings.Contains("zh ja ko", lang) {
			return // CLDR has the sign inside the word or nowhere; we have it in front
		}
		rows++
		d, _ := parseDecimal(f[0])
		s, v := speech{code: lang}, voice{}
		v.usual[Cardinal] = sets["%spellout-numbering"]
		if lang == "ko" {
			v.usual[Cardinal] = sets["%spellout-cardinal-sinokorean"] // zero apart, numbering is this set
		}
		v.say(&s, sets[name], d, lang == "es")
		got := string(trimEnd(s.words, 0))
		if got != strings.TrimRight(f[1], " ") {
			t.Errorf("%s %s: got %q, want %q", head, f[0], got, f[1])
		}
	})
	if rows < 6000 {
		t.Errorf("%d rows, want 6000 at least", rows)
	}
}
