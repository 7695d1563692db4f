package compiler

import (
	"maps"
	"slices"

	"voxpack/compiler/action"
	"voxpack/compiler/clip"
	"voxpack/compiler/intake"
	"voxpack/compiler/plan"
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
	done         *leafDone    // nil: the fates of its rows are still there
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

// layOut places the kept rows, which are those of a part if it is not nil. It reads no bytes of theirs.
func layOut(cfg *Config, items []item, has columns, part *plan.Part) *layout {
	l := &layout{schema: cfg.schema(has), rows: make([]*item, 0, len(items))}
	places := make([]uint64, 0, len(items))
	for i := range items {
		if items[i].kept() {
			l.rows = append(l.rows, &items[i])
			places = append(places, items[i].place)
		}
	}
	if has.speaker {
		if l.speakers = speakerTable(cfg, l.rows); part != nil {
			l.speakers = part.Speakers
		}
		l.number = make(map[string]int32, len(l.speakers)) // once, not for each leaf: 20,000 names for 62,500 leaves
		for i, name := range l.speakers {
			l.number[name] = int32(i)
		}
	}
	from, least := 0, 0
	if part != nil {
		least = part.Bits
	}
	for _, leaf := range store.SplitBelow(places, cfg.PerShard, least) {
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
		names[it.row.Speaker] = true
	}
	return slices.Sorted(maps.Keys(names))
}

func (l *layout) rowsOf(t *task) []*item { return l.rows[t.from : t.from+t.leaf.Rows] }

// runs puts leaves together for one worker each: alone, but those with clips of ffmpeg's up to what one
// process decodes. A leaf has 16 rows at most unless the config says more, and the start of a process is worth that of 20 clips.
func (l *layout) runs(tasks []*task) (runs [][]*task) {
	held := 0 // clips of ffmpeg's in the last run
	for i, t := range tasks {
		n := 0
		for _, it := range l.rowsOf(t) {
			if byFFmpeg(it) {
				n++
			}
		}
		if n == 0 || held == 0 || held+n > clip.AtOnce {
			runs, held = append(runs, tasks[i:i]), 0
		}
		last := &runs[len(runs)-1]
		*last, held = append(*last, t), held+n
	}
	return runs
}

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
func (l *layout) compare(cfg *Config, p *previous, t *task, keys *leafKeyer, distrust bool) error {
	rows := l.rowsOf(t)
	t.prev = p.leaf(t.leaf)
	sound := !distrust || t.prev < 0 || p.sound(t.prev)
	moved := func(it *item) bool { return it.sameLeaf != t.prev+1 }
	if sound && l.sameTables && t.prev >= 0 && p.Origins[t.prev].Rows == len(rows) && !slices.ContainsFunc(rows, moved) {
		t.origin, t.leaf.Digest = p.Origins[t.prev].Digest, p.Shards[t.prev].Digest
		return nil
	}
	if err := p.recall(rows); err != nil {
		return err
	}
	if slices.ContainsFunc(rows, (*item).unnamed) {
		t.dirty = true
		return nil
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
	return nil
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
		at, _ := cfg.stages().Filling(column.Name)
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
			default:
				values[i] = cfg.ownNumber(it, column.Name)
			}
		}
		out = append(out, values)
	}
	return out
}
