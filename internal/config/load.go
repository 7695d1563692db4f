package config

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Load reads the bytes of a config file. path is where they come from: it
// stands in front of each problem, and paths in the file are relative to its
// folder. formats are the names that `format` may have beside auto. The problems
// are all there are, in the order of the file; where one is no warning, the Config
// is not to be used. An empty file is the defaults.
// The only files that Load opens are those whose content is part of the config:
// of `symbols_file`, `tokenizer`, `mel_norms`, `lexicon`, `drop_ids` and `keep_ids`.
func Load(path string, src []byte, formats []string) (Config, []Problem) {
	// Each Load has its own table of keys, as formats go into it.
	l := loader{config: Default(), keys: Keys(formats...), file: path, failed: map[string]bool{}}
	l.config.file = path
	l.config.places = map[string]place{}
	if root, ok := l.tree(src); ok {
		if l.sections(root); l.known {
			for _, p := range l.strays {
				l.add(p)
			}
			l.finish()
			l.otherwise(l.other)
		} else if !Errors(l.problems) {
			l.nothing(root)
		}
	}
	sortProblems(l.problems)
	return l.config, l.problems
}

// loader is one Load.
type loader struct {
	config   Config
	keys     []Key
	file     string
	failed   map[string]bool // keys whose value could not be read
	values   []reading       // in the order they were read
	problems []Problem
	known    bool      // the file has a key of ours where it is read, misspelt ones among them
	strays   []Problem // keys of ours at the top level, where they mean nothing
	other    []sound   // at the top and under model, by other names than ours
}

// reading is one value that was read, null left out.
type reading struct {
	key   Key
	value any
	place place
}

// add keeps a problem. Names and values of the file may hold line ends and
// control characters, which a terminal must not see.
func (l *loader) add(p Problem) {
	p.File = l.file
	p.Key, p.Part, p.Message, p.Hint = printable(p.Key), printable(p.Part), printable(p.Message), printable(p.Hint)
	l.problems = append(l.problems, p)
}

func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return utf8.RuneError
		}
		return r
	}, s)
}

// tree checks the bytes and parses them.
func (l *loader) tree(src []byte) (*node, bool) {
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	// Before anything is parsed: the size bounds the work of all that follows.
	if len(src) > MaxBytes {
		l.add(Problem{Message: fmt.Sprintf("more than the %d bytes that a config may have", MaxBytes)})
		return nil, false
	}
	if line, col := badUTF8(src); line > 0 {
		l.add(Problem{Line: line, Col: col, Message: "not UTF-8", Hint: "save the file as UTF-8"})
		return nil, false
	}
	root, bad := parseTree(string(src))
	if bad != nil {
		l.add(Problem{Line: bad.line, Col: bad.col, Message: bad.message})
		return nil, false
	}
	if root.kind != mapNode && root.kind != nullNode {
		l.add(Problem{Line: 1, Col: 1, Message: "not a config: the file has no sections", Hint: "write `data:` and the keys below it"})
		return nil, false
	}
	return root, true
}

// badUTF8 is the place of the first byte that is not UTF-8, or 0, 0.
func badUTF8(src []byte) (line, col int) {
	if utf8.Valid(src) {
		return 0, 0
	}
	line, col = 1, 1
	for len(src) > 0 {
		r, n := utf8.DecodeRune(src)
		if r == utf8.RuneError && n == 1 {
			return line, col
		}
		col++
		if r == '\n' {
			line, col = line+1, 1
		}
		src = src[n:]
	}
	return 0, 0
}

// sections goes through the top of the file: data, feed and model are read, known
// keys that stand outside them are pointed out, all else is the trainer's.
func (l *loader) sections(root *node) {
	seen := map[string]int{}
	left := budget(maxMerged)
	top, _ := left.merged(root)
	l.known = len(top) == 0 // no file of another program, and the defaults
	for _, e := range top {
		if e.key != "data" && (e.key != "model" && e.key != "feed" || e.value.kind != mapNode) {
			l.stray(e)
			continue
		}
		// The parser lets repeated keys pass, so that the message can name both lines.
		if first, ok := seen[e.key]; ok {
			l.add(Problem{Line: e.line, Col: e.col, Key: e.key, Message: fmt.Sprintf("the section is there twice: first at line %d", first)})
			continue
		}
		seen[e.key] = e.line
		switch e.value.kind {
		case mapNode:
			l.section(e.key, e)
			l.known = l.known || e.key == "data" && len(e.value.entries) == 0
		case nullNode:
			l.known = true
		default:
			l.add(Problem{Line: e.line, Col: e.col, Key: e.key, Message: "must be a section with keys", Hint: "as in data: {sample_rate: 22050}"})
		}
	}
}

// under is what stands before the names of a section's keys in the table.
func under(section string) string {
	if section == "feed" {
		return "feed."
	}
	return ""
}

// stray warns of a key of ours at the top level, where it means nothing.
func (l *loader) stray(e entry) {
	k, ok := findKey(l.keys, e.key)
	if !ok {
		k, ok = findKey(l.keys, "feed."+e.key)
	}
	if e.value.kind == mapNode {
		return
	}
	if !ok {
		l.other = append(l.other, l.sounds(&node{entries: []entry{e}})...)
		return
	}
	l.strays = append(l.strays, Problem{Line: e.line, Col: e.col, Key: e.key, Warning: true,
		Message: "stands outside `" + k.Section + ":` and is not read", Hint: fmt.Sprintf("move it to %s.%s", k.Section, k.Short())})
}

// section reads the keys of data, of feed or of model.
func (l *loader) section(name string, section entry) {
	// Each section has budgets of its own, so that a long model section takes
	// nothing from data.
	left, parts := budget(maxMerged), budget(maxParts)
	entries, ok := left.merged(section.value)
	if !ok {
		l.add(Problem{Line: section.line, Col: section.col, Key: name, Message: fmt.Sprintf("merge keys bring more than %d keys", maxMerged)})
		return
	}
	seen := map[string]entry{}
	for _, e := range entries {
		k, ok := findKey(l.keys, under(name)+e.key)
		if name == "model" && (!ok || !k.Shared) {
			if !ok && e.value.kind == plainNode {
				for _, s := range l.sounds(&node{entries: []entry{e}}) {
					s.path = "model." + s.path
					l.other = append(l.other, s)
				}
			}
			continue // the model's own
		}
		l.known = l.known || ok
		if !ok {
			l.unknown(name, e)
			continue
		}
		if first, dup := seen[k.Name]; dup {
			l.add(Problem{Line: e.line, Col: e.col, Key: name + "." + e.key, Message: fmt.Sprintf("is there twice: first as %s at line %d", first.key, first.line)})
			l.failed[k.Name] = true
			continue
		}
		seen[k.Name] = e
		l.value(name, k, e, &parts)
	}
}

// unknown warns of a key of the section that is not ours. It is no error, since
// trainers keep keys of their own under data. A misspelt key counts as one of ours,
// so that the file is taken for a config of this program.
func (l *loader) unknown(section string, e entry) {
	var known []string
	for _, k := range l.keys {
		if name, of := strings.CutPrefix(k.Name, under(section)); of && (k.Section == section || section == "model") {
			known = append(append(known, name), k.Aliases...)
		}
	}
	p := Problem{Line: e.line, Col: e.col, Key: section + "." + clip(e.key), Warning: true, Message: "is not a key of voxpack and is not read"}
	if _, feed := findKey(l.keys, "feed."+e.key); feed && section == "data" {
		p.Hint = "it goes under feed:, a section beside data:"
	} else if name := foreignNames[strings.ToLower(e.key)]; name != "" && section != "feed" {
		p.Hint = "here it is " + name
	} else if near := nearest(e.key, known); near != "" {
		p.Hint, l.known = fmt.Sprintf("did you mean %s?", near), true
	}
	l.add(p)
}

// value reads one key and keeps it, unless the file said otherwise before.
func (l *loader) value(section string, k Key, e entry, left *budget) {
	key := section + "." + e.key
	v, bad := readValue(k, e.value, left)
	for _, c := range bad {
		p := Problem{Line: e.line, Col: e.col, Key: key, Part: c.part, Message: c.message, Hint: c.hint, Warning: c.warning}
		if c.line > 0 {
			p.Line, p.Col = c.line, c.col
		}
		l.add(p)
	}
	if slices.ContainsFunc(bad, complaint.isError) {
		if l.failed[k.Name] = true; k.Kind == Sources && v != nil { // what else is wrong with its columns is said too
			l.config.Columns.Own = v.(Columns).Own
		}
		return
	}
	if v == nil {
		return // null: the default
	}
	at := place{section, e.line, e.col}
	for _, r := range l.values {
		if r.key.Name == k.Name {
			l.twice(r, reading{k, v, at})
			return
		}
	}
	l.values = append(l.values, reading{k, v, at})
	l.config.places[k.Name] = at
	// Keys that nothing here reads have no field; their values are checked only.
	if k.at != nil {
		assign(k.at(&l.config), v)
	}
	if k.Always && v == false {
		l.add(Problem{Line: e.line, Col: e.col, Key: key, Warning: true, Message: "false changes nothing: voxpack always works this way"})
	}
}

// twice compares a value that stands in both sections. The one of data counts,
// and is marked as failed when they differ, so that no check builds on it.
func (l *loader) twice(first, second reading) {
	if reflect.DeepEqual(first.value, second.value) {
		return
	}
	l.failed[first.key.Name] = true
	for _, pair := range [][2]reading{{first, second}, {second, first}} {
		here, there := pair[0], pair[1]
		if here.place.line > there.place.line {
			l.add(Problem{Line: here.place.line, Col: here.place.col, Key: here.place.section + "." + here.key.Name,
				Message: fmt.Sprintf("is %s, and %s at line %d (%s.%s)", show(here.value), show(there.value), there.place.line, there.place.section, here.key.Name),
				Hint:    "give both the same value"})
			return
		}
	}
	l.add(Problem{Line: second.place.line, Col: second.place.col, Key: second.place.section + "." + second.key.Name,
		Message: fmt.Sprintf("is %s, and %s on the same line", show(second.value), show(first.value)), Hint: "give both the same value"})
}

// finish makes paths relative to the file, reads what they name where it is
// part of the config, and checks keys against each other.
func (l *loader) finish() {
	c := &l.config
	c.Rows.Columns = c.Columns.Headers
	l.presets()
	for _, path := range []*string{&c.Dataset.Path, &c.Rows.MetadataTrain, &c.Rows.MetadataEval} {
		if *path != "" {
			*path = l.beside(*path)
		}
	}
	for i, root := range c.Dataset.AudioRoots {
		c.Dataset.AudioRoots[i] = l.beside(root)
	}
	l.corpora()
	l.tokenizer()
	l.symbols()
	l.columnSymbols()
	l.norms()
	l.lexicon()
	l.ids("drop_ids", c.Filter.dropFile, &c.Filter.DropIDs)
	l.ids("keep_ids", c.Filter.keepFile, &c.Filter.KeepIDs)
	l.selection()
	l.cross()
}

// at makes a problem at the first of keys that the file has.
func (l *loader) at(message, hint string, keys ...string) {
	i := slices.IndexFunc(keys, l.config.Given)
	l.add(l.config.Problem(keys[max(i, 0)], message, hint))
}
