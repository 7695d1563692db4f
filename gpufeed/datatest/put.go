package datatest

import (
	"cmp"
	"slices"

	"voxpack/store"
)

// Row is what a dataset is made of.
type Row interface {
	Name() string                // its id
	Bytes(c store.Column) []byte // its sample in a block column
	Scalar(column string) int32  // its value in an inline column
	Spoils(column string) bool   // the bytes stored there are not those of the checksum
}

// InOrder is the rows in the order of the trie.
func InOrder[R Row](set []R) []R {
	return slices.SortedFunc(slices.Values(set), func(a, b R) int {
		return cmp.Or(cmp.Compare(store.Place(a.Name()), store.Place(b.Name())), cmp.Compare(a.Name(), b.Name()))
	})
}

// put writes a dataset and gives its snapshot, to which nothing points yet.
func put[R Row](w *store.Writer, root store.Root, set []R) (store.Digest, error) {
	set = InOrder(set)
	var places []uint64
	for _, r := range set {
		places = append(places, store.Place(r.Name()))
	}
	shards := store.Split(places, root.PerShard)
	origins := slices.Clone(shards)
	var entries []store.Entry
	record := func(kind store.Kind, b []byte) store.Digest {
		entries = append(entries, store.Entry{Kind: kind, Name: store.Sum(b), Value: b})
		return store.Sum(b)
	}
	for i := range shards {
		rows := set[:shards[i].Rows]
		set = set[shards[i].Rows:]
		shard, origin := shardOf(rows, root.Schema, record)
		shards[i].Digest, origins[i].Digest = record(store.KindShard, shard.Encode()), record(store.KindOrigin, origin.Encode())
		if err := w.Put(entries); err != nil {
			return store.Digest{}, err
		}
		entries = entries[:0]
	}
	page := func(b []byte) (store.Digest, error) { return record(store.KindPage, b), nil }
	var err error
	if root.Trie, err = store.WriteTrie(shards, page); err != nil {
		return store.Digest{}, err
	}
	root.Rows, root.Shards = len(places), len(shards)
	snapshot := store.Snapshot{Root: record(store.KindRoot, root.Encode()), Kept: len(places)}
	if snapshot.Origins, err = store.WriteTrie(origins, page); err != nil {
		return store.Digest{}, err
	}
	name := record(store.KindSnapshot, snapshot.Encode())
	return name, w.Put(entries)
}

func shardOf[R Row](rows []R, schema store.Schema, record func(store.Kind, []byte) store.Digest) (shard store.Shard, origin store.Origin) {
	origin = store.Origin{Rows: make([]store.OriginRow, len(rows)), Blocks: make([]store.Key, len(schema.Blocks()))}
	for i, r := range rows {
		shard.IDs = append(shard.IDs, r.Name())
		origin.Rows[i].ID = r.Name()
	}
	for _, c := range schema {
		if c.Inline() {
			var values []int32
			for _, r := range rows {
				values = append(values, r.Scalar(c.Name))
			}
			shard.Scalars = append(shard.Scalars, values)
			continue
		}
		var block []byte
		var sums []uint64
		for _, r := range rows {
			b := r.Bytes(c)
			sums = append(sums, store.Checksum(b))
			if r.Spoils(c.Name) {
				b[len(b)/2] ^= 4
			}
			block = append(block, b...)
		}
		shard.Blocks = append(shard.Blocks, store.Block{Digest: record(store.KindBlock, block), Sums: sums})
	}
	return shard, origin
}
