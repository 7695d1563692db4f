//lint:file-ignore ST1018 Persian is spelt with U+200C, and an escape in its place cannot be read.

package config

import "slices"

// Kind is the type of a key's value.
type Kind string

// The kinds of values.
const (
	Int     Kind = "int"
	Float   Kind = "float"
	Bool    Kind = "bool"
	String  Kind = "string"
	Path    Kind = "path" // relative to the config file
	Enum    Kind = "enum" // one of Key.Enum
	List    Kind = "list" // of strings; a single one may stand without brackets
	Symbols Kind = "symbols"
	Table   Kind = "table"   // texts by names out of Key.Enum
	Names   Kind = "names"   // texts by names that the user chooses
	Corpora Kind = "corpora" // a list of sections with the keys of a Corpus
)

// Key is one row of the table.
type Key struct {
	Name    string   // under its section
	Aliases []string // other spellings of Name
	Section string   // "data"
	Shared  bool     // may stand under `model:` as well
	Kind    Kind
	Default any      // int, float64, bool or string; nil: not set
	Min     float64  // of numbers, inclusive
	Max     float64  // of numbers, inclusive
	Enum    []string // values of an Enum that this version obeys; names of a Table
	Later   []string // values of an Enum that are known, but not in this version
	// OnlyDefault refuses every value but the default: this version knows the
	// key and cannot do otherwise.
	OnlyDefault bool
	// Always marks work that voxpack does whatever the value is; false is
	// reported.
	Always bool
	// Reads names who reads the value: the stages "audio", "text", "tokens" and
	// "mel"; "shape" (pads again, computes nothing), "shards" (puts rows
	// together), "rows" (metadata, speakers, languages, bounds), "features" (which columns there are), "feed", "model" (the
	// trainer's model), or "none".
	Reads []string
	En    string // documentation in English
	Fa    string // the same in Persian

	at func(*Config) any // pointer to the field; nil where voxpack keeps no value
}

// group is a chapter of the table and of the reference pages.
type group struct {
	en, fa string
	keys   []Key
}

// groups is the whole table in the order of the reference pages.
func groups() []group {
	return []group{
		{"Dataset", "مجموعه‌داده", datasetKeys},
		{"Filters", "صافی‌ها", filterKeys},
		{"Shape of a sample", "شکل نمونه", shapeKeys},
		{"Audio and mel", "صدا و مل", audioKeys},
		{"Text and tokens", "متن و توکن", textKeys},
		{"Feeding", "خوراندن داده", feedKeys},
		{"The trainer's own", "کلیدهای خود آموزشگر", trainerKeys},
	}
}

// Keys is the table. The caller owns the slice and nothing in it.
func Keys() []Key {
	var keys []Key
	for _, g := range groups() {
		keys = append(keys, g.keys...)
	}
	return keys
}

// findKey looks a name up among names and aliases.
func findKey(keys []Key, name string) (Key, bool) {
	i := slices.IndexFunc(keys, func(k Key) bool { return k.Name == name || slices.Contains(k.Aliases, name) })
	if i < 0 {
		return Key{}, false
	}
	return keys[i], true
}
