package gpufeed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"voxpack/store"
)

// The made-up corpus: a few frames of a narrow mel, every column of a real one.
const (
	testTokens = 5
	testFrames = 8
	testMels   = 3
	testShard  = 4 // K
)

var testSchema = store.Schema{
	{Name: "tokens", DType: store.Int32, Shape: []int{testTokens}},
	{Name: "mel", DType: store.Float32, Shape: []int{testFrames, testMels}},
	{Name: "text_len", DType: store.Int32},
	{Name: "mel_len", DType: store.Int32},
	{Name: "speaker", DType: store.Int32},
	{Name: "language", DType: store.Int32},
}

// sample is a row of the made-up corpus; what it holds follows from its id.
type sample struct {
	id                        string
	melLen, speaker, language int32
	spoilt                    string // a column whose bytes are not those of its checksum
}

// wideSchema has blocks of more than 1 KiB, which come mapped and not as copies.
var wideSchema = store.Schema{
	{Name: "tokens", DType: store.Int32, Shape: []int{200}},
	{Name: "mel", DType: store.Float32, Shape: []int{80, 16}},
	{Name: "text_len", DType: store.Int32},
	{Name: "mel_len", DType: store.Int32},
}

// someSamples makes n rows, ids r0000 and on.
func someSamples(n int) []sample {
	list := make([]sample, n)
	for i := range list {
		list[i] = aSample(i)
	}
	return list
}

func aSample(i int) sample {
	return sample{id: fmt.Sprintf("r%04d", i), melLen: int32(1 + i%testFrames), speaker: int32(i % 3), language: int32(i % 2)}
}

// bytes is what the row has in a block column: never zero where it is real.
func (s sample) bytes(c store.Column) []byte {
	b := make([]byte, c.SampleBytes())
	real := len(b)
	if c.Name == "mel" {
		real = int(s.melLen) * c.RowBytes()
	}
	x := store.Place(s.id) | 1
	for i := range real {
		x = x*6364136223846793005 + 1442695040888963407
		b[i] = byte(x>>56) | 1
	}
	return b
}

func (s sample) scalar(column string) int32 {
	switch column {
	case "mel_len":
		return s.melLen
	case "speaker":
		return s.speaker
	case "language":
		return s.language
	}
	return testTokens
}

// lab is a store that takes made-up datasets.
type lab struct {
	dir string
	t   testing.TB
}

func newLab(t testing.TB) lab { return lab{t.TempDir(), t} }

// write builds datasets and commits them under the names set0, set1, …
func (l lab) write(k int, schema store.Schema, sets ...[]sample) {
	l.t.Helper()
	w, err := store.OpenWriter(l.dir, store.WriterOptions{Small: true, Reserve: 8 << 20})
	if err != nil {
		l.t.Fatal(err)
	}
	for i, set := range sets {
		snapshot, err := putDataset(w, k, schema, set)
		if err == nil {
			err = w.Commit(context.Background(), fmt.Sprintf("tags/set%d", i), snapshot)
		}
		if err != nil {
			l.t.Fatal(errors.Join(err, w.Close()))
		}
	}
	if err := w.Close(); err != nil {
		l.t.Fatal(err)
	}
}

// open returns the datasets that write made.
func (l lab) open(n int) []*store.Dataset {
	l.t.Helper()
	s, err := store.Open(l.dir)
	if err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() { s.Close() })
	list := make([]*store.Dataset, n)
	for i := range list {
		if list[i], err = s.Dataset(fmt.Sprintf("set%d", i)); err != nil {
			l.t.Fatal(err)
		}
	}
	return list
}

// cut shortens the files of all packs to nothing, under whoever has them mapped.
func (l lab) cut(pattern string) {
	l.t.Helper()
	files, _ := filepath.Glob(filepath.Join(l.dir, "packs", "*", pattern))
	if len(files) == 0 {
		l.t.Fatalf("no %s in the packs", pattern)
	}
	for _, f := range files {
		if err := os.Truncate(f, 0); err != nil {
			l.t.Fatal(err)
		}
	}
}

// dataset is one made-up dataset in a store of its own.
func dataset(t testing.TB, set []sample) *store.Dataset {
	t.Helper()
	l := newLab(t)
	l.write(testShard, testSchema, set)
	return l.open(1)[0]
}

func putDataset(w *store.Writer, k int, schema store.Schema, set []sample) (store.Digest, error) {
	set = slices.Clone(set)
	slices.SortFunc(set, func(a, b sample) int {
		return cmp.Or(cmp.Compare(store.Place(a.id), store.Place(b.id)), cmp.Compare(a.id, b.id))
	})
	places := make([]uint64, len(set))
	for i, s := range set {
		places[i] = store.Place(s.id)
	}
	leaves := store.Split(places, k)
	origins := slices.Clone(leaves)
	for i := range leaves {
		rows := set[:leaves[i].Rows]
		set = set[leaves[i].Rows:]
		entries, shard := shardOf(rows, schema)
		origin := store.Origin{Rows: make([]store.OriginRow, len(rows)), Blocks: make([]store.Key, len(schema.Blocks()))}
		for r := range rows {
			origin.Rows[r].ID = rows[r].id
		}
		entries = append(entries, named(store.KindShard, shard.Encode()), named(store.KindOrigin, origin.Encode()))
		leaves[i].Digest, origins[i].Digest = entries[len(entries)-2].Name, entries[len(entries)-1].Name
		if err := w.Put(entries); err != nil {
			return store.Digest{}, err
		}
	}
	page := func(b []byte) (store.Digest, error) {
		e := named(store.KindPage, b)
		return e.Name, w.Put([]store.Entry{e})
	}
	trie, err := store.WriteTrie(leaves, page)
	if err != nil {
		return trie, err
	}
	trieOfOrigins, err := store.WriteTrie(origins, page)
	if err != nil {
		return trie, err
	}
	root := store.Root{Schema: schema, PerShard: k, Rows: len(places), Shards: len(leaves), Trie: trie}
	r := named(store.KindRoot, root.Encode())
	snapshot := store.Snapshot{Root: r.Name, Origins: trieOfOrigins, Kept: len(places)}
	n := named(store.KindSnapshot, snapshot.Encode())
	return n.Name, w.Put([]store.Entry{r, n})
}

func shardOf(rows []sample, schema store.Schema) ([]store.Entry, store.Shard) {
	var entries []store.Entry
	var shard store.Shard
	for _, s := range rows {
		shard.IDs = append(shard.IDs, s.id)
	}
	for _, c := range schema {
		if c.Inline() {
			var values []int32
			for _, s := range rows {
				values = append(values, s.scalar(c.Name))
			}
			shard.Scalars = append(shard.Scalars, values)
			continue
		}
		var block []byte
		var sums []uint64
		for _, s := range rows {
			b := s.bytes(c)
			sums = append(sums, store.Checksum(b))
			if s.spoilt == c.Name {
				b[len(b)/2] ^= 4
			}
			block = append(block, b...)
		}
		e := named(store.KindBlock, block)
		entries = append(entries, e)
		shard.Blocks = append(shard.Blocks, store.Block{Digest: e.Name, Sums: sums})
	}
	return entries, shard
}

func named(k store.Kind, b []byte) store.Entry {
	return store.Entry{Kind: k, Name: store.Sum(b), Value: b}
}

// choose is Select that must succeed.
func choose(t testing.TB, d *store.Dataset, s Selection) *Set {
	t.Helper()
	set, err := Select(d, s)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// walk is an epoch from its beginning.
func walk(t testing.TB, set *Set, shuffle Shuffle, seed, epoch uint64, p Plan) *Batches {
	t.Helper()
	o, err := set.Order(shuffle, seed, epoch)
	if err != nil {
		t.Fatal(err)
	}
	b, err := o.Batches(p)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// drain is the ids of all batches that are left, in order.
func drain(t testing.TB, b *Batches) []string {
	t.Helper()
	var ids []string
	dst := make([]uint32, b.plan.Share())
	for {
		s, ok := b.Next(dst)
		if !ok {
			return ids
		}
		ids = append(ids, idsOf(t, b.order.set.Rows, s.Rows)...)
	}
}

func idsOf(t testing.TB, r *Rows, rows []uint32) []string {
	t.Helper()
	var ids []string
	for _, row := range rows {
		id, err := r.ID(row)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	return ids
}
