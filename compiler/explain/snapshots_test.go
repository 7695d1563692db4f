package explain

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"voxpack/compiler/action"
	"voxpack/store"
)

// world is a dataset as one snapshot has it. Keys are made of what their stage
// reads, by wire, so that an edit changes exactly the keys that it should.
type world struct {
	rows     map[string]*store.OriginRow
	refused  map[string]string // ids of rows that are rejected → the stage that did it
	settings map[string]string
	versions map[string]string
	program  string // what decodes compressed files: part of the audio key, and of no setting
}

// newWorld is a dataset of n rows, which are called by a letter each.
func newWorld(n int) *world {
	w := &world{rows: map[string]*store.OriginRow{}, refused: map[string]string{}, program: "ours",
		settings: map[string]string{"sample_rate": "22050", "n_mels": "80", "add_bos": "false", "max_mel_frames": "40", "max_text_length": "90"},
		versions: map[string]string{"audio": "a1", "text": "t1", "tokens": "k1", "mel": "m1"}}
	for i := range n {
		id := string(rune('a' + i))
		w.add(id, id)
	}
	return w
}

// add puts in a row whose text and sound are those of a name.
func (w *world) add(id, like string) *store.OriginRow {
	r := &store.OriginRow{ID: id, Text: "text " + like, Spoken: "spoken " + like, Language: "en", Speaker: "ada",
		Audio: store.Sum([]byte(like)), Frames: 20, Tokens: 10}
	w.rows[id] = r
	return r
}

func (w *world) rename(id, to string) {
	r := w.rows[id]
	delete(w.rows, id)
	r.ID, w.rows[to] = to, r
}

func (w *world) clone() *world {
	c := &world{rows: map[string]*store.OriginRow{}, refused: maps.Clone(w.refused), settings: maps.Clone(w.settings),
		versions: maps.Clone(w.versions), program: w.program}
	for id, r := range w.rows {
		row := *r
		c.rows[id] = &row
	}
	return c
}

// wire gives a row its keys, one for each of the first four stages.
func (w *world) wire(r *store.OriginRow) {
	key := func(at action.Stage, of ...any) store.Key {
		said := at.Name() + w.versions[at.Name()] + fmt.Sprint(of...)
		for _, name := range slices.Sorted(maps.Keys(w.settings)) {
			if at.Reads(name) {
				said += name + "=" + w.settings[name]
			}
		}
		return store.Key(store.Sum([]byte(said)))
	}
	audio := key(action.Audio, r.Audio, r.From, r.Length, w.program)
	r.Keys = []store.Key{audio, key(action.Text, action.Source(r), r.Language), key(action.Tokens, r.Spoken), key(action.Mel, audio)}
	if w.refused[r.ID] == "audio" {
		r.Keys[action.Audio], r.Keys[action.Mel] = store.Key{}, store.Key{}
	}
}

// entries are the records of a world's snapshot, all rows in one leaf.
func (w *world) entries(t *testing.T, parent store.Digest, ran []store.StageCount) (list []store.Entry, snapshot store.Digest) {
	t.Helper()
	add := func(kind store.Kind, b []byte) store.Digest {
		list = append(list, store.Entry{Kind: kind, Name: store.Sum(b), Value: b})
		return store.Sum(b)
	}
	page := func(b []byte) (store.Digest, error) { return add(store.KindPage, b), nil }
	var origin store.Origin
	var shard store.Shard
	var rejected []store.Rejection
	ids := slices.SortedFunc(maps.Keys(w.rows), func(a, b string) int {
		if store.Less(store.Place(a), a, store.Place(b), b) {
			return -1
		}
		return 1
	})
	for _, id := range ids {
		r := w.rows[id]
		w.wire(r)
		if stage := w.refused[id]; stage != "" {
			rejected = append(rejected, store.Rejection{File: "m.csv", Line: 1, ID: id, Stage: stage, Reason: "refused by " + stage, Row: *r})
			continue
		}
		origin.Rows, shard.IDs = append(origin.Rows, *r), append(shard.IDs, id)
	}
	leaves := []store.Leaf{{Rows: len(shard.IDs), Digest: add(store.KindShard, shard.Encode())}}
	root := store.Root{PerShard: 100, Rows: len(shard.IDs), Shards: 1}
	for at := action.Audio; at <= action.Mel; at++ {
		root.Stages = append(root.Stages, store.Named{Name: at.Name(), Value: w.versions[at.Name()]})
	}
	for _, name := range slices.Sorted(maps.Keys(w.settings)) {
		root.Config = append(root.Config, store.Named{Name: name, Value: w.settings[name]})
	}
	snap := store.Snapshot{Parent: parent, Kept: len(shard.IDs), Rejected: len(rejected), Ran: ran, Tool: "test"}
	var err error
	if root.Trie, err = store.WriteTrie(leaves, page); err != nil {
		t.Fatal(err)
	}
	leaves[0].Digest = add(store.KindOrigin, origin.Encode())
	if snap.Origins, err = store.WriteTrie(leaves, page); err != nil {
		t.Fatal(err)
	}
	snap.Root = add(store.KindRoot, root.Encode())
	if len(rejected) > 0 {
		b, pages, err := store.EncodeRejections(t.Context(), rejected)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range pages {
			add(store.KindList, p)
		}
		snap.Rejections = add(store.KindList, b)
	}
	return list, add(store.KindSnapshot, snap.Encode())
}

// due counts, by stage, the rows that have a key which the row of the same id, or
// of the id before a renaming, had not: what a build without any memo would run.
func due(was, now *world, renamed map[string]string) (counts []store.StageCount) {
	for at := action.Audio; at <= action.Mel; at++ {
		n := uint64(0)
		for id, r := range now.rows {
			old := id
			if from, ok := renamed[id]; ok {
				old = from
			}
			before := was.rows[old]
			gone := before == nil || was.refused[old] != "" && (at >= action.Tokens && now.refused[id] == "")
			if r.Keys[at].IsZero() || at == action.Mel && now.refused[id] != "" {
				continue
			}
			if gone || before.Keys[at] != r.Keys[at] {
				n++
			}
		}
		counts = append(counts, store.StageCount{Stage: at.Name(), Run: n})
	}
	return counts
}

// explained writes both snapshots into a store, the first as the other's parent,
// and opens it.
func explained(t *testing.T, was, now *world, ran func() []store.StageCount) *store.Store {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "voxpack-test-") // nothing here is about a disk
	if err != nil {
		dir = t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	w, err := store.OpenWriter(dir, store.WriterOptions{Small: true})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	before, parent := was.entries(t, store.Digest{}, nil)
	for _, r := range now.rows {
		now.wire(r)
	}
	after, snapshot := now.entries(t, parent, ran())
	have := map[store.Digest]bool{}
	all := slices.DeleteFunc(append(before, after...), func(e store.Entry) bool {
		twice := have[e.Name]
		have[e.Name] = true
		return twice
	})
	if err := w.Put(all); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(t.Context(), "heads/main", snapshot); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return st
}

// said is an explanation in lines: the counts of rows, then each cause.
func said(e *Explanation) []string {
	var lines []string
	for _, what := range slices.Sorted(maps.Keys(e.Rows)) {
		if n := e.Rows[what]; n != 0 {
			lines = append(lines, fmt.Sprint(n, " ", what))
		}
	}
	for _, s := range e.Stages {
		lines = append(lines, fmt.Sprintf("%s %d/%d: %s (%s)", s.Stage, s.Ran, s.Rows, s.Reason, strings.Join(s.Examples, " ")))
	}
	return lines
}

// TestEachEditHasItsCause: one edit each between two snapshots of five rows.
func TestEachEditHasItsCause(t *testing.T) {
	for _, c := range []struct {
		name    string
		edit    func(was, now *world)
		renamed map[string]string
		want    []string
	}{
		{"nothing", func(_, _ *world) {}, nil, nil},
		{"a text", func(_, w *world) { w.rows["b"].Text, w.rows["b"].Spoken = "new", "new" }, nil,
			[]string{"1 text edited", "text 1/1: text edited (b)", "tokens 1/1: spoken text changed (b)"}},
		{"a text that is spoken as before", func(_, w *world) { w.rows["b"].Text = "new" }, nil,
			[]string{"1 text edited", "text 1/1: text edited (b)"}},
		{"a normalised text beside the same text", func(_, w *world) { w.rows["b"].Given, w.rows["b"].HasGiven = "new", true }, nil,
			[]string{"1 text edited", "text 1/1: text edited (b)"}},
		{"the text beside a normalised one, which is read", func(was, w *world) {
			for _, x := range []*world{was, w} {
				x.rows["b"].Given, x.rows["b"].HasGiven = "given", true
			}
			w.rows["b"].Text = "new"
		}, nil, []string{"1 text edited"}},
		{"a language", func(_, w *world) { w.rows["b"].Language = "fa" }, nil,
			[]string{"1 speaker or language changed", "text 1/1: language en → fa (b)"}},
		{"a speaker and a split, which no stage reads", func(_, w *world) { w.rows["b"].Speaker, w.rows["c"].Split = "bob", "val" }, nil,
			[]string{"1 speaker or language changed", "1 split changed"}},
		{"a recording", func(_, w *world) { w.rows["b"].Audio = store.Sum([]byte("new")) }, nil,
			[]string{"1 audio changed", "audio 1/1: audio file changed (b)", "mel 1/1: audio file changed (b)"}},
		{"another part of the recording", func(_, w *world) { w.rows["b"].From = 5 }, nil,
			[]string{"1 audio changed", "audio 1/1: another part of the audio file (b)", "mel 1/1: another part of the audio file (b)"}},
		{"another length of the part", func(_, w *world) { w.rows["b"].Length = 5 }, nil,
			[]string{"1 audio changed", "audio 1/1: another part of the audio file (b)", "mel 1/1: another part of the audio file (b)"}},
		{"a setting of one stage", func(_, w *world) { w.settings["n_mels"] = "100" }, nil,
			[]string{"mel 5/5: n_mels 80 → 100 (a b c)"}},
		{"a setting of two stages", func(_, w *world) { w.settings["sample_rate"] = "16000" }, nil,
			[]string{"audio 5/5: sample_rate 22050 → 16000 (a b c)", "mel 5/5: sample_rate 22050 → 16000 (a b c)"}},
		{"a setting back to its default", func(_, w *world) { delete(w.settings, "add_bos") }, nil,
			[]string{"tokens 5/5: add_bos false → (default) (a b c)"}},
		{"a bound that no row met", func(_, w *world) { w.settings["max_mel_frames"] = "30" }, nil, nil},
		{"a setting and a text", func(_, w *world) { w.settings["add_bos"], w.rows["b"].Spoken = "true", "new" }, nil,
			[]string{"tokens 4/4: add_bos false → true (a c d)", "tokens 1/1: add_bos false → true, spoken text changed (b)"}},
		{"a version", func(_, w *world) { w.versions["text"] = "t2" }, nil, []string{"text 5/5: version of text t1 → t2 (a b c)"}},
		{"another program that decodes", func(_, w *world) { w.program = "ffmpeg 7" }, nil,
			[]string{"audio 5/5: decoded by another program or version (a b c)", "mel 5/5: the decoded audio is made anew (a b c)"}},
		{"a row more", func(_, w *world) { w.add("x", "x") }, nil,
			[]string{"1 added", "audio 1/1: new row (x)", "text 1/1: new row (x)", "tokens 1/1: new row (x)", "mel 1/1: new row (x)"}},
		{"a row less", func(_, w *world) { delete(w.rows, "b") }, nil, []string{"1 removed"}},
		{"a name", func(_, w *world) { w.rename("b", "x") }, map[string]string{"x": "b"}, []string{"1 renamed"}},
		{"two names, exchanged", func(_, w *world) { w.rename("a", "x"); w.rename("b", "a"); w.rename("x", "b") }, nil,
			[]string{"2 audio changed", "2 text edited", "audio 2/2: audio file changed (a b)", "text 2/2: text edited (a b)",
				"tokens 2/2: spoken text changed (a b)", "mel 2/2: audio file changed (a b)"}},
		{"a name and a text: another row", func(_, w *world) { w.rename("b", "x"); w.rows["x"].Text = "new" }, nil,
			[]string{"1 added", "1 removed", "audio 1/1: new row (x)", "text 1/1: new row (x)", "tokens 1/1: new row (x)", "mel 1/1: new row (x)"}},
		{"a corpus that comes", func(_, w *world) { w.add("fa/a", "fa1"); w.add("fa/b", "fa2") }, nil,
			[]string{"2 added", "audio 2/2: new row (fa/a fa/b)", "text 2/2: new row (fa/a fa/b)", "tokens 2/2: new row (fa/a fa/b)", "mel 2/2: new row (fa/a fa/b)"}},
		{"a corpus that goes", func(was, _ *world) { was.add("fa/a", "fa1"); was.add("fa/b", "fa2") }, nil, []string{"2 removed"}},
		{"a corpus that gets a name", func(_, w *world) {
			for _, id := range slices.Sorted(maps.Keys(w.rows)) {
				w.rename(id, "en/"+id)
			}
		}, map[string]string{"en/a": "a", "en/b": "b", "en/c": "c", "en/d": "d", "en/e": "e"}, []string{"5 renamed"}},
		{"a row that is rejected now", func(_, w *world) { w.refused["b"] = "audio" }, nil, []string{"1 now rejected"}},
		{"a new row that is rejected", func(_, w *world) { w.add("x", "x"); w.refused["x"] = "audio" }, nil,
			[]string{"1 added and rejected", "text 1/1: new row (x)", "tokens 1/1: new row (x)"}},
		{"a row whose sound was refused", func(was, _ *world) { was.refused["b"] = "audio" }, nil,
			[]string{"1 no longer rejected", "audio 1/1: rejected before by audio (b)", "tokens 1/1: rejected before by audio (b)", "mel 1/1: rejected before by audio (b)"}},
		{"a setting for rows of which one stays rejected", func(was, w *world) { was.refused["b"], w.refused["b"], w.settings["n_mels"] = "mel", "mel", "100" }, nil,
			[]string{"mel 4/4: n_mels 80 → 100 (a c d)"}},
		{"a row that was too long", func(was, w *world) {
			was.rows["b"].Frames, w.rows["b"].Frames, was.refused["b"], w.settings["max_mel_frames"] = 50, 50, "mel", "60"
		}, nil, []string{"1 no longer rejected", "tokens 1/1: rejected before by max_mel_frames 40, kept with 60 (b)", "mel 1/1: rejected before by max_mel_frames 40, kept with 60 (b)"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			was := newWorld(5)
			now := was.clone()
			c.edit(was, now)
			st := explained(t, was, now, func() []store.StageCount { return due(was, now, c.renamed) })
			e, err := Snapshot(st, "main")
			if err != nil {
				t.Fatal(err)
			}
			if got := said(e); !slices.Equal(got, c.want) {
				t.Errorf("it says\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// TestEveryResultThatWasDueHasOneCause: over random edits the rows of a stage's
// causes are those whose key the parent had not under their id, and each row is
// told the cause that it is counted under.
func TestEveryResultThatWasDueHasOneCause(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	edits := []func(w *world, row *store.OriginRow){
		func(_ *world, row *store.OriginRow) { row.Text += "!" },
		func(_ *world, row *store.OriginRow) { row.Spoken += "!" },
		func(_ *world, row *store.OriginRow) { row.Audio[0]++ },
		func(_ *world, row *store.OriginRow) { row.Length++ },
		func(_ *world, row *store.OriginRow) { row.Language = "fa" },
		func(_ *world, row *store.OriginRow) { row.Speaker = "bob" },
		func(w *world, _ *store.OriginRow) { w.settings["n_mels"] += "0" },
		func(w *world, _ *store.OriginRow) { w.versions["tokens"] += "." },
		func(w *world, row *store.OriginRow) { delete(w.rows, row.ID) },
		func(w *world, row *store.OriginRow) { w.add("new"+row.ID, "new"+row.ID) },
	}
	for round := range 12 {
		was := newWorld(8)
		now := was.clone()
		for range r.IntN(6) {
			ids := slices.Sorted(maps.Keys(now.rows))
			edits[r.IntN(len(edits))](now, now.rows[ids[r.IntN(len(ids))]])
		}
		var want []store.StageCount
		st := explained(t, was, now, func() []store.StageCount { want = due(was, now, nil); return want })
		e, err := Snapshot(st, "main")
		if err != nil {
			t.Fatal(err)
		}
		for _, stage := range want {
			rows, ran := 0, 0
			for _, s := range e.Stages {
				if s.Stage == stage.Stage {
					rows, ran = rows+s.Rows, ran+s.Ran
				}
			}
			if rows != int(stage.Run) || ran != rows {
				t.Errorf("round %d, %s: causes for %d rows, of which %d ran; want %d of\n%s", round, stage.Stage, rows, ran, stage.Run, strings.Join(said(e), "\n"))
			}
		}
		for id := range now.rows {
			row, err := Row(st, "main", id)
			if err != nil {
				t.Fatal(err)
			}
			for at, fact := range row.Stages {
				before, taken := was.rows[id], fact.Why == "same key as in the snapshot before; taken over"
				if same := before != nil && before.Keys[at] == now.rows[id].Keys[at]; same != taken {
					t.Errorf("round %d, %s of %s: %q; the same key: %v", round, fact.Stage, id, fact.Why, same)
				}
			}
		}
	}
}
