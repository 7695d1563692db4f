package datatest

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

// The shape of the made-up corpus: a few frames of a narrow mel, every column of a real one.
const (
	Tokens   = 5
	Frames   = 8
	Mels     = 3
	PerShard = 4 // K
)

// Schema is that of the made-up corpus.
var Schema = store.Schema{
	{Name: "tokens", DType: store.Int32, Shape: []int{Tokens}},
	{Name: "mel", DType: store.Float32, Shape: []int{Frames, Mels}},
	{Name: "text_len", DType: store.Int32},
	{Name: "mel_len", DType: store.Int32},
	{Name: "speaker", DType: store.Int32},
	{Name: "language", DType: store.Int32},
}

// Sample is a row of the made-up corpus; what it holds follows from its id.
type Sample struct {
	ID                        string
	MelLen, Speaker, Language int32
	Spoilt                    string // a column whose bytes are not those of its checksum
}

// WideSchema has blocks of more than 1 KiB, which come mapped and not as copies.
var WideSchema = store.Schema{
	{Name: "tokens", DType: store.Int32, Shape: []int{200}},
	{Name: "mel", DType: store.Float32, Shape: []int{80, 16}},
	{Name: "text_len", DType: store.Int32},
	{Name: "mel_len", DType: store.Int32},
}

// Samples makes n rows, ids r0000 and on.
func Samples(n int) []Sample {
	list := make([]Sample, n)
	for i := range list {
		list[i] = Numbered(i)
	}
	return list
}

// Numbered is the row with a number.
func Numbered(i int) Sample {
	return Sample{ID: fmt.Sprintf("r%04d", i), MelLen: int32(1 + i%Frames), Speaker: int32(i % 3), Language: int32(i % 2)}
}

// Bytes is what the row has in a block column: never zero where it is real.
func (s Sample) Bytes(c store.Column) []byte {
	b := make([]byte, c.SampleBytes())
	real := len(b)
	if c.Name == "mel" {
		real = int(s.MelLen) * c.RowBytes()
	}
	x := store.Place(s.ID) | 1
	for i := range real {
		x = x*6364136223846793005 + 1442695040888963407
		b[i] = byte(x>>56) | 1
	}
	return b
}

// Scalar is what the row has in an inline column.
func (s Sample) Scalar(column string) int32 {
	switch column {
	case "mel_len":
		return s.MelLen
	case "speaker":
		return s.Speaker
	case "language":
		return s.Language
	}
	return Tokens
}

// Lab is a store that takes made-up datasets.
type Lab struct {
	Dir string
	T   testing.TB
}

// NewLab is a lab in a folder of the test's.
func NewLab(t testing.TB) Lab { return Lab{t.TempDir(), t} }

// Write builds datasets and commits them under the names set0, set1, …
func (l Lab) Write(k int, schema store.Schema, sets ...[]Sample) {
	l.T.Helper()
	w, err := store.OpenWriter(l.Dir, store.WriterOptions{Small: true, Reserve: 8 << 20})
	if err != nil {
		l.T.Fatal(err)
	}
	for i, set := range sets {
		snapshot, err := putDataset(w, k, schema, set)
		if err == nil {
			err = w.Commit(context.Background(), fmt.Sprintf("tags/set%d", i), snapshot)
		}
		if err != nil {
			l.T.Fatal(errors.Join(err, w.Close()))
		}
	}
	if err := w.Close(); err != nil {
		l.T.Fatal(err)
	}
}

// Open returns the datasets that write made.
func (l Lab) Open(n int) []*store.Dataset {
	l.T.Helper()
	s, err := store.Open(l.Dir)
	if err != nil {
		l.T.Fatal(err)
	}
	l.T.Cleanup(func() { s.Close() })
	list := make([]*store.Dataset, n)
	for i := range list {
		if list[i], err = s.Dataset(fmt.Sprintf("set%d", i)); err != nil {
			l.T.Fatal(err)
		}
	}
	return list
}

// Truncate shortens the files of all packs to nothing, under whoever has them mapped.
func (l Lab) Truncate(pattern string) {
	l.T.Helper()
	files, _ := filepath.Glob(filepath.Join(l.Dir, "packs", "*", pattern))
	if len(files) == 0 {
		l.T.Fatalf("no %s in the packs", pattern)
	}
	for _, f := range files {
		if err := os.Truncate(f, 0); err != nil {
			l.T.Fatal(err)
		}
	}
}

// Dataset is one made-up dataset in a store of its own.
func Dataset(t testing.TB, set []Sample) *store.Dataset {
	t.Helper()
	l := NewLab(t)
	l.Write(PerShard, Schema, set)
	return l.Open(1)[0]
}

func putDataset(w *store.Writer, k int, schema store.Schema, set []Sample) (store.Digest, error) {
	set = slices.Clone(set)
	slices.SortFunc(set, func(a, b Sample) int {
		return cmp.Or(cmp.Compare(store.Place(a.ID), store.Place(b.ID)), cmp.Compare(a.ID, b.ID))
	})
	places := make([]uint64, len(set))
	for i, s := range set {
		places[i] = store.Place(s.ID)
	}
	leaves := store.Split(places, k)
	origins := slices.Clone(leaves)
	for i := range leaves {
		rows := set[:leaves[i].Rows]
		set = set[leaves[i].Rows:]
		entries, shard := shardOf(rows, schema)
		origin := store.Origin{Rows: make([]store.OriginRow, len(rows)), Blocks: make([]store.Key, len(schema.Blocks()))}
		for r := range rows {
			origin.Rows[r].ID = rows[r].ID
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

func shardOf(rows []Sample, schema store.Schema) ([]store.Entry, store.Shard) {
	var entries []store.Entry
	var shard store.Shard
	for _, s := range rows {
		shard.IDs = append(shard.IDs, s.ID)
	}
	for _, c := range schema {
		if c.Inline() {
			var values []int32
			for _, s := range rows {
				values = append(values, s.Scalar(c.Name))
			}
			shard.Scalars = append(shard.Scalars, values)
			continue
		}
		var block []byte
		var sums []uint64
		for _, s := range rows {
			b := s.Bytes(c)
			sums = append(sums, store.Checksum(b))
			if s.Spoilt == c.Name {
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
