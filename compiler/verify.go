package compiler

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"voxpack/internal/number"
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
	d      *store.Dataset
	full   bool
	mu     sync.Mutex
	report func(Finding)
	counts VerifyCounts // Findings under mu
	bytes  atomic.Int64
}

// report is called by one goroutine at a time.
func (v *verifier) find(where, format string, args ...any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.counts.Findings++
	v.report(Finding{where, fmt.Sprintf(format, args...)})
}

// done closes the counts when all goroutines have ended.
func (v *verifier) done() VerifyCounts {
	v.counts.Bytes = v.bytes.Load()
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
	if errors.Is(err, store.ErrDamaged) || errors.Is(err, store.ErrNotFound) && v.counts.Findings > 0 {
		v.find("snapshot "+ref, "%v", err)
		return v.done(), nil
	}
	if err != nil {
		return v.done(), err
	}
	v.dataset() // first: a count that is wrong explains findings of leaves
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
		v.find("root", "counts %s in %s (snapshot: %s), the pages %d in %d",
			number.Count(v.d.Root.Rows, "row"), number.Count(v.d.Root.Shards, "shard"), number.Count(v.d.Snapshot.Kept, "row"), rows, len(v.d.Shards))
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
// A record that cannot be read is one finding, and the other leaves are still looked at.
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
	for _, c := range v.d.Root.Schema.Blocks() { // tokens have text_len, others a length of their own name, if any
		limit[cmp.Or(map[string]string{"tokens": "text"}[c.Name], c.Name)+"_len"] = c.Shape[0]
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

// Without full only the length is checked.
func (v *verifier) block(where string, column store.Column, shard *store.Shard, b store.Block) {
	where = where + ", column " + column.Name
	bytes, err := v.d.Store.BlockSize(b.Digest)
	if err != nil {
		v.find(where, "block %s: %v", b.Digest.Short(), err)
		return
	}
	size := column.SampleBytes()
	if bytes != size*shard.Len() {
		v.find(where, "block %s has %s, want %d", b.Digest.Short(), number.Count(bytes, "byte"), size*shard.Len())
		return
	}
	if !v.full {
		return
	}
	samples, err := v.d.Store.Samples(b.Digest, shard.Len(), size)
	if err != nil {
		v.find(where, "block %s: %v", b.Digest.Short(), err)
		return
	}
	v.bytes.Add(int64(bytes))
	err = store.Shielded(func() error {
		for row, id := range shard.IDs {
			sample := samples.Row(row)
			if store.Checksum(sample) != b.Sums[row] {
				v.find(where, "row %s: its bytes do not match their checksum", id)
			}
			if column.Name == "mel" && column.DType == store.Float32 && !finite(sample) {
				v.find(where, "row %s holds NaN or infinity", id)
			}
		}
		return nil
	})
	if err != nil {
		v.find(where, "block %s: %v", b.Digest.Short(), err)
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
