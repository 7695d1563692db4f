package detect

import (
	"math/bits"
	"slices"
)

// languages is the table of languages with the scripts that they are written in,
// in the order in which they win where a text says nothing. A new one is a line
// here; languages that share a script are told apart by a model, which has then
// to be trained again: internal/train tells how.
var languages = []struct {
	code    string
	scripts uint16 // a bit for each
}{
	{"en", 1 << latin},
	{"es", 1 << latin},
	{"fr", 1 << latin},
	{"de", 1 << latin},
	{"it", 1 << latin},
	{"pt", 1 << latin},
	{"pl", 1 << latin},
	{"tr", 1 << latin},
	{"ru", 1 << cyrillic},
	{"nl", 1 << latin},
	{"cs", 1 << latin},
	{"ar", 1 << arabic},
	{"zh", 1 << han},
	{"hu", 1 << latin},
	{"ko", 1 << hangul},
	{"ja", 1<<kana | 1<<han},
	{"hi", 1 << devanagari},
	{"fa", 1 << arabic},
	{"uk", 1 << cyrillic},
}

// group is the languages that share a script and are told apart by a model.
type group struct {
	script script
	codes  []string // in the order of the model's classes
	features
}

// scriptFeatures are the features of each script's model, in the order of the model file.
// Twice the rows for Latin were right for 0.1 % more fragments of bench/detect's
// news, and cost 110 kB. A script that only one language is written in has no model.
var scriptFeatures = []struct {
	script script
	features
}{
	{latin, features{order: 5, edges: true, bits: 16}},
	{arabic, features{order: 4, edges: true, bits: 13}},
	{han, features{order: 2, bits: 13}},
	{cyrillic, features{order: 5, edges: true, bits: 14}},
	{devanagari, features{order: 5, edges: true, bits: 14}},
}

var (
	codes   = allCodes()
	writers = scriptWriters()
	groups  = allGroups()
)

func allCodes() []string {
	var all []string
	for _, l := range languages {
		all = append(all, l.code)
	}
	return all
}

// set is some of codes, a bit for each.
type set uint32

// scriptWriters are the languages that are written in each script.
func scriptWriters() (all [scripts]set) {
	for i, l := range languages {
		for s := range all {
			all[s] |= set(l.scripts>>s&1) << i
		}
	}
	return all
}

// allGroups has a group for every script of several languages; each has its part
// of the model file, in this order, which the trainer follows too.
func allGroups() []group {
	var all []group
	for _, f := range scriptFeatures {
		if these := writers[f.script].codes(); len(these) > 1 {
			all = append(all, group{f.script, these, f.features})
		}
	}
	return all
}

// setOf leaves out what the detector does not know; no list is every code.
func setOf(among []string) set {
	if among == nil {
		return 1<<len(codes) - 1
	}
	var s set
	for _, code := range among {
		s |= bitOf(code)
	}
	return s
}

func bitOf(code string) set {
	if i := slices.Index(codes, code); i >= 0 {
		return 1 << i
	}
	return 0
}

func (s set) has(code string) bool { return s&bitOf(code) != 0 }

// writes says whether a language of the set is written in a script.
func (s set) writes(in script) bool { return s&writers[in] != 0 }

// first is the first language of a set that is not empty.
func (s set) first() string {
	return codes[bits.TrailingZeros32(uint32(s))]
}

func (s set) codes() []string {
	var all []string
	for ; s != 0; s &= s - 1 {
		all = append(all, s.first())
	}
	return all
}
