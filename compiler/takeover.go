package compiler

import (
	"context"
	"encoding/binary"
	"slices"
	"sync/atomic"

	"voxpack/compiler/action"
	"voxpack/compiler/clip"
	"voxpack/compiler/intake"
	"voxpack/compiler/kind"
	"voxpack/store"
)

// takeOver takes leaves over whole whose rows say what they said and whose files have the
// stamps that they had: then neither their records nor the table of stamps is read. Of
// 1,000,000 rows these two were half of a build with nothing to do. It reports how many rows
// it took. Rows that are rejected now may stand among those of a leaf; they are known already.
func (t *leafSums) takeOver(ctx context.Context, o *Options, items []item, prev *previous) (rows int, err error) {
	if !t.usable || prev == nil || !prev.sameOrder(&o.Config) || !t.soundPacks(prev.Store) {
		return 0, nil
	}
	t.taken = make([]bool, len(prev.Origins))
	ends := prev.ranges(items)
	buffers := make([][]byte, o.Workers)
	var done atomic.Int64
	err = parallel(ctx, o.Workers, len(prev.Origins), func(w, leaf int) error {
		l := &prev.Origins[leaf]
		if was, ok := t.of(l); ok && t.take(items[ends[leaf].from:ends[leaf].to], l, leaf, was, &buffers[w]) {
			t.taken[leaf] = true
			o.Progress(Progress{"reading", int(done.Add(int64(l.Rows))), len(items)})
		}
		return nil
	})
	return int(done.Load()), err
}

// take takes one leaf over, if it is the same.
func (t *leafSums) take(items []item, l *store.Leaf, leaf int, was leafSum, buf *[]byte) bool {
	b, n := t.begin(*buf, l.Digest), 0
	for i := range items {
		it := &items[i]
		if it.known != nil { // it was rejected
			continue
		}
		if n++; n > l.Rows || it.repeated > 0 {
			return false
		}
		path, now, differs, err := it.from.Find(it.row)
		if err != nil || differs != "" {
			return false // the survey says it
		}
		name := it.from.NameOf(it.row, path)
		it.file = store.Place(name)
		b = t.append(b, it.row, name, now)
	}
	*buf = b
	if n != l.Rows || t.end(b) != was.sum {
		return false
	}
	all, shared := was.remains, (*fate)(nil)
	for i := range items {
		it := &items[i]
		if it.known != nil {
			continue
		}
		if shared == nil || shared.remains != all[0] {
			shared = &fate{}
			shared.takeWhole(leaf, all[0])
		}
		if it.fate, it.keptBefore = shared, true; len(all) > 1 {
			all = all[1:]
		}
	}
	return true
}

// takeWhole makes the row that of a leaf of the previous snapshot.
func (f *fate) takeWhole(leaf int, r *remains) {
	f.remains, f.sameLeaf = r, leaf+1
	f.reached = [action.Mel]bool{action.Audio: true, action.Text: true, action.Tokens: true}
}

// has reports whether a leaf of the previous snapshot was taken over.
func (t *leafSums) has(leaf int) bool { return leaf >= 0 && leaf < len(t.taken) && t.taken[leaf] }

// begin begins the inputs of a leaf: what reads them, and the record that they gave.
func (t *leafSums) begin(b []byte, origin store.Digest) []byte {
	return append(append(b[:0], t.seed[:]...), origin[:]...)
}

// append appends all that the record of a row depends on: what the metadata says of it, the
// stamp of its file, and what would decode it.
func (t *leafSums) append(b []byte, r *intake.Row, path string, now clip.Stamp) []byte {
	b = appendContent(b, r)
	for _, s := range []string{path, t.decoders.Version(path)} {
		b = append(binary.AppendUvarint(b, uint64(len(s))), s...)
	}
	for _, v := range []uint64{uint64(now.Size), uint64(now.Mtime), uint64(now.Ctime), now.Inode} {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b
}

func (t *leafSums) end(b []byte) (sum [16]byte) {
	d := store.Sum(b)
	return [16]byte(d[:16])
}

// sum is what a leaf was made from, as long as the stamps of its files are known and can be trusted, and no note stands
// on what may be gone tomorrow.
func (t *leafSums) sum(origin store.Digest, rows []*item, buf *[]byte) (sum [16]byte, ok bool) {
	b := t.begin(*buf, origin)
	for _, it := range rows {
		passing := func(n store.Note) bool {
			return n.Stage == action.NameMetadata && (n.Kind == kind.RepeatedRow || n.Kind == kind.NameDiffers)
		}
		if it.repeated > 0 || slices.ContainsFunc(it.end().notes, passing) || !t.stats.Settled(it.path, it.stamp) {
			return sum, false
		}
		b = t.append(b, it.row, it.path, it.stamp)
	}
	*buf = b
	return t.end(b), true
}

// appendContent writes what metadata says of a row, but for where it stands.
func appendContent(b []byte, r *intake.Row) []byte {
	for _, s := range []string{r.ID, r.Text, r.Given, r.Speaker, r.Language, string(r.Split)} {
		b = append(binary.AppendUvarint(b, uint64(len(s))), s...)
	}
	flags := byte(0)
	if r.HasGiven {
		flags |= 1
	}
	if r.Audio != nil {
		flags |= 2
	}
	b = append(b, flags)
	if a := r.Audio; a != nil {
		for _, s := range []string{a.Path, a.Inner} {
			b = append(binary.AppendUvarint(b, uint64(len(s))), s...)
		}
		for _, v := range []uint64{uint64(a.Member), uint64(a.From), uint64(a.Length)} {
			b = binary.LittleEndian.AppendUint64(b, v)
		}
	}
	return b
}
