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

// TestRulesInCircles: rules that call each other for ever end in a refusal.
func TestRulesInCircles(t *testing.T) {
	sets, err := parseRules("%a:\n-x: =%a=;\nx.x: =%b=;\n0: =%b=;\n%b:\nx.x: =%a=;\n0: =%a=;\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, number := range []string{"1", "1.5"} {
		d, _ := parseDecimal(number)
		s, v := speech{}, voice{}
		if v.say(&s, sets["%a"], d, false); !s.failed {
			t.Errorf("%s came out of a circle as %q", number, s.words)
		}
	}
}

func TestParseRulesRefuses(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"a set that is not there", "%a:\n0: =%b=;\n", "%b is not there"},
		{"a substitution without end", "%a:\n0: =%a;\n", "has no end"},
		{"a plural of neither kind", "%a:\n0: $(dual,one{x}other{y})$;\n", "is not a plural"},
		{"a line without a number", "%a:\nabc: x;\n", `begins with "abc"`},
		{"a radix of one", "%a:\n10/1: x;\n", `begins with "10/1"`},
	}
	for _, tt := range tests {
		if _, err := parseRules(tt.text); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: parseRules(%q) = %v, want %q in it", tt.name, tt.text, err, tt.want)
		}
	}
}

// TestRadix: a radix of its own, and a divisor that ">" makes a place smaller.
func TestRadix(t *testing.T) {
	sets, err := parseRules("%a:\n0: none;\n1: one;\n2: two;\n10: ten[-two>>];\n60/60: <<sixty[->>];\n1000>: << hundred[ and >>];\n")
	if err != nil {
		t.Fatal(err)
	}
	for number, want := range map[string]string{"60": "onesixty", "122": "twosixty-two", "1000": "ten hundred", "1002": "ten hundred and two"} {
		d, _ := parseDecimal(number)
		s, v := speech{}, voice{}
		if v.say(&s, sets["%a"], d, false); s.failed || string(s.words) != want {
			t.Errorf("%s: got %q, want %q", number, s.words, want)
		}
	}
}
