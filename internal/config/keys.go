package config

import (
	"slices"
	"strings"
)

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
	Ints    Kind = "ints"    // a list of whole numbers; a single one may stand without brackets
	Sources Kind = "columns" // headers by names out of Key.Enum, and sections by names of the user's
	Corpora Kind = "corpora" // a list of sections with the keys of a Corpus
)

// Key is one row of the table. What it means is said in keys.en.md and keys.fa.md.
type Key struct {
	Name    string   // under its section; of another one than data with that in front, as in feed.split
	Aliases []string // other spellings of Name
	Section string   // "data" or "feed"
	Shared  bool     // may stand under `model:` as well
	Kind    Kind
	Default any      // int, float64, bool or string; nil: not set
	Min     float64  // of numbers, inclusive
	Max     float64  // of numbers, inclusive
	Enum    []string // values of an Enum that this version obeys; names of a Table; formats of Corpora
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

	at func(*Config) any // pointer to the field; nil where voxpack keeps no value
}

// Keys is the table, in the order of the reference pages. formats are the names
// that `format` may have beside auto; without them its row has no Enum. The caller
// owns the slice and nothing in it.
func Keys(formats ...string) []Key {
	keys := slices.Concat(datasetKeys, filterKeys, shapeKeys, audioKeys, textKeys, feedKeys, selectionKeys, trainerKeys)
	for i := range keys {
		if k := &keys[i]; len(formats) > 0 && (k.Name == "format" || k.Kind == Corpora) {
			k.Enum = append([]string{"auto"}, formats...)
		}
	}
	return keys
}

// Short is the name as it stands under its section.
func (k Key) Short() string { return strings.TrimPrefix(k.Name, "feed.") }

// findKey looks a name up among names and aliases.
func findKey(keys []Key, name string) (Key, bool) {
	i := slices.IndexFunc(keys, func(k Key) bool { return k.Name == name || slices.Contains(k.Aliases, name) })
	if i < 0 {
		return Key{}, false
	}
	return keys[i], true
}
