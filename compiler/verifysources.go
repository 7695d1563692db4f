package compiler

import (
	"context"
	"errors"
	"fmt"

	"voxpack/compiler/action"
	"voxpack/compiler/column"
	"voxpack/compiler/intake"
	"voxpack/store"
)

// VerifySources recomputes every row of a snapshot from the sources, without
// memo, and compares. Three things can differ: a source or setting since the
// build (then a build is due), a row's fate, or bytes for equal keys: a stage
// whose output changed without a new version, or damage.
func VerifySources(ctx context.Context, o Options, ref string, report func(Finding)) (VerifyCounts, error) {
	o, tool, err := o.ready(ctx)
	if err != nil {
		return VerifyCounts{}, err
	}
	v := &sourceVerifier{verifier: verifier{report: report}, tools: newTools(&o.Config, o.Now(), tool)}
	defer func() { v.tools.close() }()
	if v.corpora, err = o.openCorpora(); err != nil {
		return VerifyCounts{}, err
	}
	if err := v.read(ctx, &o); err != nil {
		return VerifyCounts{}, err
	}
	st, err := store.Open(o.Store)
	if err != nil {
		return VerifyCounts{}, err
	}
	defer st.Close()
	if v.d, err = st.Dataset(ref); err != nil {
		return v.done(), err
	}
	v.remember(nil, false, true, o.Now) // no cache and no trust: a remembered result would confirm itself
	v.openColumns(&v.tools)
	defer v.closeColumns()
	v.speak(ctx)
	// Without a previous snapshot, so that nothing is taken over from what is verified; and
	// as no first build, so that each row has its digest and its keys.
	if err := v.survey(ctx, &o, v.items, nil, nil, false); err != nil {
		return v.done(), err
	}
	layout := layOut(v.cfg, v.items, v.has, nil)
	for _, c := range action.Changes(v.d.Root, &store.Root{Config: v.cfg.settings(), Stages: v.cfg.stages().Versions(), Speakers: layout.speakers}) {
		v.find("config", "%s since the snapshot; run voxpack build", c)
	}
	v.dataset()
	fillers := make([]filler, o.Workers)
	for w := range fillers {
		fillers[w].cfg, fillers[w].decoders, fillers[w].text, fillers[w].programs = v.cfg, v.decoders, v.text, v.programs
	}
	if err := v.rowsPresent(ctx, &fillers[0], layout); err != nil {
		return v.done(), err
	}
	err = parallel(ctx, o.Workers, len(v.d.Shards), func(w, leaf int) error { return v.recompute(ctx, &fillers[w], leaf) })
	return v.done(), err
}

// sourceVerifier compares a snapshot with what its sources give now. It goes a build's
// way up to the layout, and then fills samples leaf by leaf of the snapshot, so that a
// corpus that changed since is no reason to stop.
type sourceVerifier struct {
	verifier
	metadata
	tools
}

// rowsPresent compares the sets of rows, both ways: a row that came and one that went are
// both said with the order to build, since no sample of theirs can be compared.
func (v *sourceVerifier) rowsPresent(ctx context.Context, w *filler, l *layout) error {
	kept := map[string]bool{}
	for _, it := range l.rows {
		kept[it.made.ID] = true
		if _, err := v.d.Find(it.made.ID); !errors.Is(err, store.ErrNotFound) {
			continue
		}
		fell, err := v.falls(ctx, w, it)
		if err != nil {
			return err
		}
		if !fell {
			v.find(it.row.Pos.String(), "%s is not in the snapshot; run voxpack build", it.made.ID)
		}
	}
	err := v.d.IDs(func(_ store.At, id string) bool {
		if !kept[id] {
			v.find("row "+id, "is in the snapshot, and the sources would not keep it now; run voxpack build")
		}
		return true
	})
	if err != nil {
		v.find("snapshot", "%v", err)
	}
	return nil
}

// falls reports whether a row is left out for a value that its program, or its sound, does not give: the survey, which remembers
// nothing here, does not know of it.
func (v *sourceVerifier) falls(ctx context.Context, w *filler, it *item) (bool, error) {
	if err := w.prepare(); err != nil {
		return false, err
	}
	for i, c := range v.cfg.Columns {
		if !late(&c) {
			continue
		}
		to := c.Schema(v.cfg.limits())[0]
		_, err := w.fill(ctx, make([]byte, to.SampleBytes()), to, it)
		bad := (*column.Bad)(nil)
		if errors.As(err, &bad) || err == nil && c.Length == column.Own && int(it.own.numbers[i]) > c.Steps && v.cfg.Shape.Overlong != OverlongTruncate {
			return true, nil
		}
		if ctx.Err() != nil || intake.IsMachine(err) {
			return false, err
		}
	}
	return false, nil
}

// recompute makes a leaf's samples again and compares their checksums.
func (v *sourceVerifier) recompute(ctx context.Context, w *filler, leaf int) error {
	shard, err := v.d.Shard(leaf)
	if err != nil {
		v.find(fmt.Sprintf("shard %d", leaf), "%v", err)
		return nil
	}
	origin, err := v.d.Origin(leaf)
	if err != nil {
		v.find(fmt.Sprintf("shard %d", leaf), "%v", err)
		return nil
	}
	if err := w.prepare(); err != nil {
		return err
	}
	keys, order := v.cfg.newKeyer(), action.NewKeyOrder(v.d.Root, v.cfg.stages())
	for row, id := range shard.IDs {
		if err := ctx.Err(); err != nil {
			return err
		}
		it := findItem(v.items, id)
		if it == nil || !it.kept() {
			continue // rowsPresent said so
		}
		order.Renumber(&origin.Rows[row])
		if err := v.compareRow(ctx, w, keys, it, &origin.Rows[row], shard, row); err != nil {
			return err
		}
	}
	return nil
}

// A row with a changed key is told so and not computed: its bytes differ by right.
func (v *sourceVerifier) compareRow(ctx context.Context, w *filler, keys *leafKeyer, it *item, was *store.OriginRow, shard *store.Shard, row int) error {
	where, stages := it.row.Pos.String()+": "+it.made.ID, v.cfg.stages()
	for c, column := range v.d.Root.Schema.Blocks() {
		at, ok := stages.Filling(column.Name)
		if !ok || int(at) >= len(it.made.Keys) {
			continue
		}
		if was.Keys[at] != it.made.Keys[at] {
			v.find(where, "%s: its input or setting changed since the snapshot; run voxpack build", stages.Name(at))
			continue
		}
		sample := make([]byte, column.SampleBytes())
		if _, err := w.fill(ctx, sample, column, it); intake.IsMachine(err) {
			return err
		} else if err != nil { // of the row: the other rows are still looked at
			v.find(where, "%v", err)
			continue
		}
		v.bytes.Add(int64(len(sample)))
		if store.Checksum(sample) != shard.Blocks[c].Sums[row] {
			v.find(where, "%s: computed anew its bytes differ from the stored ones, for the same key: the stage changed without a new version, or the block is damaged (verify --full tells); hashed was %s",
				stages.Name(at), keys.Describe(at, it.made, v.decoders.Version(it.path)))
		}
	}
	v.compareNumbers(where, it, was, shard, row)
	if was.Spoken != it.made.Spoken && was.Keys[action.Text] == it.made.Keys[action.Text] {
		v.find(where, "text: spoken text was %q, is %q, for the same key; hashed was %s", was.Spoken, it.made.Spoken, keys.Describe(action.Text, it.made, ""))
	}
	return nil
}
