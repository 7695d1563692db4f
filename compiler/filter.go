package compiler

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"voxpack/compiler/action"
	"voxpack/compiler/intake"
	"voxpack/store"
	"voxpack/textnorm"
)

// check lists what is wrong with a filter.
func (f Filter) check() (errs []error) {
	if lo, hi := f.MinCharsPerSecond, f.MaxCharsPerSecond; !(lo >= 0 && hi >= 0) || hi > 0 && lo > hi {
		errs = append(errs, fmt.Errorf("min_chars_per_second %v, max_chars_per_second %v: want 0 (no bound) or more, and the least not over the most", lo, hi))
	}
	not := setOf(f.NotSpeakers)
	for _, name := range f.OnlySpeakers {
		if not[name] {
			errs = append(errs, fmt.Errorf("speaker %q stands in only_speakers and in not_speakers", name))
		}
	}
	for _, code := range f.OnlyLanguages {
		if _, ok := textnorm.LanguageIndex(code); !ok {
			errs = append(errs, fmt.Errorf("only_languages: %q is not a known code", code))
		}
	}
	return errs
}

// settings adds what the filter asks for, as a root has it. Of a list stands its length
// and the digest of its sorted names: their order means nothing, and a list of ids may
// have as many as the corpus has rows.
func (f Filter) settings(add func(name, value string)) {
	if f.MinCharsPerSecond > 0 {
		add("min_chars_per_second", fmt.Sprint(f.MinCharsPerSecond))
	}
	if f.MaxCharsPerSecond > 0 {
		add("max_chars_per_second", fmt.Sprint(f.MaxCharsPerSecond))
	}
	list := func(name string, values []string) {
		if values != nil {
			values = slices.Clone(values)
			slices.Sort(values)
			add(name, fmt.Sprintf("%d: %s", len(values), store.Sum([]byte(strings.Join(slices.Compact(values), "\x00"))).Short()))
		}
	}
	list("only_speakers", f.OnlySpeakers)
	list("not_speakers", f.NotSpeakers)
	list("only_languages", f.OnlyLanguages)
	list("keep_ids", f.KeepIDs)
	list("drop_ids", f.DropIDs)
}

// rowFilter is a Filter with its lists as sets. It is never changed after it is made, so
// all goroutines share one.
type rowFilter struct {
	only, not, languages, keep, drop map[string]bool // nil: no bound
	speakers                         map[string]bool // that the config gives numbers; nil: all
}

// newRowFilter keeps the difference of no list and an empty one, which wants no row.
func newRowFilter(c *Config) *rowFilter {
	f := c.Filter
	return &rowFilter{setOf(f.OnlySpeakers), setOf(f.NotSpeakers), setOf(f.OnlyLanguages), setOf(f.KeepIDs), setOf(f.DropIDs), setOf(c.Speakers)}
}

// setOf is nil for no list, which bounds nothing; the set of an empty list leaves out
// everything.
func setOf(list []string) map[string]bool {
	if list == nil {
		return nil
	}
	m := make(map[string]bool, len(list))
	for _, s := range list {
		m[s] = true
	}
	return m
}

// leavesOut says why a row is not wanted, "" where it is. It asks the metadata alone, so
// that of a row that is not wanted no file is read, nor even looked for.
func (f *rowFilter) leavesOut(r *intake.Row, language string) string {
	switch {
	case f.keep != nil && !f.keep[r.ID]:
		return "the id is not in keep_ids"
	case f.drop[r.ID]:
		return "the id is in drop_ids"
	case f.only != nil && !f.only[r.Speaker]:
		return fmt.Sprintf("speaker %q is not in only_speakers", r.Speaker)
	case f.not[r.Speaker]:
		return fmt.Sprintf("speaker %q is in not_speakers", r.Speaker)
	case f.languages != nil && !f.languages[language]:
		return fmt.Sprintf("language %s is not in only_languages", language)
	}
	return ""
}

// offPace says why a row's text is too short or too long for its clip, which is the
// cheapest sign that text and clip do not belong together; "": it is not. It counts the text as it is
// written: a pace of spoken text would change with every rule of a language.
func (c *Config) offPace(r *store.OriginRow) string {
	f := c.Filter
	if r.Samples == 0 || f.MinCharsPerSecond == 0 && f.MaxCharsPerSecond == 0 {
		return ""
	}
	n := letters(action.Source(r))
	if n == 0 {
		return "" // the text stage says that better
	}
	pace := float64(n) / (float64(r.Samples) / float64(c.SampleRate))
	switch {
	case pace < f.MinCharsPerSecond:
		return fmt.Sprintf("%.2f characters a second, min_chars_per_second is %g", pace, f.MinCharsPerSecond)
	case f.MaxCharsPerSecond > 0 && pace > f.MaxCharsPerSecond:
		return fmt.Sprintf("%.2f characters a second, max_chars_per_second is %g", pace, f.MaxCharsPerSecond)
	}
	return ""
}

// letters counts the characters of a text but white space.
func letters(text string) (n int) {
	for _, r := range text {
		if !unicode.IsSpace(r) {
			n++
		}
	}
	return n
}

// unmet warns of names in a filter that no row has. A typing mistake in one leaves out
// nothing, or everything, and neither would be noticed.
func (f Filter) unmet(items []item, refused []*intake.RowError) (warnings []string) {
	ids, speakers := map[string]bool{}, map[string]bool{}
	if f.KeepIDs != nil || f.DropIDs != nil || f.OnlySpeakers != nil || f.NotSpeakers != nil {
		for i := range items {
			ids[items[i].row.ID], speakers[items[i].row.Speaker] = true, true
		}
		for _, e := range refused {
			ids[e.ID] = true
		}
	}
	look := func(key, what string, names []string, have map[string]bool) {
		gone := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return have[name] })
		n := len(gone)
		if n == 0 {
			return
		}
		const most = 3
		if n > most {
			gone = append(gone[:most], "…")
		}
		warnings = append(warnings, fmt.Sprintf("%s names %s that no row has (%s)", key, counted(n, what, what+"s"), strings.Join(gone, ", ")))
	}
	look("keep_ids", "id", f.KeepIDs, ids)
	look("drop_ids", "id", f.DropIDs, ids)
	look("only_speakers", "speaker", f.OnlySpeakers, speakers)
	look("not_speakers", "speaker", f.NotSpeakers, speakers)
	return warnings
}
