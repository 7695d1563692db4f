package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// Corpus is one of several corpora that a store is built from. What its item
// does not say of format and columns is as for the whole file.
type Corpus struct {
	Path      string            // folder, made relative to the working folder
	Name      string            // unique among the corpora; stands in front of the ids
	Metadata  string            // file, made relative to the working folder; "" finds it
	Format    string            // as Rows.Format
	Language  string            // of rows without one, as written in the file; "" is Rows.Language
	Speaker   string            // of rows without one; "" is none
	Weight    float64           // how often a feed brings a row in an epoch
	Columns   map[string]string // as Rows.Columns
	Line, Col int               // where it stands in the file
}

// corpusKey is a key within an item of `datasets`.
type corpusKey struct {
	Key
	field func(*Corpus) any
	check func(text string) (message, hint string) // of a text that is not empty; nil: any will do
}

var corpusKeys = []corpusKey{
	{Key{Name: "path", Kind: Path}, func(c *Corpus) any { return &c.Path }, nil},
	{Key{Name: "name", Kind: String}, func(c *Corpus) any { return &c.Name }, checkCorpusName},
	{Key{Name: "metadata", Kind: Path}, func(c *Corpus) any { return &c.Metadata }, nil},
	{Key{Name: "format", Kind: Enum}, func(c *Corpus) any { return &c.Format }, nil},
	{Key{Name: "columns", Kind: Table, Enum: columnNames}, func(c *Corpus) any { return &c.Columns }, nil},
	{Key{Name: "language", Kind: String}, func(c *Corpus) any { return &c.Language }, checkTag},
	{Key{Name: "speaker", Kind: String}, func(c *Corpus) any { return &c.Speaker }, checkSpeaker},
	{Key{Name: "weight", Kind: Float, Min: 0, Max: 1000}, func(c *Corpus) any { return &c.Weight }, nil},
}

// maxCorpora is far above what anybody trains on, and keeps what aliases can
// repeat small.
const maxCorpora = 1_000

// readCorpora reads the value of `datasets`, k. Each complaint names its part.
func readCorpora(k Key, n *node, left *budget) (any, []complaint) {
	items := n.items
	switch {
	case n.kind == plainNode || n.kind == quotedNode:
		items = []*node{n}
	case n.kind != listNode:
		return nil, wrong(wrongKind(n, "a list"))
	case len(items) > maxCorpora:
		return nil, wrong(complaint{message: fmt.Sprintf("%d corpora; a store has at most %d", len(items), maxCorpora)})
	}
	var list []Corpus
	var all []complaint
	for i, item := range items {
		c, bad := readCorpus(k, item, left)
		for _, b := range bad {
			b.part = fmt.Sprintf("[%d]%s", i, b.part)
			all = append(all, b)
		}
		if *left < 0 { // nothing after it can be read
			return nil, all
		}
		list = append(list, c)
	}
	return list, append(all, repeatedNames(list)...)
}

// readCorpus reads one item: a section, or a path alone.
func readCorpus(k Key, n *node, left *budget) (Corpus, []complaint) {
	c := Corpus{Weight: 1, Line: n.line, Col: n.col}
	here := func(message, hint string) complaint {
		return complaint{message: message, hint: hint, line: n.line, col: n.col}
	}
	var all []complaint
	switch n.kind {
	case plainNode, quotedNode:
		c.Path = n.text
	case mapNode:
		if all = c.read(k.Enum, n, left); slices.ContainsFunc(all, complaint.isError) {
			return c, all
		}
	default:
		bad := wrongKind(n, "a path or a section with a path")
		return c, append(all, here(bad.message, bad.hint))
	}
	if c.Path == "" {
		return c, append(all, here("has no path", "write the corpus's folder, as in `path: voices/anna`"))
	}
	if c.Name == "" {
		c.Name = filepath.Base(c.Path)
		if message, _ := checkCorpusName(c.Name); message != "" {
			all = append(all, here("has no name, and its path ends in none", "write one, as in `name: anna`"))
		}
	}
	return c, all
}

// read takes the keys of an item's section.
func (c *Corpus) read(formats []string, n *node, left *budget) []complaint {
	entries, ok := left.take(n)
	if !ok {
		return []complaint{{message: tooManyParts, line: n.line, col: n.col}}
	}
	var all []complaint
	seen := map[string]int{}
	for _, e := range entries {
		at := func(b complaint) complaint {
			b.part = "." + clip(e.key) + b.part
			if b.line == 0 {
				b.line, b.col = e.line, e.col
			}
			return b
		}
		i := slices.IndexFunc(corpusKeys, func(k corpusKey) bool { return k.Name == e.key })
		if i < 0 {
			all = append(all, at(unknownPart(e.key, corpusKeyNames())))
			continue
		}
		if first, dup := seen[e.key]; dup {
			all = append(all, at(complaint{message: fmt.Sprintf("is there twice: first at line %d", first)}))
			continue
		}
		seen[e.key] = e.line
		k := corpusKeys[i]
		if k.Name == "format" {
			k.Enum = formats
		}
		v, bad := k.read(e.value, left)
		for _, b := range bad {
			all = append(all, at(b))
		}
		if v != nil && len(bad) == 0 {
			assign(k.field(c), v)
		}
	}
	return all
}

// read turns a node into the value of the key, and checks it.
func (k corpusKey) read(n *node, left *budget) (any, []complaint) {
	v, bad := readValue(k.Key, n, left)
	if text, ok := v.(string); ok && text != "" && k.check != nil && len(bad) == 0 {
		message, hint := k.check(text)
		bad = wrong(complaint{message: message, hint: hint})
	}
	return v, bad
}

func unknownPart(name string, known []string) complaint {
	c := complaint{message: "is not a key of a corpus and is not read", warning: true}
	if near := nearest(name, known); near != "" {
		c.hint = fmt.Sprintf("did you mean %s?", near)
	}
	return c
}

func corpusKeyNames() []string {
	var names []string
	for _, k := range corpusKeys {
		names = append(names, k.Name)
	}
	return names
}

// checkCorpusName refuses what cannot stand in front of a slash and an id.
func checkCorpusName(name string) (message, hint string) {
	if strings.TrimSpace(name) != name || strings.ContainsFunc(name, unicode.IsControl) || strings.Contains(name, "/") || name == "." || name == ".." {
		return fmt.Sprintf("%q is not a name of a corpus", clip(name)), "ids become name/id: no slash, no dots alone, no spaces at an end, no control characters"
	}
	return "", ""
}

// repeatedNames finds corpora whose ids could not be told from each other.
func repeatedNames(list []Corpus) (all []complaint) {
	first := map[string]int{}
	for i, c := range list {
		if c.Name == "" { // an item that is wrong, which may have got no name yet
			continue
		}
		if at, again := first[c.Name]; again {
			all = append(all, complaint{part: fmt.Sprintf("[%d]", i), line: c.Line, col: c.Col,
				message: fmt.Sprintf("the name %q is that of [%d] too", clip(c.Name), at), hint: "give one of them another `name`"})
			continue
		}
		first[c.Name] = i
	}
	return all
}

// corpora makes the paths of corpora relative to the file and fills in what
// their items leave to the whole.
func (l *loader) corpora() {
	for i := range l.config.Dataset.Datasets {
		c := &l.config.Dataset.Datasets[i]
		c.Path = l.beside(c.Path)
		if c.Metadata != "" && !filepath.IsAbs(c.Metadata) {
			c.Metadata = filepath.Join(c.Path, c.Metadata)
		}
		if c.Format == "" {
			c.Format = l.config.Rows.Format
		}
		if c.Columns == nil && takesColumns(c.Format) {
			c.Columns = l.config.Rows.Columns
		}
		if c.Columns != nil && !takesColumns(c.Format) {
			p := l.config.Problem("datasets", columnsMessage(c.Format), "")
			p.Part, p.Line, p.Col = fmt.Sprintf("[%d].columns", i), c.Line, c.Col
			l.add(p)
		}
	}
}
