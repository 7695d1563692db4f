package numbers

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// cldrPlurals are the cardinal rules of CLDR 48 as supplemental/plurals.xml writes them
// (UTS 35, part 3, Language Plural Rules), without the samples and without the operand e,
// which is of compact notation. What meets no rule is other.
var cldrPlurals = map[string]string{
	"en": "one: i = 1 and v = 0", "de": "one: i = 1 and v = 0", "nl": "one: i = 1 and v = 0",
	"it":    "one: i = 1 and v = 0; many: i != 0 and i % 1000000 = 0 and v = 0",
	"es":    "one: n = 1; many: i != 0 and i % 1000000 = 0 and v = 0",
	"fr":    "one: i = 0,1; many: i != 0 and i % 1000000 = 0 and v = 0",
	"pt":    "one: i = 0..1; many: i != 0 and i % 1000000 = 0 and v = 0",
	"pt-PT": "one: i = 1 and v = 0; many: i != 0 and i % 1000000 = 0 and v = 0",
	"tr":    "one: n = 1", "hu": "one: n = 1",
	"pl": "one: i = 1 and v = 0; few: v = 0 and i % 10 = 2..4 and i % 100 != 12..14; " +
		"many: v = 0 and i != 1 and i % 10 = 0..1 or v = 0 and i % 10 = 5..9 or v = 0 and i % 100 = 12..14",
	"ru": eastSlavic, "uk": eastSlavic,
	"cs": "one: i = 1 and v = 0; few: i = 2..4 and v = 0; many: v != 0",
	"ar": "zero: n = 0; one: n = 1; two: n = 2; few: n % 100 = 3..10; many: n % 100 = 11..99",
	"hi": "one: i = 0 or n = 1", "fa": "one: i = 0 or n = 1",
	"zh": "", "ja": "", "ko": "",
}

const eastSlavic = "one: v = 0 and i % 10 = 1 and i % 100 != 11; few: v = 0 and i % 10 = 2..4 and i % 100 != 12..14; " +
	"many: v = 0 and i % 10 = 0 or v = 0 and i % 10 = 5..9 or v = 0 and i % 100 = 11..14"

// operand is n, i or v of a decimal string; false for an n that is no whole number, which
// equals no number of a rule.
func operand(t *testing.T, name, digits string) (value uint64, whole bool) {
	t.Helper()
	integer, fraction, _ := strings.Cut(digits, ".")
	if name == "v" {
		return uint64(len(fraction)), true
	}
	value, err := strconv.ParseUint(integer, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return value, name == "i" || strings.Trim(fraction, "0") == ""
}

// meets reads a condition: relations, of which "and" binds closer than "or".
func meets(t *testing.T, condition, digits string) bool {
	t.Helper()
	for either := range strings.SplitSeq(condition, " or ") {
		all := true
		for relation := range strings.SplitSeq(either, " and ") {
			f := strings.Fields(relation) // n = 1, or i % 100 != 12..14
			value, whole := operand(t, f[0], digits)
			if f[1] == "%" {
				by, _ := strconv.ParseUint(f[2], 10, 64)
				value %= by
				f = f[2:]
			}
			in := false
			for part := range strings.SplitSeq(f[2], ",") {
				from, to, ok := strings.Cut(part, "..")
				if !ok {
					to = from
				}
				low, _ := strconv.ParseUint(from, 10, 64)
				high, _ := strconv.ParseUint(to, 10, 64)
				in = in || whole && value >= low && value <= high
			}
			all = all && in == (f[1] == "=")
		}
		if all {
			return true
		}
	}
	return false
}

// TestPluralsAreCLDRs reads the published rules, for whole numbers of up to five digits
// that end in all ways, round ones, and numbers with fractions, zeros among them.
func TestPluralsAreCLDRs(t *testing.T) {
	var all []string
	for n := range 1300 {
		all = append(all, strconv.Itoa(n), fmt.Sprintf("-%d", n), strconv.Itoa(54_000+n))
		all = append(all, fmt.Sprintf("%d.0", n), fmt.Sprintf("%d.%d", n, n%7), fmt.Sprintf("%d.%03d", n, n%11))
	}
	for _, n := range []int{1e6, 2e6, 1e6 + 1, 1e6 + 100, 11e6, 123e6, 1e9, 1e12, 1e15} {
		all = append(all, strconv.Itoa(n), fmt.Sprintf("%d.0", n), fmt.Sprintf("%d.5", n))
	}
	for _, lang := range Languages() {
		rules, ok := cldrPlurals[lang]
		if !ok {
			t.Errorf("no plural rules of %s here", lang)
		}
		for _, digits := range all {
			want := "other"
			for rule := range strings.SplitSeq(rules, "; ") {
				if class, condition, _ := strings.Cut(rule, ": "); condition != "" && meets(t, condition, strings.TrimPrefix(digits, "-")) {
					want = class
					break
				}
			}
			if got := PluralClass(lang, digits); got != want {
				t.Errorf("PluralClass(%s, %s) = %s, want %s by %q", lang, digits, got, want, rules)
			}
		}
	}
}
