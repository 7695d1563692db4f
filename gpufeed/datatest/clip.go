package datatest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"voxpack/store"
)

// Clip is a row of which a test decides every byte. A sample's bytes follow
// from its id; a clip's may change while the id stays, as an edit does it.
type Clip struct {
	ID      string
	Content uint64           // what the bytes of its blocks are drawn from
	Scalars map[string]int32 // by inline column
}

// SomeClips makes n rows with ids of many lengths, lengths from 0 to the full
// shape and some values in each further inline column, so that filters find
// some and leave some.
func SomeClips(r *rand.Rand, n int, schema store.Schema) []Clip {
	list := make([]Clip, n)
	for i := range list {
		list[i] = Clip{ID: fmt.Sprintf("%s-%d", strings.Repeat("é", i%5), i), Content: r.Uint64(), Scalars: map[string]int32{}}
		for _, c := range schema.Inline() {
			list[i].Scalars[c.Name] = int32(r.IntN(4)) - 1
		}
		for _, c := range schema {
			switch c.Name {
			case "tokens":
				list[i].Scalars["text_len"] = int32(r.IntN(c.Shape[0] + 1))
			case "mel":
				list[i].Scalars["mel_len"] = int32(r.IntN(c.Shape[0] + 1))
			}
		}
	}
	return list
}

// Bytes is what the clip has in a block column: other bytes in each, zeros
// after its length.
func (c Clip) Bytes(column store.Column) []byte {
	b := make([]byte, column.SampleBytes())
	real := len(b)
	switch column.Name {
	case "tokens":
		real = int(c.Scalars["text_len"]) * column.RowBytes()
	case "mel":
		real = int(c.Scalars["mel_len"]) * column.RowBytes()
	}
	r := rand.New(rand.NewPCG(c.Content, store.Checksum([]byte(column.Name))))
	for i := range real {
		b[i] = byte(r.Uint32() >> 7)
	}
	return b
}

// Clips builds datasets and opens them. They are in one pack, of which the ref
// names the last: sealing one for each would take most of a test's time.
func (l Lab) Clips(k int, schema store.Schema, sets ...[]Clip) []*store.Dataset {
	l.T.Helper()
	w, err := store.OpenWriter(l.Dir, store.WriterOptions{Small: true, Reserve: 8 << 20})
	if err != nil {
		l.T.Fatal(err)
	}
	var snapshots []store.Digest
	for _, set := range sets {
		snapshot, err := putClips(w, k, schema, set)
		if err != nil {
			l.T.Fatal(errors.Join(err, w.Close()))
		}
		snapshots = append(snapshots, snapshot)
	}
	err = w.Commit(context.Background(), "tags/set0", snapshots[len(snapshots)-1])
	if err := errors.Join(err, w.Close()); err != nil {
		l.T.Fatal(err)
	}
	last := l.Open(1)[0]
	var list []*store.Dataset
	for _, snapshot := range snapshots {
		d, err := last.Store.DatasetOf(snapshot)
		if err != nil {
			l.T.Fatal(err)
		}
		list = append(list, d)
	}
	return list
}

// InOrder is the clips in the order of the trie.
func InOrder(set []Clip) []Clip {
	return slices.SortedFunc(slices.Values(set), func(a, b Clip) int {
		return cmp.Or(cmp.Compare(store.Place(a.ID), store.Place(b.ID)), cmp.Compare(a.ID, b.ID))
	})
}

func putClips(w *store.Writer, k int, schema store.Schema, set []Clip) (store.Digest, error) {
	set = InOrder(set)
	var places []uint64
	for _, c := range set {
		places = append(places, store.Place(c.ID))
	}
	shards := store.Split(places, k)
	origins := slices.Clone(shards)
	var entries []store.Entry
	put := func(kind store.Kind, b []byte) store.Digest {
		entries = append(entries, store.Entry{Kind: kind, Name: store.Sum(b), Value: b})
		return store.Sum(b)
	}
	for i := range shards {
		rows := set[:shards[i].Rows]
		set = set[shards[i].Rows:]
		shard, origin := clipShard(rows, schema, put)
		shards[i].Digest, origins[i].Digest = put(store.KindShard, shard.Encode()), put(store.KindOrigin, origin.Encode())
		if err := w.Put(entries); err != nil {
			return store.Digest{}, err
		}
		entries = entries[:0]
	}
	page := func(b []byte) (store.Digest, error) { return put(store.KindPage, b), nil }
	trie, err := store.WriteTrie(shards, page)
	if err != nil {
		return trie, err
	}
	trieOfOrigins, err := store.WriteTrie(origins, page)
	if err != nil {
		return trie, err
	}
	root := store.Root{Schema: schema, PerShard: k, Rows: len(places), Shards: len(shards), Trie: trie}
	snapshot := store.Snapshot{Root: put(store.KindRoot, root.Encode()), Origins: trieOfOrigins, Kept: len(places)}
	name := put(store.KindSnapshot, snapshot.Encode())
	return name, w.Put(entries)
}

func clipShard(rows []Clip, schema store.Schema, put func(store.Kind, []byte) store.Digest) (shard store.Shard, origin store.Origin) {
	origin = store.Origin{Rows: make([]store.OriginRow, len(rows)), Blocks: make([]store.Key, len(schema.Blocks()))}
	for i, c := range rows {
		shard.IDs = append(shard.IDs, c.ID)
		origin.Rows[i].ID = c.ID
	}
	for _, column := range schema.Inline() {
		var values []int32
		for _, c := range rows {
			values = append(values, c.Scalars[column.Name])
		}
		shard.Scalars = append(shard.Scalars, values)
	}
	for _, column := range schema.Blocks() {
		var block []byte
		var sums []uint64
		for _, c := range rows {
			b := c.Bytes(column)
			block, sums = append(block, b...), append(sums, store.Checksum(b))
		}
		shard.Blocks = append(shard.Blocks, store.Block{Digest: put(store.KindBlock, block), Sums: sums})
	}
	return shard, origin
}
