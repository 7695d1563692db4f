package numbers

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
)

//go:embed cldr.txt
var cldrRules string

//go:embed own.txt
var ownRules string

// language is a line of the table: which set reads what where the caller names no form. An empty
// name is CLDR's usual one: numbering, ordinal, numbering-year.
type language struct {
	code     string
	base     string // the language whose rules it begins with, where not its own
	cardinal string
	ordinal  string
	year     string
	joined   bool     // digits that are read one by one stand without spaces
	plurals  *plurals // nil: one and other
}

// languages is the table of languages. A new one is a line here, its rules in
// cldr.txt by the script that makes it, and in own.txt what those lack.
var languages = []language{
	{code: "en"},
	{code: "es", ordinal: "ordinal-masculine", plurals: &spanishPlurals},
	{code: "fr", ordinal: "ordinal-masculine", year: "numbering", plurals: &frenchPlurals},
	{code: "it", ordinal: "ordinal-masculine", plurals: &italianPlurals},
	{code: "de"},
	{code: "pt", ordinal: "ordinal-masculine", plurals: &frenchPlurals},
	{code: "pt-PT", base: "pt", ordinal: "ordinal-masculine", plurals: &italianPlurals},
	{code: "pl", ordinal: "ordinal-masculine", plurals: &polishPlurals},
	{code: "tr", plurals: &turkicPlurals},
	{code: "ru", ordinal: "ordinal-masculine", plurals: &eastSlavicPlurals},
	{code: "nl", cardinal: "cardinal-stressed"},
	{code: "cs", ordinal: "ordinal-masculine", plurals: &czechPlurals},
	{code: "ar", ordinal: "ordinal-masculine", plurals: &arabicPlurals},
	{code: "zh", cardinal: "cardinal", joined: true, plurals: &noPlurals},
	{code: "hu", plurals: &turkicPlurals},
	{code: "ko", cardinal: "cardinal-sinokorean", ordinal: "ordinal-native-count", plurals: &noPlurals},
	{code: "ja", joined: true, plurals: &noPlurals},
	{code: "hi", ordinal: "ordinal-masculine", plurals: &iranianPlurals},
	{code: "fa", plurals: &iranianPlurals},
	{code: "uk", ordinal: "ordinal-masculine", plurals: &eastSlavicPlurals},
}

// voice is a language whose rules have been read.
type voice struct {
	language
	sets  map[string]*ruleSet
	usual [kinds]*ruleSet
	exact *ruleSet // says fractions digit by digit, where the usual set does not
}

// voices has one entry for each of languages, read when first asked for.
var voices = func() map[string]func() (*voice, error) {
	m := make(map[string]func() (*voice, error), len(languages))
	for _, l := range languages {
		m[l.code] = sync.OnceValues(func() (*voice, error) { return newVoice(l) })
	}
	return m
}()

// Languages lists the codes of the languages that can be spoken, and of the
// countries that speak theirs otherwise: pt is as in Brazil, pt-PT as in Portugal.
func Languages() []string {
	codes := make([]string, len(languages))
	for i, l := range languages {
		codes[i] = l.code
	}
	return codes
}

// Forms lists the forms of a kind in a language, sorted; the usual one has no name.
func Forms(lang string, kind Kind) []string {
	v := voiceOf(lang)
	if v == nil {
		return nil
	}
	var forms []string
	for name := range v.sets {
		for _, prefix := range formPrefixes(kind) {
			if form, ok := strings.CutPrefix(name, prefix); ok && v.form(kind, form) != nil {
				forms = append(forms, form)
			}
		}
	}
	slices.Sort(forms)
	return slices.Compact(forms)
}

// voiceOf is nil for a language that we do not speak. The rules are part of the
// program and every test reads them all, so an error in them is ours.
func voiceOf(lang string) *voice {
	load := voices[lang]
	if load == nil {
		return nil
	}
	v, err := load()
	if err != nil {
		panic(err)
	}
	return v
}

func newVoice(l language) (*voice, error) {
	base := cmp.Or(l.base, l.code)
	cldr, shared, own := section(cldrRules, base), section(ownRules, base), section(ownRules, l.code)
	sets, err := parseRules(reword(cldr, shared+own), shared, own)
	if err != nil {
		return nil, fmt.Errorf("number rules of %s: %w", l.code, err)
	}
	v := &voice{language: l, sets: sets, exact: sets["%spellout-exact"]}
	for kind, name := range map[Kind]string{
		Cardinal: cmp.Or(l.cardinal, "numbering"),
		Decimal:  cmp.Or(l.cardinal, "numbering"),
		Ordinal:  cmp.Or(l.ordinal, "ordinal"),
		Year:     cmp.Or(l.year, "numbering-year"),
	} {
		if v.usual[kind] = sets["%spellout-"+name]; v.usual[kind] == nil {
			return nil, fmt.Errorf("number rules of %s: no set %s", l.code, name)
		}
	}
	return v, nil
}

// section cuts the rules of one language out of a rule text.
func section(text, code string) string {
	_, text, _ = strings.Cut(text, "\n@"+code+"\n")
	text, _, _ = strings.Cut(text, "\n@")
	return text
}

// reword carries out the "~ a b" lines of our rules on CLDR's; _ is a space.
func reword(cldr, own string) string {
	for line := range strings.Lines(own) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "~" {
			cldr = strings.ReplaceAll(cldr, strings.ReplaceAll(f[1], "_", " "), strings.ReplaceAll(f[2], "_", " "))
		}
	}
	return cldr
}

// formPrefixes are the beginnings of the names of the sets that have a kind's forms.
func formPrefixes(kind Kind) []string {
	switch kind {
	case Ordinal:
		return []string{"%spellout-ordinal-"}
	case Year:
		return []string{"%spellout-numbering-year-", "%spellout-ordinal-"}
	default:
		return []string{"%spellout-cardinal-", "%spellout-numbering-"}
	}
}

// form is the set of a kind in a form, nil where the language has none.
func (v *voice) form(kind Kind, form string) *ruleSet {
	if form == "" {
		return v.usual[kind]
	}
	if kind != Year && strings.HasPrefix(form, "year") {
		return nil
	}
	for _, prefix := range formPrefixes(kind) {
		if set := v.sets[prefix+form]; set != nil {
			return set
		}
	}
	return nil
}
