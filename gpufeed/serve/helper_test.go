package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"voxpack/gpufeed"
	"voxpack/gpufeed/plan"
	"voxpack/store"
)

// The made-up corpus: what a row holds follows from its id.
const (
	testTokens = 6
	testFrames = 8
	testMels   = 3
)

var testSchema = store.Schema{
	{Name: "tokens", DType: store.Int32, Shape: []int{testTokens}},
	{Name: "mel", DType: store.Float32, Shape: []int{testFrames, testMels}},
	{Name: "text_len", DType: store.Int32},
	{Name: "mel_len", DType: store.Int32},
}

// dataset is one of n rows in a store of its own. The mels of spoilt ids are not
// those of their checksums.
func dataset(t testing.TB, n int, spoilt ...string) *store.Dataset {
	t.Helper()
	dir := t.TempDir()
	w, err := store.OpenWriter(dir, store.WriterOptions{Small: true, Reserve: 8 << 20})
	if err != nil {
		t.Fatal(err)
	}
	snapshot, err := put(w, n, spoilt)
	if err == nil {
		err = w.Commit(context.Background(), "heads/main", snapshot)
	}
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	d, err := s.Dataset("main")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func put(w *store.Writer, n int, spoilt []string) (store.Digest, error) {
	var ids []string
	for i := range n {
		ids = append(ids, fmt.Sprintf("é%04d", i))
	}
	slices.SortFunc(ids, func(a, b string) int { return cmp.Compare(store.Place(a), store.Place(b)) })
	places := make([]uint64, n)
	for i, id := range ids {
		places[i] = store.Place(id)
	}
	leaves := store.Split(places, 4)
	origins := slices.Clone(leaves)
	for i := range leaves {
		rows := ids[:leaves[i].Rows]
		ids = ids[leaves[i].Rows:]
		shard, entries := shardOf(rows, spoilt)
		origin := store.Origin{Rows: make([]store.OriginRow, len(rows)), Blocks: make([]store.Key, len(testSchema.Blocks()))}
		for r, id := range rows {
			origin.Rows[r].ID = id
		}
		s, o := record(store.KindShard, shard.Encode()), record(store.KindOrigin, origin.Encode())
		leaves[i].Digest, origins[i].Digest = s.Name, o.Name
		if err := w.Put(append(entries, s, o)); err != nil {
			return store.Digest{}, err
		}
	}
	page := func(b []byte) (store.Digest, error) {
		e := record(store.KindPage, b)
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
	root := store.Root{Schema: testSchema, PerShard: 4, Rows: n, Shards: len(leaves), Trie: trie, Symbols: []string{"_", "a"}}
	r := record(store.KindRoot, root.Encode())
	snapshot := store.Snapshot{Root: r.Name, Origins: trieOfOrigins, Kept: n}
	e := record(store.KindSnapshot, snapshot.Encode())
	return e.Name, w.Put([]store.Entry{r, e})
}

func shardOf(ids, spoilt []string) (shard store.Shard, entries []store.Entry) {
	shard.IDs = ids
	for _, c := range testSchema {
		if c.Inline() {
			var values []int32
			for _, id := range ids {
				values = append(values, int32(1+store.Place(id)%testTokens))
			}
			shard.Scalars = append(shard.Scalars, values)
			continue
		}
		var block []byte
		var sums []uint64
		for _, id := range ids {
			b := make([]byte, c.SampleBytes())
			x := store.Place(id+c.Name) | 1
			for i := range b {
				x = x*6364136223846793005 + 1442695040888963407
				b[i] = byte(x>>56) | 1
			}
			sums = append(sums, store.Checksum(b))
			if c.Name == "mel" && slices.Contains(spoilt, id) {
				b[0] ^= 4
			}
			block = append(block, b...)
		}
		e := record(store.KindBlock, block)
		entries = append(entries, e)
		shard.Blocks = append(shard.Blocks, store.Block{Digest: e.Name, Sums: sums})
	}
	return shard, entries
}

func record(k store.Kind, b []byte) store.Entry {
	return store.Entry{Kind: k, Name: store.Sum(b), Value: b}
}

// serving runs a server until the test ends. change may change its options.
func serving(t *testing.T, d *store.Dataset, change func(*Options)) *Server {
	t.Helper()
	o := Options{
		Dataset: d, Config: gpufeed.Config{Plan: plan.Options{Batch: 4, Seed: 5}},
		Version: "test", Socket: filepath.Join(t.TempDir(), "s"), Languages: []string{"en"},
	}
	if change != nil {
		change(&o)
	}
	s, err := Listen(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Serve = %v", err)
		}
	})
	return s
}

// until waits for something to become true, however slow the machine is: the limit
// is that of go test.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	end, limited := t.Deadline()
	for ; !is(); time.Sleep(time.Millisecond) {
		if limited && time.Until(end) < time.Second {
			t.Fatalf("it does not become true: %s", what)
		}
	}
}

// Sessions is how many consumers are there.
func (s *Server) Sessions() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sessions
}
