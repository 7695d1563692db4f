package compiler

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"voxpack/compiler/action"
	"voxpack/store"
)

// The model says what a build must do, from the sources alone. It knows neither
// keys nor digests: an action is named by the text of all that it reads, a
// value by the text of all that decides its bytes. What it counts:
//
//   - an inserted row runs every stage once, and makes the blocks of the leaf
//     that takes it anew, or of each leaf that this one splits into;
//   - a renamed row runs nothing as long as the cache remembers its audio and
//     texts; its samples are copied into the blocks of its new leaf, and the
//     leaf that it left is made anew by copying too;
//   - audio that another row of the previous root has, under any id, runs the
//     audio stage if its file is new to the cache, and no mel;
//   - a delete, and a merge of leaves that follows from it, copies, never runs;
//   - a block that was ever made from the same actions is not made again;
//   - what is no recording is looked at again unless the cache remembers it: the
//     snapshot's word on it may be of a version that took a fault of the disk for
//     one of the file.
//
// A count is a range. It is one number unless a killed build may or may not
// have kept something, one build has two equal blocks of which the second
// may or may not find the first, or a block is one of new samples alone that
// extents of another block name.
type model struct {
	prev                         *moment
	memo, traces, blocks, shards memory
}

// moment is what a build made of the sources.
type moment struct {
	rows     map[string]*modelRow // by id, refused rows among them
	leaves   map[string][2]string // prefix → the blocks' actions
	stored   [2]map[string][]int  // action → how much of each of its samples is stored
	speakers []string
	shape    [2]int
}

// modelRow is a row's way through the stages; "" is a stage not reached.
type modelRow struct {
	line
	keys     [action.Most]string
	content  [2]string
	length   [2]int
	rejected bool
	unusable bool              // no recording: the audio stage refuses it
	lo, hi   [action.Most]bool // ran for certain, may have run
}

// memory is what is known to be kept (true) and what may be (false).
type memory map[string]bool

func (m memory) add(key string, sure bool) { m[key] = m[key] || sure }

// count is a range of a count.
type count struct{ lo, hi int }

func (c *count) add(lo, hi bool) {
	if lo {
		c.lo++
	}
	if lo || hi {
		c.hi++
	}
}

func (c count) has(n int) bool { return c.lo <= n && n <= c.hi }

// forecast is what a build's report must say.
type forecast struct {
	moment                 *moment
	run                    [action.Most]count
	reached                [action.Most]int
	kept, rejected, leaves int
	blocks, shards         count
	moved                  bool        // a speaker's number changes
	keys                   [4][]string // what the build keeps
	judged                 []string    // actions of the audio stage on what is no recording
	parts                  []string    // blocks of new samples alone, which extents may name
}

func newModel() *model {
	return &model{memo: memory{}, traces: memory{}, blocks: memory{}, shards: memory{}}
}

// build is the forecast of a build of the sources as they are.
func (m *model) build(c *corpus, cfg Config) *forecast {
	f := &forecast{moment: &moment{rows: map[string]*modelRow{}, leaves: map[string][2]string{},
		stored: [2]map[string][]int{{}, {}}, shape: [2]int{cfg.Shape.MaxTextLength, cfg.Shape.MaxMelFrames}}}
	var kept []*modelRow
	for _, r := range modelRows(c, cfg, f) {
		m.survey(f, r)
		if f.moment.rows[r.id] = r; r.rejected {
			f.rejected++
		} else {
			f.kept++
			kept = append(kept, r)
		}
	}
	f.moment.speakers = modelSpeakers(c, cfg, kept)
	if m.prev != nil {
		for i, name := range m.prev.speakers {
			at := slices.Index(f.moment.speakers, name)
			f.moved = f.moved || at >= 0 && at != i
		}
	}
	m.work(f, kept, c, cfg)
	for _, r := range f.moment.rows {
		for at := range action.Most {
			if at != action.Mel && r.keys[at] != "" || at == action.Mel && !r.rejected {
				f.reached[at]++
				f.run[at].add(r.lo[at], r.hi[at])
			}
		}
	}
	return f
}

// learn notes what a build will keep.
func (f *forecast) learn(what int, key string) { f.keys[what] = append(f.keys[what], key) }

// What a build keeps, as an index of forecast.keys.
const (
	ofMemo = iota
	ofTraces
	ofBlocks
	ofShards
)

// done takes a forecast that came true into the model; it was published when
// the build moved the ref.
func (m *model) done(f *forecast, published bool) {
	if published {
		m.remember(f, true)
	}
	for _, key := range f.judged { // written to the cache in any case
		m.memo.add(key, true)
	}
	m.prev = f.moment
}

// remember keeps what a build has put; not sure: a killed one may have.
func (m *model) remember(f *forecast, sure bool) {
	for what, to := range []memory{m.memo, m.traces, m.blocks, m.shards} {
		for _, key := range f.keys[what] {
			to.add(key, sure)
		}
	}
	for _, part := range f.parts {
		m.blocks.add(part, false)
	}
}

// doubt makes everything that is remembered uncertain.
func doubt(list ...memory) {
	for _, m := range list {
		for k := range m {
			m[k] = false
		}
	}
}

// survey decides which of the first three stages run for a row: none whose
// action the row had in the previous snapshot, or whose result the cache has.
func (m *model) survey(f *forecast, r *modelRow) {
	for at := range action.Mel {
		key := r.keys[at]
		if key == "" {
			continue
		}
		judge := at == action.Audio && r.unusable
		if !judge && m.prev != nil && m.prev.rows[r.id] != nil && m.prev.rows[r.id].keys[at] == key {
			continue
		}
		key = fmt.Sprint(at, key)
		sure, there := m.memo[key]
		r.lo[at], r.hi[at] = !there, !sure
		f.learn(ofMemo, key)
		if judge {
			f.judged = append(f.judged, key)
		}
	}
}

// work forecasts what is done for each leaf of the trie.
func (m *model) work(f *forecast, kept []*modelRow, c *corpus, cfg Config) {
	slices.SortFunc(kept, func(a, b *modelRow) int {
		if x, y := xxhash.Sum64String(a.id), xxhash.Sum64String(b.id); x != y {
			return map[bool]int{true: -1, false: 1}[x < y]
		}
		return strings.Compare(a.id, b.id)
	})
	made := [3]map[string]bool{{}, {}, {}} // by this build: traces, blocks, shards
	for name, rows := range modelSplit(kept, cfg.PerShard, "") {
		f.leaves++
		var actions [2]string
		shard := modelScalars(f, c, cfg, rows)
		for col := range 2 {
			actions[col] = modelColumn(cfg, col)
			content := actions[col]
			for _, r := range rows {
				actions[col] += "\n" + r.keys[columnStage[col]]
				content += "\n" + r.content[col]
				f.moment.stored[col][r.keys[columnStage[col]]] = append(f.moment.stored[col][r.keys[columnStage[col]]], min(r.length[col], f.moment.shape[col]))
			}
			shard += "\n" + content
			m.block(f, made, name, col, modelColumn(cfg, col), actions[col], content, rows)
		}
		f.moment.leaves[name] = actions
		_, there := m.shards[shard]
		f.shards.add(!there && !made[2][shard], !m.shards[shard])
		f.learn(ofShards, shard)
		made[2][shard] = true
	}
}

var columnStage = [2]action.Stage{action.Tokens, action.Mel}

// block forecasts one block of a leaf.
func (m *model) block(f *forecast, made [3]map[string]bool, leaf string, col int, column, action, content string, rows []*modelRow) {
	if m.prev != nil && m.prev.leaves[leaf][col] == action {
		return
	}
	sure, there := m.traces[action]
	if sure {
		return
	}
	there = there || made[0][action]
	part := column
	for _, r := range rows {
		at := columnStage[col]
		if !m.copied(r, col, min(r.length[col], f.moment.shape[col])) {
			r.lo[at], r.hi[at] = r.lo[at] || !there, true
			part += "\n" + r.content[col]
		}
	}
	_, had := m.blocks[content]
	f.blocks.add(!there && !had && !made[1][content], !m.blocks[content])
	f.learn(ofTraces, action)
	f.learn(ofBlocks, content)
	f.parts = append(f.parts, part)
	made[0][action], made[1][content], made[1][part] = true, true, true
}

// copied reports whether a sample stands in the previous root, long enough.
func (m *model) copied(r *modelRow, col, need int) bool {
	if m.prev == nil {
		return false
	}
	for _, have := range m.prev.stored[col][r.keys[columnStage[col]]] {
		if have >= need {
			return true
		}
	}
	return false
}

// modelSplit cuts rows, sorted by place, into leaves by the bits of places. The
// name of a leaf is the bits that its rows have in common.
func modelSplit(rows []*modelRow, k int, bits string) map[string][]*modelRow {
	if len(rows) == 0 {
		return nil
	}
	if len(rows) <= k || len(bits) == 64 {
		return map[string][]*modelRow{bits: rows}
	}
	leaves := map[string][]*modelRow{}
	for bit := range uint64(2) {
		var half []*modelRow
		for _, r := range rows {
			if xxhash.Sum64String(r.id)>>(63-len(bits))&1 == bit {
				half = append(half, r)
			}
		}
		for name, leaf := range modelSplit(half, k, fmt.Sprint(bits, bit)) {
			leaves[name] = leaf
		}
	}
	return leaves
}

// modelColumn is a block column with its shape.
func modelColumn(cfg Config, col int) string {
	if col == 0 {
		return fmt.Sprint("tokens ", cfg.Shape.MaxTextLength)
	}
	dtype := cfg.MelDType
	if dtype == 0 {
		dtype = store.Float32
	}
	return fmt.Sprint("mel ", dtype, cfg.Shape.MaxMelFrames, cfg.Mel.NMels)
}

// modelScalars is what a shard record says beside its blocks.
func modelScalars(f *forecast, c *corpus, cfg Config, rows []*modelRow) string {
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprint(&b, r.id, min(r.length[0], cfg.Shape.MaxTextLength), " ", min(r.length[1], cfg.Shape.MaxMelFrames), " ")
		if c.columns == 5 {
			fmt.Fprint(&b, slices.Index(f.moment.speakers, r.speaker), r.language)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func modelSpeakers(c *corpus, cfg Config, kept []*modelRow) []string {
	if c.columns != 5 {
		return nil
	}
	if cfg.Speakers != nil {
		return cfg.Speakers
	}
	var names []string
	for _, r := range kept {
		names = append(names, r.speaker)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
