package store

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// wantRows compares what ShardRows says with what DecodeShard reads.
func wantRows(t testing.TB, name string, rows *ShardRows, want *Shard) {
	t.Helper()
	if rows.Len() != want.Len() {
		t.Fatalf("%s: %d rows, want %d", name, rows.Len(), want.Len())
	}
	for i, id := range want.IDs {
		if rows.ID(i) != id || rows.Place(i) != Place(id) {
			t.Errorf("%s: row %d is %q at %#x, want %q at %#x", name, i, rows.ID(i), rows.Place(i), id, Place(id))
		}
		for c := range want.Scalars {
			if got := rows.Scalar(c, i); got != want.Scalars[c][i] {
				t.Errorf("%s: column %d of row %d = %d, want %d", name, c, i, got, want.Scalars[c][i])
			}
		}
	}
}

// someShard makes a record of n rows of goldenSchema.
func someShard(r *rand.Rand, n int) *Shard {
	s := &Shard{IDs: make([]string, n), Scalars: [][]int32{make([]int32, n), make([]int32, n)}, Blocks: []Block{{Digest: filled(byte(n))}, {Digest: filled(byte(n + 1))}}}
	for i := range n {
		s.IDs[i] = fmt.Sprintf("%0*d", r.IntN(40), r.Uint32())
		s.Scalars[0][i], s.Scalars[1][i] = int32(r.Uint32()), int32(r.Uint32())
	}
	for b := range s.Blocks {
		s.Blocks[b].Sums = make([]uint64, n)
	}
	return s
}

// TestShardRowsSayWhatARecordHas, one record after the other in the same memory.
func TestShardRowsSayWhatARecordHas(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var rows ShardRows
	for _, n := range []int{2, 16, 0, 1, 300, 3} {
		want := someShard(r, n)
		if err := rows.decode(want.Encode(), goldenSchema); err != nil {
			t.Fatal(err)
		}
		wantRows(t, fmt.Sprint(n), &rows, want)
	}
	record := someShard(r, 16).Encode()
	if n := testing.AllocsPerRun(10, func() {
		if rows.decode(record, goldenSchema) != nil || rows.Place(3) == 0 || rows.Scalar(1, 15) == 0 {
			t.Error("a value is missing")
		}
	}); n != 0 {
		t.Errorf("%v allocations a record, want 0", n)
	}
}

func TestShardRowsRefuseWhatDecodeShardRefuses(t *testing.T) {
	whole := goldenShard.Encode()
	records := map[string][]byte{
		"the record":      whole,
		"a byte too many": append(slices.Clone(whole), 0),
		"another magic":   append([]byte("VXZ1"), whole[4:]...),
		"nothing":         nil,
		"counts only":     []byte(shardMagic + "\xff\xff\xff\xff\x02\x02"),
	}
	for n := range whole {
		records[fmt.Sprintf("%d bytes", n)] = whole[:n]
	}
	for name, record := range records {
		for _, schema := range []Schema{goldenSchema, goldenSchema[1:], goldenSchema[:3], nil} {
			sameVerdict(t, fmt.Sprintf("%s, %d columns", name, len(schema)), record, schema)
		}
	}
}

// sameVerdict: what one decoder takes the other takes, and reads the same.
func sameVerdict(t testing.TB, name string, record []byte, schema Schema) {
	t.Helper()
	want, wantErr := DecodeShard(record, schema)
	var rows ShardRows
	err := rows.decode(record, schema)
	if errors.Is(err, ErrDamaged) != errors.Is(wantErr, ErrDamaged) || (err == nil) != (wantErr == nil) {
		t.Fatalf("%s: error = %v, DecodeShard says %v", name, err, wantErr)
	}
	if err == nil {
		wantRows(t, name, &rows, want)
	}
}

func FuzzShardRows(f *testing.F) {
	f.Add(goldenShard.Encode())
	f.Add(someShard(rand.New(rand.NewPCG(4, 4)), 5).Encode())
	f.Add([]byte(shardMagic + "\x02\x00\x00\x00\x02\x02\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, b []byte) { sameVerdict(t, "the record", b, goldenSchema) })
}

// datasetOf is a dataset of the given shards that has no more than scans need.
func datasetOf(s *Store, shards []*Shard) *Dataset {
	d := &Dataset{Store: s, Root: &Root{Schema: goldenSchema}}
	for _, shard := range shards {
		d.Shards = append(d.Shards, Leaf{Rows: shard.Len(), Digest: Sum(shard.Encode())})
	}
	return d
}

// someShards makes shards of 1 to 40 rows: records below and above the length
// from which values lie in the value log.
func someShards(seed uint64, n int) (shards []*Shard, entries []Entry) {
	r := rand.New(rand.NewPCG(seed, 0))
	for range n {
		shard := someShard(r, 1+r.IntN(40))
		shards = append(shards, shard)
		entries = append(entries, entry(KindShard, shard.Encode()))
	}
	return shards, entries
}

// scanAll scans every part of a dataset and checks what it is given.
func scanAll(t *testing.T, d *Dataset, shards []*Shard, parts int) (visited map[int]int, missed []int) {
	t.Helper()
	visited = map[int]int{}
	for part := range parts {
		m, err := d.ScanShards(part, parts, func(leaf int, rows *ShardRows) error {
			visited[leaf]++
			wantRows(t, fmt.Sprintf("leaf %d", leaf), rows, shards[leaf])
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		missed = append(missed, m...)
	}
	return visited, missed
}

// TestAScanMeetsEveryShardOnce, in whatever pack it lies, beside records of
// other datasets, in any number of parts.
func TestAScanMeetsEveryShardOnce(t *testing.T) {
	dir := memoryDir(t)
	shards, entries := someShards(1, 90)
	_, others := someShards(2, 50)
	put(t, dir, testOptions(), append(entries[:30:30], others[:20]...)...)
	put(t, dir, testOptions(), append(entries[30:60:60], entry(KindBlock, noise(1, 9000)))...)
	put(t, dir, testOptions(), append(entries[60:], others[20:]...)...)
	d := datasetOf(open(t, dir), shards)
	for _, parts := range []int{1, 2, 3, 8, 200} {
		visited, missed := scanAll(t, d, shards, parts)
		if len(visited) != 90 || len(missed) != 0 {
			t.Errorf("%d parts: %d of 90 shards visited, %v missed", parts, len(visited), missed)
		}
		for leaf, n := range visited {
			if n != 1 {
				t.Errorf("%d parts: leaf %d was visited %d times", parts, leaf, n)
			}
		}
	}
}

// TestAScanPassesDamageOver: a record that is not sound in the first pack is
// taken from the next, or missed if there is none.
func TestAScanPassesDamageOver(t *testing.T) {
	shards, entries := someShards(3, 12)
	sound, dir := memoryDir(t), memoryDir(t)
	put(t, sound, testOptions(), entries[:6:6]...)
	spoilt := slices.Clone(entries)
	for _, i := range []int{2, 5, 8} { // of 2 and 5 there is a sound copy
		spoilt[i].Value = slices.Clone(spoilt[i].Value)
		spoilt[i].Value[len(spoilt[i].Value)-1] ^= 1
	}
	put(t, dir, testOptions(), spoilt[:11:11]...) // and 11 is nowhere
	from := onlyPack(t, sound)
	if err := os.Rename(from, filepath.Join(packsDir(dir), filepath.Base(from))); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir)
	if packs := s.Packs(); len(packs) != 2 || packs[0].ID == filepath.Base(from) {
		t.Fatalf("packs = %v, want the damaged one first", packs)
	}
	visited, missed := scanAll(t, datasetOf(s, shards), shards, 2)
	slices.Sort(missed)
	if len(visited) != 10 || !slices.Equal(missed, []int{8, 11}) {
		t.Errorf("visited %v, missed %v; want all but 8 and 11", visited, missed)
	}
	var rows ShardRows
	d := datasetOf(s, shards)
	for leaf, want := range map[int]error{2: nil, 8: ErrDamaged, 11: ErrNotFound} {
		if err := d.ShardRows(leaf, &rows); !errors.Is(err, want) || want == nil && err != nil {
			t.Errorf("ShardRows(%d) = %v, want %v", leaf, err, want)
		} else if err == nil {
			wantRows(t, "a sound copy", &rows, shards[leaf])
		}
	}
	d.Shards[0].Rows++
	if err := d.ShardRows(0, &rows); !errors.Is(err, ErrDamaged) || rows.Len() != 0 {
		t.Errorf("a shard with another number of rows than its page says: %d rows, %v", rows.Len(), err)
	}
	if _, missed := scanAll(t, d, shards, 1); !slices.Contains(missed, 0) {
		t.Error("a shard with another number of rows than its page says was visited")
	}
}

// TestAnErrorEndsAScan, and no shard is visited behind it.
func TestAnErrorEndsAScan(t *testing.T) {
	dir := memoryDir(t)
	shards, entries := someShards(5, 20)
	put(t, dir, testOptions(), entries[:10:10]...)
	put(t, dir, testOptions(), entries[10:]...)
	d := datasetOf(open(t, dir), shards)
	stop, n := errors.New("stop"), 0
	missed, err := d.ScanShards(0, 1, func(int, *ShardRows) error {
		if n++; n == 7 {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) || n != 7 || missed != nil {
		t.Errorf("%d shards visited, missed %v, error = %v; want 7, the error and nothing else", n, missed, err)
	}
}

// TestAScanOfAPackCutShort misses what it cannot read and goes on elsewhere.
func TestAScanOfAPackCutShort(t *testing.T) {
	dir := memoryDir(t)
	shards, entries := someShards(7, 40)
	put(t, dir, testOptions(), entries[:20:20]...)
	put(t, dir, testOptions(), entries[20:]...)
	s := open(t, dir)
	d := datasetOf(s, shards)
	if visited, _ := scanAll(t, d, shards, 1); len(visited) != 40 {
		t.Fatalf("%d shards visited, want 40", len(visited))
	}
	newest := filepath.Join(packsDir(dir), s.Packs()[0].ID)
	for _, pattern := range []string{"*.sst", "*.vlog"} {
		files, _ := filepath.Glob(filepath.Join(newest, pattern))
		for _, f := range files {
			if err := os.Truncate(f, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	visited, missed := scanAll(t, d, shards, 1)
	slices.SortFunc(missed, cmp.Compare)
	for leaf := range shards {
		if want := leaf < 20; (visited[leaf] == 1) != want || slices.Contains(missed, leaf) == want {
			t.Errorf("leaf %d: visited = %d, want it visited = %v, else missed", leaf, visited[leaf], want)
		}
	}
}
