package compiler

import (
	"maps"
	"slices"

	"voxpack/compiler/action"
	"voxpack/compiler/intake"
	"voxpack/store"
	"voxpack/textnorm"
)

// languagesVersion names the table of codes that `language` values index.
const languagesVersion = "languages/1"

// task is one leaf of the new trie: its rows and, where the previous snapshot
// has a leaf for the same places, that leaf.
type task struct {
	leaf  store.Leaf // Digest is filled by the work
	from  int        // first row in layout.rows
	prev  int        // index into previous leaves, -1: none
	keys  []store.Key
	dirty bool

	origin       store.Digest // of the origin record
	originRecord []byte       // nil when it is the previous one
}

// layout is the new trie over the kept rows.
type layout struct {
	schema     store.Schema
	speakers   []string
	number     map[string]int32 // of each speaker
	rows       []*item          // kept, by (place, id)
	tasks      []task
	sameTables bool // numbers in the previous shard records mean what they mean now
}

// layOut places the kept rows. It reads no bytes of theirs.
func layOut(cfg *Config, items []item, has columns) *layout {
	l := &layout{schema: cfg.schema(has), rows: make([]*item, 0, len(items))}
	places := make([]uint64, 0, len(items))
	for i := range items {
		if items[i].kept() {
			l.rows = append(l.rows, &items[i])
			places = append(places, items[i].place)
		}
	}
	if has.speaker {
		l.speakers = speakerTable(cfg, l.rows)
		l.number = make(map[string]int32, len(l.speakers)) // once, not for each leaf: 20,000 names for 62,500 leaves
		for i, name := range l.speakers {
			l.number[name] = int32(i)
		}
	}
	from := 0
	for _, leaf := range store.Split(places, cfg.PerShard) {
		l.tasks = append(l.tasks, task{leaf: leaf, from: from, prev: -1})
		from += leaf.Rows
	}
	return l
}

// speakerTable is the config's list, else the kept rows' names, sorted.
// Names are sorted by their bytes, so a new speaker may renumber others; guardSpeakers
// refuses that.
func speakerTable(cfg *Config, rows []*item) []string {
	if cfg.Speakers != nil {
		return cfg.Speakers
	}
	names := map[string]bool{}
	for _, it := range rows {
		names[it.made.Speaker] = true
	}
	return slices.Sorted(maps.Keys(names))
}

func (l *layout) rowsOf(t *task) []*item { return l.rows[t.from : t.from+t.leaf.Rows] }

// leafKeyer makes the keys of a leaf and its origin record. One goroutine, one
// leafKeyer.
type leafKeyer struct {
	*action.Keyer
	record []byte // scratch
}

// compare makes each leaf's origin record and finds out which leaves are those
// of the previous snapshot. Equal tables and an equal origin record mean an
// equal shard.
// Rows whose audio is not hashed yet have no keys: their leaf is dirty.
func (l *layout) compare(cfg *Config, p *previous, t *task, keys *leafKeyer, distrust bool) {
	rows := l.rowsOf(t)
	t.prev = p.leaf(t.leaf)
	sound := !distrust || t.prev < 0 || p.sound(t.prev)
	moved := func(it *item) bool { return it.sameLeaf != t.prev+1 }
	if sound && l.sameTables && t.prev >= 0 && p.Origins[t.prev].Rows == len(rows) && !slices.ContainsFunc(rows, moved) {
		t.origin, t.leaf.Digest = p.Origins[t.prev].Digest, p.Shards[t.prev].Digest
		return
	}
	if slices.ContainsFunc(rows, (*item).unnamed) {
		t.dirty = true
		return
	}
	keys.record = l.makeOrigin(cfg, t, keys)
	sameOrigin := t.prev >= 0 && p.Origins[t.prev].Digest == t.origin
	if !sameOrigin || !sound {
		t.originRecord = slices.Clone(keys.record)
	}
	t.dirty = !sameOrigin || !l.sameTables || !sound
	if !t.dirty {
		t.leaf.Digest = p.Shards[t.prev].Digest
	}
}

// makeOrigin makes a leaf's block keys and its origin record, which lies in the
// keyer's memory.
func (l *layout) makeOrigin(cfg *Config, t *task, keys *leafKeyer) []byte {
	rows, blocks := l.rowsOf(t), l.schema.Blocks()
	o := store.Origin{Rows: make([]store.OriginRow, len(rows)), Blocks: make([]store.Key, len(blocks))}
	rowKeys := make([]store.Key, len(rows))
	for i, it := range rows {
		o.Rows[i] = *it.made
		o.Rows[i].Keys = cfg.stages().Keys(it.made.Keys)
	}
	for c, column := range blocks {
		at, _ := action.Filling(column.Name)
		for i, it := range rows {
			rowKeys[i] = it.made.Keys[at]
		}
		o.Blocks[c] = keys.Block(column, rowKeys)
	}
	t.keys = o.Blocks
	record := o.AppendTo(keys.record)
	t.origin = store.Sum(record)
	return record
}

// hasTablesOf reports whether numbers in the previous shard records mean the
// same as in the new ones.
func (l *layout) hasTablesOf(cfg *Config, p *previous) bool {
	return p != nil && slices.Equal(p.Root.Speakers, l.speakers) && p.Root.Languages == languagesVersion &&
		slices.EqualFunc(p.Root.Schema, l.schema, func(a, b store.Column) bool { return a.String() == b.String() }) &&
		p.Root.Setting("overlong") == string(cfg.Shape.Overlong)
}

// splitNumbers are the values of the column split. The selection of gpufeed reads them.
var splitNumbers = map[intake.Split]int32{intake.Unsplit: 0, intake.Train: 1, intake.Val: 2, intake.Test: 3}

// scalars are the inline columns of a leaf's rows, in schema order.
// Lengths are those of the stored samples, after truncation.
func (l *layout) scalars(cfg *Config, rows []*item) [][]int32 {
	var out [][]int32
	for _, column := range l.schema.Inline() {
		values := make([]int32, len(rows))
		for i, it := range rows {
			switch column.Name {
			case "text_len":
				values[i] = int32(min(int(it.made.Tokens), cfg.Shape.MaxTextLength))
			case "pcm_len":
				values[i] = int32(min(int(it.made.Samples), cfg.Shape.MaxMelFrames*cfg.Mel.HopLength))
			case "mel_len":
				values[i] = int32(min(int(it.made.Frames), cfg.Shape.MaxMelFrames))
			case "speaker":
				values[i] = l.number[it.made.Speaker]
			case "split":
				values[i] = splitNumbers[it.row.Split]
			case "language":
				values[i], _ = textnorm.LanguageIndex(it.made.Language)
			}
		}
		out = append(out, values)
	}
	return out
}
