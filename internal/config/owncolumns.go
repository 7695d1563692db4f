package config

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Column is a column of the user's own: a section of `columns`. What its texts may be,
// package compiler/column knows.
type Column struct {
	Name    string
	From    string // where its values are, below each corpus
	Field   string
	DType   string
	Length  string // "text_len", "mel_len", "own" or a number; "" is the whole shape
	Max     int    // steps of own; 0: not given
	Shape   []int
	Pad     float64
	Tier    string   // of an alignment
	Unit    string   // what its intervals become
	Symbols []string // of unit: symbols
	Silence string   // of unit: symbols: what an interval without a text counts as

	symbolsFile string

	Feature    string // of the clip's sound, of which it is made
	By         string // the column of durations over which it is averaged
	NMels      int    // of feature: mel; as the dataset's if the file does not say
	FMin, FMax float64

	Run            string // the program that computes it, in place of From
	Input          []string
	Version        string
	Beside         []string // files that the program reads
	Workers, Batch int      // 0: the defaults
	TimeoutMinutes float64

	wrong  bool             // a key of it could not be read
	places map[string]place // of its keys; of "" its name
}

// Columns is the value of `columns`: what stands where in the metadata, and columns of
// the user's own.
type Columns struct {
	Headers map[string]string // name of ours → header or number from 1; nil: told by the headers
	Own     []Column          // in the order of the file
}

// columnKey is a key within a section of `columns`.
type columnKey struct {
	Key
	field func(*Column) any
}

// columnKeys is the table of them. The defaults are those of an empty Column but for the
// type.
var columnKeys = []columnKey{
	{Key{Name: "from", Kind: String}, func(c *Column) any { return &c.From }},
	{Key{Name: "field", Kind: String}, func(c *Column) any { return &c.Field }},
	{Key{Name: "dtype", Kind: Enum, Enum: []string{"f32", "f16", "bf16", "i32", "i16"}}, func(c *Column) any { return &c.DType }},
	{Key{Name: "length", Kind: String}, func(c *Column) any { return &c.Length }},
	{Key{Name: "max", Kind: Int, Min: 1, Max: 1 << 24}, func(c *Column) any { return &c.Max }},
	{Key{Name: "shape", Kind: Ints, Min: 1, Max: 1 << 24}, func(c *Column) any { return &c.Shape }},
	{Key{Name: "tier", Kind: String}, func(c *Column) any { return &c.Tier }},
	{Key{Name: "unit", Kind: Enum, Enum: []string{"frames", "symbols"}}, func(c *Column) any { return &c.Unit }},
	{Key{Name: "symbols", Kind: List}, func(c *Column) any { return &c.Symbols }},
	{Key{Name: "symbols_file", Kind: Path}, func(c *Column) any { return &c.symbolsFile }},
	{Key{Name: "silence", Kind: String}, func(c *Column) any { return &c.Silence }},
	{Key{Name: "pad", Kind: Float, Min: -math.MaxFloat64, Max: math.MaxFloat64}, func(c *Column) any { return &c.Pad }},
	{Key{Name: "feature", Kind: String}, func(c *Column) any { return &c.Feature }},
	{Key{Name: "by", Kind: String}, func(c *Column) any { return &c.By }},
	{Key{Name: "n_mels", Kind: Int, Min: 1, Max: 512}, func(c *Column) any { return &c.NMels }},
	{Key{Name: "fmin", Kind: Float, Min: 0, Max: 96000}, func(c *Column) any { return &c.FMin }},
	{Key{Name: "fmax", Kind: Float, Min: 1, Max: 96000}, func(c *Column) any { return &c.FMax }},
	{Key{Name: "run", Kind: String}, func(c *Column) any { return &c.Run }},
	{Key{Name: "input", Kind: List}, func(c *Column) any { return &c.Input }},
	{Key{Name: "version", Kind: String}, func(c *Column) any { return &c.Version }},
	{Key{Name: "files", Kind: List}, func(c *Column) any { return &c.Beside }},
	{Key{Name: "workers", Kind: Int, Min: 1, Max: 64}, func(c *Column) any { return &c.Workers }},
	{Key{Name: "batch", Kind: Int, Min: 1, Max: 4096}, func(c *Column) any { return &c.Batch }},
	{Key{Name: "timeout_minutes", Kind: Float, Min: 0.001, Max: 1e5}, func(c *Column) any { return &c.TimeoutMinutes }},
}

// readColumns reads the value of `columns`: a text is a header, a section a column.
func readColumns(k Key, n *node, left *budget) (any, []complaint) {
	if n.kind != mapNode {
		return nil, wrong(wrongKind(n, "a section of names with a header or a column of your own each"))
	}
	entries, ok := left.take(n)
	if !ok {
		return nil, wrong(complaint{message: tooManyParts})
	}
	headers, all := k, []complaint(nil)
	headers.Kind = Table
	c := Columns{Headers: map[string]string{}}
	for _, e := range entries {
		var bad []complaint
		if e.value.kind == mapNode {
			bad = c.readOwn(k.Enum, e, left)
		} else {
			bad = wrong(readEntry(headers, c.Headers, e))
			if len(bad) > 0 && !slices.Contains(k.Enum, e.key) && bad[0].hint == "" {
				bad[0].hint = `of your own it is a section, as in {from: "` + clip(e.key) + `/{id}.npy"}`
			}
		}
		for _, b := range bad {
			b.part = "." + clip(e.key) + b.part
			if b.line == 0 {
				b.line, b.col = e.line, e.col
			}
			all = append(all, b)
		}
	}
	if len(c.Headers) == 0 {
		c.Headers = nil // as if it were not there
	}
	return c, all
}

// readOwn takes a section in.
func (c *Columns) readOwn(headers []string, e entry, left *budget) []complaint {
	if slices.Contains(headers, e.key) {
		return wrong(complaint{message: "is a column of the metadata, which has a header: it cannot be one of your own", hint: "give it another name"})
	}
	if slices.ContainsFunc(c.Own, func(o Column) bool { return o.Name == e.key }) {
		return wrong(complaint{message: "is there twice"})
	}
	entries, ok := left.take(e.value)
	if !ok {
		return wrong(complaint{message: tooManyParts})
	}
	own := Column{Name: e.key, DType: "f32", places: map[string]place{"": {line: e.line, col: e.col}}}
	var all []complaint
	for _, part := range entries {
		for _, b := range own.read(part, left) {
			b.part = "." + clip(part.key) + b.part
			b.line, b.col = part.line, part.col
			all = append(all, b)
		}
	}
	own.wrong = len(all) > 0
	c.Own = append(c.Own, own)
	return all
}

// read takes one key of the section.
func (c *Column) read(e entry, left *budget) []complaint {
	i := slices.IndexFunc(columnKeys, func(k columnKey) bool { return k.Name == e.key })
	if i < 0 {
		var names []string
		for _, k := range columnKeys {
			names = append(names, k.Name)
		}
		bad := complaint{message: "is none of " + strings.Join(names, ", ")}
		if near := nearest(e.key, names); near != "" {
			bad.hint = fmt.Sprintf("did you mean %s?", near)
		}
		return wrong(bad)
	}
	if _, twice := c.places[e.key]; twice {
		return wrong(complaint{message: "is there twice"})
	}
	c.places[e.key] = place{line: e.line, col: e.col}
	v, bad := readValue(columnKeys[i].Key, e.value, left)
	if v != nil && len(bad) == 0 {
		assign(columnKeys[i].field(c), v)
	}
	return bad
}

// readInts takes a list of whole numbers, or a single one.
func readInts(k Key, n *node) (any, complaint) {
	items := n.items
	if n.kind == plainNode {
		items = []*node{n}
	} else if n.kind != listNode {
		return nil, wrongKind(n, "a list of whole numbers")
	}
	list := []int{}
	for i, item := range items {
		v, bad := readInt(k, item)
		if bad.message != "" {
			return nil, complaint{message: "item " + strconv.Itoa(i+1) + ": " + bad.message, hint: bad.hint}
		}
		list = append(list, v.(int))
	}
	return list, complaint{}
}

// Wrong reports whether a key of the column could not be read, as a problem says.
func (c Column) Wrong() bool { return c.wrong }

// Has reports whether the file has a key of the column.
func (c Column) Has(key string) bool {
	_, ok := c.places[key]
	return ok
}

// ColumnProblem makes a problem at a key of a column of the user's own, at its name where
// the file does not have the key.
func (c Config) ColumnProblem(of Column, key, message, hint string) Problem {
	p := c.Problem("columns", message, hint)
	at, ok := of.places[key]
	if !ok {
		at = of.places[""]
	}
	p.Part, p.Line, p.Col = "."+of.Name, at.line, at.col
	if key != "" {
		p.Part += "." + key
	}
	return p
}

// columnSymbols reads the symbols of columns that name a file of them.
func (l *loader) columnSymbols() {
	for i := range l.config.Columns.Own {
		c := &l.config.Columns.Own[i]
		if c.symbolsFile == "" || c.wrong {
			continue
		}
		why := "symbols are given twice: here and by symbols"
		if !c.Has("symbols") {
			path := l.beside(c.symbolsFile)
			symbols, err := readSymbolsFile(path)
			if err == nil {
				c.Symbols = symbols
				l.config.named = append(l.config.named, path)
				continue
			}
			why = err.Error()
		}
		c.wrong = true
		l.add(l.config.ColumnProblem(*c, "symbols_file", why, ""))
	}
}
