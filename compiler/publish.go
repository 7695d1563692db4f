package compiler

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"voxpack/compiler/action"
	"voxpack/store"
)

// records are the entries that make a snapshot of finished leaves.
type records struct {
	entries []store.Entry // each after those that it names
	root    store.Digest
	snap    store.Snapshot // without the fields of the build (parent to read) until it is published
}

// add names a record by its content. One that is stored already is left out later, so that
// making records costs no look into the store.
func (r *records) add(kind store.Kind, value []byte) store.Digest {
	d := store.Sum(value)
	r.entries = append(r.entries, store.Entry{Kind: kind, Name: d, Value: value})
	return d
}

// publish makes the root and the snapshot, and moves the ref when the snapshot
// says anything new. What the cache should know is written beside the sealing.
// Entries that are stored already are left out. The cache may fail without the
// build: that is a warning, since without it a later build only reads more.
func (b *build) publish(ctx context.Context) (*Report, error) {
	defer b.Spans.Span("publish")()
	r, err := b.records(ctx)
	if err != nil {
		return nil, err
	}
	same := b.prev != nil && r.snap.Content() == b.prev.Snapshot.Content()
	report := b.report(r, same)
	if b.writer != nil {
		report.BytesWritten, _ = b.writer.Written()
	}
	if same {
		report.UpToDate = b.counts.blocksWritten+b.counts.shardsWritten == 0 // else damage was mended
		report.Snapshot, report.Parent = b.prev.Digest.String(), parentOf(b.prev.Snapshot)
		// The cache is written when files were hashed because their stat had changed, or
		// recordings were refused anew, and for nothing else.
		if b.saved = true; b.stats.NeedsWrite() || b.memo.NeedsWrite() {
			report.Warnings = append(report.Warnings, b.saveCache(ctx)...)
		}
		return report, nil
	}
	if err := b.openWriter(true); err != nil {
		return nil, err
	}
	r.snap.Time, r.snap.Tool, r.snap.Ran = b.Now().UnixNano(), b.Tool, report.ran(b.Config.stages())
	if b.prev != nil {
		r.snap.Parent = b.prev.Digest
		report.Warnings = append(report.Warnings, setBack(b.writer.Store(), b.prev.Digest)...)
	}
	digest := r.add(store.KindSnapshot, r.snap.Encode()) // the last: it names all others
	fresh := r.entries[:0]
	for _, e := range r.entries {
		if !held(b.writer.Store(), b.distrust, e.Kind, e.Name) {
			fresh = append(fresh, e)
		}
	}
	// In runs: the rejections of a million rows are 300 MB.
	records := runs[store.Entry]{put: b.writer.Put}
	for _, e := range fresh {
		if err := records.add(ctx, e, len(e.Value)); err != nil {
			return nil, err
		}
	}
	if err := records.flush(ctx); err != nil {
		return nil, err
	}
	saved := make(chan []string, 1)
	go func() { saved <- b.saveCache(ctx) }() // waited for below
	end := b.Spans.Span("commit")
	err = b.writer.Commit(ctx, MainRef, digest)
	end()
	report.Warnings = append(report.Warnings, <-saved...)
	if err != nil {
		return nil, err
	}
	report.Snapshot, report.Parent = digest.String(), parentOf(&r.snap)
	report.BytesWritten, _ = b.writer.Written()
	report.Seconds = b.Now().Sub(b.since).Seconds()
	return report, nil
}

// setBack says that a build goes on from an earlier snapshot than the last one, because the
// sources may hold what was undone.
func setBack(st *store.Store, prev store.Digest) []string {
	all, _ := st.Snapshots() // what cannot be read is for the next verify to say
	for _, s := range all {
		if s.Parent == prev {
			return []string{fmt.Sprintf("main had been set back from %s to %s; this build is of what the sources say now", s.Digest.Short(), prev.Short())}
		}
	}
	return nil
}

// parentOf is the parent as JSON has it: "" and not 64 zeros where there is none.
func parentOf(s *store.Snapshot) string {
	if s.Parent.IsZero() {
		return ""
	}
	return s.Parent.String()
}

// records makes the pages, the root and the snapshot in memory: some 70 pages
// for 13,100 rows.
func (b *build) records(ctx context.Context) (*records, error) {
	r := &records{}
	shards := make([]store.Leaf, len(b.layout.tasks))
	origins := make([]store.Leaf, len(b.layout.tasks))
	for i := range b.layout.tasks {
		t := &b.layout.tasks[i]
		shards[i], origins[i] = t.leaf, t.leaf
		origins[i].Digest = t.origin
	}
	page := func(p []byte) (store.Digest, error) { return r.add(store.KindPage, p), nil }
	root := store.Root{Schema: b.layout.schema, Stages: b.Config.stages().Versions(), Config: b.Config.settings(), Symbols: b.text.Symbols(),
		Speakers: b.layout.speakers, Languages: languagesVersion, PerShard: b.Config.PerShard,
		Rows: len(b.layout.rows), Shards: len(shards)}
	var err error
	if root.Trie, err = store.WriteTrie(shards, page); err != nil {
		return nil, err
	}
	if r.snap.Origins, err = store.WriteTrie(origins, page); err != nil {
		return nil, err
	}
	if b.Config.Lexicon.Len() > 0 {
		r.add(store.KindText, []byte(b.Config.Lexicon.Canonical()))
	}
	if file := b.Config.Tokens.File; file != nil {
		r.add(store.KindText, []byte(file.Canonical()))
	}
	r.root = r.add(store.KindRoot, root.Encode())
	r.snap.Root = r.root
	if len(b.rejected) > 0 {
		list, pages, err := store.EncodeRejections(ctx, b.rejected)
		if err != nil {
			return nil, err
		}
		for _, p := range pages {
			r.add(store.KindList, p)
		}
		r.snap.Rejections = r.add(store.KindList, list)
		r.snap.Rejected = len(b.rejected)
	}
	r.snap.Kept, r.snap.Read = len(b.layout.rows), b.sources()
	var notes noteCounter
	for _, it := range b.layout.rows {
		notes.add(it.row.ID, it.end().notes)
	}
	r.snap.Notes, r.snap.Noted = notes.sum()
	return r, nil
}

// noteExamples is how many ids a sum of notes has.
const noteExamples = 5

// noteCounter sums the notes of kept rows, which come sorted by (place, id).
// Examples are the first five ids in the order of the trie, the same for each build.
type noteCounter struct {
	notes []store.NoteCount
	index map[noteName]int
	noted int // rows that have one
}

type noteName struct{ stage, kind, detail string }

func (c *noteCounter) add(id string, notes []store.Note) {
	if len(notes) > 0 {
		c.noted++
	}
	for _, n := range notes {
		k := noteName{n.Stage, n.Kind, n.Detail}
		i, seen := c.index[k]
		if !seen {
			if c.index == nil {
				c.index = map[noteName]int{}
			}
			i = len(c.notes)
			c.index[k] = i
			c.notes = append(c.notes, store.NoteCount{Stage: n.Stage, Kind: n.Kind, Detail: n.Detail})
		}
		sum := &c.notes[i]
		sum.Count += uint64(n.Count)
		sum.Rows++
		if len(sum.Examples) < noteExamples {
			sum.Examples = append(sum.Examples, id)
		}
	}
}

func (c *noteCounter) sum() (notes []store.NoteCount, noted int) {
	slices.SortFunc(c.notes, compareNotes)
	return c.notes, c.noted
}

// compareNotes orders the sums of a snapshot.
func compareNotes(a, b store.NoteCount) int {
	return cmp.Or(cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Detail, b.Detail))
}

// pollRows is after how many rows a loop looks whether the build was interrupted: a
// thousandth of a second.
const pollRows = 1 << 10

// rejection is all that is wrong with a row, in words.
// The first problem gives kind and stage. Refusals are kept with their actions, so
// that a later build finds them by those.
func (it *item) rejection(stages action.Set) store.Rejection {
	r := store.Rejection{File: it.row.Pos.File, Line: it.row.Pos.Line, ID: it.made.ID,
		Kind: string(it.problems[0].kind), Stage: it.problems[0].stage, Row: *it.made}
	if len(stages.Own) > 0 { // lists without such columns keep the bytes that they had
		r.Row.Keys = stages.Keys(it.made.Keys)
	}
	var reasons []string
	for i, p := range it.problems {
		reason := p.reason
		if p.file != "" {
			reason = p.file + ": " + reason
		}
		if i > 0 && p.stage != it.problems[0].stage {
			reason = p.stage + ": " + reason
		}
		reasons = append(reasons, reason)
		if !p.action.IsZero() {
			r.Refusals = append(r.Refusals, store.Refusal{Stage: p.stage, Action: p.action, Reason: p.reason})
		}
	}
	if it.repeated > 0 {
		reasons = append(reasons, fmt.Sprintf("the row stands here %d times", it.repeated+1))
	}
	r.Reason = strings.Join(reasons, "; ")
	return r
}
