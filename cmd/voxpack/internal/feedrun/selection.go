package feedrun

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/gpufeed"
	"voxpack/gpufeed/plan"
	"voxpack/store"
	"voxpack/textnorm"
)

// naming turns names into the numbers that a dataset has for them, and collects
// those that it has not.
type naming struct {
	data      *store.Dataset
	languages map[int32]int // rows of each; nil: not counted yet
	problems  problems
	err       error // the records cannot be read
}

// Selection is what the flags choose of a dataset. Everything that names nothing
// there is listed in one error.
func (o *Options) Selection(d *store.Dataset) (plan.Selection, error) {
	n := &naming{data: d}
	s := plan.Selection{Split: plan.Split(o.Split), Val: o.ValSplit, Train: o.TrainSplit, Buckets: o.Buckets}
	for _, name := range o.Languages {
		s.Languages = append(s.Languages, n.several(name, o.label("language"), n.language)...)
	}
	for _, name := range o.Speakers {
		s.Speakers = append(s.Speakers, n.several(name, o.label("speaker"), n.speaker)...)
	}
	for _, w := range o.Weights {
		column, name, times, err := splitWeight(w)
		if err != nil {
			return s, err // check was not asked
		}
		// A corpus is not a column: its rows have its name and a slash before their
		// ids.
		if column == "corpus" {
			n.problems.add(!n.hasCorpus(name), "%s %s: no row's id begins with %s/", o.label("weight"), w, name)
			s.Corpora = append(s.Corpora, plan.Corpus{Name: name, Times: times})
			continue
		}
		find := n.speaker
		if column == "language" {
			find = n.language
		}
		value, why := find(name)
		n.problems.add(why != "", "%s %s: %s", o.label("weight"), w, why)
		s.Weights = append(s.Weights, plan.Weight{Column: column, Value: value, Times: times})
	}
	for _, c := range o.Corpora { // of the config, where no flag says another
		if !slices.ContainsFunc(s.Corpora, func(g plan.Corpus) bool { return g.Name == c.Name }) {
			s.Corpora = append(s.Corpora, c)
		}
	}
	n.checkBuckets(o.label("buckets"), o.Buckets)
	n.checkColumns(o)
	if n.err != nil {
		// Names may be missing for this reason alone, so it is told in their place.
		return s, n.err
	}
	if len(o.said) > 0 {
		return s, n.problems.in("the command line and the config")
	}
	return s, n.problems.err()
}

// checkColumns refuses columns that batches cannot have.
func (n *naming) checkColumns(o *Options) {
	schema := n.data.Root.Schema
	if len(o.Columns) == 0 || plan.Frames(schema) == 0 {
		return
	}
	form := gpufeed.Form{Segment: min(1, o.Segment), Reference: o.Reference != "", Columns: o.Columns, Extra: o.Extra}
	_, err := gpufeed.NewLayout(schema, 1, form)
	n.problems.add(err != nil, "%s%v", strings.TrimSuffix(o.label("columns"), "columns:"), err) // which begins with that word
}

// label names who said something: a flag, or a key with its place in the config.
func (o *Options) label(flag string) string {
	if said := o.said[flag]; said != "" {
		return said
	}
	if flag == "columns" {
		return "--columns:"
	}
	return "--" + flag
}

// several finds a name, or the names between commas. A speaker's own name may
// have one.
func (n *naming) several(list, flag string, find func(string) (int32, string)) []int32 {
	if value, why := find(list); why == "" {
		return []int32{value}
	}
	var values []int32
	for name := range strings.SplitSeq(list, ",") {
		value, why := find(strings.TrimSpace(name))
		n.problems.add(why != "", "%s %s: %s", flag, name, why)
		values = append(values, value)
	}
	return values
}

// speaker is a speaker's number, or why there is none.
func (n *naming) speaker(name string) (value int32, why string) {
	names := n.data.Root.Speakers
	if n.data.Root.Schema.Index("speaker") < 0 {
		return 0, "the dataset names no speakers"
	}
	if i := slices.Index(names, name); i >= 0 {
		return int32(i), ""
	}
	return 0, "no such speaker; " + nearOrAll(name, names)
}

// language is the number of a language that rows have, or why there is none.
func (n *naming) language(tag string) (value int32, why string) {
	if n.data.Root.Schema.Index("language") < 0 {
		return 0, "the dataset names no languages"
	}
	n.countLanguages()
	code, known := textnorm.ParseLanguage(tag)
	value, _ = textnorm.LanguageIndex(code)
	if known && n.languages[value] > 0 {
		return value, ""
	}
	var have []string
	for i, code := range textnorm.LanguageCodes() {
		if n.languages[int32(i)] > 0 {
			have = append(have, code)
		}
	}
	return 0, "no row of this language; " + nearOrAll(tag, have)
}

// countLanguages reads all shard records, once: the root does not say which
// languages there are.
func (n *naming) countLanguages() {
	if n.languages != nil || n.err != nil {
		return
	}
	n.languages = map[int32]int{}
	column := n.data.Root.Schema.Inline().Index("language")
	for leaf := range n.data.Shards {
		s, err := n.data.Shard(leaf)
		if err != nil {
			n.err = err
			return
		}
		for _, v := range s.Scalars[column] {
			n.languages[v]++
		}
	}
}

// hasCorpus reports whether the dataset has rows of a corpus.
func (n *naming) hasCorpus(name string) (found bool) {
	err := n.data.IDs(func(_ store.At, id string) bool {
		found = strings.HasPrefix(id, name+"/")
		return !found
	})
	if n.err == nil {
		n.err = err
	}
	return found
}

// checkBuckets refuses shapes that no row could have: a typing mistake.
func (n *naming) checkBuckets(label string, buckets []int) {
	mel := n.data.Root.Schema.Index("mel")
	if mel < 0 {
		return // the selection's own check says it
	}
	full := n.data.Root.Schema[mel].Shape[0]
	for _, frames := range buckets {
		n.problems.add(frames > full, "%s %d: the dataset's mels have %s", label, frames, term.Count(full, "frame"))
	}
}

// nearOrAll helps with a name that is not there: the names near it, or what
// there is.
func nearOrAll(name string, names []string) string {
	names = slices.Clone(names)
	for i := range names {
		names[i] = term.Line(names[i])
	}
	if near := locate.Near(names, name); len(near) > 0 {
		return "near it: " + strings.Join(near, ", ")
	}
	const most = 10
	there := "there are " + strings.Join(names[:min(len(names), most)], ", ")
	if more := len(names) - most; more > 0 {
		there += fmt.Sprintf(" and %s more", term.Commas(more))
	}
	return there
}

// splitWeight reads COLUMN:NAME=TIMES. A name may hold colons and equals signs.
func splitWeight(w string) (column, name string, times float64, err error) {
	column, rest, _ := strings.Cut(w, ":")
	at := strings.LastIndexByte(rest, '=')
	if column != "language" && column != "speaker" && column != "corpus" || at <= 0 {
		return "", "", 0, fmt.Errorf("--weight %s: want language:NAME=TIMES, speaker:NAME=TIMES or corpus:NAME=TIMES", w)
	}
	times, err = strconv.ParseFloat(rest[at+1:], 64)
	if err != nil || !(times >= 0 && times <= maxWeight) {
		return "", "", 0, fmt.Errorf("--weight %s: %q is not a number from 0 to %d", w, rest[at+1:], maxWeight)
	}
	return column, rest[:at], times, nil
}

// maxWeight is the most that a row may come in an epoch.
const maxWeight = 1000
