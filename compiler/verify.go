package compiler

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"voxpack/compiler/action"
	"voxpack/compiler/clip"
	"voxpack/compiler/intake"
	"voxpack/store"
	"voxpack/textnorm"
)

// Finding is one thing that is not as it should be.
type Finding struct {
	Where string `json:"where"`
	What  string `json:"what"`
}

// String is "shard 12: …".
func (f Finding) String() string { return f.Where + ": " + f.What }

// VerifyCounts says what a verification looked at.
type VerifyCounts struct {
	Packs    int   `json:"packs"`
	Shards   int   `json:"shards"`
	Rows     int   `json:"rows"`
	Blocks   int   `json:"blocks"`
	Bytes    int64 `json:"bytes"` // of blocks whose bytes were read
	Findings int   `json:"findings"`
}

// verifier checks one snapshot. Findings come from several goroutines.
type verifier struct {
	d        *store.Dataset
	full     bool
	mu       sync.Mutex
	report   func(Finding)
	counts   VerifyCounts
	bytes    atomic.Int64
	findings atomic.Int64
}

func (v *verifier) find(where, format string, args ...any) {
	v.findings.Add(1)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.report(Finding{where, fmt.Sprintf(format, args...)})
}

func (v *verifier) done() VerifyCounts {
	v.counts.Bytes = v.bytes.Load()
	v.counts.Findings = int(v.findings.Load())
	return v.counts
}

// Verify checks a store and the snapshot of a ref: seals and records always;
// with full every byte of every file, entry and sample. The error is for what
// could not be looked at.
func Verify(ctx context.Context, st *store.Store, ref string, full bool, report func(Finding)) (VerifyCounts, error) {
	v := &verifier{full: full, report: report}
	v.counts.Packs = len(st.Packs())
	err := st.Verify(ctx, full, func(d store.Damage) { v.find("pack", "%v", d) })
	if err != nil {
		return v.done(), err
	}
	v.d, err = st.Dataset(ref)
	// Badger does not find a key in a damaged block of a table, and says no more.
	if errors.Is(err, store.ErrDamaged) || errors.Is(err, store.ErrNotFound) && v.findings.Load() > 0 {
		v.find("snapshot "+ref, "%v", err)
		return v.done(), nil
	}
	if err != nil {
		return v.done(), err
	}
	v.dataset()
	err = parallel(ctx, 2, len(v.d.Shards), func(_, leaf int) error {
		v.leaf(leaf)
		return nil
	})
	return v.done(), err
}

// dataset checks what the root and the snapshot say of all leaves together.
func (v *verifier) dataset() {
	rows := 0
	for i, l := range v.d.Shards {
		rows += l.Rows
		if l.Rows > v.d.Root.PerShard && l.Depth < 64 {
			v.find(fmt.Sprintf("shard %d", i), "holds %d rows, rows_per_shard is %d", l.Rows, v.d.Root.PerShard)
		}
	}
	if rows != v.d.Root.Rows || rows != v.d.Snapshot.Kept || len(v.d.Shards) != v.d.Root.Shards {
		v.find("root", "counts %d rows in %d shards (snapshot: %d rows), the pages %d in %d", v.d.Root.Rows, v.d.Root.Shards, v.d.Snapshot.Kept, rows, len(v.d.Shards))
	}
	rejects, err := v.d.Store.ReadRejections(v.d.Snapshot)
	if err != nil {
		v.find("rejections", "%v", err)
	} else if len(rejects) != v.d.Snapshot.Rejected {
		v.find("rejections", "the snapshot counts %d, the list has %d", v.d.Snapshot.Rejected, len(rejects))
	}
	v.counts.Shards, v.counts.Rows = len(v.d.Shards), rows
	v.counts.Blocks = len(v.d.Shards) * len(v.d.Root.Schema.Blocks())
}

// leaf checks a shard against its place in the trie, its origin and its blocks.
func (v *verifier) leaf(i int) {
	where := fmt.Sprintf("shard %d (%s)", i, v.d.Shards[i].Digest.Short())
	shard, err := v.d.Shard(i)
	if err != nil {
		v.find(where, "%v", err)
		return
	}
	origin, err := v.d.Origin(i)
	if err != nil {
		v.find(where, "%v", err)
		return
	}
	for row, id := range shard.IDs {
		place := store.Place(id)
		if store.FindLeaf(v.d.Shards, place) != i {
			v.find(where, "row %s belongs to another shard", id)
		}
		if row > 0 && !store.Less(store.Place(shard.IDs[row-1]), shard.IDs[row-1], place, id) {
			v.find(where, "row %s is out of order", id)
		}
		if origin.Rows[row].ID != id {
			v.find(where, "row %d is %s, its origin says %s", row, id, origin.Rows[row].ID)
		}
	}
	v.scalars(where, shard)
	for c, column := range v.d.Root.Schema.Blocks() {
		v.block(where, column, shard, shard.Blocks[c])
	}
}

// scalars checks that lengths lie within the shapes and numbers in their tables.
func (v *verifier) scalars(where string, shard *store.Shard) {
	limit := map[string]int{"speaker": len(v.d.Root.Speakers) - 1, "language": len(textnorm.LanguageCodes()) - 1}
	for _, c := range v.d.Root.Schema.Blocks() {
		switch c.Name {
		case "tokens":
			limit["text_len"] = c.Shape[0]
		case "mel":
			limit["mel_len"] = c.Shape[0]
		}
	}
	for c, column := range v.d.Root.Schema.Inline() {
		most, known := limit[column.Name]
		for row, value := range shard.Scalars[c] {
			if known && (value < 0 || int(value) > most) {
				v.find(where, "row %s: %s is %d, outside 0..%d", shard.IDs[row], column.Name, value, most)
			}
		}
	}
}

func (v *verifier) block(where string, column store.Column, shard *store.Shard, b store.Block) {
	where = where + ", column " + column.Name
	bytes, err := v.d.Store.View(store.KindBlock, b.Digest)
	if err != nil {
		v.find(where, "block %s: %v", b.Digest.Short(), err)
		return
	}
	size := column.SampleBytes()
	if len(bytes) != size*shard.Len() {
		v.find(where, "block %s has %d bytes, want %d", b.Digest.Short(), len(bytes), size*shard.Len())
		return
	}
	if !v.full {
		return
	}
	v.bytes.Add(int64(len(bytes)))
	for row, id := range shard.IDs {
		sample := bytes[row*size : (row+1)*size]
		if store.Checksum(sample) != b.Sums[row] {
			v.find(where, "row %s: its bytes do not match their checksum", id)
		}
		if column.Name == "mel" && column.DType == store.Float32 && !finite(sample) {
			v.find(where, "row %s holds NaN or infinity", id)
		}
	}
}

// finite looks for exponents of all ones in little-endian binary32.
func finite(b []byte) bool {
	for i := 3; i < len(b); i += 4 {
		if b[i]&0x7f == 0x7f && b[i-1]&0x80 != 0 {
			return false
		}
	}
	return true
}

// VerifySources recomputes every row of a snapshot from the sources, without
// memo, and compares. Three things can differ: a source or setting since the
// build (then a build is due), a row's fate, or bytes for equal keys: a stage
// whose output changed without a new version, or damage.
func VerifySources(ctx context.Context, o Options, ref string, report func(Finding)) (VerifyCounts, error) {
	o = o.withDefaults()
	if errs := o.Config.check(); len(errs) > 0 {
		return VerifyCounts{}, fmt.Errorf("%w: %w", ErrConfig, errors.Join(errs...))
	}
	tool, err := o.Config.findPhonemes(ctx)
	if err != nil {
		return VerifyCounts{}, err
	}
	b := &build{Options: o, started: o.Now(), decoders: clip.NewDecoders(), espeak: tool}
	defer b.close()
	if err := b.openCorpora(); err != nil {
		return VerifyCounts{}, err
	}
	if err := b.readMetadata(ctx); err != nil {
		return VerifyCounts{}, err
	}
	if b.st, err = store.Open(o.Store); err != nil {
		return VerifyCounts{}, err
	}
	v := &verifier{report: report}
	if v.d, err = b.st.Dataset(ref); err != nil {
		return v.done(), err
	}
	b.memo, b.stats = action.NewMemo(nil, false), clip.NewStatTable(nil, true, o.Now)
	b.speakPhonemes(ctx)
	if err := b.survey(ctx); err != nil {
		return v.done(), err
	}
	b.layout = layOut(&b.Config, b.items, b.has)
	for _, c := range action.Changes(v.d.Root, &store.Root{Config: b.Config.settings(), Stages: b.Config.stages().Versions(), Speakers: b.layout.speakers}) {
		v.find("config", "%s since the snapshot; run voxpack build", c)
	}
	v.dataset()
	v.rowsPresent(b)
	fillers := make([]filler, o.Workers)
	err = parallel(ctx, o.Workers, len(v.d.Shards), func(w, leaf int) error {
		fillers[w].cfg, fillers[w].decoders = &b.Config, b.decoders
		return v.recompute(ctx, b, &fillers[w], leaf)
	})
	return v.done(), err
}

// rowsPresent compares the sets of rows.
func (v *verifier) rowsPresent(b *build) {
	kept := map[string]bool{}
	for _, it := range b.layout.rows {
		kept[it.made.ID] = true
		if _, err := v.d.Find(it.made.ID); errors.Is(err, store.ErrNotFound) {
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
}

// recompute makes a leaf's samples again and compares their checksums.
func (v *verifier) recompute(ctx context.Context, b *build, w *filler, leaf int) error {
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
	keys, order := b.Config.newKeyer(), action.NewKeyOrder(v.d.Root, b.Config.stages().Width())
	for row, id := range shard.IDs {
		if err := ctx.Err(); err != nil {
			return err
		}
		it := findItem(b.items, id)
		if it == nil || !it.kept() {
			continue // rowsPresent said so
		}
		order.Renumber(&origin.Rows[row])
		if err := v.compareRow(ctx, b, w, keys, it, &origin.Rows[row], shard, row); err != nil {
			return err
		}
	}
	return nil
}

func (v *verifier) compareRow(ctx context.Context, b *build, w *filler, keys *leafKeyer, it *item, was *store.OriginRow, shard *store.Shard, row int) error {
	where := it.row.Pos.String() + ": " + it.made.ID
	for c, column := range v.d.Root.Schema.Blocks() {
		at, ok := blockStages[column.Name]
		if !ok || int(at) >= len(it.made.Keys) {
			continue
		}
		if was.Keys[at] != it.made.Keys[at] {
			v.find(where, "%s: its input or setting changed since the snapshot; run voxpack build", at.Name())
			continue
		}
		sample := make([]byte, column.SampleBytes())
		if _, err := w.fill(ctx, sample, column, it); intake.IsMachine(err) {
			return err
		} else if err != nil {
			v.find(where, "%v", err)
			continue
		}
		v.bytes.Add(int64(len(sample)))
		if store.Checksum(sample) != shard.Blocks[c].Sums[row] {
			v.find(where, "%s: computed anew its bytes differ from the stored ones, for the same key: the stage changed without a new version, or the block is damaged (verify --full tells); hashed was %s",
				at.Name(), keys.Describe(at, it.made, b.decoders.Version(it.path)))
		}
	}
	if was.Spoken != it.made.Spoken && was.Keys[action.Text] == it.made.Keys[action.Text] {
		v.find(where, "text: spoken text was %q, is %q, for the same key; hashed was %s", was.Spoken, it.made.Spoken, keys.Describe(action.Text, it.made, ""))
	}
	return nil
}
